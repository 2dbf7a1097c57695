// src/mha.cpp under libFuzzer: make fuzz.
//
// The first byte of an input chooses the options, in its low bits: 1 --causal, 2 --weights, 4 and 8 the threads
// less 1, 16 blanks before the text so that the reader's first window ends inside it, as many bytes on as the
// second byte says. The rest is stdin. With @0 before it, a case of this folder is an input.
//
// What must hold of any input, besides what the sanitizers watch:
// - it is accepted or refused as a reader written here says, refused at the very byte, with nothing printed and one
//   short printable line as reason;
// - the doubles computed are within the contract's accuracy of the formula in long double, the rows printed are
//   printf's of those doubles, and another number of threads prints the same bytes.

#define MHA_NO_MAIN
#include "../src/mha.cpp"
#include "exact.h"
#include "operator_new.h"

namespace {

[[noreturn]] void broken(const std::string &what) {
    std::fprintf(stderr, "fuzz: %s\n", what.c_str());
    std::abort();
}

void require(bool holds, const std::string &what) {
    if (!holds) broken(what);
}

// ---- the reader: what an input says, or the byte that is to blame ----

const std::string separators = " \n,[]\t\r\f";

struct Token {
    std::size_t first, last; // offsets in the text, last behind it
};

struct Reading {
    bool refused = false;
    std::size_t fault = 0; // where
    Shape shape{};
    std::vector<double> numbers; // Q, K, V
};

Reading refused_at(std::size_t fault) {
    Reading reading;
    reading.refused = true;
    reading.fault = fault;
    return reading;
}

std::vector<Token> tokens_of(const std::string &text) {
    std::vector<Token> tokens;
    std::size_t at = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
    for (;;) {
        at = text.find_first_not_of(separators, at);
        if (at == text.npos) return tokens;
        const std::size_t last = std::min(text.find_first_of(separators, at), text.size());
        tokens.push_back({at, last});
        at = last;
    }
}

// The header's number, 0 where the word is none.
std::uint64_t header_number(const std::string &word) {
    const std::string digits = word.substr(word[0] == '+');
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return 0;
    errno = 0;
    const std::uint64_t number = std::strtoull(digits.c_str(), nullptr, 10);
    return errno == 0 && number <= INT64_MAX ? number : 0;
}

Reading read(const std::string &text, bool causal) {
    const std::vector<Token> tokens = tokens_of(text);
    const auto word = [&](std::size_t i) { return text.substr(tokens[i].first, tokens[i].last - tokens[i].first); };
    const std::size_t line_end =
        tokens.empty() ? text.size() : std::min(text.find('\n', tokens[0].first), text.size());
    std::size_t on_line = 0;
    while (on_line < tokens.size() && tokens[on_line].first < line_end && is_number(word(on_line))) ++on_line;

    std::vector<std::uint64_t> header;
    while (header.size() < (on_line == 5 ? 5u : 3u)) {
        const std::size_t i = header.size();
        if (i == tokens.size() || tokens[i].first > line_end) {
            return refused_at(i == 0 ? text.size() : tokens[i - 1].last);
        }
        header.push_back(header_number(word(i)));
        if (header.back() == 0) return refused_at(tokens[i].first);
    }
    Reading reading;
    reading.shape = on_line == 5 ? Shape{header[0], header[1], header[2], header[3], header[4]}
                                 : Shape{1, header[0], header[0], header[1], header[2]};
    const Shape &shape = reading.shape;
    if (shape.d_model % shape.num_heads != 0) return refused_at(tokens[header.size() - 2].first);
    if (causal && shape.n_q > shape.n_k) return refused_at(tokens[1].first);
    // exact up to 2^64, and never rounded across 2^63
    const long double rows = static_cast<long double>(shape.n_q) + 2.0L * static_cast<long double>(shape.n_k);
    const long double total =
        static_cast<long double>(shape.batch) * static_cast<long double>(shape.d_model) * rows;
    if (total >= 0x1p63L) return refused_at(tokens[0].first);

    for (std::size_t i = header.size(); i < tokens.size(); ++i) {
        if (static_cast<long double>(reading.numbers.size()) == total) return refused_at(tokens[i].first);
        reading.numbers.push_back(is_number(word(i)) ? std::strtod(word(i).c_str(), nullptr) : HUGE_VAL);
        if (std::isinf(reading.numbers.back())) return refused_at(tokens[i].first);
    }
    if (static_cast<long double>(reading.numbers.size()) < total) return refused_at(text.size());
    return reading;
}

// ---- the formula in long double ----

// How many keys a query sees, as the contract has it.
std::size_t seen(const Head &head, std::size_t query) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < head.n_k; ++j) count += !head.causal || j + head.n_q <= query + head.n_k;
    return count;
}

