#!/bin/sh
# A standard stream is closed, or the reader behind it goes away.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

no_stdin() {
    refuses '<stdin>: Bad file descriptor' "$@" <&-
    answers "$sample_answer" "$@" "$sample" <&-
    "$@" --version <&- >/dev/null 2>"$stderr"
    ended '--version' 0 ''
}

# A file that is opened may get the number of what is closed: it must not be written to.
no_stdout() {
    cp "$sample" "$in"
    for option in - --weights --help --version "$in"; do
        "$@" "$option" <"$sample" >&- 2>"$stderr"
        ended "$option" 1 'mha: <stdout>: Bad file descriptor'
    done
    cmp "$sample" "$in"
}

no_stdin_nor_stdout() {
    "$@" <&- >&- 2>"$stderr"
    ended 'from stdin' 1 'mha: <stdin>: Bad file descriptor'
    cp "$sample" "$in"
    "$@" "$in" <&- >&- 2>"$stderr"
    ended 'from a file' 1 'mha: <stdout>: Bad file descriptor'
    cmp "$sample" "$in"
}

no_stderr() {
    : >"$stderr"
    echo '1 1 1 word' | tee "$scratch/bad" >"$in"
    "$@" <"$in" >"$stdout" 2>&-
    ended 'bad input on stdin' 1 '' /dev/null
    "$@" "$in" >"$stdout" 2>&-
    ended 'bad file' 1 '' /dev/null
    "$@" --wrong >"$stdout" 2>&-
    ended 'wrong usage' 2 '' /dev/null
    "$@" "$in" <&- >&- 2>&-
    ended 'bad file, nothing open' 1 ''
    cmp "$scratch/bad" "$in"
    "$@" "$sample" >"$stdout" 2>&-
    ended 'good file' 0 '' "$sample_answer"
}

# first_line_read COMMAND...: its status is the command's, whose reader takes a line and goes
first_line_read() {
    tokens 4000 1 1 >"$in" # 16 million weights
    { in_time "$@" --weights "$in" 2>"$stderr"; echo $? >"$scratch/status"; } | head -n 1 | cut -c 1 >"$stdout"
    echo '[' >"$expected"
    return "$(cat "$scratch/status")"
}

reader_gone() {
    { yes 2>/dev/null; echo $? >"$scratch/status"; } | head -n 1 >/dev/null
    [ "$(cat "$scratch/status")" -eq 141 ] || skip 'broken pipes are no signal here'
    first_line_read "$@"
    ended 'large output' 141 '' "$expected"
}

reader_gone_without_signal() {
    trap '' PIPE
    first_line_read "$@"
    ended 'large output' 1 'mha: <stdout>: Broken pipe' "$expected"
}

try 'no_stdin no_stdout no_stdin_nor_stdout no_stderr reader_gone reader_gone_without_signal' "$@"
