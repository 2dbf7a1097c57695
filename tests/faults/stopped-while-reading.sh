#!/bin/sh
# The program is stopped and continued while it waits for input.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
mkfifo "$scratch/pipe" || skip 'no FIFOs'
"$@" <"$scratch/pipe" >"$stdout" 2>"$stderr" &
program=$!
exec 3>"$scratch/pipe"
head -c 20 "$sample" >&3
pause
kill -STOP "$program" 2>/dev/null
pause
kill -CONT "$program" 2>/dev/null
tail -c +21 "$sample" >&3
exec 3>&-
wait "$program"
ended 'stopped and continued' 0 '' "$sample_answer"
