# Whether the answers are those of float in place of double:
#
#   LC_ALL=C awk -v judge=tests/judge -v answers=FOLDER -f answer.awk -f float32.awk NAME...
#
# The FOLDER has a file NAME for each case. The status is 0 where all numbers are as near to the right ones as float
# brings them, and those of float32-scores no nearer. A float's digits depend on the order of work, so that no program
# can make them all, as mistakes.cpp does for other mistakes. But they have 24 bits: a number is off by less than 2^-23
# of the largest value, and by as much again for each 1 in a score, since what a score is off by, its weight is off by
# in proportion.

BEGIN {
    for (a = 1; a < ARGC; a++) compare(ARGV[a])
    exit !far["float32-scores"]
}

function compare(name,    score, error, count, k, difference) {
    read_largest(judge "/" name ".in")
    score = (d_k + 1) / 2 * largest["Q"] * largest["K"] # at most: the root of d_k is less than (d_k + 1) / 2
    error = (1 + score) * largest["V"] / 8388608
    count = read(judge "/" name ".out", right)
    if (read(answers "/" name, found) != count) exit 1
    for (k = 1; k <= count; k++) {
        difference = absolute(found[k] - right[k]) - 0.000101 # one in the last digit
        if (found[k] !~ number_form || difference > error) exit 1
        if (difference > 0) far[name] = 1
    }
}

# Sets d_k, and the largest absolute number of each matrix.
function read_largest(file,    n, i, f, matrix) {
    getline <file
    n = $1
    d_k = $2 / $3
    split("", largest)
    for (i = 0; i < 3 * n; i++) {
        getline <file
        matrix = i < n ? "Q" : i < 2 * n ? "K" : "V"
        for (f = 1; f <= NF; f++) if (absolute($f) > largest[matrix]) largest[matrix] = absolute($f)
    }
    close(file)
}

function read(file, numbers,    count) {
    while ((getline <file) > 0) count += numbers_of($0, numbers, count + 0)
    close(file)
    return count
}

function absolute(x) { return x < 0 ? -x : x + 0 }
