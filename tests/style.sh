#!/usr/bin/env bash
# What a commit keeps: the format, where includes may point, the figures in the documents, and clang-tidy over
# each .cpp that changed since BASE: HEAD, thus what is not committed yet. BASE all: over every one.
#   tests/style.sh [BASE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
base=${1:-HEAD}
if [ "$base" = all ]; then base=$(git hash-object -t tree /dev/null); fi

git ls-files -co --exclude-standard '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs clang-format --dry-run -Werror
python3 tests/house/arrows_test.py
python3 bench/readme_tables.py

mapfile -t changed < <({
  git diff --name-only --diff-filter=d "$base" -- '*.cpp'
  git ls-files -o --exclude-standard '*.cpp'
} | grep -v -e '^tests/consumer/' -e '^tests/compile_fail/')
if ((${#changed[@]} > 0)); then
  cmake --preset tidy >/dev/null
  printf '%s\n' "${changed[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet
fi
