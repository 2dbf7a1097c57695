# What failing cases have in common: awk -f common.awk JUDGED
#
# JUDGED has a line for each case, `pass FILE` or `fail FILE`, with its input. Where a feature of the inputs parts those
# of judge/ that fail from those that pass, at least three from three, one line says so.

/\/judge\/[^\/]*$/ {
    cases[$1]++
    examine(substr($0, 6))
    for (feature in has) with[feature, $1] += has[feature]
}

END {
    count = split("h = 1,d_k = 1,n = 1,decimals,an exponent,negative numbers,scores beyond 700 or below -700", name, ",")
    for (f = 1; f <= count && cases["pass"] >= 3 && cases["fail"] >= 3; f++)
        if (parts(name[f], "pass", "fail") || parts(name[f], "fail", "pass")) exit
}

# Whether all cases with the feature have the verdict, and no others.
function parts(feature, verdict, other) {
    if (with[feature, verdict] < cases[verdict] || with[feature, other] > 0) return 0
    print "All " cases[verdict] " cases with " feature " " verdict ", all " cases[other] " others " other "."
    return 1
}

# Sets has[FEATURE] to 1 or 0 for each feature of an input of the exercise.
function examine(file,    line, text, x, n, d, h) {
    while ((getline line <file) > 0) text = text " " line
    close(file)
    split(text, x, " ")
    n = x[1]
    d = x[2]
    h = x[3]
    has["n = 1"] = n == 1
    has["h = 1"] = h == 1
    has["d_k = 1"] = d == h
    has["decimals"] = text ~ /[.]/
    has["an exponent"] = text ~ /[eE]/
    has["negative numbers"] = text ~ / -/
    has["scores beyond 700 or below -700"] = largest_product(x, n, d, d / h) > 490000 * d / h
}

# The square of the largest score before the division by the root of d_k: some awks have no roots. Q begins behind the
# three numbers of the first line.
function largest_product(x, n, d, d_k,    largest, first, i, j, c, product) {
    for (first = 4; first < 4 + d; first += d_k)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                product = 0
                for (c = first; c < first + d_k; c++) product += x[c + i * d] * x[c + (n + j) * d]
                if (product * product > largest) largest = product * product
            }
    return largest
}
