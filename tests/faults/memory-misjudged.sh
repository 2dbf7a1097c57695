#!/bin/sh
# There is less memory than the work wants: the answer is the same, or there is none. Or an input promises much that
# never comes, or goes on and on with what is no number: that takes no memory.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# 24 MB to hold Q, K and V
for_numbers() {
    starts_within 20000 "$@"
    { echo '1000 1000 1' && repeat 300000 '1 2 3 4 5 6 7 8 9 0 '; } >"$in"
    refuses 'memory: Cannot allocate memory' within 20000 "$@" <"$in"
}

# There is memory for the work, but not for another thread's stack.
for_stacks() {
    # shellcheck disable=SC3045 # dash and busybox have it
    ulimit -s 65536 2>/dev/null || skip 'the stack cannot be made larger'
    starts_within 60000 "$@"
    tokens 3000 4 2 >"$in" # work for four threads
    answers_alone "$@"
    answers "$expected" within 60000 "$@" <"$in"
}

# There is memory for the numbers, but less and less for what threads read, compute and print with.
for_some_threads() {
    # shellcheck disable=SC3045
    ulimit -s 4096 # there is memory for some such stacks
    starts_within 60000 "$@"
    tokens 3000 4 2 >"$in"
    answers_alone "$@"
    count=0
    for size in $(seq 3000 2300 39800); do
        within "$size" "$@" --threads 7 <"$in" >"$stdout" 2>"$stderr"
        status=$?
        if [ "$status" -eq 0 ]; then
            count=$((count + 1))
            ended "$size KiB" 0 '' "$expected"
        elif within "$size" "$@" --version >/dev/null 2>&1; then
            (exit "$status")
            ended "$size KiB" 1 'mha: memory: Cannot allocate memory'
        fi
    done
    [ "$count" -gt 3 ] || wrong "only $count answers" /dev/null
}

# peak ROWS COMMAND...: sets $peak to the KiB that it takes where ROWS rows are promised and 200,000 come
peak() {
    rows=$1
    shift
    starts "$@"
    { echo "$rows 1 1" && repeat 200000 '1 '; } >&3 2>/dev/null
    rests $!
    peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$!/status")
    exec 3>&-
    wait $!
    ended 'short input' 1 \
        "mha: <stdin>:2:400001: input ends inside Q: row 200001 of $rows has 0 of 1 numbers" /dev/null
}

# The header promises 10^12 rows: as much is taken as where it promises few.
for_promised_rows() {
    grep -q VmHWM /proc/self/status 2>/dev/null || skip 'the peak of memory is not told in /proc'
    starts_within 60000 "$@" # a sanitizer takes memory of its own for what is but reserved
    trap '' PIPE             # a program that is gone already is told below
    peak 200001 "$@"
    modest=$peak
    peak 1000000000000 "$@"
    [ "$peak" -lt $((modest + 4000)) ] || wrong "peak of $peak KiB, with a modest promise $modest" /dev/null
}

# Address space for them is not there, either.
for_promised_rows_in_60_MB() {
    starts_within 60000 "$@"
    printf '1000000000000 1 1\n5 5' >"$in"
    refuses '<stdin>:2:4: input ends inside Q: row 3 of 1000000000000 has 0 of 1 numbers' within 60000 "$@" <"$in"
}

# One of 1 MiB is taken; a byte more is too much, also where the token's end has come with it.
for_a_token() {
    starts_within 18000 "$@"
    reason='a token over 1 MiB: "99999999999999999999999999999999..."'
    echo '[0.0000]' >"$expected"
    { printf '1 1 1\n1 2 0.' && repeat 1048573 0 && echo 3; } | answers "$expected" within 18000 "$@"
    { repeat 1048577 9 && echo ' 3'; } >"$in"
    refuses "<stdin>:1:1: $reason" within 18000 "$@" <"$in"
    printf '1 1 1\n1 2 ' | cat - "$in" | refuses "<stdin>:2:5: $reason" within 18000 "$@"
    { printf '1 1 1\n1 2 ' && many 200 9; } | refuses "<stdin>:2:5: $reason" within 18000 "$@"
    many 200 '\0' | refuses "<stdin>:1:1: a token over 1 MiB: \"$(repeat 32 '\\x00')...\"" within 18000 "$@"
}

for_separators() {
    starts_within 12000 "$@"
    many 130 '[' | refuses '<stdin>:1:13000001: the header has 0 of 3 numbers: n d h' within 12000 "$@" --threads 1
    echo '[3.0000]' >"$expected"
    { printf '1 1 ' && many 130 ' ' && printf '1\n1 2 ' && many 130 '\n' && echo 3; } |
        answers "$expected" within 12000 "$@" --threads 1
}

try 'for_numbers for_stacks for_some_threads
    for_promised_rows for_promised_rows_in_60_MB for_a_token for_separators' "$@"
