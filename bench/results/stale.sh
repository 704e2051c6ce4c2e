#!/usr/bin/env bash
# Says STALE for each results file whose commit is older than the last change of the library's code (framework/include, framework/src).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
found=false
while IFS= read -r file; do
  found=true
  commit=$(sed -n 's/.*commit[": ]*\([0-9a-f]\{7,40\}\).*/\1/p' "$file" | head -n 1)
  if [ -z "$commit" ] || ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
    echo "STALE $file: names no commit of this history"
  elif ! git diff --quiet "$commit" HEAD -- framework/include framework/src; then
    echo "STALE $file: framework/ changed after commit $commit"
  else
    echo "fresh $file"
  fi
done < <(git ls-files 'bench/results/*.json' 'bench/results/*.txt')
$found || echo "no results recorded"
