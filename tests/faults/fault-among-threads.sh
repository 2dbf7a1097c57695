#!/bin/sh
# Threads read a part of the input each. The first fault in its order is told, with its place, wherever it lies and
# whatever comes behind it: a word, a number too many, the input's end; and the same on any number of threads.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '700 30 2'
    numbers 63000 | awk '{ printf "%s%s", $0, NR % 7 ? " " : "\n" }'
} >"$scratch/whole" # 460 kB, in lines of seven numbers

# told PLACE-AND-REASON COMMAND...: of $scratch/in, as a file and through a pipe
told() {
    line=$1
    shift
    for threads in 1 2 7; do
        "$@" --threads $threads <"$scratch/in" >"$stdout" 2>"$stderr"
        ended "--threads $threads" 1 "mha: <stdin>:$line" /dev/null
    done
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat "$scratch/in" 2>/dev/null | "$@" --threads 2 >"$stdout" 2>"$stderr"
    ended 'through a pipe' 1 "mha: <stdin>:$line" /dev/null
}

for number in 2 8971 32768 62999; do # behind a word, another one, and a number past the largest double
    place=$(awk -v at=$number -v fault=1x -v out="$scratch/in" '
        NR == 1 { print >out; next }
        {
            for (i = 1; i <= NF; ++i) {
                if (++count == at) {
                    column = 1
                    for (j = 1; j < i; ++j) column += length($j) + 1
                    print NR ":" column
                    $i = fault
                }
                if (count > at && count % 7001 == 0) $i = "1e999"
            }
            print >out
        }' "$scratch/whole")
    told "$place: expected a number, found \"1x\"" "$@"
done
sed '$s/$/ 5 6 7x/' "$scratch/whole" >"$scratch/in"
column=$(tail -n 1 "$scratch/whole" | awk '{ print length + 2 }')
told "9001:$column: input goes on after V: expected 63000 numbers" "$@"
sed '8000q' "$scratch/whole" >"$scratch/in"
told '8001:1: input ends inside V: row 467 of 700 has 13 of 30 numbers' "$@"
