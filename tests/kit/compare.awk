# Compares an answer with the right one as most judges do, but says what is wrong and where:
#
#   { tr '\000' '\001' <ANSWER; echo .; } | LC_ALL=C awk -f answer.awk -f compare.awk EXPECTED
#
# The dot behind the answer shows whether its last newline is there. Status 0: right; each line printed names something
# that was overlooked. Status 1: wrong; the first line says what and where, the others show the rows. With
# -v cleaned=FILE the FILE then gets the answer without what is overlooked.

BEGIN {
    while ((getline line < ARGV[1]) > 0) {
        expected[++rows] = line
        enough += 8 * length(line) + 1000 # bytes of an answer: some awks are slow where a line has millions
    }
    ARGC = 1
}

bytes <= enough { answer[++lines] = substr($0, 1, enough) }
{ bytes += length($0) }

END {
    if (answer[lines] == ".") lines--
    else {
        sub(/[.]$/, "", answer[lines])
        overlooked["no newline at the end"]
    }
    while (lines > 0 && answer[lines] ~ /^[ \t\r]*$/) {
        lines--
        overlooked["empty lines at the end"]
    }
    wrong = lines != rows || bytes > enough
    for (r = 1; r <= lines; r++) {
        row[r] = without_end(answer[r])
        if (row[r] == expected[r]) continue
        if (unsigned(row[r]) == unsigned(expected[r])) overlooked["0.0000 for -0.0000 or the other way round"]
        else wrong = 1
    }
    if (wrong && cleaned) for (r = 1; r <= lines; r++) print with_signs(row[r], expected[r]) >cleaned
    if (wrong) explain()
    else for (what in overlooked) print what
    exit wrong
}

# The row with the expected sign of each zero.
function with_signs(line, right,    words, word, e, w) {
    words = split(line, word, / /)
    split(right, e, / /)
    line = ""
    for (w = 1; w <= words; w++) {
        if (w in e && unsigned(word[w]) == unsigned(e[w])) word[w] = e[w] # gawk 5.2 breaks where e[w] is not there
        line = line (w > 1 ? " " : "") word[w]
    }
    return line
}

# Whether a number is the right one but for its form: rounded to the decimals of the one that has fewer.
function alike(number, right,    point, decimals, difference) {
    if (number !~ number_form) return 0
    point = index(number, ".")
    decimals = point ? length(number) - point : 0
    difference = number < right ? right - number : number - right
    if (number ~ /[eE]/ || decimals > 4) return difference <= 0.000050001
    return difference <= (decimals == 4 ? 0 : 0.500001 * ("1e-" decimals))
}

# What is wrong with the form of row r, or nothing.
function wrong_form(r,    line, bare, n, w, word) {
    bare = line = row[r]
    sub(/^[ \t]+/, "", bare)
    n = found_count[r]
    if (bare == "") return "it is empty"
    if (match(line, /[\001-\010\012-\037\177-\377]+/))
        return "found " part(substr(line, RSTART, RLENGTH < 4 ? RLENGTH : 3), 1) " in it"
    if (is_text(bare)) return "it begins with text (print the answer only)"
    for (w = 1; w <= n && n != wanted_count[r]; w++) {
        word = found[found_first[r] + w]
        if (word !~ number_form && tolower(word) !~ "^" nan_form) return part(word, 1) " is no number"
    }
    if (r > rows) return "the answer should end before it"
    if (n < wanted_count[r]) return "number " n + 1 " is missing"
    if (n > wanted_count[r]) return "number " wanted_count[r] + 1 " is too many"
    if (bare ~ /,/) return "found a comma, where only a blank is asked for"
    if (bare !~ /^\[/) return "no [ at its beginning"
    if (bare !~ /\]$/) return "no ] at its end"
    if (gsub(/[][]/, "", bare) > 2) return "more than one pair of brackets"
    if (line ~ /^[ \t]/) return "a blank before the [" taken
    if (line ~ /\t/) return "a <tab> in place of a blank" taken
    if (line ~ /\[ | \]/) return "a blank inside the brackets" taken
    if (line ~ /  /) return "more than one blank between numbers" taken
    return ""
}

