# Which candidates for a mistake are left after a case: LC_ALL=C awk -f answer.awk -f narrow.awk
#
# The input is the candidates so far, then the answers to the case, each behind a line `@ NAME`: the user's, the right
# one, the candidates'. A candidate is NAME LEVEL APART FAR MISSED. LEVEL is how well its answers agree with the user's
# in all cases so far: 1 to the letter, 2 as numbers, whatever their form, 3 within one unit of their last digit. APART
# is in how many cases its numbers are not the right ones, FAR in how many by more than one unit. A user's answer that
# is empty is an error's: it agrees with nan; MISSED is in how many cases the candidate has other numbers there.

/^@ / { name = $2; order[++answers] = name; first[name] = total + 0; next }
answers == 0 { level[$1] = $2; apart[$1] = $3; far[$1] = $4; missed[$1] = $5; next }
{
    line = unsigned(without_end(tolower($0)))
    gsub(nan_form, "nan", line)
    line = without_prompt(line)
    if (line == "") next
    text[name] = text[name] line "\n"
    count[name] += found = numbers_of(line, numbers, total + 0)
    total += found
}

END {
    for (a = 3; a <= answers; a++) {
        name = order[a]
        if (text["user"] == "") {
            now = 1
            missed[name] += text[name] !~ /nan/
        } else now = agreement("user", name)
        if (now > 3) continue
        from_right = agreement(name, "right")
        if (now < level[name]) now = level[name]
        print name, now, apart[name] + (from_right > 2), far[name] + (from_right > 3), missed[name]
    }
}

function agreement(a, b,    worst, k, x, y, unit, difference) {
    if (text[a] == text[b]) return 1
    if (count[a] != count[b]) return 4
    worst = 2
    for (k = 1; k <= count[a] && worst < 4; k++) {
        x = numbers[first[a] + k]
        y = numbers[first[b] + k]
        if (x == y) continue
        if (x !~ number_form || y !~ number_form) return 4
        unit = unit_of(x)
        if (unit_of(y) > unit) unit = unit_of(y)
        if (unit_of(numbers[first["user"] + k]) > unit) unit = unit_of(numbers[first["user"] + k]) # nothing finer shows
        difference = (x > y ? x - y : y - x) - 1e-11 * (x > 0 ? x : -x) # which sums of doubles cannot tell apart
        if (difference > 1.000001 * unit) return 4
        if (difference > 0.500001 * unit) worst = 3
    }
    return worst
}

# One in the last digit.
function unit_of(x,    point) {
    if (x ~ /e/) return 0.0001
    point = index(x, ".")
    return ("1e-" (point ? length(x) - point : 0)) + 0
}
