#!/usr/bin/env bash
# From a fresh Debian or Ubuntu machine to a checked answer: installs what is missing, builds the
# program, walks the dependencies of the distribution's packages from `bash`, and draws the frontier.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash framework/cmake/dependencies.sh

# The GPU engine is built only where a GPU and a compiler for it are there.
preset=host
if command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
  preset=cuda
fi
build=build/demo
echo "building $build/bin/tendril"
# Sources are compiled two dozen at a time: a third of the work is reading headers.
cmake --preset "$preset" -B "$build" -DCMAKE_UNITY_BUILD=ON >/dev/null
cmake --build "$build" --target tendril_cli -j "$(nproc)" >"$build/demo.log" || {
  cat "$build/demo.log" >&2
  exit 1
}

picture="$build/packages.svg"
echo
"$build/bin/tendril" bfs datasets/packages.tsv.gz --source bash --runs 5 --check --plot "$picture"
echo
echo "picture: $picture"
