#!/usr/bin/env python3
"""What is known of the made files, counted without tendril: plain parsers, union-find and a queue.

    facts.py           exit status 1 where expected.json or the tables of README.md say something else
    facts.py --write   rewrite them
"""

import collections
import csv
import gzip
import json
import re
import sys

from made import FOLDER

# The vertices that breadth-first search starts from.
GRAPHS = {
    "packages.tsv.gz": ("bash", "gnome"),
    "words.tsv.gz": ("stone", "black"),
    "karate.mtx.gz": ("1", "34"),
}
POINTS = ("places.csv.gz", "airports.csv.gz")


def lines_of(name, folder=FOLDER):
    with gzip.open(folder / name, "rt", encoding="utf-8", newline="") as file:
        return file.read().splitlines()


def read_graph(name, lines):
    """The vertices' names and the stored edges (source, target), symmetric entries in both directions."""
    if ".mtx" not in name:
        edges = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
        return {vertex for edge in edges for vertex in edge}, edges
    rows = [line.split() for line in lines if not line.startswith("%")]
    edges = [tuple(row[:2]) for row in rows[1:]]
    if "symmetric" in lines[0]:
        edges += [(target, source) for source, target in edges if source != target]
    return {str(vertex + 1) for vertex in range(int(rows[0][0]))}, edges


def component_sizes(vertices, edges):
    """Sizes of the weak components, by union-find with path halving."""
    parent = {vertex: vertex for vertex in vertices}

    def root(vertex):
        while parent[vertex] != vertex:
            parent[vertex] = vertex = parent[parent[vertex]]
        return vertex

    for source, target in edges:
        parent[root(source)] = root(target)
    return collections.Counter(root(vertex) for vertex in vertices).values()


def depths(neighbours, source):
    """Breadth-first depth of each vertex that is reached."""
    depth = {source: 0}
    queue = collections.deque([source])
    while queue:
        vertex = queue.popleft()
        for target in neighbours[vertex]:
            if target not in depth:
                depth[target] = depth[vertex] + 1
                queue.append(target)
    return depth


def graph_facts(vertices, edges, sources):
    neighbours = collections.defaultdict(list)
    for source, target in edges:
        neighbours[source].append(target)
    components = component_sizes(vertices, edges)
    hub = min(vertices, key=lambda vertex: (-len(neighbours[vertex]), vertex))
    facts = {
        "vertices": len(vertices),
        "edges": len(edges),
        "self_loops": sum(source == target for source, target in edges),
        "duplicates": len(edges) - len(set(edges)),
        "simple_edges": len({frozenset(edge) for edge in edges if edge[0] != edge[1]}),
        "components": len(components),
        "largest_component": max(components),
        "max_degree": len(neighbours[hub]),
        "max_degree_vertex": hub,
        "max_in_degree": max(collections.Counter(target for _, target in edges).values()),
        "bfs": {},
    }
    for source in sources:
        depth = depths(neighbours, source).values()
        facts["bfs"][source] = {"reached": len(depth), "depth": max(depth), "sum_of_depths": sum(depth)}
    return facts


def point_facts(rows):
    points = [(float(row["lat"]), float(row["lon"])) for row in rows]
    latitudes, longitudes = zip(*points)
    return {
        "points": len(points),
        "distinct": len(set(points)),
        "lat": [min(latitudes), max(latitudes)],
        "lon": [min(longitudes), max(longitudes)],
    }


def all_facts():
    return {
        "graphs": {name: graph_facts(*read_graph(name, lines_of(name)), sources) for name, sources in GRAPHS.items()},
        "points": {name: point_facts(csv.DictReader(lines_of(name))) for name in POINTS},
    }


def tables(facts):
    """The facts as the README shows them."""
    rows = [
        "| graph | vertices | stored edges | without direction | components | largest | most out of one vertex "
        "| most into one | breadth-first search |",
        "| --- | --: | --: | --: | --: | --: | --- | --: | --- |",
    ]
    for name, graph in facts["graphs"].items():
        searches = "; ".join(f"from `{source}`: {bfs['reached']:,} reached, depth {bfs['depth']}"
                             for source, bfs in graph["bfs"].items())
        rows.append(f"| {name} | {graph['vertices']:,} | {graph['edges']:,} | {graph['simple_edges']:,} "
                    f"| {graph['components']:,} | {graph['largest_component']:,} "
                    f"| {graph['max_degree']:,} (`{graph['max_degree_vertex']}`) | {graph['max_in_degree']:,} | {searches} |")
    rows += ["", "| points | count | distinct | latitude | longitude |", "| --- | --: | --: | --- | --- |"]
    for name, points in facts["points"].items():
        lat, lon = (f"{low} to {high}" for low, high in (points["lat"], points["lon"]))
        rows.append(f"| {name} | {points['points']:,} | {points['distinct']:,} | {lat} | {lon} |")
    return "\n".join(rows)


def with_tables(readme, facts):
    """The README's text with the tables between its two marks."""
    return re.sub(r"(<!-- facts -->\n).*(\n<!-- /facts -->)", lambda found: found[1] + tables(facts) + found[2], readme,
                  flags=re.DOTALL)


def texts(facts):
    """What the files that state the facts should hold."""
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    return {"expected.json": json.dumps(facts, indent=1) + "\n", "README.md": with_tables(readme, facts)}


def stale(facts):
    """The files that state other facts."""
    return [name for name, text in texts(facts).items() if (FOLDER / name).read_text(encoding="utf-8") != text]


def main():
    facts = all_facts()
    if sys.argv[1:] == ["--write"]:
        for name, text in texts(facts).items():
            (FOLDER / name).write_text(text, encoding="utf-8")
    for name in stale(facts):
        sys.exit(f"{name}: not what the files say; facts.py --write")


if __name__ == "__main__":
    main()
