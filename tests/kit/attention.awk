# The exercise in awk, a right solution: tests/run.sh awk -f tests/kit/attention.awk

{ for (f = 1; f <= NF; f++) x[count++] = $f }

END {
    n = x[0]; d = x[1]; h = x[2]
    d_k = d / h
    queries = 3; keys = queries + n * d; values = keys + n * d    # where each begins in x

    for (head = 0; head < h; head++)
        for (i = 0; i < n; i++) attend(i, head * d_k, (head + 1) * d_k)

    for (i = 0; i < n; i++)
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
    for (c = first; c < end; c++) {
        total = 0
        for (j = 0; j < n; j++) total += weight[j] * x[values + j * d + c]
        output[i * d + c] = total / sum
    }
}
