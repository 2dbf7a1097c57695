# Asks a program small questions, and says in which step of the exercise it leaves the right way, and how:
#
#   LC_ALL=C awk -v folder=FOLDER -v over= -f answer.awk -f look.awk
#
# The program is a black box, but attention gives itself away. For given Q and K the output is a weighted sum of V's
# rows, so a V with one number in it makes any program print its weights. Their ratios are differences of its scores.
# FOLDER has the answers so far: files 1, 2, ... with the status on the first line. Where the next one is missing, its
# input is printed, with status 3: run the program on it and start again. With status 0, what is printed is the report:
# the first wrong answer is told and none after it. Where `over` is set, there is no time for more questions.

BEGIN {
    split("the heads|the scores|the weights|a head's output|heads side by side and printed", named, "|")
    named[0] = "reading"
    tolerance = 2e-6 # of a weight: programs in float are within it
    probe = 1000000  # the number in V that shows a weight
    unit = 0.0001    # what is printed is as near as this

    judge_spelling()
    judge_digits()
    look_at(4, 6, 2) # three different numbers, and d_k is a fourth: equal ones would hide each other
    judge_exact_sums()
    judge_large_scores()
    look_at(5, 6, 3)
    look_at(3, 2, 2)
    shape = ""
    if (form) tell(5, form)
    print "Asked " asked " small inputs, all were right."
}

# ---- Ask

# Sets a question: its shape, its numbers in x as they stand in the input (Q, K and V are where each begins), and its
# right scores S[s] and weights R[s], where s counts heads, queries and keys.
function set(tokens, width, heads,    p, seed) {
    n = x[0] = tokens; d = x[1] = width; h = x[2] = heads
    d_k = d / h; root_d_k = exponential(logarithm(d_k) / 2)
    size = n * d; cells = h * n * n
    Q = 3; K = Q + size; V = K + size
    seed = 11
    for (p = Q; p < V + size; p++) {
        seed = (seed * 1103 + 12345) % 65536
        x[p] = p < V ? sprintf("%.2f", seed % 301 / 100 - 1.5) : sprintf("%.0f", probe * (seed % 301 / 150 - 1))
    }
    if (h == 3) fill(K, d, 0) # scores that are 0
    set_scores(S, Q, K)
    split("", sums)
    for (s = 0; s < cells; s++) sums[int(s / n)] += R[s] = exponential(S[s])
    for (s = 0; s < cells; s++) R[s] /= sums[int(s / n)]
}

function fill(from, count, number,    p) { for (p = from; p < from + count; p++) x[p] = number }

# Sets P to the scores of queries that begin at q with keys that begin at k.
function set_scores(P, q, k,    s) {
    for (s = 0; s < cells; s++) P[s] = score(q + query(s) * d + head(s) * d_k, k + s % n * d + head(s) * d_k)
}

function score(q, k,    c, sum) {
    for (c = 0; c < d_k; c++) sum += x[q + c] * x[k + c]
    return sum / root_d_k
}

function head(s) { return int(s / n / n) }
function query(s) { return int(s / n) % n }
function cell(t, i, j) { return (t * n + i) * n + j }

# Gets the answer: its numbers in answer[0] and on and as text in written, their count, rows, and columns (0 where rows
# differ), and bad: the first that is no number. Whether there are as many as there should be.
function ask(    file, p, line, text, parts, part, found, words, w) {
    file = folder "/" ++asked
    if ((getline status <file) <= 0) {
        asked -= over != ""
        if (over) give_up("there was no time for more")
        printf "%d %d %d", n, d, h
        for (p = 0; p < 3 * size; p++) printf "%s%s", p % d ? " " : "\n", x[Q + p]
        print ""
        exit 3
    }
    while ((getline line <file) > 0) text = text without_prompt(line) "\n"
    close(file)
    count = rows = 0
    bad = ""
    if (status != "0") return 0
    parts = split(text, part, text ~ /]/ ? "]" : "\n") # a row is a pair of brackets, or a line
    for (p = 1; p <= parts; p++) {
        found = numbers_of(part[p], words, 0)
        if (!found) continue
        columns = !rows++ || columns == found ? found : 0
        for (w = 1; w <= found; w++) {
            written[count] = words[w]
            if (words[w] !~ number_form && bad == "") {
                bad = words[w]
                sub(/^[-+]/, "", bad)
            }
            answer[count++] = words[w] + 0
        }
    }
    return count == size
}

