#!/usr/bin/env bash
# Runs the host tests under the address and undefined-behaviour sanitizers, then under the thread
# sanitizer with a oneTBB built under it too, so no suppressions are needed. A planted race comes
# first: a sanitizer that does not report it proves nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=$(nproc)

echo "== address and undefined behaviour"
cmake --preset asan >/dev/null
cmake --build build/asan -j "$jobs"
ctest --test-dir build/asan -j "$jobs" --output-on-failure --no-tests=error -L host -LE slow

echo "== thread"
tbb=$(bash tests/tsan_tbb.sh build/tsan-tbb | tail -n 1)
cmake --preset tsan -DTBB_ROOT="$tbb" -DTBB_DIR="$tbb/lib/cmake/TBB" >/dev/null
cmake --build build/tsan -j "$jobs"
export LD_LIBRARY_PATH="$tbb/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if found=$(build/tsan/bin/planted_race 2>&1) || ! grep -q 'ThreadSanitizer: data race' <<<"$found"; then
  printf '%s\n' "the thread sanitizer did not find the planted race" "$found" >&2
  exit 1
fi
echo "planted race: found"
ctest --test-dir build/tsan -j "$jobs" --output-on-failure --no-tests=error -L host -LE slow
