#!/bin/sh
# A run of over a second shows on a terminal how far it is. Nothing of that stays, or comes elsewhere.
# shellcheck source=tests/faults/common disable=SC2016 # $ is for the shell on the terminal
. "$(dirname "$0")/common"

# Someone types the input: one line says what is awaited. Not where a file is read.
no_hint() {
    needs_terminal
    on_terminal '"$@" >"$stdout" 2>"$stderr"' "$@" <"$sample"
    ended 'typed' 0 "$(grep 'Ctrl-D' "$stderr")" "$sample_answer"
    [ -s "$stderr" ] || wrong 'no line on stderr ends with how to end the input' "$stderr"
    on_terminal '"$@" >"$stdout" 2>"$stderr"' "$@" "$sample" </dev/null
    ended 'a file' 0 '' "$sample_answer"
}

# runs_late NUMBERS COMMAND...: on `1 1 1`, and on the NUMBERS after a second. What is shown next after the last
# progress must cover it. The other lines that are shown go to $stderr.
runs_late() {
    echo '1 1 1' >"$in"
    comes_late "$1"
    shift
    on_terminal '"$@" <"$pipe" >"$stdout"' "$@" </dev/null
    status=$?
    tr -d '\n' <"$scratch/terminal" | tr '\r' '\n' | sed '/^$/d' >"$scratch/shown"
    awk '/%/ { width = length; cover = NR + 1 } NR == cover && /^ *$/ { covered = length >= width }
        END { exit !covered }' "$scratch/shown" || wrong 'no progress, or not cleared' "$scratch/shown"
    sed '/%/,/^ *$/d; s/^ *$//; s/^.*\^D..//' "$scratch/shown" | sed '/^$/d' >"$stderr"
    return "$status"
}

left_behind() {
    needs_terminal
    echo '[3.0000]' >"$expected"
    runs_late '1 2 3' "$@"
    ended 'right input' 0 '' "$expected"
}

left_before_an_error() {
    needs_terminal
    runs_late '1 2 x' "$@"
    ended 'wrong input' 1 'mha: <stdin>:2:1100005: expected a number, found "x"' /dev/null
}

in_a_log() {
    echo '1 1 1' >"$in"
    echo '[3.0000]' >"$expected"
    comes_late '1 2 3'
    answers "$expected" "$@" <"$pipe"
}

# Where the output goes to the same terminal, it tells itself how far it is. What the line of progress was cleared with
# ends at the first row.
among_rows() {
    needs_terminal
    echo '2000 1 1' >"$in"
    comes_late "$(numbers 6000)"
    on_terminal '"$@" --weights <"$pipe"' "$@" </dev/null || wrong 'refused' "$scratch/terminal"
    tr -d '\r' <"$scratch/terminal" | sed '1s/^[^[]*%[^[]*\[/[/' >"$stdout"
    grep -v '^\[[0-9. ]*\]$' "$stdout" >"$scratch/others" && wrong 'more than rows on the terminal' "$scratch/others"
    rows=$(wc -l <"$stdout")
    [ "$rows" -eq 2000 ] || wrong "$rows rows, expected 2000" "$stdout"
}

# One head of 96 queries is a single group for one thread: progress is shown for its blocks of keys. The terminal stops
# the program when it shows the first step, for longer than the next one takes to be due.
still_in_a_group() {
    needs_terminal
    { echo '1 96 300 1 1' && numbers 696; } >"$in"
    for _ in 1 2 3 4 5 6 7 8 9 10; do # until reading was over before there was progress to show
        comes_late ''
        on_terminal 'stty tostop; set -m; "$@" --threads 1 <"$pipe" >"$stdout" &
            wait $!; sleep 0.3 2>/dev/null || sleep 1; fg >/dev/null' "$@" </dev/null ||
            wrong 'refused' "$scratch/terminal"
        grep -q reading "$scratch/terminal" || break
        rm "$pipe"
    done
    tr '\r' '\n' <"$scratch/terminal" | awk '/attention/ { print $(NF - 1) }' >"$scratch/shown"
    awk 'BEGIN { last = -1 } $1 < last { fallen = 1 } $1 != last { ++steps; last = $1 }
        END { exit steps < 2 || fallen }' "$scratch/shown" ||
        wrong 'fewer than two steps shown, or progress goes back' "$scratch/shown"
}

try 'no_hint left_behind left_before_an_error in_a_log among_rows still_in_a_group' "$@"