Softmax exact_row(const Head &head, std::size_t query) {
    return exact_softmax(head.queries + query * head.d_model, head.keys, seen(head, query), head.d_k, head.d_model);
}

// The contract's accuracy, for values up to 1. Past the largest double the answer must be the right one; only
// differences of up to 745 still matter there.
long double accuracy(const Softmax &row) {
    return 1e-12L * (1 + (row.largest_score <= DBL_MAX ? row.largest_score : 745));
}

void check_number(double found, long double exact, long double allowed, const std::string &what) {
    if (std::fabs(found - exact) <= allowed) return;
    char numbers[200];
    std::snprintf(numbers, sizeof numbers, ": found %.17g, exact %.20Lg, allowed %.3Lg", found, exact, allowed);
    broken(what + numbers);
}

// `output`: the head's output in place of its queries.
void check_output(const Head &head, const double *output) {
    for (std::size_t i = 0; i < head.n_q; ++i) {
        const Softmax row = exact_row(head, i);
        for (std::size_t c = 0; c < head.d_k; ++c) {
            long double exact = 0, low = HUGE_VAL, high = -HUGE_VAL;
            for (std::size_t j = 0; j < row.weights.size(); ++j) {
                const long double v = head.values[j * head.d_model + c];
                exact += row.weights[j] * v;
                low = std::min(low, v);
                high = std::max(high, v);
            }
            const long double largest = std::max(std::fabs(low), std::fabs(high)), tiny = DBL_MIN;
            const double found = output[i * head.d_model + c];
            check_number(found, exact, accuracy(row) * largest + tiny, "an output is wrong");
            // a mean, whatever the scores
            check_number(found, std::clamp<long double>(found, low, high), 1e-12L * largest + tiny,
                         "an output is past all values");
            require(low < 0 || !std::signbit(found), "an output is negative, and no value is");
        }
    }
}

void check_weights(const Head &head, std::size_t query, const std::vector<double> &weights) {
    Softmax row = exact_row(head, query);
    row.weights.resize(head.n_k);
    long double sum = 0;
    for (std::size_t j = 0; j < head.n_k; ++j) {
        check_number(weights[j], row.weights[j], accuracy(row) + DBL_MIN, "a weight is wrong");
        require(j < seen(head, query) || weights[j] == 0, "a masked key has a weight");
        sum += weights[j];
    }
    require(std::fabs(sum - 1) <= 1e-12L, "weights do not add up to 1");
}

// ---- the program ----

// The stream that stands for stdin or stdout: glibc's are variables.
struct Stream {
    std::string text;
    std::size_t used = 0;

    static ssize_t read(void *self, char *to, std::size_t size) {
        auto &stream = *static_cast<Stream *>(self);
        const std::size_t count = stream.text.copy(to, size, stream.used);
        stream.used += count;
        return static_cast<ssize_t>(count);
    }
    static ssize_t write(void *self, const char *from, std::size_t size) {
        static_cast<Stream *>(self)->text.append(from, size);
        return static_cast<ssize_t>(size);
    }
};

struct Result {
    std::string out, refusal;
};

Result run_on(const std::string &text, const Options &options) {
    Stream in{text}, out;
    Result result;
    std::FILE *const real_in = stdin, *const real_out = stdout;
    stdin = fopencookie(&in, "r", {Stream::read, nullptr, nullptr, nullptr});
    stdout = fopencookie(&out, "w", {nullptr, Stream::write, nullptr, nullptr});
    try {
        most_memory = 1 << 24; // a header may promise anything
        run(options);          // closes stdout
    } catch (const Error &error) {
        require(error.status == 1, "status " + std::to_string(error.status));
        result.refusal = error.message;
        std::fclose(stdout);
    }
    most_memory = SIZE_MAX;
    std::fclose(stdin);
    stdin = real_in;
    stdout = real_out;
    result.out = out.text;
    return result;
}

