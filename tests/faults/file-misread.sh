#!/bin/sh
# FILE is no file that one can read from its beginning to its end, or has a name that one cannot print.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# It has neither a size nor a place to go back to.
fifo() {
    mkfifo "$pipe"
    cat "$sample" >"$pipe" &
    # shellcheck disable=SC2064 # this one
    trap "kill $! 2>/dev/null" EXIT # it waits for ever where nothing reads
    answers "$sample_answer" in_time "$@" "$pipe"
}

directory() {
    refuses '<stdin>: Is a directory' "$@" <"$scratch"
    refuses "$scratch: Is a directory" "$@" "$scratch"
}

empty_device() {
    refuses '/dev/null:1:1: the header has 0 of 3 numbers: n d h' "$@" /dev/null
}

not_allowed() {
    echo '1 1 1 2 3 4' >"$in"
    chmod 000 "$in"
    if [ -r "$in" ]; then # by root: be someone else
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
        chmod 711 "$folder" "$scratch"
        "$@" --version >/dev/null 2>&1 || skip 'root may read every file'
    fi
    refuses "$in: Permission denied" "$@" "$in"
}

# The name could move the terminal's cursor, or break the line: it is told in one line, without such characters.
control_characters() {
    refuses "$scratch/a?b?[31mc: No such file or directory" "$@" "$scratch/$(printf 'a\nb\033[31mc')" <"$sample"
}

try 'fifo directory empty_device not_allowed control_characters' "$@"
