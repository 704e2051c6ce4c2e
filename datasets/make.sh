#!/usr/bin/env bash
# Makes the data sets of this folder again from their sources and says which committed files would change.
#   bash datasets/make.sh           compare only
#   bash datasets/make.sh --write   replace the files that changed, and their facts in expected.json and README.md
# Exit status: 0 nothing changed (or changes written), 1 something would change, 2 usage, 4 a source is not there.
# Needs Debian or Ubuntu with a package index (apt-get update), and PyPI.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
case "${1-}" in
  "") write=no ;;
  --write) write=yes ;;
  *) echo "usage: make.sh [--write]" >&2; exit 2 ;;
esac

install_missing() {
  local packages=()
  command -v libdeflate-gzip >/dev/null || packages+=(libdeflate-tools)
  python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)
  if ((${#packages[@]})); then
    local as_root=()
    [[ $(id -u) -eq 0 ]] || as_root=(sudo)
    "${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}"
  fi
}
install_missing || exit 4

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
changed=0
for script in packages words karate places airports; do
  python3 "$here/$script.py" "$fresh" >/dev/null || exit 4
done
for file in "$fresh"/*.gz "$fresh"/licences/*; do
  name=${file#"$fresh/"}
  # The content counts: another version of the compressor is not a change.
  if [[ -f $here/$name ]] && cmp -s <(gzip -dcf "$file") <(gzip -dcf "$here/$name"); then
    echo "$name: unchanged"
  elif [[ $write == yes ]]; then
    cp "$file" "$here/$name"
    echo "$name: written"
  else
    echo "$name: would change"
    changed=1
  fi
done
if [[ $write == yes ]]; then
  python3 "$here/facts.py" --write
fi
exit "$changed"
