#!/usr/bin/env bash
# Gets a large public graph and keeps it only if it has as many vertices and edges as its publisher says.
#   fetch.sh --list                what there is: size, licence, published counts
#   fetch.sh [--yes] NAME [DIR]    into DIR (default: the current folder), after asking
# The file is downloaded as FILE.part, which the next call goes on with if this one is interrupted, and takes its name
# when it has been checked: by `tendril info` where the program is built, else by its header and its lines.
# Environment: TENDRIL                  the program, where it is neither in a build folder nor on the PATH
#              TENDRIL_FETCH_BASE       a mirror: take BASE/FILE in place of the publisher's address
#              TENDRIL_FETCH_CATALOGUE  another list than fetch.tsv
# Exit status: 0 done, 2 usage, 3 not the published graph, 4 network, disk or a program not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
catalogue=${TENDRIL_FETCH_CATALOGUE:-$here/fetch.tsv}

fail() {
  echo "fetch.sh: $2" >&2
  exit "$1"
}

usage() { fail 2 "usage: fetch.sh --list | fetch.sh [--yes] NAME [DIR]"; }

list() {
  printf '%-18s %8s %12s %13s  %s\n' name size vertices edges licence
  while IFS=$'\t' read -r name size vertices edges _ licence _; do
    [[ $name == \#* ]] || printf '%-18s %8s %12s %13s  %s\n' "$name" "$size" "$vertices" "$edges" "$licence"
  done <"$catalogue"
}

# Sets size, vertices, edges, entries, licence and url.
look_up() {
  local name
  while IFS=$'\t' read -r name size vertices edges entries licence url; do
    [[ $name != "$1" ]] || return 0
  done <"$catalogue"
  fail 2 "expected one of the names of fetch.sh --list, found $1"
}

find_tendril() {
  local program
  for program in "${TENDRIL-}" "$here"/../build/*/bin/tendril "$(command -v tendril || true)"; do
    if [[ -n $program && -x $program ]]; then
      echo "$program"
      return
    fi
  done
}

# Prints "VERTICES ENTRIES" as tendril counts them; its exit status if it does not.
count_with_tendril() {
  local folder json key status=0
  folder=$(mktemp -d)
  # The name without .part: the reader looks at it.
  ln -s "$(realpath "$2")" "$folder/${url##*/}"
  json=$("$1" info --quiet --json - "$folder/${url##*/}" 2>/dev/null) || status=$?
  rm -r "$folder"
  ((status == 0)) || return "$status"
  for key in num_vertices num_edges; do
    grep -o "\"$key\": *[0-9]*" <<<"$json" | grep -o '[0-9]*$'
  done | paste -sd ' '
}

# Prints "VERTICES ENTRIES": the header's vertices (DIMACS `p sp`, SNAP `# Nodes:`) and the lines that are edges.
count_lines() {
  gzip -dc "$1" | awk '
    /^p sp /                  { vertices = $3; next }
    /^# Nodes:/               { vertices = $3; next }
    /^a / || /^[0-9]/         { ++entries }
    END                       { printf "%d %.0f\n", vertices, entries }'
}

# Succeeds if the file is the published graph; says on standard output what is wrong with it otherwise.
is_published() {
  local program counts status=1
  gzip -t "$1" 2>/dev/null || { echo "not a whole gzip file"; return 1; }
  program=$(find_tendril)
  if [[ -n $program ]]; then
    counts=$(count_with_tendril "$program" "$1") && status=0 || status=$?
    ((status != 3)) || { echo "not a graph that tendril reads"; return 1; }
  fi
  ((status == 0)) || counts=$(count_lines "$1") # no program, or no memory for it
  [[ $counts == "$vertices $entries" ]] ||
    { echo "expected $vertices vertices and $entries edge lines, found ${counts/ / and }"; return 1; }
}

# Prints the size of the file at the address in bytes; nothing where the server does not tell.
server_size() {
  curl --silent --fail --location --head --connect-timeout 20 "$1" |
    tr -d '\r' |
    awk '/^HTTP\// { bytes = "" } tolower($1) == "content-length:" { bytes = $2 } END { print bytes }'
}

ask() {
  local answer
  [[ -t 0 ]] || fail 2 "say --yes where there is no terminal to ask on"
  read -rp "Download it? [y/N] " answer
  [[ $answer == [yY]* ]] || exit 0
}

download() {
  local status=0 options=(--fail --location --connect-timeout 20 --silent)
  [[ ! -t 2 ]] || options=(--fail --location --connect-timeout 20 --progress-bar)
  curl "${options[@]}" --continue-at - --output "$2" "$1" || status=$?
  if ((status == 33)); then # a server that cannot go on in the middle
    rm -f "$2"
    status=0
    curl "${options[@]}" --output "$2" "$1" || status=$?
  fi
  return "$status"
}

fetch() {
  local file=${url##*/} target part bytes="" have wrong
  local address=${TENDRIL_FETCH_BASE:+$TENDRIL_FETCH_BASE/$file}
  address=${address:-$url}
  target=$2/$file
  part=$target.part
  [[ -d $2 ]] || fail 2 "expected a folder, found $2"
  if [[ -e $target ]]; then
    wrong=$(is_published "$target") || fail 3 "$target is there and is not $1: $wrong"
    echo "$target is there: $vertices vertices, $edges edges"
    return
  fi

  command -v curl >/dev/null || fail 4 "curl not found: apt-get install curl"
  echo "$1: about $size, $vertices vertices, $edges edges, from $address"
  echo "licence: $licence"
  bytes=$(server_size "$address") || fail 4 "no answer from $address"
  [[ -z $bytes ]] || echo "size: $bytes bytes"
  [[ $agreed == yes ]] || ask

  have=$(stat -c %s "$part" 2>/dev/null || echo 0)
  if [[ -n $bytes ]] && ((have > bytes)); then
    rm "$part" # of another file
    have=0
  fi
  if [[ -n $bytes ]] && (($(df --output=avail -B1 "$2" | tail -1) < bytes - have)); then
    fail 4 "not enough room in $2 for $bytes bytes"
  fi
  if [[ $have -eq 0 || $have != "$bytes" ]]; then
    # A server that tells no size refuses to go on where nothing is missing.
    download "$address" "$part" || is_published "$part" >/dev/null ||
      fail 4 "the download stopped; the same command goes on where it did"
  fi
  wrong=$(is_published "$part") || { rm -f "$part"; fail 3 "$address is not $1: $wrong"; }
  mv -n "$part" "$target"
  echo "$target: $vertices vertices, $edges edges, as published"
}

agreed=no
names=()
for argument in "$@"; do
  case $argument in
    --list) list; exit 0 ;;
    --yes) agreed=yes ;;
    -*) usage ;;
    *) names+=("$argument") ;;
  esac
done
((${#names[@]} == 1 || ${#names[@]} == 2)) || usage
look_up "${names[0]}"
fetch "${names[0]}" "${names[1]:-.}"
