#!/bin/sh
# The input is a directory.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
"$@" <"$scratch" >"$stdout" 2>"$stderr"
ended 'as stdin' 1 'mha: <stdin>: Is a directory' /dev/null
"$@" "$scratch" >"$stdout" 2>"$stderr"
ended 'as FILE' 1 "mha: $scratch: Is a directory" /dev/null
