# Asks a program small questions, and says in which step of the exercise it leaves the right way, and how:
#
#   LC_ALL=C awk -v folder=FOLDER -v over= -f answer.awk -f look.awk
#
# The program is a black box, but attention gives itself away. For given Q and K the output is a weighted sum
# of V's rows, so a V with one number in it makes any program print its weights. Their ratios are differences
# of its scores. FOLDER has the answers so far: files 1, 2, ... with the status on the first line. Where the
# next one is missing, its input is printed, with status 3: run the program on it and start again. What is
# printed with status 0 is the report, of the first wrong answer only. Where `over` is set, no more is asked.

BEGIN {
    split("the heads|the scores|the weights|a head's output|heads side by side and printed", named, "|")
    named[0] = "reading"
    tolerance = 2e-6 # of a weight: programs in float are within it
    probe = 1000000  # the number in V that shows a weight
    unit = 0.0001    # what is printed is as near as this

    judge_spelling()
    judge_digits()
    look_at(4, 6, 2) # three different numbers, and d_k is a fourth: equal ones would hide each other
    judge_large_scores()
    look_at(5, 6, 3)
    look_at(3, 2, 2)
    shape = ""
    if (form) tell(5, form)
    print "Asked " asked " small inputs, all were right."
}

# ---- Ask

# Sets a question: its numbers in x as they stand in the input (Q begins at x[Q]), and its right scores S[s]
# and weights R[s], where s counts heads, queries and keys.
function set(tokens, width, heads,    p, seed, s) {
    n = x[0] = tokens; d = x[1] = width; h = x[2] = heads
    d_k = d / h; root_d_k = exponential(logarithm(d_k) / 2)
    size = n * d; cells = h * n * n
    Q = 3; K = Q + size; V = K + size
    seed = 11
    for (p = Q; p < V + size; p++) {
        seed = (seed * 1103 + 12345) % 65536
        x[p] = sprintf(p < V ? "%.2f" : "%.0f", (seed % 301 / 100 - 1.5) * (p < V ? 1 : probe / 1.5))
    }
    if (h == 3) fill(K, d, 0) # scores that are 0
    set_scores(S, Q, K)
    split("", sums)
    for (s = 0; s < cells; s++) sums[int(s / n)] += R[s] = exponential(S[s])
    for (s = 0; s < cells; s++) R[s] /= sums[int(s / n)]
}

function fill(from, count, number,    p) { for (p = from; p < from + count; p++) x[p] = number }

# Sets P to the scores of queries that begin at q with keys that begin at k.
function set_scores(P, q, k,    s, c, sum) {
    for (s = 0; s < cells; s++) {
        for (c = sum = 0; c < d_k; c++)
            sum += x[q + query(s) * d + head(s) * d_k + c] * x[k + key(s) * d + head(s) * d_k + c]
        P[s] = sum / root_d_k
    }
}

function head(s) { return int(s / n / n) }
function query(s) { return int(s / n) % n }
function key(s) { return s % n }
function cell(t, i, j) { return (t * n + i) * n + j }

# Gets the answer: its numbers in answer[0] and on and as text in written, their count, rows, and columns (0
# where rows differ), and bad: the first that is no number. Whether there are as many as there should be.
function ask(    file, p, line, text, parts, part, found) {
    file = folder "/" ++asked
    if ((getline status <file) <= 0) {
        asked -= over != ""
        if (over) give_up("there was no time for more")
        for (p = 0; p < V + size; p++) printf "%s%s", x[p], (p > 1 && (p - 2) % d == 0) ? "\n" : " "
        exit 3
    }
    while ((getline line <file) > 0) text = text without_prompt(line) "\n"
    close(file)
    count = rows = 0
    bad = ""
    if (status != "0") return 0
    parts = split(text, part, text ~ /]/ ? "]" : "\n") # a row is a pair of brackets, or a line
    for (p = 1; p <= parts; p++) {
        found = numbers_of(part[p], written, count - 1)
        if (!found) continue
        columns = !rows++ || columns == found ? found : 0
        count += found
    }
    for (p = count - 1; p >= 0; p--) {
        answer[p] = written[p] + 0
        if (written[p] !~ number_form) bad = tolower(written[p]) ~ /nan/ ? "nan" : written[p]
    }
    return count == size
}

