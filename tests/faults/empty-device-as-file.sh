#!/bin/sh
# The file is a device that has nothing to give.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
"$@" /dev/null >"$stdout" 2>"$stderr"
ended 'as FILE' 1 'mha: /dev/null:1:1: the header has 0 of 3 numbers: n d h' /dev/null
