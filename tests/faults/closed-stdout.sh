#!/bin/sh
# There is no standard output. A file that is opened may get its number: it must not be written to.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
reason='mha: <stdout>: Bad file descriptor'

"$@" <"$sample" >&- 2>"$stderr"
ended 'from stdin' 1 "$reason"
cp "$sample" "$scratch/file"
"$@" "$scratch/file" >&- 2>"$stderr"
ended 'from a file' 1 "$reason"
cmp "$sample" "$scratch/file" || exit 1
"$@" --weights <"$sample" >&- 2>"$stderr"
ended '--weights' 1 "$reason"
"$@" --help >&- 2>"$stderr"
ended '--help' 1 "$reason"
"$@" --version >&- 2>"$stderr"
ended '--version' 1 "$reason"