# Gets the weights W[s] of the question. V has one probe in each column, so that d_k keys show at a time. For
# weights that are known to sum to 1, n - 1 keys will do: the last has what is left.
function ask_weights(keys,    first, p, j, s) {
    for (first = 0; first < keys; first += d_k) {
        for (p = 0; p < size; p++) x[V + p] = int(p / d) == first + p % d_k ? probe : 0
        if (!ask() || bad) return 0
        for (p = 0; p < size; p++) {
            j = first + p % d_k
            if (j < n) W[cell(int(p % d / d_k), int(p / d), j)] = answer[p] / probe
        }
    }
    for (s = n - 1; s < cells && first < n; s += n)
        for (W[s] = j = 1; j < n; j++) W[s] -= W[s - j]
    return 1
}

# ---- Compare

function near(a, b, times) { return distance(a, b) <= times * tolerance }
function distance(a, b) { return a - b > 0 ? a - b : b - a }

# Whether each number is as near as this to the other's, at b and on.
function same(numbers, others, b, count, allowed,    p) {
    for (p = 0; p < count; p++) if (distance(numbers[p], others[b + p]) > allowed) return 0
    return 1
}

# Whether the output is the sum of V's rows with these weights, each in V's own columns.
function is_sum(output, weights,    p, j, first, sum) {
    for (p = 0; p < size; p++) {
        first = cell(int(p % d / d_k), int(p / d), 0)
        for (j = 0; j < n; j++) sum[p] += weights[first + j] * x[V + j * d + p % d]
    }
    return same(output, sum, 0, size, 4 * tolerance * probe)
}

# Which weights have a sum of their own.
function group(axis, s) {
    if (axis == "keys") return int(s / n)
    if (axis == "queries") return head(s) " " key(s)
    if (axis == "heads") return s % (n * n)
    if (axis == "heads and keys") return query(s)
    if (axis == "queries and keys of a head") return head(s)
    return "whole array"
}

function sum_to_1(axis,    s, g) {
    split("", sums)
    for (s = 0; s < cells; s++) sums[group(axis, s)] += W[s]
    for (g in sums) if (!near(sums[g], 1, 4 * n)) return 0
    return 1
}

# The factor f for which W[from] to W[end - 1] are in proportion to exp(f * P) along the axis, or nothing.
# Weights that are 0 do not count.
function fits(P, axis, from, end,    s, g, f, top, most) {
    for (s = from; s < end; s++) {
        g = group(axis, s)
        if (!(g in top) || W[s] > W[top[g]]) top[g] = s
    }
    for (s = from; s < end; s++) {
        g = top[group(axis, s)]
        if (W[s] < 100 * tolerance || distance(P[s], P[g]) * W[s] <= most) continue
        most = distance(P[s], P[g]) * W[s]
        f = (logarithm(W[s]) - logarithm(W[g])) / (P[s] - P[g])
    }
    for (s = from; s < end; s++) {
        g = top[group(axis, s)]
        if (!near(W[s], 0, 1) && !near(W[s], W[g] * exponential(f * (P[s] - P[g])), 50)) return ""
    }
    return f
}

function is_softmax(P, axis) { return near(fits(P, axis, 0, cells), 1, 500) }

# ---- Steps 0 and 5: numbers and places