# Gets the weights W[s] of the question. V has one probe in each column, so that d_k keys show at a time. Where weights
# are known to sum to 1, the last key's are what is left.
function ask_weights(keys,    first, p, j, s) {
    for (first = 0; first < keys; first += d_k) {
        for (p = 0; p < size; p++) {
            j = first + p % d_k
            x[V + p] = int(p / d) == j && j < keys ? probe : 0
        }
        if (!ask() || bad) return 0
        for (s = 0; s < cells; s++) {
            j = s % n - first
            if (j >= 0 && j < d_k && s % n < keys) W[s] = answer[query(s) * d + head(s) * d_k + j] / probe
        }
    }
    for (s = n - 1; s < cells && keys < n; s += n)
        for (W[s] = j = 1; j < n; j++) W[s] -= W[s - j]
    return 1
}

# ---- Compare

function near(a, b, times) { return distance(a, b) <= times * tolerance }

function distance(a, b) { return a > b ? a - b : b - a }

# Whether each of the numbers is as near as this to the other's, at b and on.
function same(numbers, others, b, count, allowed,    p) {
    for (p = 0; p < count; p++) if (distance(numbers[p], others[b + p]) > allowed) return 0
    return 1
}

# Whether the output is the sum of V's rows with these weights, each in V's own columns.
function is_sum(output, weights, values, v,    p, j, sum) {
    for (p = 0; p < size; p++) {
        sum[p] = 0
        for (j = 0; j < n; j++) sum[p] += weights[cell(int(p % d / d_k), int(p / d), j)] * values[v + j * d + p % d]
    }
    return same(output, sum, 0, size, 4 * tolerance * probe)
}

# Which weights have a sum of their own.
function group(axis, s) {
    if (axis == "queries") return head(s) " " s % n
    if (axis == "heads") return s % (n * n)
    if (axis == "heads and keys") return query(s)
    if (axis == "queries and keys of a head") return head(s)
    return axis == "whole array" ? 0 : int(s / n)
}

function sum_to_1(axis,    s, g) {
    split("", sums)
    for (s = 0; s < cells; s++) sums[group(axis, s)] += W[s]
    for (g in sums) if (!near(sums[g], 1, 4 * n)) return 0
    return 1
}

# The factor f for which the weights along the axis are in proportion to exp(f * P), or nothing. W[from] to W[end - 1]
# count. Where f is given, it is that one or nothing.
function fits(P, axis, from, end, given,    s, g, f, top, most) {
    for (s = from; s < end; s++) {
        g = group(axis, s)
        if (!(g in top) || W[s] > W[top[g]]) top[g] = s
    }
    f = given
    for (s = from; s < end && given == ""; s++) {
        g = top[group(axis, s)]
        if (W[s] < 100 * tolerance || distance(P[s], P[g]) * W[s] <= most) continue
        most = distance(P[s], P[g]) * W[s]
        f = (logarithm(W[s]) - logarithm(W[g])) / (P[s] - P[g])
    }
    for (s = from; s < end; s++) {
        g = top[group(axis, s)]
        if (!near(W[s], 0, 1) && !near(W[s], W[g] * exponential(f * (P[s] - P[g])), 20)) return ""
    }
    return f
}

# ---- Steps 0 and 5: numbers and places

# One token and one head: the output is V.
function judge_spelling(    p, words, at, wrong, right, seen, found) {
    set(1, 5, 1)
    split("3 1 4 1.5 9 2.5 6 -5 3.5 8 7 0.5 -2 25e-2 2E+1", words, " ")
    for (p = 0; p < 15; p++) x[Q + p] = words[p + 1]
    if (!ask() || bad) return
    for (at = 0; at < V; at++)
        if (same(answer, x, at, 5, 0.06))
            tell(0, at == K ? "K is taken for V" : at == Q ? "Q is taken for V" : \
                "numbers " at + 1 " to " at + 5 " of the input are taken for V, not " V + 1 " to " V + 5)
    for (p = 0; p < 5; p++) {
        for (at = V; at < V + 5 && distance(answer[p], x[at]) > 0.06; at++) {}
        if (at == V + p && !right) right = x[at] # 7: with it the mean shows whether decimals are lost in print
        if (at == V + 5 && !seen) { wrong = p; seen = x[V + p]; found = written[p] }
    }
    if (!seen || !right) return
    # Two tokens with equal weights: the mean of this number, in another column, with one that came back right.
    set(2, 5, 1)
    fill(Q, 20, 0)
    fill(V, 10, right)
    p = (wrong + 1) % 5
    x[V + p] = seen
    if (ask() && distance(answer[p], (found + right) / 2) < 0.06) tell(0, seen " is read as " found)
}

