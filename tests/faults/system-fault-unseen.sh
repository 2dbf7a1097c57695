#!/bin/sh
# The system cannot read the input or write the output, or not at once.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

first_read() {
    [ -r /proc/self/mem ] || skip 'no /proc/self/mem'
    refuses '/proc/self/mem: Input/output error' "$@" /proc/self/mem # nothing is mapped at address 0
    exec 3</proc/self/mem                                            # of this shell, as it outlives the command
    refuses '<stdin>: Input/output error' "$@" <&3
}

read_after_a_part() {
    needs_injecting
    cp "$sample" "$in" # all of it comes with the first read
    refuses "$in: Input/output error" injecting read,readv:error=EIO:when=2 "$in" "$@" --threads 1 "$in"
    tokens 300 96 3 >"$in"
    refuses "$in: Input/output error" injecting read,readv:error=EIO:when=4 "$in" "$@" --threads 1 "$in"
}

# strace counts the reads of each thread; there are more reads than threads.
read_of_a_thread() {
    needs_injecting
    tokens 300 96 3 >"$in"
    for _ in 1 2 3 4 5; do
        refuses "$in: Input/output error" injecting read,readv:error=EIO:when=2 "$in" "$@" --threads 7 "$in"
    done
}

# A signal interrupts every second read, and every second write.
interrupted() {
    needs_injecting
    tokens 70 70 7 >"$in"
    set -- "$@" --threads 2
    answers_alone "$@"
    answers "$expected" injecting read,readv:error=EINTR:when=1+2 "$in" "$@" "$in"
    grep -q INJECTED "$scratch/calls" || wrong 'no read was interrupted' "$scratch/calls"
    answers "$expected" injecting write,writev:error=EINTR:when=1+2 "$stdout" "$@" "$in"
    grep -q INJECTED "$scratch/calls" || wrong 'no write was interrupted' "$scratch/calls"
}

# Only when the output is closed the system tells that it could not keep it, as network file systems do.
close() {
    needs_injecting
    # shellcheck disable=SC2094 # a name, not a second use
    injecting close:error=EIO "$stdout" "$@" "$sample" >"$stdout" 2>"$stderr"
    ended 'close' 1 'mha: <stdout>: Input/output error'
}

full_disk() {
    [ -c /dev/full ] || skip 'no /dev/full'
    tokens 100 96 3 >"$in" # its output is larger than every buffer
    for input in "$sample" "$in"; do
        for option in - --weights --help --version; do
            "$@" "$option" <"$input" >/dev/full 2>"$stderr"
            ended "$option <$input" 1 'mha: <stdout>: No space left on device'
        done
    done
}

# The output's file may not grow beyond a size that is less than the output.
full_disk_after_a_part() {
    tokens 100 96 3 >"$in"
    trap '' XFSZ # the signal would end the program before it could tell
    (ulimit -f 16 && exec "$@" <"$in" >"$stdout" 2>"$stderr")
    ended 'large output' 1 'mha: <stdout>: File too large'
}

try 'first_read read_after_a_part read_of_a_thread interrupted close full_disk full_disk_after_a_part' "$@"
