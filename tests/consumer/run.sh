#!/usr/bin/env bash
# Installs a build into an empty prefix, then configures, builds and runs the project in this folder
# against it with nothing but CMAKE_PREFIX_PATH, as a user would.
set -euo pipefail
build=${1:?usage: run.sh BUILD_FOLDER}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
ctest --test-dir "$work/build" --output-on-failure --no-tests=error >/dev/null
printf '0 1\n1 2\n0 3\n' >"$work/graph.el"
answer=$("$work/build/hops" "$work/graph.el")
echo "$answer"
[ "$answer" = "reached 4 of 4 vertices, depth 2" ]
