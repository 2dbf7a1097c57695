#!/bin/sh
# Someone types the input: one line says what is awaited. Not where a file is read.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
on_terminal ">'$stdout' 2>'$stderr'" "$@" <"$sample"
ended 'typed' 0 "$(grep 'Ctrl-D' "$stderr")" "$sample_answer"
[ -s "$stderr" ] || wrong 'no line on stderr ends with how to end the input' "$stderr"
on_terminal ">'$stdout' 2>'$stderr'" "$@" "$sample" </dev/null
ended 'a file' 0 '' "$sample_answer"
