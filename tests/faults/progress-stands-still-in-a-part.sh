#!/bin/sh
# One head of 300 queries, whose scores pass the largest double and are summed exactly, is a single part of the work for
# one thread. A terminal shows how far it is all the same.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
mkfifo "$scratch/pipe" || skip 'no FIFOs'
{
    echo '300 128 1'
    sleep 1
    pause
    numbers $((2 * 300 * 128)) | sed 's/$/e200/'
    numbers $((300 * 128))
} >"$scratch/pipe" &
on_terminal "<'$scratch/pipe' >'$stdout'" "$@" --threads 1 </dev/null || wrong 'refused' "$scratch/terminal"
tr '\r' '\n' <"$scratch/terminal" >"$scratch/shown"
grep -q 'attention.* [1-9][0-9]* %' "$scratch/shown" || wrong 'no progress of the attention' "$scratch/shown"