# One token and one head: the output is V. What does not come back is asked again, in another column of two
# tokens with equal weights: their mean is wrong as well where it is read wrongly, not where it is printed so.
function judge_spelling(    p, words, at, wrong, right, seen, found) {
    set(1, 5, 1)
    split("3 1 4 1.5 9 2.5 6 -5 3.5 8 7 0.5 -2 25e-2 2E+1", words, " ")
    for (p = 0; p < 15; p++) x[Q + p] = words[p + 1]
    if (!ask() || bad) return
    for (at = 0; at < V; at++) if (same(answer, x, at, 5, 0.06)) tell(0, begin(at) " is taken for V")
    for (p = 4; p >= 0; p--) {
        if (distance(answer[p], x[V + p]) > 0.06) wrong = p
        if (distance(answer[p], x[V + p]) < 0.001) right = x[V + p]
    }
    if (wrong == "" || right == "") return
    seen = x[V + wrong]
    found = written[wrong]
    set(2, 5, 1)
    fill(Q, 20, 0)
    fill(V, 10, right)
    p = (wrong + 1) % 5
    x[V + p] = seen
    if (ask() && distance(answer[p], (found + right) / 2) < 0.06) tell(0, seen " is read as " found)
}

# One token: how many digits come back. Every later tolerance comes from here.
function judge_digits(    p, given, right, added, decimals, digits) {
    set(1, 6, 1)
    split("0.12345678 0.00006 -0.99996 391304.347826 1000000 1000000000", given, " ")
    for (p = 0; p < 6; p++) x[V + p] = given[p + 1]
    if (!ask() || bad) return
    added = answer[5] ? given[6] / answer[5] - 1 : 0
    if (added > 1e-12 && added < 1e-4) tell(3, "about " sprintf("%.0e", added) " is added to a query's sum")
    for (p = 4; p >= 0; p--) { # with four decimals, what is off by a millionth is no matter of printing
        right = sprintf("%.4f", given[p + 1])
        if (written[p] != right && !(written[p] ~ /[.]....$/ && distance(answer[p] / right, 1) < 1e-5))
            form = given[p + 1] " is printed as " written[p] ", not as " right
    }
    decimals = length(written[0]) - index(written[0] ".", ".")
    if (decimals < 4) unit = ("1e-" (decimals > 0 ? decimals : 0)) + 0
    digits = written[3]
    sub(/[eE].*/, "", digits)
    digits = gsub(/[0-9]/, "", digits)
    if (digits < 8) tolerance = ("2e-" digits - 1) + 0
    if (distance(answer[4], given[5]) > 2) probe = 1000
    if (2 * unit / probe > tolerance) tolerance = 2 * unit / probe
}

# Looks at all steps with questions of one shape.
function look_at(tokens, width, heads,    p, is_full, with_0, base) {
    set(tokens, width, heads)
    shape = " (" n " tokens, " h " heads of " d_k " column" (d_k > 1 ? "s" : "") ")"
    fill(V, size, 0)
    ask()
    for (p = 0; p < size; p++) with_0[p] = answer[p]
    set(tokens, width, heads)
    judge_shape(ask())
    judge_size(with_0)
    if (is_sum(answer, R)) return
    for (p = 0; p < size; p++) base[p] = answer[p]
    ask()
    if (!same(answer, base, 0, size, tolerance * probe)) give_up("asked twice, it gives other answers")
    is_full = ask_weights(n)
    set(tokens, width, heads)
    if (!is_full || !is_sum(base, W)) judge_places(base)
    table = table_of_weights()
    judge_order()
    judge_zeros()
    judge_sums()
    judge_factor()
    judge_matrices()
    judge_proportion()
    judge_columns()
    give_up()
}

function judge_shape(is_full) {
    if (h > 1 && columns == d_k && (rows == n || rows == n * h))
        tell(5, "the output has " rows " rows of d/h = " d_k " numbers, not n = " n " rows of d = " d)
    if (n != d && rows == d && columns == n)
        tell("0 5", "the output has d rows of n numbers: is it printed by columns, or is n taken for d?")
    if (status != "0") give_up("to the last there was no answer")
    if (!is_full) give_up("numbers in the last answer: " count ", not n·d = " size)
    if (bad) give_up("the last answer holds " bad)
}

