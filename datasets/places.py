#!/usr/bin/env python3
"""places.csv.gz: the places of the time-zone table (zone.tab of the package tzdata), in decimal degrees."""

import re

from made import from_package, write

ISO_6709 = re.compile(r"([+-])(\d{2})(\d{2})(\d{2})?([+-])(\d{3})(\d{2})(\d{2})?")


def decimal(sign, degrees, minutes, seconds):
    """Degrees with six places: a second of arc is 0.000278 degrees."""
    size = int(degrees) + int(minutes) / 60 + int(seconds or 0) / 3600
    return f"{-size if sign == '-' else size:.6f}"


def coordinates(text):
    """Latitude and longitude, north and east positive, of +DDMM+DDDMM or +DDMMSS+DDDMMSS."""
    found = ISO_6709.fullmatch(text)
    if found is None:
        raise ValueError(f"expected ISO 6709 coordinates, found {text!r}")
    parts = found.groups()
    return decimal(*parts[:4]), decimal(*parts[4:])


def main():
    _, table = from_package("tzdata", "usr/share/zoneinfo/zone.tab")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    write("places.csv", ["zone,lat,lon", *(",".join((row[2], *coordinates(row[1]))) for row in rows)])


if __name__ == "__main__":
    main()
