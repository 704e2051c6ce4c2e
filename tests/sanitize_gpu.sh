#!/usr/bin/env bash
# Runs the GPU tests under compute-sanitizer, some side by side (TENDRIL_JOBS, else 2), spread over the GPUs.
#   bash tests/sanitize_gpu.sh BIN_FOLDER [OUT_FOLDER [SECONDS_EACH [PATTERN_OF_JOBS]]]
# One line per job: tool, test program, filter, part of the battery, seconds, result. Ends with 1 where a
# tool found something, a test failed or a job did not end in time. racecheck and synccheck take the
# programs without launches from the device, racecheck without the kernel of small frontiers, too: its
# blocks poll each other's shared memory, which does not end under that tool. Soaks, timings and what
# fills a GPU are left out.
set -euo pipefail
bin=$(realpath "$1")
out=$(realpath -m "${2:-sanitizer}")
limit=${3:-500}
wanted=${4:-.}
mkdir -p "$out"

job() {  # TOOL PROGRAM FILTER PART
  local log="$out/$1-$2-${3//[^a-z_]/}-${4%%/*}.txt" rc=0 start=$SECONDS
  [[ $1 != racecheck ]] || export TENDRIL_NO_POLLING=1
  CUDA_VISIBLE_DEVICES=$((slot % gpus)) TENDRIL_SLOW_TOOL=$4 \
    timeout "$limit" compute-sanitizer --tool "$1" --show-backtrace no \
    --error-exitcode 9 "$bin/$2" --gtest_filter="$3" >"$log" 2>&1 || rc=$?
  local result
  case $rc in
    0) result="clean, $(grep -c '^\[       OK' "$log" || true) tests" ;;
    9) result="FOUND: $(grep -E 'SUMMARY' "$log" | tail -n 1)" ;;
    124) result="not finished in $limit s" ;;
    *) result="ended with $rc" ;;
  esac
  [[ $rc != 0 ]] || grep -q '^\[       OK' "$log" || { rc=1 result="ran no test"; }
  echo "$1 $2 $3 part $4: $result, $((SECONDS - start)) s"
  return "$rc"
}
export -f job
gpus=$(nvidia-smi -L | wc -l)
export bin out limit gpus

jobs() {  # TOOL PROGRAM FILTER [PARTS]
  local parts=${4:-1}
  for ((k = 0; k < parts; k++)); do
    printf '%s %s %s %s\n' "$1" "$2" "$3" "$k/$parts"
  done
}

of_battery=gpu.a_vertex_of_the_battery_*
slow=gpu.*_large_graph*:gpu.*battery*:gpu.*thousand*:gpu.positions_of_more*:gpu.refuses_what_does_not_fit*:gpu.an_arrival*
list() {
  jobs memcheck test_gpu_dynamic 'gpu.bfs_of_the_battery_*' 9
  for weight in int32 float double; do
    jobs memcheck test_gpu_dynamic "gpu.sssp_of_the_battery_with_$weight*" 3
  done
  jobs racecheck test_gpu "$of_battery" 40
  jobs synccheck test_gpu "$of_battery" 10
  jobs memcheck test_gpu "$of_battery" 2
  for test in $("$bin/test_gpu_dynamic" --gtest_list_tests | grep -o '[a-z_]*_are_those_of_boost'); do
    jobs memcheck test_gpu_dynamic "gpu.$test"
  done
  jobs memcheck test_gpu_dynamic "*-$slow:gpu.*_are_those_of_boost:gpu.*refused*"
  for tool in memcheck synccheck; do
    jobs $tool test_gpu "*-$slow"
  done
  jobs memcheck test_gpu 'gpu.an_arrival*'
  jobs memcheck test_query_gpu 'gpu.reach_answers_like_boost_on_the_battery' 2
  jobs memcheck test_query_gpu "*-$slow:gpu.*soak*:gpu.pool_answers*:gpu.full_depths*:connections*"
  jobs memcheck test_query_gpu 'gpu.full_depths*'
  jobs memcheck test_query_gpu 'gpu.pool_answers_like*'
}

list | grep -E -- "$wanted" |
  xargs -P "${TENDRIL_JOBS:-2}" --process-slot-var=slot -L 1 bash -c 'job "$@" || touch "$out/failed"' job
if [[ -e $out/failed ]]; then
  rm "$out/failed"
  exit 1
fi
