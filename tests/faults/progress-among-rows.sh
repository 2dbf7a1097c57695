#!/bin/sh
# Where the output goes to the same terminal as the progress of a run of over a second, no progress stands among its
# rows, which tell how far it is themselves.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
mkfifo "$scratch/pipe" || skip 'no FIFOs'
{
    echo '2000 1 1'
    sleep 1
    pause
    numbers 6000
} >"$scratch/pipe" &
on_terminal "<'$scratch/pipe'" "$@" --weights </dev/null || wrong 'refused' "$scratch/terminal"
# What the line of progress was cleared with ends at the first row.
tr -d '\r' <"$scratch/terminal" | sed '1s/^[^[]*%[^[]*\[/[/' >"$stdout"
grep -v '^\[[0-9. ]*\]$' "$stdout" >"$scratch/others" && wrong 'more than rows on the terminal' "$scratch/others"
rows=$(wc -l <"$stdout")
[ "$rows" -eq 2000 ] || wrong "$rows rows, expected 2000" "$stdout"