# With V = 0 the output is 0, otherwise it is as large as V.
function judge_size(with_0,    p) {
    if (!same(with_0, zeros, 0, size, 2 * unit)) {
        if (same(with_0, answer, 0, size, 2 * unit)) tell(0, "the output is the same whatever V is")
        if (same(with_0, x, Q, size, 2 * unit)) tell("4 5", "Q is added to the output")
        for (p = 0; p < size; p++) answer[p] -= with_0[p]
        tell(is_sum(answer, R) ? "4 5" : "0 4 5", "with V = 0 the output is not 0: it begins with " with_0[0])
    }
    if (same(answer, zeros, 0, size, 10 * unit)) give_up("the last answer is 0")
    if (same(answer, zeros, 0, size, probe / 100)) tell("4 5", "the output stays small where V is large")
}

# Which numbers of V stand where in the output: number o of the output has part[o, p] of number p of V.
function judge_places(base,    o, p, sum, columns, numbers, rows, twice, used, most, by_column, own_row, own_place,
    text) {
    for (p = 0; p < size; p++) {
        fill(V, size, 0)
        x[V + p] = probe
        if (!ask() || bad) give_up()
        for (o = 0; o < size; o++) part[o, p] = answer[o] / probe
    }
    set(n, d, h)
    for (o = 0; o < size; o++)
        for (p = 0; p < size; p++) sum[o] += part[o, p] * x[V + p]
    if (!same(base, sum, 0, size, 8 * tolerance * probe)) judge_sum_of_values()
    by_column = own_row = own_place = 1
    for (o = size - 1; o >= 0; o--) {
        columns = numbers = ""
        twice = 0
        for (p = used = 0; p < size; p++) {
            if (near(part[o, p], 0, 4)) continue
            used++
            if (index(numbers, " " int(p / d) + 1 ":")) twice = 1
            numbers = numbers " " int(p / d) + 1 ":" p % d + 1
            if (!index(columns " ", " " p % d + 1 " ")) columns = columns " " p % d + 1
            if (int(p / n) != o % d) by_column = 0
            if (int(p / d) != int(o / d)) own_row = 0
            if ((p - o) % d_k) own_place = 0
        }
        if (!used) tell("4 5", (is_empty_column(o % d) ? "column " o % d + 1 " of each row" : place(o)) " is always 0")
        if (used > most) most = used
        if (columns != " " o % d + 1) text = place(o) " is made of these columns of V:" columns
        if (twice && used <= n) rows = place(o) " is made of these numbers of V (row:column):" numbers
    }
    if (by_column) tell("0 1", "V is taken column by column")
    if (own_row && most == 1) tell("2 4", "a token's output is made of its own numbers of V, each alone")
    if (own_row && own_place) tell(1, "a token's heads see each other, no tokens: is a transpose missing?")
    if (own_row) tell(2, "a token's columns see each other, no tokens: what is multiplied by what?")
    if (!text) judge_columns_alike()
    if (rows && most <= n) tell("1 4", rows)
    tell(most > n ? "4 5" : "1 5", text)
}

function is_empty_column(c,    o, p) {
    for (o = c; o < size; o += d)
        for (p = 0; p < size; p++) if (!near(part[o, p], 0, 4)) return 0
    return 1
}

# Each output column is made of V's own, but those of a head have not the same weights.
function judge_columns_alike(    c, i, j, other, text, ratio, alone) {
    for (c = 0; c < d; c++) {
        other = 0
        for (i = 0; i < size; i += d) {
            ratio = part[i + c, c] / part[i, 0]
            for (j = 0; j < size; j += d) {
                if (!near(part[i + c, j + c], part[i, j], 4)) other = 1
                if (c < d_k && !near(part[i + c, j + c], ratio * part[i, j], 8)) alone = 1
            }
        }
        if (!other) text = text " " c + 1
    }
    if (!alone) tell("3 4", "a head's columns have not the same weights, but weights in the same proportions")
    tell(length(text) > 2 ? 1 : "1 2", "columns 1 to " d_k " are head 1 and have the same weights; " \
        "here those with the weights of column 1 are" text)
}

