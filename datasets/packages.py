#!/usr/bin/env python3
"""packages.tsv.gz: which package of the distribution asks for which, from apt's package index.

An edge A -> B where A names B in Pre-Depends, Depends, Recommends or Suggests, once however often it does. All
alternatives (`B | C`) count; version and architecture conditions do not. A name that no package has (a virtual one
such as `awk`) gives no edge. Packages without an edge do not appear in the file; its comment counts them.
"""

import os
import platform
import re

from made import run, write

RELATIONS = ("Pre-Depends", "Depends", "Recommends", "Suggests")
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*")


def fields(stanza):
    """The one-line fields of an index entry; the fields used here are never folded."""
    lines = (line.split(":", 1) for line in stanza.splitlines() if line[:1].strip() and ":" in line)
    return {name: value.strip() for name, value in lines}


def read_index(text):
    """{package: its fields}; the first entry where a package occurs twice."""
    packages = {}
    for stanza in text.split("\n\n"):
        entry = fields(stanza)
        if "Package" in entry:
            packages.setdefault(entry["Package"], entry)
    return packages


def dependencies(packages):
    """The edges, sorted."""
    edges = set()
    for package, entry in packages.items():
        for relation in RELATIONS:
            for name in re.split(r"[,|]", entry.get(relation, "")):
                found = NAME.match(name.strip())
                if found and found.group() in packages:
                    edges.add((package, found.group()))
    return sorted(edges)


def index_of(suite):
    """The text of the suite's package index and the Release file that vouches for it."""
    found = run("apt-get", "indextargets", "Created-By: Packages", f"Codename: {suite}",
                "--format", "$(COMPONENT) $(ARCHITECTURE) $(FILENAME)").split("\n")
    targets = [line.split(" ", 2) for line in found if line.split(" ")[0] in ("main", "universe")]
    targets = [path for _, _, path in targets if os.path.exists(path)]
    if not targets:
        raise SystemExit(f"no package index of {suite}: apt-get update")
    release = targets[0][:targets[0].index(f"dists_{suite}_") + len(f"dists_{suite}_")] + "InRelease"
    with open(release, encoding="utf-8") as file:
        return "\n\n".join(run("/usr/lib/apt/apt-helper", "cat-file", path) for path in targets), fields(file.read())


def main():
    suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
    text, release = index_of(suite)
    packages = read_index(text)
    edges = dependencies(packages)
    named = {name for edge in edges for name in edge}
    write("packages.tsv", [
        f"# Packages of {release['Origin']} {release['Version']} ({suite}), index of {release['Date']}",
        "# package <tab> a package that it pre-depends on, depends on, recommends or suggests",
        f"# {len(packages)} packages, {len(packages) - len(named)} of them without an edge and not below",
        *("\t".join(edge) for edge in edges)])


if __name__ == "__main__":
    main()
