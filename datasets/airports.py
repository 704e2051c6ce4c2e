#!/usr/bin/env python3
"""airports.csv.gz: codes, names and coordinates of the world's airports, from the Python package airportsdata."""

import csv
import io
import pathlib
import sys
import tempfile
import zipfile

from made import run, write, write_licence

VERSION = "20260905"
COLUMNS = ("icao", "name", "lat", "lon")


def main():
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
            "--dest", folder, f"airportsdata=={VERSION}")
        (wheel,) = pathlib.Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            table = archive.read("airportsdata/airports.csv").decode("utf-8")
            licence = archive.read(f"airportsdata-{VERSION}.dist-info/licenses/LICENSE").decode("utf-8")
    out = io.StringIO()
    rows = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    rows.writerows(csv.DictReader(io.StringIO(table)))
    write_licence("airportsdata.txt", licence)
    write("airports.csv", out.getvalue().splitlines())


if __name__ == "__main__":
    main()
