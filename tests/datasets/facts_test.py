"""datasets/facts.py: its counting on graphs small enough to count by hand, then the committed files against
expected.json and README.md.
"""

import gzip
import unittest

from scripts import DATASETS

import facts


class CountingByHand(unittest.TestCase):
    def test_a_directed_list_with_a_loop_and_a_duplicate(self):
        vertices, edges = facts.read_graph("x.tsv.gz", ["# comment", "a\tb", "a\tb", "b\ta", "c\tc", "b\td"])
        self.assertEqual(vertices, {"a", "b", "c", "d"})
        counts = facts.graph_facts(vertices, edges, ("a", "d"))
        self.assertEqual(counts, {
            "vertices": 4, "edges": 5, "self_loops": 1, "duplicates": 1, "simple_edges": 2, "components": 2,
            "largest_component": 3, "max_degree": 2, "max_degree_vertex": "a", "max_in_degree": 2,
            "bfs": {"a": {"reached": 3, "depth": 2, "sum_of_depths": 3},
                    "d": {"reached": 1, "depth": 0, "sum_of_depths": 0}}})

    def test_a_symmetric_matrix_with_an_isolated_vertex(self):
        vertices, edges = facts.read_graph("x.mtx.gz", [
            "%%MatrixMarket matrix coordinate pattern symmetric", "% comment", "4 4 3", "2 1", "3 2", "3 3"])
        self.assertEqual(vertices, {"1", "2", "3", "4"})
        self.assertEqual(sorted(edges), [("1", "2"), ("2", "1"), ("2", "3"), ("3", "2"), ("3", "3")])
        self.assertEqual(sorted(facts.component_sizes(vertices, edges)), [1, 3])

    def test_points(self):
        rows = [{"lat": "1.5", "lon": "-2"}, {"lat": "-3", "lon": "4"}, {"lat": "1.50", "lon": "-2.0"}]
        self.assertEqual(facts.point_facts(rows), {"points": 3, "distinct": 2, "lat": [-3.0, 1.5], "lon": [-2.0, 4.0]})


class CommittedFiles(unittest.TestCase):
    def test_expected_json_and_readme_say_what_the_files_hold(self):
        counted = facts.all_facts()
        self.assertEqual(facts.stale(counted), [])
        counted["graphs"]["karate.mtx.gz"]["vertices"] = 35
        self.assertEqual(facts.stale(counted), ["expected.json", "README.md"])

    def test_each_file_is_catalogued_small_and_free_of_dates_and_names(self):
        files = {path.name: path.read_bytes() for path in DATASETS.glob("*.gz")}
        self.assertEqual(set(files), {*facts.GRAPHS, *facts.POINTS})
        for name, data in files.items():
            self.assertLess(len(data), 1_500_000, name)
            self.assertEqual(data[3:8], bytes(5), f"{name}: no name, no date in the gzip header")
            self.assertTrue(gzip.decompress(data).endswith(b"\n"), name)


if __name__ == "__main__":
    unittest.main()
