#!/bin/sh
# Up to n_q * n_k = 100 each product and each sum is rounded by itself, as in plain loops in Python and in C: the sum
# of three products falls just below the tie there. (The reference's long double meets the tie, so this is no case.)
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
echo '3 1 1  0 0 0  0 0 0  0.8125 1.9375 2.03125' >"$scratch/in"
printf '[1.5937]\n[1.5937]\n[1.5937]\n' >"$scratch/expected"
"$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'three equal weights' 0 '' "$scratch/expected"
