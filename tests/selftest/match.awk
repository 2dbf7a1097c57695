# Whether the text of a file is what it should be: awk -f match.awk WANTED FOUND
#
# A line `...` of WANTED is any number of lines, one that begins with ~ is a part of a line. If the text is another, what
# is printed says where.

function matches(line, wanted) { return wanted ~ /^~/ ? index(line, substr(wanted, 2)) : line == wanted }
function fail(found) {
    print "expected " (at <= last ? wanted[at] : "no more") ", found " found
    exit wrong = 1
}
BEGIN { at = 1 }
NR == FNR { wanted[++last] = $0; next }
wanted[at] == "..." && at < last && matches($0, wanted[at + 1]) { at += 2; next }
wanted[at] == "..." { next }
!matches($0, wanted[at]) || at > last { fail($0) }
{ at++ }
END {
    if (!wrong && wanted[at] == "...") at++
    if (!wrong && at <= last) fail("no more")
}
