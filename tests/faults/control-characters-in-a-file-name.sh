#!/bin/sh
# A file's name could move the terminal's cursor, or break the line: it is told in one line, without such characters.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
name=$(printf 'a\nb\033[31mc')
"$@" "$scratch/$name" <"$sample" >"$stdout" 2>"$stderr"
ended 'missing file' 1 "mha: $scratch/a?b?[31mc: No such file or directory" /dev/null
