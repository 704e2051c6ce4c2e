#!/usr/bin/env python3
"""Records the figures of a GPU in bench/results/MACHINE, and how every GPU test ends.

  bench/record_gpu.py BIN OUT COMMIT [JOBS]

BIN is the folder of programs that the preset `cuda` built from COMMIT. Each test is run as a program of its own, JOBS (1)
at a time on each GPU that is there, since kernels of several take turns; 0 records the figures alone. The exit status is 1 if a program or a test failed.
"""

import concurrent.futures
import datetime
import functools
import itertools
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

FIGURES = {  # file: programs and which of their rows
    "traverse_gpu.json": [("bench_traverse_gpu", ".")],
    "tree_gpu.json": [("bench_tree_gpu", ".")],
    "query_gpu.json": [("bench_query_gpu", "-/(pool|urgent)/")],
    "pool_gpu.json": [("bench_query_gpu", "/(pool|urgent)/")],
    "schedule.json": [("bench_schedule", ".")],
    "expand_gpu.json": [("bench_expand_gpu", ".")],
    "device_runtime.json": [("bench_with_device_runtime", "."), ("bench_without_device_runtime", ".")],
}
TESTS = ["test_gpu", "test_gpu_dynamic", "test_query_gpu", "test_schedule_gpu", "test_expand_gpu", "test_tree_gpu",
         "test_tree_program_gpu", "test_apps_gpu"]
LIMIT_S = 600  # of one program
NO_FIGURES = {"caches", "host_name", "executable", "load_avg", "json_schema_version", "library_version",
              "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
              "repetition_index", "cpu_time"}


def without(fields):
    return {key: value for key, value in fields.items() if key not in NO_FIGURES}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def figures(folder, programs, built):
    """One report of the rows of all programs; raises SubprocessError."""
    report = {"context": {}, "benchmarks": []}
    for program, rows in programs:
        made = subprocess.run([folder / program, "--benchmark_format=json", f"--benchmark_filter={rows}"], check=True,
                              stdout=subprocess.PIPE, timeout=LIMIT_S)
        part = json.loads(made.stdout)
        failed = [row["name"] for row in part["benchmarks"] if row.get("error_occurred")]
        if failed:
            raise subprocess.CalledProcessError(1, f"{program}: {', '.join(failed)}")
        report["context"].update({**without(part["context"]), **built})
        report["benchmarks"] += [without(row) for row in part["benchmarks"]]
    return report


def concurrency(folder, built):
    made = subprocess.run([folder / "tendril", "devices", "--concurrency", "--json", "-"], check=True,
                          stdout=subprocess.PIPE, timeout=LIMIT_S)
    return {**json.loads(made.stdout), **built, "date": now()}


def names_of_tests(program):
    suite = ""
    for line in subprocess.run([program, "--gtest_list_tests"], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            yield suite + name.strip()
        elif name.endswith("."):
            suite = name


def tests_of(folder, out, jobs):
    """How each test ends, as it does."""
    num_gpus = len(subprocess.run(["nvidia-smi", "-L"], check=True, stdout=subprocess.PIPE).stdout.splitlines())
    gpu = itertools.cycle(range(num_gpus))
    own = threading.local()

    def run(test):
        program, name = test
        if not hasattr(own, "gpu"):
            own.gpu = str(next(gpu))
        env = os.environ if "two_gpus" in name else {**os.environ, "CUDA_VISIBLE_DEVICES": own.gpu}
        try:
            made = subprocess.run([folder / program, f"--gtest_filter={name}"], env=env, timeout=LIMIT_S, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return "Timeout", program, name
        result = ("Failed" if made.returncode != 0 or "[  PASSED  ] " not in made.stdout
                  else "Skipped" if "[  SKIPPED ] " in made.stdout else "Passed")
        if result == "Failed":
            (out / f"{program}.{name.replace('/', '_')}.log").write_text(made.stdout)
        return result, program, name

    tests = [(program, name) for program in TESTS for name in names_of_tests(folder / program)]
    of_all = [test for test in tests if "two_gpus" in test[1]]
    with concurrent.futures.ThreadPoolExecutor(jobs * num_gpus) as pool:
        yield from pool.map(run, [test for test in tests if test not in of_all])
    yield from map(run, of_all)


def record_figures(folder, out, built):
    failed = False
    reports = {name: functools.partial(figures, folder, programs, built) for name, programs in FIGURES.items()}
    reports["concurrency.json"] = functools.partial(concurrency, folder, built)
    for name, report in reports.items():
        try:
            (out / name).write_text(json.dumps(report(), indent=1) + "\n")
            print(f"{now()} {name}", flush=True)
        except subprocess.SubprocessError as error:
            failed = True
            print(f"FAILED {name}: {error}", flush=True)
    return failed


def record_tests(folder, out, built, jobs):
    failed = False
    with (out / "tests.txt").open("w") as log:
        log.write(f"device: {built['device']}\ndate: {now()}\ncommit: {built['commit']}\n\n")
        for result, program, name in tests_of(folder, out, jobs):
            log.write(f"{result:<8} {program} {name} {built['commit']}\n")
            log.flush()
            failed |= result not in ("Passed", "Skipped")
    return failed


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    jobs = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    devices = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.splitlines()
    built = {"commit": sys.argv[3], "device": devices[0]}
    out.mkdir(parents=True, exist_ok=True)
    failed = record_figures(folder, out, built)
    if jobs > 0:
        failed |= record_tests(folder, out, built, jobs)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