# The output is no sum of V's rows. Where these are equal, any weights make a head's columns in proportion to
# V's: then the weights change with V.
function judge_sum_of_values(    p, o) {
    for (p = d; p < size; p++) x[V + p] = x[V + p - d]
    if (!ask() || bad) give_up()
    for (p = 0; p < size; p++) {
        o = p - p % d_k
        if (!near(answer[p] / x[V + p], answer[o] / x[V + o], 20))
            tell("4 5", "the output is not a weighted sum of V's rows: it is changed after the sum")
    }
    tell("0 2 4", "the weights change with V: is V in the scores, or the output written over Q or K?")
}

# ---- Steps 1 to 4: the weights

# Are the weights the right ones, but those of another query, key or head, or mixed with others?
function judge_order() {
    judge_moved("query", n, n, "2 4 5", "4 5")
    judge_moved("key", 1, n, "2 4")
    judge_moved("head", n * n, h, "1 4", "1 5")
    if (is_mixed("transposed")) tell(4, "the weights are transposed: query 1 has those of key 1")
    if (is_mixed("over V")) tell(4, "the output is written over V, which later rows need")
    if (is_mixed("twice")) tell(4, "the weights are applied twice")
    if (is_mixed("earlier rows")) tell(4, "those of query 1 are added to those of query 2, and so on")
    if (is_mixed("earlier values")) tell("0 4", "V's rows are added up: each holds those above it")
    if (is_mixed("all queries")) tell("4 5", "each row of the output is made of all, added or averaged")
    if (is_mixed("all heads")) tell("3 4", "those of all heads are added or averaged")
    if (is_mixed("sorted")) tell("2 3", "each query's are sorted: key 1 has the smallest")
    if (is_mixed("own value")) tell("4 5", "V is added to the output")
    if (is_mixed("right")) tell("3 4", "every weight is " short(W[0] / R[0]) " times the right one")
}

# Has a query, key or head the right weights of another one, or none? There are `count`, `step` apart.
function judge_moved(name, step, count, steps, steps_of_0,    a, b, others) {
    for (a = 0; a < count; a++)
        for (b = steps_of_0 ? -1 : 0; b < count; b++) {
            if (a == b || !is_moved(step, a, b)) continue
            if (b < 0) tell(steps_of_0, "the output of " name " " a + 1 " is always 0")
            for (others = 0; others < count && is_moved(step, others, b);) others++
            tell(steps, (others < count ? name " " a + 1 : "each " name) " has the weights of " name " " b + 1)
        }
}

# Whether number a has the right weights of number b or, where b is -1, none.
function is_moved(step, a, b,    s) {
    for (s = 0; s < cells; s++)
        if (int(s / step) % n == a && !near(W[s], b < 0 ? 0 : R[s + (b - a) * step], 1)) return 0
    return 1
}

# Whether the weights are in proportion to the right ones, mixed.
function is_mixed(kind,    s, mixed, sum, sum_mixed) {
    for (s = 0; s < cells; s++) {
        sum += W[s]
        sum_mixed += mixed[s] = mix(kind, head(s), query(s), key(s))
    }
    for (s = 0; s < cells; s++) mixed[s] *= sum / sum_mixed
    return same(W, mixed, 0, cells, 4 * tolerance)
}

