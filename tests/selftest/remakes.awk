# The exercise in awk with mistakes to choose, one or several:
#
#     awk -v mistake=no-scale -f tests/selftest/remakes.awk
#     awk -v mistake=no-scale+truncated-not-rounded -f tests/selftest/remakes.awk
#
# Written apart from mistakes.cpp and in another order of work: all heads' scores first, then every softmax, then all
# outputs. So names.sh can show that a report names the mistake, not one way to write it.

BEGIN {
    count = split(mistake, words, "+")
    for (w = 1; w <= count; w++) made[words[w]] = 1
}

function wrong(name) { return name in made }

{ for (f = 1; f <= NF; f++) x[size++] = $f + 0 }

END {
    n = x[0]; d = x[1]; h = x[2]; d_k = d / h
    Q = 3; K = Q + n * d; V = K + n * d # where each begins in x
    if (wrong("keys-and-values-swapped")) { K = Q + 2 * n * d; V = Q + n * d }
    if (wrong("values-in-the-scores")) K = V
    if (wrong("keys-one-number-late")) K++
    if (wrong("queries-one-number-early")) Q--
    if (wrong("keys-read-by-columns")) {
        for (p = 0; p < n * d; p++) x[size + p] = x[K + p % d * n + int(p / d)]
        K = size
    }

    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) weight[t, i, j] = score(t, i, j) / scale()
    softmax()
    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++) attend(t, i)
    for (i = 0; i < n; i++) {
        if (wrong("rows-normalized")) normalize(i * d)
        row = text(output[i * d])
        for (c = 1; c < d; c++) row = row (wrong("commas-between-numbers") ? ", " : " ") text(output[i * d + c])
        print "[" row "]"
    }
}

# Where the number of head t, token i and channel c stands in an (n, d) matrix: Q, K, V (whose: q, k, v) or the output.
function at(t, i, c, whose) {
    if (wrong("scores-interleaved") && (whose == "q" || whose == "k")) return i * d + c * h + t
    if (wrong("queries-by-plain-reshape") && whose == "q") return (t * n + i) * d_k + c
    if (wrong("keys-of-next-head") && whose == "k" || wrong("values-of-next-head") && whose == "v") t = (t + 1) % h
    if (wrong("next-column-of-keys") && whose == "k") c = (c + 1) % d_k
    if (wrong("values-of-next-key") && whose == "v" || wrong("keys-in-reverse") && whose == "k") i = n - 1 - i
    if (wrong("scores-of-previous-query") && whose == "q") i = (i + n - 1) % n
    if (wrong("split-and-merge-by-plain-reshape")) return (t * n + i) * d_k + c
    if (wrong("heads-interleaved")) return i * d + c * h + t
    return i * d + t * d_k + c
}

function score(t, i, j,    c, q, k, sum, squares_q, squares_k) {
    for (c = wrong("first-column-left-out") && d_k > 1; c < d_k; c++) {
        q = x[Q + at(t, i, c, "q")]; k = x[K + at(t, j, c, "k")]
        if (wrong("distance-for-dot-product")) sum -= (q - k) ^ 2
        else sum += q * k
        squares_q += q * q; squares_k += k * k
    }
    if (wrong("cosine-for-dot-product") && sum != 0) sum /= sqrt(squares_q * squares_k)
    if (wrong("negative-scores-cut-off") && sum < 0) sum = 0
    if (wrong("later-keys-score-zero") && j > i) sum = 0
    if (wrong("scores-of-zero-masked") && sum == 0) sum = -1e300
    if (wrong("far-keys-score-less")) sum -= (i - j) ^ 2 / 10
    if (wrong("temperature-of-two")) sum /= 2
    if (wrong("scores-negated")) sum = -sum
    if (wrong("scores-through-tanh")) sum = 1 - 2 / (exp(2 * sum) + 1)
    if (wrong("scores-added-up") && j) sum += sqrt(d_k) * weight[t, i, j - 1]
    if (wrong("first-head-not-scaled") && !t) sum *= sqrt(d_k)
    return sum
}

function scale() {
    if (wrong("no-scale")) return 1
    if (wrong("scale-by-model-width")) return sqrt(d)
    if (wrong("scale-by-number-of-tokens")) return sqrt(n)
    if (wrong("scale-by-fourth-root")) return sqrt(sqrt(d_k))
    return sqrt(d_k)
}

