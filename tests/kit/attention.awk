# The exercise in awk, a right solution: tests/run.sh awk -f tests/kit/attention.awk
#
#   awk -v steps=1 -f tests/kit/attention.awk < INPUT    prints each step of each head, to compare one's own with

{ for (f = 1; f <= NF; f++) x[count++] = $f }

END {
    n = x[0]; d = x[1]; h = x[2]
    d_k = d / h
    queries = 3; keys = queries + n * d; values = keys + n * d    # where each begins in x

    for (head = 0; head < h; head++) {
        for (i = 0; i < n; i++) attend(i, head * d_k, (head + 1) * d_k)
        if (steps) show_head(head * d_k)
    }
    for (i = 0; i < n && !steps; i++)
        for (c = 0; c < d; c++)
            printf "%s%.4f%s", c == 0 ? "[" : " ", output[i * d + c], c == d - 1 ? "]\n" : ""
}

# Row i of the output, in one head's columns.
function attend(i, first, end,    j, c, score, maximum, weight, sum, total) {
    for (j = 0; j < n; j++) {
        score[j] = 0
        for (c = first; c < end; c++) score[j] += x[queries + i * d + c] * x[keys + j * d + c]
        score[j] /= sqrt(d_k)
        if (j == 0 || score[j] > maximum) maximum = score[j]
    }
    for (j = 0; j < n; j++) {
        weight[j] = exp(score[j] - maximum)
        sum += weight[j]
    }
    for (j = 0; j < n; j++) {
        scores[i * n + j] = score[j]
        weights[i * n + j] = weight[j] / sum
    }
    for (c = first; c < end; c++) {
        total = 0
        for (j = 0; j < n; j++) total += weight[j] * x[values + j * d + c]
        output[i * d + c] = total / sum
    }
}

function show_head(first) {
    print "head " head + 1
    show("Q", x, queries + first, d, d_k)
    show("K", x, keys + first, d, d_k)
    show("V", x, values + first, d, d_k)
    show("scores = Q Kᵀ / √d_k", scores, 0, n, n)
    show("weights = softmax of each row of scores", weights, 0, n, n)
    show("output = weights · V", output, first, d, d_k)
}

# Prints n rows of a matrix: where the first begins, how far they are apart, and how many columns they have.
function show(name, matrix, first, apart, columns,    i, c) {
    print "  " name
    for (i = 0; i < n; i++)
        for (c = 0; c < columns; c++)
            printf "%s%.4f%s", c == 0 ? "    " : " ", matrix[first + i * apart + c], c == columns - 1 ? "\n" : ""
}
