#!/bin/sh
# One head of 200 queries and two million keys, ordinary numbers all of them, is a single group for one thread. A
# terminal shows how far it is all the same, more than once, and the percents never fall.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
mkfifo "$scratch/pipe" || skip 'no FIFOs'
{
    echo '1 200 2000000 1 1'
    sleep 1
    pause
    yes '0.5 1.25 -1 2 0.75 3 -2.5 1 0.5 -0.25' 2>/dev/null | head -n 400020
} >"$scratch/pipe" &
on_terminal "<'$scratch/pipe' >'$stdout'" "$@" --threads 1 </dev/null || wrong 'refused' "$scratch/terminal"
tr '\r' '\n' <"$scratch/terminal" | awk '/attention/ { print $(NF - 1) }' >"$scratch/shown"
awk '$1 < last { fallen = 1 } $1 != last { ++steps; last = $1 } END { exit steps < 2 || fallen }' "$scratch/shown" ||
    wrong 'fewer than two steps shown, or progress goes back' "$scratch/shown"