# Which weights sum to 1: those of one query in one head.
function group(t, i, j) {
    if (wrong("softmax-over-queries")) return t SUBSEP j
    if (wrong("softmax-over-heads-and-keys")) return i
    return t SUBSEP i
}

function masked(i, j) {
    return wrong("causal-mask-applied") && j > i || wrong("earlier-keys-masked") && j < i ||
        wrong("first-key-forgotten") && j == 0
}

function softmax(    t, i, j, g, largest, sum, total) {
    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                g = group(t, i, j)
                if (!(g in largest)) largest[g] = wrong("maximum-starts-at-zero") ? 0 : -1e308
                if (weight[t, i, j] > largest[g] && !masked(i, j)) largest[g] = weight[t, i, j]
            }
    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                g = group(t, i, j)
                if (wrong("exp-overflows")) largest[g] = 0
                weight[t, i, j] = masked(i, j) ? 0 : exp(weight[t, i, j] - largest[g])
                if (wrong("sum-kept-for-next-head") && t && !j) sum[g] = sum[t - 1, i]
                if (wrong("sum-kept-throughout") && t + i && !j) sum[g] = i ? sum[t, i - 1] : sum[t - 1, n - 1]
                sum[g] += weight[t, i, j]
            }
    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                total = sum[group(t, i, j)]
                if (wrong("two-added-to-sum")) total += 2
                if (wrong("a-millionth-added-to-sum")) total += 1e-6
                # nan, where some awks would end: they do not divide by 0
                weight[t, i, j] = total ? weight[t, i, j] / total : log(-1)
            }
    for (t = 0; t < h; t++)
        for (i = 0; i < n; i++) {
            for (j = total = 0; j < n; j++) total += weight[t, i, j] = changed_weight(t, i, j)
            for (j = 0; j < n && wrong("linear-for-softmax"); j++) weight[t, i, j] /= total
        }
}

# Weights that are wrong after the softmax, or in place of it.
function changed_weight(t, i, j,    w, s) {
    w = weight[t, i, j]
    s = score(t, i, j) / scale()
    if (wrong("sigmoid-for-softmax")) return 1 / (1 + exp(-s))
    if (wrong("linear-for-softmax")) return s < 0 && !wrong("negative-weights") ? -s : s
    if (wrong("powers-of-ten")) return 10 ^ s
    if (wrong("mask-after-softmax") && j > i) return 0
    if (wrong("dropout")) return (i + j) % 2 ? 2 * w : 0
    if (wrong("weights-squared")) return w ^ 2
    if (wrong("weights-from-one")) return (1 - w) / (n - 1)
    if (wrong("weights-of-two-heads-averaged") && h == 2) return t ? weight[0, i, j] : (w + weight[1, i, j]) / 2
    return w
}

# Row i of head t.
function attend(t, i,    j, c, sum, place) {
    for (c = 0; c < d_k - wrong("last-column-left-out"); c++) {
        if (!wrong("columns-added-up") || !c) sum = 0
        for (j = 0; j < n; j++)
            sum += (wrong("weights-transposed") ? weight[t, j, i] : weight[t, i, j]) * \
                x[V + at(wrong("first-head-values-for-all-heads") ? 0 : t, j, c, "v")]
        if (wrong("rows-added-up") && i) sum += output[at(t, i - 1, c)]
        if (wrong("values-added")) sum += x[V + at(t, i, c)]
        if (wrong("divided-by-number-of-heads")) sum /= h
        if (wrong("first-query-forgotten") && i == 0) sum = 0
        place = at(wrong("heads-moved-by-one") ? (t + 1) % h : t, i, c)
        if (wrong("merge-without-transpose")) place = (t * n + i) * d_k + c
        if (wrong("merge-by-columns")) place = (t * d_k + c) * n + i
        if (wrong("rows-reversed")) place = at(t, n - 1 - i, c)
        output[place] = sum
    }
}

# Makes a row of the output as long as 1.
function normalize(first,    c, sum) {
    for (c = 0; c < d; c++) sum += output[first + c] ^ 2
    for (c = 0; c < d && sum > 0; c++) output[first + c] /= sqrt(sum)
}

function text(number) {
    if (wrong("negative-output-cut-off") && number < 0) number = 0
    if (wrong("truncated-not-rounded")) number = int(number * 10000) / 10000
    return sprintf("%.4f", number)
}
