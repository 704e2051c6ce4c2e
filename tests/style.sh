#!/usr/bin/env bash
# What a commit keeps: the format, where includes may point, the figures in the documents, and clang-tidy over each
# .cpp that changed since BASE: HEAD, thus what is not committed. BASE all: over every one; none: over none.
#   tests/style.sh [BASE]
# TENDRIL_CUDA=OFF leaves the sources out that need CUDA.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
base=${1:-HEAD}

git ls-files -co --exclude-standard --deduplicate '*.hpp' '*.cpp' '*.cu' '*.cuh' |
  while read -r file; do [ ! -e "$file" ] || echo "$file"; done | xargs clang-format --dry-run -Werror
python3 tests/house/arrows_test.py
python3 bench/readme_tables.py

case $base in
  none) changed= ;;
  all) changed=$(git ls-files '*.cpp') ;;
  *)
    changed=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
    changed+=$'\n'$(git ls-files -o --exclude-standard '*.cpp')
    ;;
esac
changed=$(grep -e . <<<"$changed" | grep -v -e '^tests/consumer/' -e '^tests/compile_fail/' || true)
if [ -n "$changed" ]; then
  cmake --preset tidy -DTENDRIL_CUDA="${TENDRIL_CUDA:-AUTO}" >/dev/null
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet <<<"$changed"
fi
