#!/usr/bin/env python3
"""Compares tendril's quadtree with Boost.Geometry's R-tree: same points and queries, in turn, in one run.

  bench/compare_rtree.py [BENCH_TREE [JSON_FILE]]

The repetitions of all benchmarks are interleaved; a ratio is that of the medians, below 1 where tendril is faster.
Processor times are those of all threads. REPETITIONS (9) and FILTER may be set in the environment.
"""

import datetime
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def measure(program):
    """Runs the program; {name: (milliseconds, milliseconds of processor time)} of its repetitions."""
    command = [
        program,
        "--benchmark_format=json",
        "--benchmark_repetitions=" + os.environ.get("REPETITIONS", "9"),
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_filter=" + os.environ.get("FILTER", "."),
    ]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    times = {}
    for run in json.loads(output)["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"compare_rtree.py: {run['name']}: {run['error_message']}")
        if run["run_type"] == "iteration":
            times.setdefault(run["run_name"], []).append((run["real_time"], run["cpu_time"]))
    return {name: tuple(map(statistics.median, zip(*pairs))) for name, pairs in times.items()}


def rows_of(times):
    for name, (ours, our_processor) in times.items():
        # build/uniform/process_time/real_time/threads:2 is beside build_boost/uniform/...
        what, points = name.split("/")[:2]
        threads = re.search(r"threads:(\d+)|/(\d+)/", name)
        if what.endswith("_boost"):
            continue
        row = {"what": what, "points": points, "threads": int(threads[1] or threads[2]),
               "tendril_median_ms": round(ours, 3), "tendril_processor_ms": round(our_processor, 3)}
        for other, (theirs, their_processor) in times.items():
            if other.startswith(f"{what}_boost/{points}/"):
                row |= {"boost_median_ms": round(theirs, 3), "boost_processor_ms": round(their_processor, 3),
                        "ratio": round(ours / theirs, 3)}
        yield row


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/host/bin/bench_tree"
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "bench/results/tree.json"
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    load_before = os.getloadavg()[0]
    rows = sorted(rows_of(measure(program)), key=lambda row: (row["what"], row["points"], row["threads"]))
    result = {"what": "quadtree against Boost.Geometry's R-tree, ratio of medians; a million points, 100,000 queries",
              "date": datetime.date.today().isoformat(), "commit": commit,
              "processor": cpu[1] if cpu else "unknown", "load_before": round(load_before, 2), "rows": rows}
    for row in rows:
        beside = f"  boost {row['boost_median_ms']:10.3f} ms  ratio {row['ratio']:.3f}" if "ratio" in row else ""
        print(f"{row['what']:12} {row['points']:9} {row['threads']} {row['tendril_median_ms']:10.3f} ms{beside}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")
    print(f"written: {target}")


if __name__ == "__main__":
    main()