function mix(kind, t, i, j,    k, m, rank, sum) {
    if (kind == "right" || kind == "some right" && W[cell(t, i, j)] > tolerance) return R[cell(t, i, j)]
    if (kind == "transposed") return R[cell(t, j, i)]
    if (kind == "own value") return R[cell(t, i, j)] + (i == j)
    for (k = 0; k < n; k++) {
        if (kind == "twice") sum += R[cell(t, i, k)] * R[cell(t, k, j)]
        if (kind == "over V") sum += R[cell(t, i, k)] * (k < i ? W[cell(t, k, j)] : k == j)
        if (kind == "earlier rows" && k <= i || kind == "all queries") sum += R[cell(t, k, j)]
        if (kind == "earlier values" && k >= j) sum += R[cell(t, i, k)]
        if (kind == "all heads" && k < h) sum += R[cell(k, i, j)]
        for (m = rank = 0; m < n; m++) rank += R[cell(t, i, m)] < R[cell(t, i, k)]
        if (kind == "sorted" && rank == j) sum = R[cell(t, i, k)]
    }
    return sum
}

# Weights that are 0: a mask, or the largest takes all.
function judge_zeros(    s, text, ones) {
    for (s = cells - 1; s >= 0; s--) {
        ones += near(W[s], 1, 1)
        if (near(W[s], 0, 1) && R[s] > 0.01) text = pair(s) " no weight"
    }
    if (!text) return
    if (ones == h * n) {
        for (s = Q; s < K; s++) x[s] /= 1000
        tell(ask_weights(n - 1) && near(W[0], 1, 1) ? 3 : 2, "the largest score has all the weight")
    }
    if (is_mixed("some right")) tell("3 4", text ", and the other weights do not make up for it")
    tell(fits(S, "keys", 0, cells) != "" && sum_to_1("keys") ? 2 : "2 3", text)
}

# Do the weights sum to 1? Otherwise, what is divided by what?
function judge_sums(    is_right, s, axes, k) {
    is_right = sum_to_1("keys")
    for (s = 0; s < cells; s++)
        if (W[s] < -4 * tolerance) # where they sum to 0, it may be V's rows or the output's that do
            tell(near(sums[0], 0, 4 * n) ? "3 4 5" : 3, pair(s) " a weight below 0, which exp never is")
    if (is_right) return
    split("queries|heads|heads and keys|queries and keys of a head|whole array", axes, "|")
    for (k = 1; k <= 5; k++)
        if (is_softmax(S, axes[k]) && sum_to_1(axes[k]))
            tell(3, "they sum to 1 along the " axes[k] ", not along the keys")
    if (is_softmax(S, "queries")) tell(3, "those of a key, not those of a query, are divided by one sum")
    if (sum_to_1("queries")) tell("3 4", "they sum to 1 along the queries, not along the keys")
    sum_to_1("keys")
    for (s = 0; near(sums[s], 1, 4 * n); s++) {}
    if (is_softmax(S, "keys"))
        tell(3, "a query's weights are in the right proportions, but sum to " short(sums[s]) ", not to 1")
    tell("2 3", "a query's weights sum to " short(sums[s]) ", not to 1, and are not in the right proportions")
}

# Is one factor wrong in all scores? Other shapes are asked too: the divisor may be a function of the shape.
function judge_factor(    f, shapes, k, other, text, constant, found, right) {
    f = fits(S, "keys", 0, cells)
    if (f == "") return
    if (near(f, 0, 100)) tell("2 3", "all keys have the same weight, whatever Q and K are")
    text = "in all heads they are " short(f) " times the right ones, as if divided by " short(root_d_k / f) \
        ", not by √d_k = " short(root_d_k)
    constant = split("3 2 1 3 16 1 5 6 3", shapes, " ")
    for (k = 1; k < 9; k += 3) {
        set(shapes[k], shapes[k + 1], shapes[k + 2])
        other = ask_weights(n - 1) ? fits(S, "keys", 0, cells) : ""
        if (other == "" || near(other, 0, 100)) tell("2 3", text)
        if (!near(other, f, 500)) constant = 0
        found = found (k > 1 ? ", " : "") short(root_d_k / other)
        right = right (k > 1 ? ", " : "") short(root_d_k)
    }
    if (!constant) {
        table = "    at d·h·n = 2·1·3, 16·1·3, 6·3·5 as if divided by " found "; right is " right "\n" table
        tell(2, text)
    }
    for (k = 2; k <= 10; k += 8) if (near(f, logarithm(k), 500)) tell(3, "they are powers of " k ", not of e")
    tell("2 3", "the differences of scores are " short(f) " times the right ones, in every shape")
}

