#!/usr/bin/env bash
# Installs what tendril needs to build, test and benchmark on Debian 12 or Ubuntu 24.04, as far as it is
# missing. Not installed here: the CUDA toolkit (13.0 or later), which has a package source of its own.
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache git ca-certificates
  libtbb-dev zlib1g-dev libcli11-dev nlohmann-json3-dev libboost-graph-dev
  libgtest-dev libbenchmark-dev clang-format python3
  curl shellcheck libdeflate-tools
)
while (($# > 0)); do
  case "$1" in
    --tidy) packages+=(clang-tidy) ;;
    --clang) packages+=(clang) ;;
    --docs) packages+=(doxygen) ;;
    --source) packages+=(dpkg-dev) ;;
    *)
      echo "usage: dependencies.sh [--tidy] [--clang] [--docs] [--source]" >&2
      exit 2
      ;;
  esac
  shift
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" != 0 ]; then
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
