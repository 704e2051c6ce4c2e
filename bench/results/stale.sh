#!/usr/bin/env bash
# Says STALE for each results file whose commit is older than the last change of the library's code (framework/include,
# framework/src); comments are no code.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

code() { git show "$1:$2" 2>/dev/null | g++ -fpreprocessed -dD -E -P -x c++ - 2>/dev/null || true; }
has_changed_since() {
  local file
  while IFS= read -r file; do
    cmp -s <(code "$1" "$file") <(code HEAD "$file") || return 0
  done < <(git diff --name-only "$1" HEAD -- framework/include framework/src)
  return 1
}

found=false
while IFS= read -r file; do
  found=true
  commit=$(sed -n 's/.*commit[": ]*\([0-9a-f]\{7,40\}\).*/\1/p' "$file" | head -n 1)
  if [ -z "$commit" ] || ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
    echo "STALE $file: names no commit of this history"
  elif has_changed_since "$commit"; then
    echo "STALE $file: framework/ changed after commit $commit"
  else
    echo "fresh $file"
  fi
done < <(git ls-files 'bench/results/*.json' 'bench/results/*.txt')
$found || echo "no results recorded"
