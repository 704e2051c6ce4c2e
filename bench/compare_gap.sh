#!/usr/bin/env bash
# Compares tendril's breadth-first search with the GAP reference's bfs: same graphs, threads and sources,
# trials of the two in turn, ratio of medians. Both times are whole searches, initialisation of the results
# included; GAP's stores parents, tendril's parents and depths.
#   bench/compare_gap.sh GAP_BFS [BUILD_FOLDER [JSON_FILE]]
# GAP_BFS is built from https://github.com/sbeamer/gapbs with -O3 -fopenmp -march=native. THREADS (2),
# SOURCES (8), RUNS (2 per source and turn) and GRAPHS may be set in the environment.
set -euo pipefail
export LC_ALL=C  # a point in numbers, for sort and printf

root=$(cd "$(dirname "$0")/.." && pwd)
gap=${1:?usage: bench/compare_gap.sh GAP_BFS [BUILD_FOLDER [JSON_FILE]]}
trials=${2:-$root/build/host}/bin/bench_bfs_trials
json=${3:-$root/bench/results/gap_bfs.json}
threads=${THREADS:-2} sources=${SOURCES:-8} runs=${RUNS:-2}
graphs=${GRAPHS:-rmat:20:16 urand:20:16 grid:2048x2048:30}
for program in "$gap" "$trials"; do
  [[ -x $program ]] || { echo "compare_gap.sh: cannot run $program" >&2; exit 2; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
processor=$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)

rows=()
printf '%-20s %12s %12s %8s\n' graph 'tendril ms' 'GAP ms' ratio
for graph in $graphs; do
  "$trials" write "$graph" "$work/graph.sg" "$sources" > "$work/sources"
  : > "$work/ours"; : > "$work/theirs"
  while read -r source; do
    # One run more than is counted: the first touches memory for the first time.
    "$trials" run "$work/graph.sg" "$threads" "$source" $((runs + 1)) | tail -n "$runs" >> "$work/ours"
    OMP_NUM_THREADS=$threads "$gap" -f "$work/graph.sg" -r "$source" -n $((runs + 1)) |
      awk '/^Trial Time/ { print $3 * 1000 }' | tail -n "$runs" >> "$work/theirs"
  done < "$work/sources"
  ours=$(median "$work/ours"); theirs=$(median "$work/theirs")
  ratio=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.3f", a / b }')
  printf '%-20s %12.3f %12.3f %8s\n' "$graph" "$ours" "$theirs" "$ratio"
  rows+=("    {\"graph\": \"$graph\", \"tendril_median_ms\": $ours, \"gap_median_ms\": $theirs, \"ratio\": $ratio}")
done

mkdir -p "$(dirname "$json")"
{
  printf '{\n  "what": "bfs against the GAP reference, ratio of medians",\n'
  printf '  "date": "%s", "commit": "%s",\n' "$(date -u +%Y-%m-%d)" "$(git -C "$root" rev-parse --short=12 HEAD)"
  printf '  "processor": "%s", "threads": %d, "sources": %d, "runs_per_source": %d,\n' \
    "$processor" "$threads" "$sources" "$runs"
  printf '  "rows": [\n'
  (IFS=$'\n'; printf '%s' "${rows[*]}") | sed '$!s/$/,/'
  printf '\n  ]\n}\n'
} > "$json"
echo "written: $json"
