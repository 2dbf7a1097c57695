#!/bin/sh
# One head of 400 queries, whose scores pass the largest double and are summed exactly, is a single part of the work for
# one thread. A terminal shows how far it is all the same, and the part's percents never fall.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
mkfifo "$scratch/pipe" || skip 'no FIFOs'
{
    echo '400 128 1'
    sleep 1
    pause
    numbers $((2 * 400 * 128)) | sed 's/$/e200/'
    numbers $((400 * 128))
} >"$scratch/pipe" &
on_terminal "<'$scratch/pipe' >'$stdout'" "$@" --threads 1 </dev/null || wrong 'refused' "$scratch/terminal"
tr '\r' '\n' <"$scratch/terminal" >"$scratch/shown"
grep -q 'attention.* [1-9][0-9]* %' "$scratch/shown" || wrong 'no progress of the attention' "$scratch/shown"
awk '/attention/ { percent = $(NF - 1); if (percent < last) exit 1; last = percent }' "$scratch/shown" ||
    wrong 'progress goes back' "$scratch/shown"
