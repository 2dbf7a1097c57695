#!/bin/sh
# The file is a FIFO: it has neither a size nor a place to go back to.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
mkfifo "$scratch/pipe" || skip 'no FIFOs'
cat "$sample" >"$scratch/pipe" &
writer=$!
trap 'kill "$writer" 2>/dev/null; rm -rf "$scratch"' EXIT # it waits for ever where nothing reads
in_time "$@" "$scratch/pipe" >"$stdout" 2>"$stderr"
ended 'as FILE' 0 '' "$sample_answer"
