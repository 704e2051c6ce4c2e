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


TABLES = {"traversals": traversals, "schedules": schedules, "every_schedule": every_schedule, "gap": gap}


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
