#!/usr/bin/env bash
# Installs what is missing, builds everything that can be built here, and runs every test.
#   --host-only   leave CUDA out even where nvcc is there
#   --sanitize    also run the host tests under address, undefined-behaviour and thread sanitizers
#   --tidy        also run clang-tidy over the sources
# GPU tests are skipped, and counted as skipped, where there is no GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cuda=AUTO
sanitize=false
tidy=false
for argument in "$@"; do
  case "$argument" in
    --host-only) cuda=OFF ;;
    --sanitize) sanitize=true ;;
    --tidy) tidy=true ;;
    *)
      sed -n '2,6p' "$0" >&2
      exit 2
      ;;
  esac
done

say() { printf '\n== %s\n' "$*"; }
jobs=$(nproc)

say "dependencies"
needs=(--docs --source)
if $tidy; then needs+=(--tidy); fi
bash framework/cmake/dependencies.sh "${needs[@]}"

say "style"
TENDRIL_CUDA=$cuda bash tests/style.sh "$($tidy && echo all || echo none)"

say "build (dev preset, warnings are errors)"
# Where no GPU will run them, the tests' own kernels are compiled for one architecture, the library's
# for all.
test_architectures=90
if nvidia-smi -L >/dev/null 2>&1; then test_architectures=; fi
cmake --preset dev -DTENDRIL_CUDA=$cuda -DCMAKE_UNITY_BUILD=ON \
  -DTENDRIL_TEST_ARCHITECTURES=$test_architectures >/dev/null
cmake --build build/dev -j "$jobs"

say "tests"
ctest --test-dir build/dev -j "$jobs" --output-on-failure --no-tests=error | tee build/dev/ctest.log
skipped=$(grep -c '\*\*\*Skipped' build/dev/ctest.log || true)
echo "skipped: $skipped (see the list above)"

say "install, and a project of its own against the install tree"
bash tests/consumer/run.sh build/dev

if $sanitize; then
  bash tests/sanitize.sh
fi

# GPU results are recorded by hand on a machine that has one; say when they are older than the code.
say "GPU results"
bash bench/results/stale.sh

say "done"
grep -E 'tests passed' build/dev/ctest.log
