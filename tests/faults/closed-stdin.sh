#!/bin/sh
# There is no standard input: an error where it is to be read, none where a file is.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
"$@" <&- >"$stdout" 2>"$stderr"
ended 'from stdin' 1 'mha: <stdin>: Bad file descriptor' /dev/null
"$@" "$sample" <&- >"$stdout" 2>"$stderr"
ended 'from a file' 0 '' "$sample_answer"
"$@" --version <&- >/dev/null 2>"$stderr"
ended '--version' 0 ''
