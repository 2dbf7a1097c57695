#!/bin/sh
# A run of over a second shows on a terminal how far it is. Nothing of that stays: not on the terminal, nor before an
# error, nor in the output's file.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_terminal
mkfifo "$scratch/pipe" || skip 'no FIFOs'

# slowly NUMBERS COMMAND...
slowly() {
    {
        echo '1 1 1'
        sleep 1
        pause
        echo "$1"
    } >"$scratch/pipe" &
    shift
    on_terminal "<'$scratch/pipe' >'$stdout'" "$@" </dev/null
    status=$?
    tr -d '\n' <"$scratch/terminal" | tr '\r' '\n' | sed '/^$/d' >"$scratch/shown"
    # What came next to the last progress must cover it.
    awk '/%/ { width = length; cover = NR + 1 } NR == cover && /^ *$/ { covered = length >= width }
        END { exit !covered }' "$scratch/shown" || wrong 'no progress, or not cleared' "$scratch/shown"
    sed '/%/,/^ *$/d; s/^ *$//; s/^.*\^D..//' "$scratch/shown" | sed '/^$/d' >"$stderr"
    return "$status"
}

echo '[3.0000]' >"$scratch/expected"
slowly '1 2 3' "$@"
ended 'right input' 0 '' "$scratch/expected"
slowly '1 2 x' "$@"
ended 'wrong input' 1 'mha: <stdin>:2:5: expected a number, found "x"' /dev/null