# One token: how many digits come back. Every later tolerance comes from here.
function judge_digits(    p, given, right, figures) {
    set(1, 5, 1)
    split("0.12345678 0.00006 -0.99996 391304.347826 1000000", given, " ")
    split("0.1235 0.0001 -1.0000 391304.3478 1000000.0000", right, " ")
    for (p = 0; p < 5; p++) x[V + p] = given[p + 1]
    if (!ask() || bad) return
    for (p = 4; p >= 0; p--) # with four decimals, what is off by a millionth is no matter of printing
        if (written[p] != right[p + 1] && !(written[p] ~ /[.]....$/ && distance(answer[p] / right[p + 1], 1) < 1e-5))
            form = given[p + 1] " is printed as " written[p] ", not as " right[p + 1]
    if (distance(answer[4], 1000000) > 2) probe = 1000
    figures = written[0]
    sub(/^[^.]*[.]?/, "", figures)
    if (length(figures) < 4) unit = ("1e-" length(figures)) + 0
    figures = written[3]
    sub(/[eE].*/, "", figures)
    gsub(/[^0-9]/, "", figures)
    if (length(figures) < 8) tolerance = ("2e-" length(figures) - 1) + 0
    if (2 * unit / probe > tolerance) tolerance = 2 * unit / probe
}

