#!/usr/bin/env bash
# Builds oneTBB under the thread sanitizer from the distribution's own source, so that the sanitizer
# sees the library's synchronisation and no suppression is needed. Prints the install prefix last.
set -euo pipefail
prefix=${1:?usage: tsan_tbb.sh PREFIX}
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
if [ -f "$prefix/complete" ]; then
  echo "$prefix"
  exit 0
fi

work="$prefix/work"
rm -rf "$work"
mkdir -p "$work/apt/lists/partial" "$work/apt/parts"
# The machine's own package sources, asked for source packages; the machine's configuration stays as it is.
for list in /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/apt/parts/$(basename "$list")"
done
touch "$work/apt/sources.list"
if [ -f /etc/apt/sources.list ]; then
  sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/apt/sources.list"
fi
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/apt/sources.list"
  -o "Dir::Etc::sourceparts=$work/apt/parts" -o "Dir::State::Lists=$work/apt/lists"
  -o APT::Sandbox::User=root -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
"${apt[@]}" update
(cd "$work" && "${apt[@]}" source onetbb >/dev/null)
source=$(find "$work" -mindepth 1 -maxdepth 1 -type d -name 'onetbb-*')

cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_INSTALL_PREFIX="$prefix" -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF \
  -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON -DTBB_SANITIZE=thread >/dev/null
cmake --build "$work/build" >/dev/null
cmake --install "$work/build" >/dev/null
rm -rf "$work"
touch "$prefix/complete"
echo "$prefix"
