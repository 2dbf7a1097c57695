#!/bin/sh
# The input comes in two pieces, whatever byte they part at.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
printf '\357\273\2771 1 1 4 1\r\n1e0,+2.5 -3. .4\n[1e-2 +2 3 4]\n-12.5e+1 .5E-1\r\n[007.25, 1e-400]' >"$scratch/in"
echo '[-125.0000 0.0500 7.2500 0.0000]' >"$scratch/expected" # with one key the output is V
length=$(wc -c <"$scratch/in")
first=0
while [ "$first" -le "$length" ]; do
    {
        head -c "$first" "$scratch/in"
        tail -c "+$((first + 1))" "$scratch/in"
    } | "$@" >"$stdout" 2>"$stderr"
    ended "$first bytes, then the rest" 0 '' "$scratch/expected"
    first=$((first + 1))
done