# Looks at all steps with questions of one shape.
function look_at(tokens, width, heads,    p, with_0, base, values) {
    shape = " (" tokens " tokens, " heads " heads of " width / heads (width > heads ? " columns)" : " column)")
    set(tokens, width, heads)
    fill(V, size, 0)
    ask()
    for (p = 0; p < size; p++) with_0[p] = answer[p]
    set(tokens, width, heads)
    judge_shape(ask())
    judge_constant(with_0)
    if (is_sum(answer, R, x, V)) return
    for (p = 0; p < size; p++) {
        base[p] = answer[p]
        values[p] = x[V + p]
    }
    judge_size()
    ask()
    if (!same(answer, base, 0, size, tolerance * probe)) give_up("asked the same twice, it gives other answers")
    if (!ask_weights(n) || !is_sum(base, W, values, 0)) judge_places(base, values)
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

# With V = 0 the output is 0.
function judge_constant(with_0,    p, zeros) {
    for (p = 0; p < size; p++) zeros[p] = 0
    constant = !same(with_0, zeros, 0, size, 2 * unit)
    if (!constant) return
    if (same(with_0, answer, 0, size, 2 * unit)) tell(0, "the output is the same whatever V is")
    if (same(with_0, x, Q, size, 2 * unit)) tell("4 5", "Q is added to the output")
    for (p = 0; p < size; p++) answer[p] -= with_0[p]
    if (is_sum(answer, R, x, V)) tell("4 5", "something is added to the output: with V = 0 it begins with " with_0[0])
}

# The output is as large as V.
function judge_size(    p, most) {
    for (p = 0; p < size; p++) if (distance(answer[p], 0) > most) most = distance(answer[p], 0)
    if (most < 10 * unit) give_up("the last answer is 0")
    if (most > probe / 100) return
    tell(constant ? "0 4 5" : "4 5", "with V up to " probe " the output is at most " short(most))
}

# Which numbers of V stand where in the output: number o of the output has part[o, p] of number p of V.
function judge_places(base, values,    o, p, sum, by_column, own_row, own_place, own_column, first, used, most, text) {
    fill(V, size, 0)
    for (p = 0; p < size; p++) {
        x[V + p] = probe
        if (!ask() || bad) give_up()
        x[V + p] = 0
        for (o = 0; o < size; o++) {
            part[o, p] = answer[o] / probe
            sum[o] += part[o, p] * values[p]
        }
    }
    if (!same(base, sum, 0, size, 8 * tolerance * probe)) judge_sum_of_values(values)
    by_column = own_row = own_place = own_column = 1
    for (o = 0; o < size; o++) {
        for (p = used = 0; p < size; p++) {
            if (near(part[o, p], 0, 4)) continue
            if (!used++) first = p
            if (int(p / n) != o % d) by_column = 0
            if (int(p / d) != int(o / d)) own_row = 0
            if ((p - o) % d_k) own_place = 0
            if (p % d != o % d) own_column = 0
            if (!own_column && text !~ / and / && (text == "" || p % d != first % d))
                text = place(o) " is made of V's column " first % d + 1 (p % d != first % d ? " and " p % d + 1 : "")
        }
        if (!used) tell("4 5", place(o) " is always 0")
        if (used > most) most = used
    }
    if (by_column) tell("0 1", "V is taken column by column")
    if (own_row && most == 1) tell("2 4", "a token's output is made of its own numbers of V, each alone")
    if (own_row && own_place) tell(1, "a token's heads see each other, not the other tokens: is a transpose missing?")
    if (own_row) tell(2, "a token's columns see each other, not the other tokens: what is multiplied by what?")
    if (own_column) judge_columns_alike()
    tell(most > n ? "4 5" : "1 5", text)
}

# Each output column is made of V's own, but those of a head have not the same weights.
function judge_columns_alike(    c, p, text) {
    for (c = 0; c < d; c++) {
        for (p = 0; p < n * n; p++)
            if (!near(part[int(p / n) * d + c, p % n * d + c], part[int(p / n) * d, p % n * d], 4)) break
        if (p == n * n) text = text " " c + 1
    }
    tell(length(text) > 2 ? 1 : "1 2", "the columns with the weights of column 1 are" text ", not 1 to " d_k)
}

function place(o) { return "row " int(o / d) + 1 ", column " o % d + 1 " (head " int(o % d / d_k) + 1 ")" }

# The output is no sum of V's rows. Where these are equal, any weights make a head's columns in proportion to V's: then
# the weights change with V.
function judge_sum_of_values(values,    p, o) {
    for (p = 0; p < size; p++) x[V + p] = values[p % d]
    if (!ask() || bad) give_up()
    for (p = 0; p < size; p++) {
        o = p - p % d_k
        if (!near(answer[p] / values[p % d], answer[o] / values[o % d], 20))
            tell("4 5", "the output is not a weighted sum of V's rows: it is changed after the sum")
    }
    tell("0 2 4", "the weights change with V: is V in the scores, or the output written over Q or K?")
}

# ---- Steps 1 to 4: the weights

# Are the weights the right ones, but those of another query, key or head, or mixed with others?
function judge_order(    k, axis, steps, a, b, own) {
    split("query key head", axis, " ")
    split("2 4 5|2 4|1 4", steps, "|")
    for (k = 1; k <= 3; k++)
        for (a = 0; a < (k == 3 ? h : n); a++)
            for (b = 0; b < (k == 3 ? h : n); b++) {
                if (k != 2 && is_moved(axis[k], a, -1))
                    tell(k == 1 ? "4 5" : "1 5", "the output of " axis[k] " " a + 1 " is always 0")
                if (a != b && is_moved(axis[k], a, b))
                    tell(steps[k], axis[k] " " a + 1 " has the weights of " axis[k] " " b + 1)
            }
    if (is_mixed("transposed", 1)) tell(4, "the weights are transposed: query 1 has those of key 1")
    if (is_mixed("over V", 1)) tell(4, "the output is written over V, which later rows need")
    if (is_mixed("twice", 1)) tell(4, "the weights are applied twice")
    if (is_mixed("queries", 1 / n)) tell("4 5", "each row of the output is the mean of all")
    if (is_mixed("heads")) tell("3 4", "those of all heads are added or averaged")
    own = W[0] - W[1] / R[1] * R[0]
    if (!is_mixed("", W[1] / R[1], own)) return
    if (!near(own, 0, 4)) tell("4 5", "V is added to the output")
    tell("3 4", "every weight is " short(W[1] / R[1]) " times the right one")
}

# Whether head, query or key number a has the right weights of number b or, where b is -1, none.
function is_moved(axis, a, b,    s, at, step) {
    step = axis == "head" ? n * n : axis == "query" ? n : 1
    for (s = 0; s < cells; s++) {
        at = axis == "head" ? head(s) : axis == "query" ? query(s) : s % n
        if (at == a && !near(W[s], b < 0 ? 0 : R[s + (b - a) * step], 1)) return 0
    }
    return 1
}

# Whether the weights are f times the right ones, mixed, and a token's weight for itself larger by `own`.
function is_mixed(kind, f, own,    s, t, i, j, k, mixed) {
    for (s = 0; s < cells; s++) {
        t = head(s); i = query(s); j = s % n
        mixed[s] = kind == "" || kind == "over V" && j >= i ? R[s] : 0
        if (kind == "transposed") mixed[s] = R[cell(t, j, i)]
        for (k = 0; k < n; k++) {
            if (kind == "over V" && k < i) mixed[s] += R[cell(t, i, k)] * mixed[cell(t, k, j)]
            if (kind == "twice") mixed[s] += R[cell(t, i, k)] * R[cell(t, k, j)]
            if (kind == "queries") mixed[s] += R[cell(t, k, j)]
            if (kind == "heads" && k < h) mixed[s] += R[cell(k, i, j)]
        }
        if (f == "") f = W[s] / mixed[s]
        if (!near(W[s], f * mixed[s] + (i == j) * own, 4)) return 0
    }
    return 1
}

# Weights that are 0: a mask, or the largest takes all.
function judge_zeros(    s, text, zeros, ones) {
    for (s = 0; s < cells; s++) {
        ones += near(W[s], 1, 1)
        if (!near(W[s], 0, 1) || R[s] < 0.01) continue
        if (!zeros++) text = "query " query(s) + 1 " gives key " s % n + 1 " no weight"
    }
    if (!zeros) return
    if (ones == h * n) {
        for (s = Q; s < K; s++) x[s] /= 1000
        if (ask_weights(n - 1) && distance(W[0], 1 / n) < 0.1) tell(2, "they are so large that one key has all weight")
        tell(3, "the largest score has all the weight")
    }
    for (s = n * n; s < cells && near(W[s], W[s % (n * n)], 4); s++) {}
    if (fits(S, "keys", 0, cells) == "") tell(s == cells ? "1 2" : "2 3", text (s == cells ? ", in no head" : ""))
    if (sum_to_1("keys")) tell(2, text)
    tell("3 4", text ", and the other weights do not make up for it")
}

# Do the weights sum to 1? Otherwise, what is divided by what?
function judge_sums(    s, axes, k, rows_added, twice) {
    for (s = 0; s < cells; s++)
        if (W[s] < -4 * tolerance)
            tell(3, "query " query(s) + 1 " gives key " s % n + 1 " a weight below 0, which exp never is")
    if (sum_to_1("keys")) return
    split("queries|heads|heads and keys|queries and keys of a head|whole array", axes, "|")
    for (k = 1; k <= 5; k++)
        if (fits(S, axes[k], 0, cells, 1) && sum_to_1(axes[k]))
            tell(3, "they sum to 1 along the " axes[k] ", not along the keys")
    if (fits(S, "queries", 0, cells, 1)) tell(3, "the weights of a key, not those of a query, are divided by one sum")
    if (sum_to_1("queries")) tell("3 4", "they sum to 1 along the queries, not along the keys")
    sum_to_1("keys")
    for (s = rows_added = twice = 0; s < h * n; s++) {
        rows_added += near(sums[s], s % n + 1, 4 * n)
        twice += near(sums[s], 2, 4 * n)
    }
    if (rows_added == h * n) tell(4, "those of query 1 are added to those of query 2, and so on")
    if (twice == h * n) tell("4 5", "a query's weights sum to 2, not to 1: is something added to the output?")
    for (s = 0; near(sums[s], 1, 4 * n); s++) {}
    if (fits(S, "keys", 0, cells, 1)) tell(3, "a query's weights sum to " short(sums[s]) ", not to 1")
    tell("2 3", "a query's weights sum to " short(sums[s]) ", not to 1, and are not in the right proportions")
}

# Is one factor wrong in all scores? It is asked again in other shapes: the divisor may be a function of the shape.
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
    if (constant && near(f, logarithm(2), 500)) tell(3, "they are powers of 2, not of e")
    if (constant && near(f, logarithm(10), 500)) tell(3, "they are powers of 10, not of e")
    if (constant) tell("2 3", "the differences of scores are " short(f) " times the right ones, in every shape")
    table = "    at d·h·n = 2·1·3, 16·1·3, 6·3·5 as if divided by " found "; right is " right "\n" table
    tell(2, text)
}

