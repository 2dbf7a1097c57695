#!/bin/sh
# There is neither standard input nor output.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
"$@" <&- >&- 2>"$stderr"
ended 'from stdin' 1 'mha: <stdin>: Bad file descriptor'
cp "$sample" "$scratch/file"
"$@" "$scratch/file" <&- >&- 2>"$stderr"
ended 'from a file' 1 'mha: <stdout>: Bad file descriptor'
cmp "$sample" "$scratch/file" || exit 1
