#!/usr/bin/env python3
"""The tables of figures in the documents, made from bench/results.

    readme_tables.py           says which tables differ from the results, exit status 1 if any does
    readme_tables.py --write   writes them

A table stands in a document between `<!-- figures: NAME -->` and `<!-- end -->`.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "framework").rglob("*.md")), ROOT / "bench" / "NOTES.md"]


def three_digits(value):
    """Three significant digits, never fewer than the whole number."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def benchmarks(name):
    """Context, and what was measured under each name; the last part of a name is how it was timed."""
    report = json.loads((RESULTS / name).read_text())
    rows = {re.sub(r"/iterations:.*", "", b["name"]): b for b in report["benchmarks"]}
    return report["context"], rows


def taken(name, context):
    machine = context.get("device") or context["processor"]
    return [f"{machine}, {context['date'][:10]}, commit {context['commit'][:7]} "
            f"([JSON]({{}}bench/results/{name})):", ""]


def traversals():
    name = "h200/traverse_gpu.json"
    context, rows = benchmarks(name)

    def row(graph):
        depths, parents = rows[graph + "/depths"], rows[graph + "/depths-and-parents"]
        deep = graph.startswith(("grid", "path"))
        return [graph, three_digits(depths["median_ms"]), three_digits(parents["median_ms"]),
                f"{depths['us_per_level']:.2f} us a level" if deep
                else f"{depths['adjacency_entries_per_second'] / 1e9:,.0f} G entries/s"]

    graphs = [key[:-len("/depths")] for key in rows if key.endswith("/depths")]
    drivers = [[key.replace("/depths/", ", "), three_digits(value["median_ms"]), "", ""]
               for key, value in rows.items() if "/depths/" in key]
    distances = [["shortest distances, " + key[:-len("/distances")], three_digits(value["median_ms"]), "", ""]
                 for key, value in rows.items() if key.endswith("/distances")]
    return taken(name, context) + table(["graph", "depths, ms", "depths and parents, ms", ""],
                                        [row(graph) for graph in graphs] + drivers + distances)


WAYS_IN_SHORT = {
    "per-block": "per-block",
    "fixed-grid": "fixed-grid",
    "ticket": "ticket",
    "canceled-blocks": "libcu++'s for_each_canceled_block (steals nothing on sm_90)",
    "launch-control, early": "software launch control, ask early",
    "launch-control, late": "software launch control, ask late",
}


def count(value):
    return f"{value:,.0f}" if value else "-"


def waiting(rows, way):
    """Microseconds that an urgent kernel waited, and what it does with the yield flag."""
    yielding = rows.get(f"schedule/urgent/{way}, yields")
    return (f"{rows[f'schedule/urgent/{way}']['real_time']:,.0f} us",
            f"{yielding['real_time']:,.0f} us with the yield flag" if yielding else "")


def skewed_and_tiny(rows, way):
    return (rows[f"schedule/{way}/pareto:1.1:100:4000/prologue:400"],
            rows[f"schedule/{way}/uniform:20/prologue:0"])


def schedules():
    name = "h200/schedule.json"
    context, rows = benchmarks(name)
    made = []
    for way, words in WAYS_IN_SHORT.items():
        skewed, tiny = skewed_and_tiny(rows, way)
        plain, yielding = waiting(rows, way)
        made.append([words, f"{skewed['median_us'] / 1000:.3f}", count(skewed["prologues"]),
                     count(skewed["stolen"]), yielding or plain, f"{tiny['median_us'] / 1000:.3f}"])
    made.append(["hardware launch control", "not run (no device)", "", "", "", ""])
    return taken(name, context) + table(
        ["way", "ms", "prologues", "stolen", "urgent kernel waits", "tiny tiles, ms"], made)


def every_schedule():
    name = "h200/schedule.json"
    context, rows = benchmarks(name)
    ways = [key.split("/")[1] for key in rows if key.endswith("/uniform:20/prologue:0")]
    made = []
    for way in ways:
        skewed, tiny = skewed_and_tiny(rows, way)
        wait = "; ".join(words for words in waiting(rows, way) if words)
        made.append([way, f"{skewed['median_us'] / 1000:.3f}", count(skewed["prologues"]),
                     count(skewed["stolen"]), count(skewed["refusals"]), wait,
                     count(skewed["registers"]), f"{tiny['median_us'] / 1000:.3f}"])
    return taken(name, context) + table(
        ["way", "ms", "prologues", "stolen", "refusals", "wait", "registers",
         "20-step tiles, no prologue, ms"], made)


def gap():
    name = "epyc-2-threads/gap_bfs.json"
    report = json.loads((RESULTS / name).read_text())
    return taken(name, report) + table(
        ["graph", "tendril, ms", "GAP, ms", "ratio"],
        [[row["graph"], three_digits(row["tendril_median_ms"]), three_digits(row["gap_median_ms"]),
          f"{row['ratio']:.2f}"] for row in report["rows"]])


