#!/bin/sh
# The system fails to read a file that it could open.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
[ -r /proc/self/mem ] || skip 'no /proc/self/mem'
"$@" /proc/self/mem >"$stdout" 2>"$stderr" # nothing is mapped at address 0
ended 'as FILE' 1 'mha: /proc/self/mem: Input/output error' /dev/null
exec 3</proc/self/mem # of this shell, as it outlives the command
"$@" <&3 >"$stdout" 2>"$stderr"
ended 'as stdin' 1 'mha: <stdin>: Input/output error' /dev/null