// "<stdin>:LINE:COLUMN: " of a byte.
std::string place_of(const std::string &text, std::size_t offset) {
    const std::string before = text.substr(0, offset);
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t column = offset - (before.rfind('\n') + 1) + 1;
    return "<stdin>:" + std::to_string(line) + ':' + std::to_string(column) + ": ";
}

void check_refusal(const std::string &text, const Reading &reading, const Result &result) {
    require(!result.refusal.empty(), "accepted, and should be refused at " + place_of(text, reading.fault));
    const std::string &refusal = result.refusal, place = place_of(text, reading.fault);
    require(refusal.compare(0, place.size(), place) == 0, "told " + refusal + ", should be at " + place);
    require(refusal.size() > place.size() && refusal.size() < 200,
            "a refusal of " + std::to_string(refusal.size()));
    require(std::all_of(refusal.begin(), refusal.end(), [](char c) { return c >= ' ' && c <= '~'; }),
            "an unprintable byte in " + refusal);
    require(result.out.empty(), "refused, and something printed");
}

void append_row(std::string &rows, const double *numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        char number[400];
        std::snprintf(number, sizeof number, "%c%.4f", i == 0 ? '[' : ' ', numbers[i]);
        rows += number;
    }
    rows += "]\n";
}

Problem problem_of(const Reading &reading, bool causal) {
    Problem problem;
    problem.shape = reading.shape;
    problem.causal = causal;
    const auto &[batch, n_q, n_k, d_model, num_heads] = reading.shape;
    const auto keys = reading.numbers.begin() + static_cast<std::ptrdiff_t>(batch * n_q * d_model);
    const auto values = keys + static_cast<std::ptrdiff_t>(batch * n_k * d_model);
    problem.queries.assign(reading.numbers.begin(), keys);
    problem.keys.assign(keys, values);
    problem.values.assign(values, reading.numbers.end());
    return problem;
}

// Computes the answer from the numbers as read here, checks it, and returns what to print.
std::string checked_answer(const Reading &reading, const Options &options) {
    Problem problem = problem_of(reading, options.causal), solved = problem;
    const Shape &shape = problem.shape;
    const bool small = shape.batch * shape.n_q * shape.n_k * shape.d_model <= 3000; // the formula takes its time
    std::string rows;
    Progress progress;
    if (!options.weights) attend(solved, progress, options.threads);
    for (std::size_t index = 0; index < shape.all_heads(); ++index) {
        const Head head = head_of(problem, index);
        if (!options.weights && small) check_output(head, head_of(solved, index).queries);
        std::vector<double> weights(head.n_k);
        for (std::size_t i = 0; options.weights && i < head.n_q; ++i) {
            query_weights(head, i, weights);
            if (small) check_weights(head, i, weights);
            append_row(rows, weights.data(), head.n_k);
        }
    }
    for (std::size_t i = 0; !options.weights && i < solved.queries.size(); i += shape.d_model) {
        append_row(rows, solved.queries.data() + i, shape.d_model);
    }
    return rows;
}

void check(const std::string &text, Options options) {
    const Result result = run_on(text, options);
    const Reading reading = read(text, options.causal);
    if (reading.refused) return check_refusal(text, reading, result);
    require(result.refusal.empty(), "should be accepted, and is not: " + result.refusal);
    require(result.out == checked_answer(reading, options), "printed otherwise than by printf:\n" + result.out);
    if (options.threads == 1) return;
    options.threads = 1;
    require(result.out == run_on(text, options).out, "another number of threads, another answer");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size < 2) return 0;
    std::string text(data + 2, data + size);
    // The reader's window is 2^16 bytes, the last of them kept free.
    if (data[0] & 16) text.insert(0, (1 << 16) - 1 - data[1], ' ');
    std::vector<std::string> words = {"--threads", std::to_string(1 + data[0] / 4 % 4)};
    if (data[0] & 1) words.push_back("--causal");
    if (data[0] & 2) words.push_back("--weights");
    check(text, parse_options(words));
    return 0;
}