def rtree():
    name = "epyc-2-threads/tree.json"
    report = json.loads((RESULTS / name).read_text())
    rows = {(row["what"], row["points"], row["threads"]): row for row in report["rows"] if "ratio" in row}
    words = {"build": "build", "range_count": "count in squares of about 100 points", "nearest": "8 nearest"}

    def row(what, points):
        one, two = rows[what, points, 1], rows[what, points, 2]
        processor = one["tendril_processor_ms"] / one["boost_processor_ms"]
        return [words[what], points, f"{three_digits(one['tendril_median_ms'])} / {three_digits(two['tendril_median_ms'])}",
                three_digits(one["boost_median_ms"]), f"{one['ratio']:.2f} / {two['ratio']:.2f}", f"{processor:.2f}"]

    return taken(name, report) + table(
        ["what", "points", "tendril, ms (1 / 2 threads)", "Boost, ms", "ratio (1 / 2 threads)",
         "ratio of processor times, 1 thread"],
        [row(what, points) for what in words for points in ("uniform", "clusters")])


def expansions():
    name = "h200/expand_gpu.json"
    context, rows = benchmarks(name)

    def row(tree):
        child_grid, level, host = (rows[f"expand/{way}/{tree}"] for way in ("child-grid", "level", "host"))
        nodes = child_grid["nodes_per_second"] * child_grid["median_ms"] / 1000
        times = [f"{three_digits(way['median_ms'])} / {three_digits(way['call_ms'])}" for way in (child_grid, level)]
        return [tree, f"{nodes:,.0f}", *times, three_digits(host["median_ms"]),
                count(child_grid["child_grids"]), count(level["tail_launches"])]

    trees = [key.split("/")[2] for key in rows if key.startswith("expand/host/")]
    threads = rows["expand/host/" + trees[0]]["threads"]
    return taken(name, context) + table(
        ["tree", "nodes", "child-grid, ms: kernels / call", "level, ms", f"{threads:.0f} threads of that machine, ms",
         "child grids", "tail launches by level"], [row(tree) for tree in trees])


def launch_pools():
    name = "h200/expand_gpu.json"
    context, rows = benchmarks(name)
    made = []
    for key, found in rows.items():
        if "/pool:" in key:
            block, pool = "block-nodes:64" in key, key.split("pool:")[1]
            made.append(["64" if block else "all that fit", f"{int(pool):,}", three_digits(found["median_ms"]),
                         count(found["child_grids"]), count(found["refused"])])
    return taken(name, context) + table(
        ["nodes in a block", "pool", "ms", "child grids", "refused"], sorted(made, reverse=True, key=lambda r: r[0]))


def child_orders():
    name = "h200/expand_gpu.json"
    context, rows = benchmarks(name)
    children = ["8", "64", "512"]
    ways = ["tail-launch", "streams-and-events", "one-stream"]
    return taken(name, context) + table(
        ["order", *(number + " children, us" for number in children)],
        [[way, *(three_digits(rows[f"order/{way}/children:{number}"]["median_us"]) for number in children)]
         for way in ways])


def device_runtime():
    name = "h200/device_runtime.json"
    context, rows = benchmarks(name)
    kernels = [key.split("/")[1] for key in rows if key.startswith("runtime:none/")]
    pairs = [(kernel, rows["runtime:none/" + kernel], rows["runtime:linked/" + kernel]) for kernel in kernels]
    made = [[kernel, three_digits(without["median_us"]), three_digits(linked["median_us"]),
             f"{linked['median_us'] / without['median_us']:.3f}"] for kernel, without, linked in pairs]
    _, without, linked = pairs[0]
    made.append(["memory of the context, MiB", count(without["context_bytes"] / 2**20),
                 count(linked["context_bytes"] / 2**20), ""])
    return taken(name, context) + table(["kernel", "without, us", "linked, us", "ratio"], made)


BUILDS = ["sort", "child-grid", "level"]


def floor_ms(found):
    return found["floor_bytes"] / 4.26e9  # device copy, bytes read and written


def trees():
    name = "h200/tree_gpu.json"
    context, rows = benchmarks(name)

    def row(points):
        builds = [rows.get(f"{points}/{way}") for way in BUILDS]
        launches = "; ".join(f"{build['child_grids']:.0f} + {build['tail_launches']:.0f}"
                             for build in builds[1:] if build)
        return [points, *[three_digits(build["median_ms"]) if build else "" for build in builds],
                f"{builds[0]['nodes']:,.0f}", launches, f"{floor_ms(builds[0]):.3f}"]

    def pools(points):
        found = {}
        for key, value in rows.items():
            if key.startswith(points + "/") and "/pool=" in key:
                way, pool = key[len(points) + 1:].split("/pool=")
                found.setdefault(int(pool), {})[way] = three_digits(value["median_ms"])
        return [[f"{points}, pool of {pool:,}", *[ways.get(way, "") for way in BUILDS], "", "", ""]
                for pool, ways in sorted(found.items())]

    points = [key[:-len("/sort")] for key in rows if key.endswith("/sort")]
    return taken(name, context) + table(
        ["points", *[f"{way}, ms" for way in BUILDS], "nodes", "child grids + tail launches", "floor, ms"],
        [row(each) for each in points] + [more for each in points for more in pools(each)])