# Are the scores those of other numbers of the input, or of other heads?
function judge_matrices(    p, at, columns, text, t, s, wrong) {
    columns = V + size # Q and K as if they were read column by column
    for (p = 0; p < 2 * size; p++) x[columns + p] = x[Q + p - p % size + p % d * n + int(p % size / d)]
    for (at = 0; at < V; at++) {
        text = at == Q ? "Q" : at == K ? "K" : "what begins at number " at + 1 " of the input"
        if (at != Q && scores_fit(at, K)) tell(0, text " is taken for Q")
        if (at != K && scores_fit(Q, at)) tell(0, text " is taken for K")
    }
    if (scores_fit(K, Q)) tell("0 2", "Q is taken for K and K for Q")
    if (scores_fit(columns, K) || scores_fit(Q, columns + size) || scores_fit(columns, columns + size))
        tell(0, "Q, K or both are read column by column")
    for (t = 0; t < h; t++) if (!is_moved("head", t, t)) wrong = wrong " " t + 1
    if (length(wrong) < 2 * h) tell("1 2", "not all heads are wrong, only:" wrong)
}

function scores_fit(q, k) {
    set_scores(P, q, k)
    return fits(P, "keys", 0, cells) != ""
}

# Are the differences of scores in proportion to Q?
function judge_proportion(    s, p, sum, found, bends, changes) {
    for (s = 0; s < cells; s++) {
        found[s] = W[s]
        p = cell(head(s), 0, s % n) # what is subtracted from query 1's score with this key may be the key's
        P[s] = S[s] - S[p] + logarithm(W[p] > 0 ? W[p] : 1e-9)
    }
    fill(Q, size, 0)
    if (!ask_weights(n - 1)) tell("2 3", "with Q = 0 the answer is " (bad ? bad : "missing") ": is 0 divided by 0?")
    for (s = 0; s < cells; s++)
        if (!near(W[s], 1 / n, 1)) tell(2, "with Q = 0 key " s % n + 1 " weighs " short(W[s]) ", not 1/" n)
    for (s = 0; s < cells; s++) W[s] = found[s]
    if (fits(P, "keys", 0, cells, 1)) tell(3, "what is subtracted from a query's scores is not the same for each key")
    if (fits(R, "keys", 0, cells, 1)) tell(3, "they are the softmax of the right weights: softmax is applied twice")
    set(n, d, h)
    for (p = Q; p < K; p++) x[p] *= 2
    if (!ask_weights(n - 1)) give_up()
    for (s = 0; s < cells; s++) {
        if (s % n == 0) for (p = sum = 0; p < n; p++) sum += found[s + p] * found[s + p]
        if (!near(W[s], found[s] * found[s] / sum, 10)) bends = 1
        if (!near(W[s], found[s], 4)) changes = 1
    }
    if (!changes) tell("2 3", "they stay the same when Q is doubled")
    if (bends) tell("2 3", "something bends them: when Q is doubled, differences of scores do not double")
}

