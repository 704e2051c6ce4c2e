"""datasets/fetch.sh on graphs of three vertices, from a server of its own on this machine and from file addresses.

TENDRIL names the built program; where it is not there, the cases that count with it are skipped.
"""

import contextlib
import gzip
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from scripts import DATASETS

if shutil.which("curl") is None:
    print("curl is not here")
    sys.exit(77)

PROGRAM = os.environ.get("TENDRIL", "")
NO_PROGRAM = "/nonexistent"
# Three vertices, two undirected edges written in both directions; ids have a gap.
SNAP = gzip.compress(b"# Undirected graph\n# Nodes: 3 Edges: 4\n# From\tTo\n0\t1\n1\t0\n1\t5\n5\t1\n", mtime=0)
DIMACS = gzip.compress(b"c a path\np sp 3 2\na 1 2 7\na 2 3 9\n", mtime=0)
ANOTHER = gzip.compress(b"# Nodes: 3 Edges: 2\n0\t1\n1\t5\n", mtime=0)
CATALOGUE = ("# comment\n"
             "snap\t1 kB\t3\t2\t4\tof the test\t{base}/snap.txt.gz\n"
             "dimacs\t1 kB\t3\t2\t2\tof the test\t{base}/dimacs.gr.gz\n")


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves server.files; cuts the next answer short by server.cut bytes; goes on in the middle if server.resumes."""

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, body):
        data = self.server.files.get(self.path.lstrip("/"))
        if data is None:
            self.send_error(404)
            return
        wanted = self.headers.get("Range")
        begin = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.server.resumes else 0
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - begin))
        self.end_headers()
        if body:
            self.server.gets.append(begin)
            self.wfile.write(data[begin:len(data) - self.server.cut])
            self.server.cut = 0

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(files):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.cut, server.resumes, server.gets = files, 0, True, []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Fetch(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.target = self.folder / "to"
        self.target.mkdir()
        self.server = self.enterContext(serving({"snap.txt.gz": SNAP, "dimacs.gr.gz": DIMACS}))
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"

    def fetch(self, *arguments, base=None, program=NO_PROGRAM, **environment):
        catalogue = self.folder / "catalogue.tsv"
        catalogue.write_text(CATALOGUE.format(base=base or self.base))
        # No proxy and no other program: PATH is the system's alone.
        environment = {"PATH": "/usr/bin:/bin", "TENDRIL_FETCH_CATALOGUE": str(catalogue), "TENDRIL": program,
                       **environment}
        script = self.folder / "fetch.sh"  # away from the build folders
        shutil.copy(DATASETS / "fetch.sh", script)
        return subprocess.run(["bash", script, *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def names(self):
        return sorted(path.name for path in self.target.iterdir())

    def expect_failure(self, done, status, text):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(text, done.stderr)

    def test_a_good_download_is_kept_under_its_name(self):
        for name, file, data in (("snap", "snap.txt.gz", SNAP), ("dimacs", "dimacs.gr.gz", DIMACS)):
            done = self.fetch("--yes", name, self.target)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.target / file).read_bytes(), data)
            self.assertIn("licence: of the test\n", done.stdout)
            self.assertIn(f"size: {len(data)} bytes\n", done.stdout)
        self.assertEqual(self.names(), ["dimacs.gr.gz", "snap.txt.gz"])

    @unittest.skipUnless(os.access(PROGRAM, os.X_OK), "the program is not built")
    def test_the_program_counts_where_it_is_built(self):
        self.assertEqual(self.fetch("--yes", "snap", self.target, program=PROGRAM).returncode, 0)
        self.assertEqual(self.fetch("--yes", "dimacs", self.target, program=PROGRAM).returncode, 0)
        self.server.files["snap.txt.gz"] = ANOTHER
        (self.target / "snap.txt.gz").unlink()
        self.expect_failure(self.fetch("--yes", "snap", self.target, program=PROGRAM), 3,
                            "expected 3 vertices and 4 edge lines, found 3 and 2")
        self.server.files["snap.txt.gz"] = gzip.compress(b"0 1 2 3 4 5\nx\n", mtime=0)
        self.expect_failure(self.fetch("--yes", "snap", self.target, program=PROGRAM), 3, "not a graph")

    def test_a_program_that_has_no_memory_for_the_graph_leaves_the_counting_to_the_script(self):
        program = self.folder / "tendril"
        program.write_text("#!/bin/sh\nexit 4\n")
        program.chmod(0o755)
        self.assertEqual(self.fetch("--yes", "snap", self.target, program=str(program)).returncode, 0)

    def test_the_address_of_a_mirror_and_of_a_file(self):
        (self.folder / "snap.txt.gz").write_bytes(SNAP)
        done = self.fetch("--yes", "snap", self.target, base="http://127.0.0.1:1",
                          TENDRIL_FETCH_BASE=f"file://{self.folder}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.names(), ["snap.txt.gz"])

    def test_other_counts_are_refused_and_nothing_is_left(self):
        self.server.files["snap.txt.gz"] = ANOTHER
        self.expect_failure(self.fetch("--yes", "snap", self.target), 3,
                            "expected 3 vertices and 4 edge lines, found 3 and 2")
        self.assertEqual(self.names(), [])

    def test_a_truncated_gzip_file_is_refused_and_nothing_is_left(self):
        self.server.files["snap.txt.gz"] = SNAP[:-9]
        self.expect_failure(self.fetch("--yes", "snap", self.target), 3, "not a whole gzip file")
        self.assertEqual(self.names(), [])

    def test_an_interrupted_download_goes_on_where_it_stopped(self):
        self.server.cut = 30
        self.expect_failure(self.fetch("--yes", "snap", self.target), 4, "the download stopped")
        self.assertEqual(self.names(), ["snap.txt.gz.part"])
        self.assertEqual(self.fetch("--yes", "snap", self.target).returncode, 0)
        self.assertEqual(self.server.gets, [0, len(SNAP) - 30])
        self.assertEqual((self.target / "snap.txt.gz").read_bytes(), SNAP)
        self.assertEqual(self.names(), ["snap.txt.gz"])

    def test_a_server_that_cannot_go_on_starts_again(self):
        (self.target / "snap.txt.gz.part").write_bytes(SNAP[:20])
        self.server.resumes = False
        self.assertEqual(self.fetch("--yes", "snap", self.target).returncode, 0)
        self.assertEqual((self.target / "snap.txt.gz").read_bytes(), SNAP)

    def test_a_part_that_is_whole_is_not_downloaded_again_and_one_too_long_is_dropped(self):
        part = self.target / "snap.txt.gz.part"
        part.write_bytes(SNAP)
        self.assertEqual(self.fetch("--yes", "snap", self.target).returncode, 0)
        self.assertEqual(self.server.gets, [])
        (self.target / "snap.txt.gz").unlink()
        part.write_bytes(SNAP + b"more")
        self.assertEqual(self.fetch("--yes", "snap", self.target).returncode, 0)
        self.assertEqual(self.server.gets, [0])

    def test_no_network_is_one_line(self):
        self.expect_failure(self.fetch("--yes", "snap", self.target, base="http://127.0.0.1:1"), 4,
                            "no answer from http://127.0.0.1:1/snap.txt.gz")
        self.assertEqual(self.names(), [])

    def test_a_file_that_the_server_does_not_have_is_one_line(self):
        self.server.files.clear()
        self.expect_failure(self.fetch("--yes", "snap", self.target), 4, "no answer")

    def test_a_file_that_is_there_is_checked_and_left_alone(self):
        file = self.target / "snap.txt.gz"
        file.write_bytes(SNAP)
        done = self.fetch("--yes", "snap", self.target)
        self.assertEqual((done.returncode, self.server.gets), (0, []))
        file.write_bytes(ANOTHER)
        self.expect_failure(self.fetch("--yes", "snap", self.target), 3, "is there and is not snap")
        self.assertEqual((file.read_bytes(), self.server.gets), (ANOTHER, []))

    def test_without_a_terminal_it_wants_yes_and_has_told_size_and_licence(self):
        done = self.fetch("snap", self.target)
        self.expect_failure(done, 2, "--yes")
        self.assertIn("about 1 kB, 3 vertices, 2 edges", done.stdout)
        self.assertIn("licence: of the test", done.stdout)
        self.assertEqual((self.names(), self.server.gets), ([], []))

    def test_usage(self):
        for arguments in ((), ("snap", "a", "b"), ("--wrong", "snap")):
            self.expect_failure(self.fetch(*arguments), 2, "usage: fetch.sh")
        self.expect_failure(self.fetch("nothing"), 2, "found nothing")
        self.expect_failure(self.fetch("--yes", "snap", self.folder / "missing"), 2, "expected a folder")


class Catalogue(unittest.TestCase):
    def test_each_row_is_whole(self):
        rows = [line.split("\t") for line in (DATASETS / "fetch.tsv").read_text().splitlines() if line[0] != "#"]
        self.assertEqual(len({row[0] for row in rows}), len(rows))
        for name, size, vertices, edges, entries, licence, url in rows:
            self.assertRegex(size, r"^\d+ MB$")
            self.assertGreater(int(vertices), 0)
            self.assertIn(int(entries), (int(edges), 2 * int(edges)), name)
            self.assertTrue(licence)
            self.assertRegex(url, r"^https?://.*\.(txt|gr)\.gz$")

    def test_the_list_shows_published_counts(self):
        done = subprocess.run(["bash", DATASETS / "fetch.sh", "--list"], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"roadNet-CA +17 MB +1965206 +2766607 +\w")
        self.assertNotIn("#", done.stdout)


if __name__ == "__main__":
    unittest.main()