# Are the scores those of other numbers of the input, or of other heads?
function judge_matrices(    p, at, columns, t, wrong) {
    columns = V + size # Q and K as if they were read column by column
    for (p = 0; p < 2 * size; p++) x[columns + p] = x[Q + p - p % size + p % d * n + int(p % size / d)]
    for (at = 0; at < V; at++) {
        if (at != Q && scores_fit(at, K)) tell(0, begin(at) " is taken for Q")
        if (at != K && scores_fit(Q, at)) tell(0, begin(at) " is taken for K")
    }
    if (scores_fit(K, Q)) tell("0 2", "Q is taken for K and K for Q")
    if (scores_fit(columns, K) || scores_fit(Q, columns + size) || scores_fit(columns, columns + size))
        tell(0, "Q, K or both are read column by column")
    for (t = 0; t < h; t++) if (!is_moved(n * n, t, t)) wrong = wrong " " t + 1
    if (length(wrong) < 2 * h) tell("1 2", "of the " h " heads only these are wrong:" wrong)
}

function scores_fit(q, k) {
    set_scores(P, q, k)
    return fits(P, "keys", 0, cells) != ""
}

# Are the differences of scores in proportion to Q?
function judge_proportion(    s, first, per_key, twice, f) {
    for (s = 0; s < cells; s++) found[s] = logarithm(W[s] > 1e-9 ? W[s] : 1e-9)
    for (s = 0; s < cells; s++) {
        first = cell(head(s), 0, key(s))
        P[s] = S[s] + found[first] - S[first] # what is subtracted from query 1's score may be this key's
    }
    per_key = is_softmax(P, "keys")
    twice = is_softmax(R, "keys")
    fill(Q, size, 0)
    if (!ask_weights(n - 1)) tell("2 3", "with Q = 0 there is no answer: is 0 divided by 0?")
    for (s = 0; s < cells; s++)
        if (!near(W[s], 1 / n, 1)) tell(2, "with Q = 0 key " key(s) + 1 " weighs " short(W[s]) ", not 1/" n)
    if (per_key) tell(3, "what is subtracted from a query's scores is not the same for each key")
    if (twice) tell(3, "they are the softmax of the right weights: softmax is applied twice")
    set(n, d, h)
    for (s = Q; s < K; s++) x[s] *= -2
    if (!ask_weights(n - 1)) give_up()
    f = fits(found, "keys", 0, cells)
    if (f == "") tell("2 3", "something bends them: -2 times Q makes not -2 times the differences of scores")
    if (!near(f, -2, 1000)) tell("2 3", "-2 times Q makes " short(f) " times the differences of scores")
}

# Which column of Q meets which of K? One after the other, all other columns of Q are 0.
function judge_columns(    c, p, t, k, s, f, takes, own, text) {
    for (c = 0; c < d; c++) {
        set(n, d, h)
        for (p = 0; p < size; p++) if (p % d != c) x[Q + p] = 0
        if (!ask_weights(n - 1)) give_up()
        for (t = 0; t < h; t++) {
            f = ""
            for (k = 0; k < d && f == ""; k++) {
                for (s = 0; s < cells; s++) P[s] = x[Q + query(s) * d + c] * x[K + key(s) * d + k] / root_d_k
                f = fits(P, "keys", t * n * n, (t + 1) * n * n)
            }
            if (f == "") tell("1 2", "head " t + 1 " takes column " c + 1 " of Q with no one column of K")
            if (int(c / d_k) == t) own[t] = own[t] " " c + 1
            if (near(f, 0, 100)) continue
            takes[t] = takes[t] " " c + 1
            if (k != c + 1) text = "head " t + 1 " multiplies column " c + 1 " of Q by column " k " of K"
        }
    }
    for (t = 0; t < h; t++) {
        if (takes[t] == own[t]) continue
        tell(length(takes[t]) < length(own[t]) ? 2 : 1, "head " t + 1 " takes these columns of Q:" takes[t])
    }
    if (text) tell("1 2", text)
}