# Which column of Q meets which of K? Each query has one number, each time in another column.
function judge_columns(    first, p, s, k, c, t, f, met, takes, own, text) {
    for (first = 0; first < d; first++) {
        set(n, d, h)
        for (p = 0; p < size; p++) x[Q + p] = p % d == (int(p / d) + first) % d ? 2 : 0
        if (!ask_weights(n - 1)) give_up()
        for (s = 0; s < cells; s += n) {
            c = (query(s) + first) % d
            f = ""
            for (k = 0; k < d && f == ""; k++) {
                for (p = 0; p < n; p++) P[s + p] = x[K + p * d + k] * 2 / root_d_k
                f = fits(P, "keys", s, s + n)
            }
            k = f == "" ? "other" : near(f, 0, 100) ? "none" : k
            met[head(s), c] = met[head(s), c] == "" || met[head(s), c] == k ? k : "other"
        }
    }
    for (t = 0; t < h; t++) {
        takes = own = text = ""
        for (c = 0; c < d; c++) {
            if (int(c / d_k) == t) own = own " " c + 1
            k = met[t, c]
            if (k != "none") takes = takes " " c + 1
            if (k == "other") tell("1 2", "head " t + 1 " takes column " c + 1 " of Q, but not with that of K alone")
            if (k != "none" && k != c + 1 && !text)
                text = "head " t + 1 " multiplies column " c + 1 " of Q by column " k " of K"
        }
        if (takes != own) tell(length(takes) < length(own) ? 2 : 1, "head " t + 1 " takes these columns of Q:" takes)
        if (text) tell("1 2", text)
    }
    give_up()
}