def tree_queries():
    name = "h200/tree_gpu.json"
    context, rows = benchmarks(name)
    made = []
    for key, found in rows.items():
        what, points, *how = key.split("/")
        if what not in ("range", "nearest", "aggregate", "gravity"):
            continue
        note = ""
        if "found" in found:
            note = f"{found['found']:,.0f} found"
        if "error" in found:
            note = f"differs from the direct sum by {found['error']:.3f} of it"
        made.append([", ".join([what, *how]), points, three_digits(found["median_ms"]),
                     f"{floor_ms(found):.3f}" if "floor_bytes" in found else "", note])
    return taken(name, context) + table(["what", "points", "ms", "floor, ms", ""], made)


def searches(name, prefix):
    context, rows = benchmarks(name)
    made = []
    for key, found in rows.items():
        if key.startswith(prefix) and "/pool/" not in key and "/urgent/" not in key:
            way, graph, count_of = key[len(prefix):].removesuffix("/real_time_median").split("/")
            made.append([graph, count_of, way, three_digits(found.get("median_ms", found["real_time"])),
                         f"{found['queries_per_second']:,.0f}"])
    return taken(name, context) + table(["graph", "searches", "way", "ms", "searches a second"],
                                        sorted(made, key=lambda row: (row[0], int(row[1]), row[2])))


def searches_gpu():
    return searches("h200/query_gpu.json", "query/cuda/")


def pools():
    name = "h200/pool_gpu.json"
    context, rows = benchmarks(name)

    def row(key, found):
        _, _, what, graph, count_of = key.split("/")
        if what == "pool":
            return [graph, f"{int(count_of):,} searches, one by one", "",
                    f"{three_digits(found['median_ms'])} ms: {found['queries_per_second']:,.0f} a second"]
        return [graph, f"an urgent query among {count_of}", found["label"],
                f"begins after {three_digits(found['median_us'])} us; the longest of {found['iterations']} "
                f"{three_digits(found['longest_us'])}"]

    return taken(name, context) + table(["graph", "queries", "the pool runs", "median"],
                                        [row(key, found) for key, found in rows.items()])


def searches_host():
    return searches("epyc-2-threads/query.json", "query/host/")


def concurrency():
    """What `tendril devices --concurrency --json` wrote, with a date and a commit."""
    name = "h200/concurrency.json"
    report = json.loads((RESULTS / name).read_text())
    tables = report["tables"]

    def cells(table, i):
        row = table["kernels"][i]
        return [f"{row[order + '_ms']:.2f} ({row[order + '_at_once']})" for order in ("depth_first", "breadth_first")]

    made = []
    for i, row in enumerate(tables[0]["kernels"]):
        made.append([str(row["streams"]), f"{row['serial_ms']:.1f}", f"{row['concurrent_ms']:.2f}",
                     *(cell for table in tables for cell in cells(table, i))])
    headings = [f"{table['connections']} connections, {order}" for table in tables
                for order in ("stream by stream", "breadth-first")]
    return taken(name, report) + table(["streams", "serial, ms", "concurrent, ms", *headings], made)


TABLES = {"concurrency": concurrency, "expansions": expansions, "launch_pools": launch_pools, "child_orders": child_orders,
          "device_runtime": device_runtime, "traversals": traversals, "schedules": schedules,
          "every_schedule": every_schedule, "gap": gap, "rtree": rtree, "trees": trees, "tree_queries": tree_queries,
          "searches_gpu": searches_gpu, "pools": pools, "searches_host": searches_host}


def updated(document):
    """The document's text with today's tables."""
    to_root = "../" * (len(document.relative_to(ROOT).parts) - 1)

    def replace(match):
        lines = TABLES[match[1]]()
        return (f"<!-- figures: {match[1]} -->\n" + "\n".join(lines).replace("{}", to_root)
                + "\n<!-- end -->")

    return re.sub(r"<!-- figures: (\w+) -->\n.*?<!-- end -->", replace, document.read_text(), flags=re.S)


def main():
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        sys.exit(__doc__)
    stale = []
    for document in DOCUMENTS:
        text = updated(document)
        if text != document.read_text():
            stale.append(str(document.relative_to(ROOT)))
            if write:
                document.write_text(text)
    if stale and not write:
        sys.exit("figures differ from bench/results, bench/readme_tables.py --write mends them: " + ", ".join(stale))


if __name__ == "__main__":
    main()