# ---- Step 3, where only some numbers show it

# Scores far from 0 and from each other. Only nan, inf and 0 count, and equal weights: float cannot tell more.
function judge_large_scores(    far, k, p, i, text, answered, equal) {
    split("2000 4000 40000 4000000000", far, " ")
    for (k = 1; k <= 4; k++) {
        set(4, 6, 2)
        for (p = 0; p < size; p++) {
            i = int(p / d)
            x[V + p] = i == p % d_k ? 2000 : 1000
            if (p % d_k) continue
            x[Q + p] = i % 2 ? -1 : 1
            x[K + p] = k == 2 ? i * far[k] : far[k]
        }
        if (!ask() && status == "0" || status == "late") return
        text = "with scores more than " far[k] / 2 (k == 2 ? " apart " : " from 0, on either side, ")
        answered = status != "0" ? "it ends with status " status : "the answer is " (bad ? bad : 0)
        equal = k == 1
        for (p = 0; p < size; p++) {
            if (status != "0" || bad || !answer[p]) tell(3, text answered ": is the maximum subtracted?")
            if (distance(answer[p], 1250) > 1) equal = 0
        }
        if (equal) tell("2 3", text "all keys weigh the same: scores are clipped")
    }
}

# ---- Tell

function tell(steps, text,    count, step, k, names) {
    count = split(steps, step, " ")
    for (k = 1; k <= count; k++) names = names (k > 1 ? " or " : "") step[k] " (" named[step[k]] ")"
    if (count == 1) names = steps ", " named[steps]
    print "Asked " asked " small input" (asked > 1 ? "s" : "") shape ":"
    print "It goes wrong in step " names ": " text (text ~ /[?]$/ ? "" : ".")
    printf "%s", table
    exit 0
}

function give_up(text) {
    print "Asked " asked " small inputs" shape ": " (text ? text : "some answers are wrong") \
        ". In which step it goes wrong cannot be told."
    exit 0
}

# Right weights beside found ones, of the first head that is wrong.
function table_of_weights(    t, i, j, left, right, text) {
    for (t = 0; t < h - 1 && is_moved(n * n, t, t);) t++
    for (i = 0; i < n; i++) {
        left = i ? sprintf("%30s", "") : "    weights of head " t + 1 ", right: "
        right = i ? sprintf("%11s", "") : "    found: "
        for (j = 0; j < n; j++) {
            left = left sprintf(" %.4f", R[cell(t, i, j)])
            right = right sprintf(" %.4f", W[cell(t, i, j)])
        }
        text = text left right "\n"
    }
    return text
}

function short(number) { return sprintf("%.4f", number) }
function begin(at) { return at == Q ? "Q" : at == K ? "K" : "what begins at number " at + 1 " of the input" }
function place(o) { return "row " int(o / d) + 1 ", column " o % d + 1 " (head " int(o % d / d_k) + 1 ")" }
function pair(s) { return "query " query(s) + 1 " gives key " key(s) + 1 }

# ---- Arithmetic: some awks (busybox) have no exp, log and sqrt

function exponential(y,    k, result) {
    if (y < -745) return 0
    if (y > 0.25 || y < -0.25) {
        result = exponential(y / 2)
        return result * result
    }
    result = 1
    for (k = 12; k > 0; k--) result = 1 + y / k * result
    return result
}

# By Halley's method, whose steps are never long.
function logarithm(y,    result, e, step) {
    for (step = 1; distance(step, 0) > 1e-9; result += step) {
        e = exponential(result)
        step = 2 * (y - e) / (y + e)
    }
    return result
}
