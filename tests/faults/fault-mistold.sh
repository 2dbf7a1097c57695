#!/bin/sh
# The first fault of the input is told, with its place, as soon as it has come, and the same on any number of threads.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# told LINE COMMAND...: of what comes on stdin, while whoever sends it neither goes on nor closes it
told() {
    line=$1
    shift
    trap '' PIPE
    starts in_time "$@"
    cat >&3 2>/dev/null
    wait $!
    ended "$line" 1 "mha: <stdin>:$line" /dev/null
    exec 3>&-
}

late_in_the_header() {
    reason='1:3: d = 5 is not divisible by h = 2'
    printf '2 5 2\n' | told "$reason" "$@"
    printf '2 5 2\r' | told "$reason" "$@"
    printf '2 5 2 1 1 1 ' | told "$reason" "$@" # the sixth number tells that it is no header of five
    printf '2 x ' | told '1:3: expected a number, found "x"' "$@"
    printf '1 1\n' | told '1:4: the header has 2 of 3 numbers: n d h' "$@"
}

late_in_the_data() {
    printf '2 1 1\n1 2 3\n4 inf ' | told '3:3: expected a number, found "inf"' "$@"
    printf '1 1 1\n1 2 3\n4 ' | told '3:1: input goes on after V: expected 3 numbers' "$@"
    # 1 MB at once, of which threads take a part each, with a fault in the middle
    { echo '50000 2 1' && numbers 90000 && echo inf && numbers 90000; } |
        told '90002:1: expected a number, found "inf"' "$@"
}

late_in_a_token() {
    reason='a token over 1 MiB: "99999999999999999999999999999999..."'
    repeat 1048577 9 | told "1:1: $reason" "$@"
    { printf '2 1 1\n1 2 ' && repeat 1048577 9; } | told "2:5: $reason" "$@"
}

# All seems to have come, and then there is more.
missed_after_a_pause() {
    starts "$@"
    printf '1 1 1\n1 2 3\n' >&3
    rests $!
    echo 4 >&3
    exec 3>&-
    wait $!
    ended 'more after a pause' 1 'mha: <stdin>:3:1: input goes on after V: expected 3 numbers' /dev/null
}

# whole: 340 kB for threads to share, in lines of seven numbers
whole() {
    echo '700 30 2'
    numbers 63000 | awk '{ printf "%s%s", $0, NR % 7 ? " " : "\n" }'
}

# same LINE COMMAND...: of $in, as a file and through a pipe
same() {
    line="<stdin>:$1"
    shift
    for threads in 1 2 7; do
        refuses "$line" "$@" --threads $threads <"$in"
    done
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat "$in" 2>/dev/null | refuses "$line" "$@" --threads 7
}

# Behind the word come another one, and a number past the largest double.
later_word_first() {
    whole >"$scratch/whole"
    for number in 2 8971 32768 62999; do
        place=$(awk -v at=$number -v out="$in" '
            NR > 1 {
                for (i = 1; i <= NF; ++i) {
                    if (++count == at) {
                        $i = "1x"
                        print NR ":" index(" " $0, " 1x")
                    }
                    if (count > at && count % 7001 == 0) $i = "1e999"
                }
            }
            { print >out }' "$scratch/whole")
        same "$place: expected a number, found \"1x\"" "$@"
    done
}

word_before_excess() {
    whole | sed '$s/$/ 5 6 7x/' >"$in"
    same "9001:$(whole | tail -n 1 | awk '{ print length + 2 }'): input goes on after V: expected 63000 numbers" "$@"
}

end_elsewhere() {
    whole | sed 8000q >"$in"
    same '8001:1: input ends inside V: row 467 of 700 has 13 of 30 numbers' "$@"
}

# The last of 99,000 tokens is wrong: no part of an answer may come before.
answer_before() {
    { echo '1000 33 1' && yes '1 2 3 4 5 6 7 8 9 0' 2>/dev/null | head -n 9900 | sed '$ s/0$/zero/'; } >"$in"
    for option in - --weights --causal; do
        refuses '<stdin>:9901:19: expected a number, found "zero"' "$@" "$option" <"$in"
    done
}

try 'late_in_the_header late_in_the_data late_in_a_token missed_after_a_pause
    later_word_first word_before_excess end_elsewhere answer_before' "$@"
