"""The scripts that make the files of datasets/, on inputs written here; and shellcheck over the shell ones."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from scripts import DATASETS

import packages
import places
import words

INDEX = """Package: alpha
Version: 1.0
Depends: beta (>= 2) | gamma:any, awk, libx [amd64]
Pre-Depends: beta
Description: text
 Depends: on nothing, this line is folded

Package: beta
Recommends: alpha, beta
Suggests: missing | g++

Package: alpha
Depends: g++

Package: gamma
Provides: awk

Package: g++
Package-Type: deb
Enhances: alpha
"""


class Packages(unittest.TestCase):
    def test_dependencies_of_a_small_index(self):
        found = packages.dependencies(packages.read_index(INDEX))
        self.assertEqual(found, [("alpha", "beta"), ("alpha", "gamma"), ("beta", "alpha"), ("beta", "beta"),
                                 ("beta", "g++")])


class Words(unittest.TestCase):
    def test_only_plain_words_of_five_letters(self):
        self.assertEqual(words.five_letter_words("stone Stone éclat stone's\nabide ten tenths A"), ["abide", "stone"])

    def test_a_ladder_joins_words_of_distance_one(self):
        some = ["stone", "store", "stare", "shore", "atone", "tones"]
        by_hand = {("stone", "store"), ("stone", "atone"), ("store", "stare"), ("store", "shore")}
        self.assertEqual(words.ladder(some), sorted(by_hand | {(b, a) for a, b in by_hand}))


class Places(unittest.TestCase):
    def test_coordinates_with_and_without_seconds(self):
        self.assertEqual(places.coordinates("+4230+00131"), ("42.500000", "1.516667"))
        self.assertEqual(places.coordinates("-690022+0393524"), ("-69.006111", "39.590000"))
        self.assertEqual(places.coordinates("-0015-09101"), ("-0.250000", "-91.016667"))

    def test_other_text_is_refused(self):
        for text in ("", "4230+00131", "+4230", "+4230+00131 "):
            with self.assertRaises(ValueError):
                places.coordinates(text)


class Made(unittest.TestCase):
    @unittest.skipUnless(shutil.which("libdeflate-gzip"), "libdeflate-gzip (libdeflate-tools) is not here")
    def test_the_same_bytes_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for _ in range(2):
                subprocess.run([sys.executable, DATASETS / "karate.py", folder], check=True, capture_output=True)
                made.append((pathlib.Path(folder) / "karate.mtx.gz").read_bytes())
        self.assertEqual(made[0], made[1])


class Shell(unittest.TestCase):
    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not here")
    def test_shellcheck_finds_nothing(self):
        scripts = sorted(DATASETS.glob("*.sh"))
        done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_make_refuses_what_it_does_not_know(self):
        done = subprocess.run(["bash", DATASETS / "make.sh", "--wrong"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "usage: make.sh [--write]\n"))


if __name__ == "__main__":
    unittest.main()
