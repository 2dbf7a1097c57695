# What the kit takes for a number, a zero, a prompt, in answers of any form: awk -f answer.awk -f compare.awk

BEGIN {
    number_form = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"
    nan_form = "[-+]?(nan|inf|1[.]#)[^] ,]*" # in lower case, however a language prints nan and inf
}

# The line without blanks and CR at its end, which are noted as overlooked.
function without_end(line,    end, byte) {
    for (end = length(line); end > 0; end--) {
        byte = substr(line, end, 1)
        if (byte == "\r") overlooked["CR LF at the end of lines"]
        else if (byte == " " || byte == "\t") overlooked["blanks at the end of lines"]
        else break
    }
    return substr(line, 1, end)
}

# The text with 0.0000 for each -0.0000.
function unsigned(text) {
    text = " " text
    gsub(/\[-0[.]0000/, "[0.0000", text)
    gsub(/ -0[.]0000/, " 0.0000", text)
    return substr(text, 2)
}

# Whether the line begins with a prompt: a word that is no number.
function is_text(line) {
    line = tolower(line)
    return line ~ /^[a-z]/ && line !~ "^" nan_form
}

# The line from its first bracket on where it begins with a prompt.
function without_prompt(line) {
    if (is_text(line)) sub(/^[^[]+/, "", line)
    return line
}

# Puts the numbers of the line, whatever its form, behind numbers[first] and returns their count.
function numbers_of(line, numbers, first,    words, count, w) {
    line = without_prompt(line)
    gsub(/[][(), \t\r]+/, " ", line)
    count = split(line, words, " ")
    for (w = 1; w <= count; w++) numbers[first + w] = words[w]
    return count
}
