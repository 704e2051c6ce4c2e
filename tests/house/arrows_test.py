"""Includes in framework/ point one way: from engines and algorithms to the ideas, from the ideas to graph and tree,
from those to core. Nothing there knows apps, tests or bench."""

import pathlib
import re
import unittest

FRAMEWORK = pathlib.Path(__file__).resolve().parents[2] / "framework"

GROUND = {"core", "graph", "tree"}
IDEAS = {"traverse", "schedule", "expand", "query"}
# What the files of a folder may include, beside files of their own folder.
ALLOWED = {
    "core": set(),
    "graph": {"core"},
    "tree": {"core", "graph"},  # readers of points share the readers of text
    "traverse": GROUND,
    "schedule": GROUND | {"cuda"},  # a schedule launches its own kernels
    "expand": GROUND,
    "query": GROUND | {"traverse"},
    "host": GROUND | IDEAS,
    "cuda": GROUND | IDEAS,
    "algorithms": GROUND | IDEAS | {"host"},
    "oracle": GROUND | IDEAS | {"algorithms"},
}
# Sources compile an algorithm for an engine; public headers of algorithms name no GPU.
ALLOWED_IN_SRC = {"algorithms": {"cuda"}}


def folder_of(path):
    """The folder under include/tendril or src; nothing for the umbrella header."""
    parts = path.relative_to(FRAMEWORK).parts
    start = 2 if parts[0] == "include" else 1
    return parts[start] if len(parts) > start + 1 else None


def arrows():
    """(file, folder that includes, folder that is included) for every include of a project file."""
    for path in sorted(FRAMEWORK.rglob("*")):
        if path.suffix not in {".hpp", ".cpp", ".cuh", ".cu"} or folder_of(path) is None:
            continue
        for included in re.findall(r'#include ["<]([^">]+/[^">]+)[">]', path.read_text()):
            parts = included.removeprefix("tendril/").split("/")
            if (FRAMEWORK / "src" / included).exists() or included.startswith("tendril/"):
                yield path.relative_to(FRAMEWORK), folder_of(path), parts[0]
            elif parts[0] in {"apps", "tests", "bench"}:
                yield path.relative_to(FRAMEWORK), folder_of(path), parts[0]


class Arrows(unittest.TestCase):
    def test_every_folder_is_known(self):
        self.assertEqual({source for _, source, _ in arrows()} - ALLOWED.keys(), set())

    def test_includes_point_one_way(self):
        forbidden = [
            f"{path} ({source}) includes a file of {target}"
            for path, source, target in arrows()
            if target not in ALLOWED[source] | {source}
            and not (path.parts[0] == "src" and target in ALLOWED_IN_SRC.get(source, set()))
        ]
        self.assertEqual(forbidden, [])

    def test_something_was_read(self):
        self.assertGreater(len(list(arrows())), 300)


if __name__ == "__main__":
    unittest.main()