# ---- Step 3, where only some numbers show it

# Is a small number added to the sum? The output is 1e9 times a query's sum of weights.
function judge_exact_sums(    s, p, top, added, least, most) {
    set(4, 6, 2)
    fill(V, size, 1000000000)
    if (!ask() || bad) return
    for (s = 0; s < cells; s += n) {
        for (p = top = 0; p < n; p++) if (R[s + p] > top) top = R[s + p]
        added = (1 - answer[query(s) * d + head(s) * d_k] / 1e9) / top # 1 / top is the sum of exp(score - maximum)
        if (!s || added < least) least = added
        if (added > most) most = added
    }
    if (least > 1e-12 && most < 1.01 * least) tell(3, "about " sprintf("%.0e", least) " is added to a query's sum")
}

# Scores far from 0 and from each other. Only nan, inf and 0 count, and equal weights: float cannot tell more.
function judge_large_scores(    kinds, k, p, i, text, equal) {
    split("1000|-1000|0, 2000, 4000 and 6000|6000, 4000, 2000 and 0|1000 and, for the next query, -1000|-20000|" \
        "-2000000000", kinds, "|")
    for (k = 1; k <= 7; k++) {
        text = "with scores near " kinds[k] " "
        set(4, 6, 2)
        for (p = 0; p < size; p++) {
            i = int(p / d)
            x[V + p] = i == p % d_k ? 2000 : 1000
            if (p % d_k) continue
            x[Q + p] = k == 5 && i % 2 ? -1 : 1
            x[K + p] = sprintf("%.4f", root_d_k * (k == 3 ? 2000 * i : k == 4 ? 6000 - 2000 * i : kinds[k]))
        }
        if (!ask() && status == "0" || status == "late") return
        if (status != "0") tell(3, text "the program ends with status " status ": is the maximum not subtracted?")
        equal = 1
        for (p = 0; p < size; p++) {
            if (bad || !answer[p]) tell(3, text "the answer is " (bad ? bad : 0) ": is their maximum not subtracted?")
            if (distance(answer[p], 1250) > 1) equal = 0
        }
        if (equal && k < 3) tell("2 3", text "all keys weigh the same: scores are clipped")
    }
}

# ---- Tell

function tell(steps, text,    count, step, k, names) {
    count = split(steps, step, " ")
    for (k = 1; k <= count; k++) names = names (k > 1 ? " or " : "") named[step[k]]
    gsub(/ /, " or ", steps)
    print "Asked " asked " small input" (asked > 1 ? "s" : "") shape ":"
    print "It goes wrong in step " steps ", " names ": " text (text ~ /[?]$/ ? "" : ".")
    printf "%s", table
    exit 0
}

function give_up(text) {
    print "Asked " asked " small inputs" shape ": " (text ? text : "some answers are wrong") \
        ". In which step it goes wrong cannot be told."
    exit 0
}

# Right weights beside found ones, of the first head that is wrong.
function table_of_weights(    s, p, left, right, text) {
    while (s < cells - n * n && is_moved("head", head(s), head(s))) s += n * n
    for (p = 0; p < n * n; p++) {
        left = left sprintf(" %.4f", R[s + p])
        right = right sprintf(" %.4f", W[s + p])
        if (p % n < n - 1) continue
        text = text (p < n ? "    weights of head " head(s) + 1 ", right: " : sprintf("%30s", "")) left \
            (p < n ? "    found: " : sprintf("%11s", "")) right "\n"
        left = right = ""
    }
    return text
}

function short(number) { return sprintf("%.4f", number) }

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

# By Halley's method.
function logarithm(y,    result, e, step) {
    do {
        e = exponential(result)
        step = 2 * (y - e) / (y + e)
        result += step
    } while (step > 1e-9 || step < -1e-9)
    return result
}