# Prints the first fault of form, the first wrong number, or both, and the rows there. Numbers are compared in order
# where there are as many as there should be, otherwise as far as the rows agree.
function explain(    r, k, e, f, right, number, place, form, form_row, number_row, at) {
    taken = " (many judges would take it)"
    place = "the answer goes on for too long"
    for (r = 1; r <= rows; r++) e += wanted_count[r] = numbers_of(expected[r], wanted, wanted_first[r] = e + 0)
    for (r = 1; r <= lines; r++) f += found_count[r] = numbers_of(row[r], found, found_first[r] = f + 0)
    for (r = 1; r <= lines && !form_row; r++) if ((form = wrong_form(r)) != "") form_row = r
    if (form_row) form = "row " form_row ": " form
    else if (lines < rows && bytes <= enough) {
        form_row = lines + 1
        form = lines == 0 ? "the answer is empty" : "row " form_row " is missing"
    }
    if (e == f && lines != rows && form !~ /text/)
        form = form " (as many numbers as there should be, but in other lines)"

    for (r = 1; r <= rows && !number_row && (e == f || found_count[r] == wanted_count[r]); r++)
        for (k = 1; k <= wanted_count[r] && !number_row; k++) {
            right = wanted[wanted_first[r] + k]
            number = found[wanted_first[r] + k]
            if (unsigned(number) == unsigned(right)) continue
            if (form_row && form_row <= r && alike(number, right)) continue
            place = "row " r ", number " k ": expected " right ", found " part(number, 1)
            at = k
            if (alike(number, right)) {
                form = place " (4 decimals are asked for)"
                form_row = r
            } else number_row = r
        }

    if (!form_row || (number_row && number_row < form_row)) {
        print place
        form_row = number_row
    } else print form (number_row ? "; " place : e == f ? "; every number is right" : "")
    show("expected", expected, rows, form_row, column(wanted, wanted_first[form_row], at))
    show("found", answer, lines, form_row, column(found, found_first[form_row], at))
}

# Where number `at` of a row begins in its line, or near it.
function column(numbers, first, at,    k, sum) {
    for (k = 1; k < at; k++) sum += length(numbers[first + k]) + 1
    return sum + 1
}

# Prints the lines around line r, whole where they are short.
function show(title, text, count, r, at,    first, last) {
    first = count <= 5 || r <= 2 ? 1 : r - 1
    last = count <= 5 || first + 2 > count ? count : first + 2
    print "  " title ":" (count == 0 ? " nothing" : "")
    if (first > 1) print "    ... " first - 1 " before"
    for (; first <= last; first++) print "    " part(text[first], at)
    if (last < count) print "    ... " (bytes > enough ? "" : count - last " ") "more"
}

# Some hundred bytes of the line around `at`, with a name for what cannot be seen.
function part(line, at,    first, before, behind) {
    first = length(line) <= 120 || at < 60 ? 1 : at - 50
    before = first > 1 ? "... " : ""
    behind = length(line) - first >= 120 ? " ..." : ""
    line = substr(line, first, 120)
    if (before) sub(/^ /, "", line)
    if (behind) sub(/ $/, "", line)
    gsub(/\t/, "<tab>", line)
    gsub(/\r/, "<CR>", line)
    gsub(/\001/, "<NUL>", line)
    gsub(/\357\273\277/, "<BOM>", line)
    gsub(/[\002-\037\177]/, "<control character>", line)
    while (match(line, /^(<blank>)* /)) line = substr(line, 1, RLENGTH - 1) "<blank>" substr(line, RLENGTH + 1)
    while (match(line, / (<blank>|<CR>|<tab>)*$/)) line = substr(line, 1, RSTART - 1) "<blank>" substr(line, RSTART + 1)
    gsub(/\[ /, "[<blank>", line)
    gsub(/ \]/, "<blank>]", line)
    gsub(/  /, " <blank>", line)
    return before line behind
}
