"""What the scripts of this folder share: files out of Debian packages, and gzip files whose bytes do not depend on
the day they were made.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent


def run(*command, cwd=None):
    """The command's standard output as text; ends the script with its messages if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def from_package(package, *paths):
    """The texts at the paths inside a Debian package, after its version. Installs nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("apt-get", "download", "-q", package, cwd=folder)
        (deb,) = folder.glob("*.deb")
        version = run("dpkg-deb", "--field", str(deb), "Version").strip()
        run("dpkg-deb", "--extract", str(deb), str(folder / "root"))
        return version, *((folder / "root" / path).read_text(encoding="utf-8") for path in paths)


def output_folder():
    """The folder that the script's only argument names; without one, this folder."""
    return pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER


def write(name, lines):
    """Writes the lines to NAME.gz in the output folder."""
    compressor = shutil.which("libdeflate-gzip")
    if compressor is None:
        sys.exit("libdeflate-gzip not found: apt-get install libdeflate-tools")
    text = output_folder() / name
    text.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    run(compressor, "-12", "-f", str(text))
    print(f"{name}.gz: {text.with_name(name + '.gz').stat().st_size} bytes")


def write_licence(name, text):
    """Writes licences/NAME in the output folder: the notice that the source asks to be kept."""
    folder = output_folder() / "licences"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="\n")
