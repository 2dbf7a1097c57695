// Multi-head attention on projected queries, keys and values, as one file for people and online judges.
//
// Input, numbers in text (line breaks matter in the header alone):
//
//     n d h                one self-attention: n tokens, model width d, h heads
//     b n_q n_k d h        or a batch of b, each item with n_q queries and n_k keys
//     Q  (b*n_q rows of d)      K  (b*n_k rows of d)      V  (b*n_k rows of d)
//
// Output: b*n_q rows of d numbers, `[x.xxxx ...]`. With d_k = d/h, head t owns the columns t*d_k to (t+1)*d_k - 1:
//
//     head_t = softmax(Q_t K_t^T / sqrt(d_k)) V_t            (Vaswani et al. 2017, "Attention Is All You Need")
//
// The softmax goes along each row, after the row's maximum is subtracted. Time: 4*b*n_q*n_k*d operations; memory:
// Q, K and V once, the output takes the place of Q.
//
// The file reads in the order in which the data goes: errors, input, attention, output, command line.

#if defined(__GNUC__) && !defined(__clang__)
// Judges compile with -O2, at which g++ hardly vectorizes. Comparisons may be computed for lanes that do not need
// them: that could only raise floating-point flags, which nothing here reads.
#pragma GCC optimize("O3,no-trapping-math")
#if defined(__AVX512F__)
// -march=native may prefer vectors of half the width, of which a tile's sums do not fit the registers.
#pragma GCC target("prefer-vector-width=512", "tune=generic")
#endif
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#elif __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace {

#if defined(MHA_TINY_BLOCKS) // for tests: small inputs then cross every edge
constexpr bool tiny_blocks = true;
#else
constexpr bool tiny_blocks = false;
#endif

// ----------------------------------------------------------------------------------------------------------------
// Errors and the terminal
// ----------------------------------------------------------------------------------------------------------------

// Everything that ends the program early: the line for stderr, less its "mha: ", and the exit status.
struct Error {
    std::string message;
    int status = 1;
};

// An operation on `what` that the system refused, with errno's reason.
Error system_error(const std::string &what) { return {what + ": " + std::strerror(errno)}; }

// `text` in double quotes, cut to 32 bytes, and no byte in it that a terminal could take for a command.
std::string quoted(std::string_view text) {
    const std::size_t shown = 32;
    std::string out = "\"";
    for (const char c : text.substr(0, shown)) {
        if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else if (c >= ' ' && c <= '~') {
            out += c;
        } else {
            const char *hex = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            out += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
        }
    }
    return out + (text.size() > shown ? "...\"" : "\"");
}

// Whether file descriptor `fd` is a terminal; where that cannot be known, it is none.
bool is_terminal([[maybe_unused]] int fd) {
#if defined(_WIN32)
    return _isatty(fd) != 0;
#elif __has_include(<unistd.h>)
    return isatty(fd) != 0;
#else
    return false;
#endif
}

// One line on a terminal's stderr that tells how far a run of over a second is. Gone when the object is.
class Progress {
    using Clock = std::chrono::steady_clock;
    bool visible_ = is_terminal(2);
    bool shown_ = false;
    Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);

  public:
    Progress() = default;
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    ~Progress() { clear(); }

    void show(const char *doing, std::uint64_t done, std::uint64_t total) {
        if (!visible_ || Clock::now() < next_) return;
        next_ = Clock::now() + std::chrono::milliseconds(200);
        shown_ = true;
        const double percent = 100 * static_cast<double>(done) / static_cast<double>(total);
        std::fprintf(stderr, "\rmha: %-20s %3.0f %%", doing, percent);
        std::fflush(stderr);
    }

    void clear() {
        if (shown_) std::fprintf(stderr, "\r%31s\r", "");
        shown_ = false;
    }

    // Leaves the terminal to the output where that is shown there too: its rows tell how far it is.
    void give_way() {
        if (!is_terminal(1)) return;
        clear();
        visible_ = false;
    }
};

// ----------------------------------------------------------------------------------------------------------------
// Input: text to numbers
// ----------------------------------------------------------------------------------------------------------------

// Some libraries lack from_chars() and to_chars() for double. libstdc++ for 32-bit x86 has a from_chars() that
// computes in the wider registers of the x87 and so rounds some numbers twice.
#if defined(__cpp_lib_to_chars) && !defined(__i386__)
#define MHA_HAS_CHARCONV
#endif

bool is_separator(char c) {
    return c == ' ' || c == '\n' || c == ',' || c == '[' || c == ']' || c == '\t' || c == '\r' || c == '\f';
}

// Reads the whole number >= 1 that `text` is, with an optional plus; one past 2^64 - 1 becomes 2^64 - 1.
// Returns whether it is one.
bool parse_whole(std::string_view text, std::uint64_t &value) {
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return false;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) value = UINT64_MAX;
    return value >= 1;
}

// Reads the decimal number at `first`; a separator stands behind it, at `last` or before. Returns the byte behind
// the number, or `first` where there is none. Past the largest double the value is infinite, below the smallest it
// is 0 of its sign.
const char *parse_number(const char *first, [[maybe_unused]] const char *last, double &value) {
    // Only a digit or a point may follow the sign: the library would take inf and nan, and strtod hexadecimals.
    const bool has_sign = *first == '-' || *first == '+';
    const char *digits = first + has_sign;
    if (*digits != '.' && (*digits < '0' || *digits > '9')) return first;
    if (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X')) return first;
#if defined(MHA_HAS_CHARCONV)
    const auto result = std::from_chars(*first == '+' ? digits : first, last, value);
    if (result.ec == std::errc()) return result.ptr;
    if (result.ec != std::errc::result_out_of_range) return first;
        // from_chars does not say which end of the range was passed; strtod does.
#endif
    char *end;
    value = std::strtod(first, &end);
    return end;
}

// A byte's line and column in the input, each counted from 1.
struct Place {
    std::uint64_t line, column;
};

// The text of a file, or of standard input, as tokens with separators between. It keeps a window of the text and
// knows the place of each byte in it.
class Input {
    struct Close {
        void operator()(std::FILE *file) const {
            if (file != stdin) std::fclose(file);
        }
    };
    std::unique_ptr<std::FILE, Close> file_{stdin};
    std::string name_ = "<stdin>";
    std::vector<char> buffer_ =
        std::vector<char>(tiny_blocks ? 8 : 1 << 16); // fits a cache; grows for a longer token
    const char *cursor_ = buffer_.data();             // the next byte to use
    const char *window_end_ = cursor_;                // only whole tokens before it, a separator behind each
    const char *data_end_ = cursor_;                  // what has been read ends here
    bool at_end_ = false;                             // there is no more to read
    Place buffer_place_ = {1, 1};                     // of the buffer's first byte

    // Drops the used part of the buffer and reads on behind the rest. False at the end of the input.
    bool read_more() {
        if (at_end_) return false;
        buffer_place_ = place(cursor_);
        const auto kept = static_cast<std::size_t>(data_end_ - cursor_);
        std::memmove(buffer_.data(), cursor_, kept);
        if (kept > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());

        std::size_t filled = kept;
        const std::size_t room = buffer_.size() - 1; // the last byte stays free for a separator at the end
        while (filled < room && !at_end_) {
            errno = 0;
            filled += std::fread(buffer_.data() + filled, 1, room - filled, file_.get());
            if (std::ferror(file_.get()) && errno != EINTR) throw system_error(name_);
            at_end_ = std::feof(file_.get()) != 0;
            std::clearerr(file_.get());
        }
        buffer_[filled] = '\n';
        cursor_ = buffer_.data();
        data_end_ = window_end_ = cursor_ + filled;
        while (!at_end_ && window_end_ != cursor_ && !is_separator(window_end_[-1])) --window_end_;
        return true;
    }

    std::string_view token_at(const char *first) const {
        const char *last = first;
        while (!is_separator(*last)) ++last;
        return {first, static_cast<std::size_t>(last - first)};
    }

  public:
    // Opens `path`; `-` is standard input. Throws Error where it cannot be opened or read.
    explicit Input(const std::string &path) {
        if (path != "-") {
            name_ = path;
            std::replace_if(
                name_.begin(), name_.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
            file_.reset(std::fopen(path.c_str(), "rb"));
            if (!file_) throw system_error(name_);
        }
        std::setvbuf(file_.get(), nullptr, _IONBF, 0); // the buffer here is enough
        if (file_.get() == stdin && is_terminal(0)) {
            std::fputs("mha: type n d h, then Q, K and V; end with Ctrl-D (Windows: Ctrl-Z and Enter)\n", stderr);
        }
        read_more();
        if (data_end_ - cursor_ >= 3 && std::memcmp(cursor_, "\xEF\xBB\xBF", 3) == 0) cursor_ += 3;
        window_end_ = std::max(window_end_, cursor_); // no separator need have come yet
    }

    Place place(const char *byte) const {
        const char *line_start = buffer_.data();
        const auto newlines = static_cast<std::uint64_t>(std::count(line_start, byte, '\n'));
        if (newlines != 0) {
            line_start = byte;
            while (line_start[-1] != '\n') --line_start;
        }
        const auto distance = static_cast<std::uint64_t>(byte - line_start);
        return {buffer_place_.line + newlines, distance + (newlines == 0 ? buffer_place_.column : 1)};
    }

    // Where the last used token ends, or behind the last byte once next() has found the end.
    Place here() const { return place(cursor_); }

    Error error(Place at, const std::string &message) const {
        return {name_ + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": " + message};
    }

    // Goes to the next token's first byte and returns it; nullptr at the end of the input. Throws Error.
    const char *next() {
        for (;;) {
            while (cursor_ != window_end_ && is_separator(*cursor_)) ++cursor_;
            if (cursor_ != window_end_) return cursor_;
            if (!read_more()) return nullptr;
        }
    }

    struct LineStart {
        std::size_t numbers; // on the current line from the cursor on; six stands for more
        bool line_ends;      // behind them, as against a word that is no number
    };

    // Tells the header's form without using any of the line. Throws Error.
    LineStart look_ahead() {
        for (;;) {
            std::size_t count = 0;
            const char *at = cursor_;
            for (; at != window_end_ && *at != '\n' && count < 6; ++at) {
                if (is_separator(*at)) continue;
                double value;
                const char *last = parse_number(at, window_end_, value);
                if (last == at || !is_separator(*last)) return {count, false};
                at = last - 1;
                ++count;
            }
            if (at != window_end_ || !read_more()) return {count, true};
        }
    }

    // Uses the token that next() found: any number, as the nearest double. Throws Error where it is none.
    double number() {
        double value;
        const char *last = parse_number(cursor_, window_end_, value);
        if (last == cursor_ || !is_separator(*last)) {
            throw error(here(), "expected a number, found " + quoted(token_at(cursor_)));
        }
        if (std::isinf(value)) throw error(here(), quoted(token_at(cursor_)) + " is past the largest double");
        cursor_ = last;
        return value;
    }

    // Uses the token that next() found: a whole number, 1 or more, called `name`. Throws Error where it is none.
    std::uint64_t whole_number(const std::string &name) {
        const Place at = here();
        const std::string token(token_at(cursor_));
        std::uint64_t value = 0;
        if (!parse_whole(token, value)) {
            number(); // a word that is no number at all is told as such
            throw error(at, "expected a whole number of at least 1 for " + name + ", found " + quoted(token));
        }
        if (value > INT64_MAX) {
            throw error(at, "expected a whole number below 2^63 for " + name + ", found " + quoted(token));
        }
        cursor_ += token.size();
        return value;
    }
};

// What the header says; it may promise more than memory has room for.
struct Header {
    std::uint64_t batch, n_q, n_k, d_model, num_heads;
};

// Reads `n d h` or `b n_q n_k d h` and checks what follows from it. Throws Error at the number that is to blame.
Header read_header(Input &input, bool causal) {
    input.next();
    const auto [on_line, line_ends] = input.look_ahead();
    const bool is_batch = on_line == 5;
    std::vector<std::uint64_t> numbers;
    std::vector<Place> places;
    for (const char *name : is_batch ? std::vector{"b", "n_q", "n_k", "d", "h"} : std::vector{"n", "d", "h"}) {
        if (line_ends && numbers.size() == on_line) {
            throw input.error(input.here(), "the header has " + std::to_string(on_line) + " of 3 numbers: n d h");
        }
        input.next();
        places.push_back(input.here());
        numbers.push_back(input.whole_number(name));
    }
    const Header header = is_batch ? Header{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}
                                   : Header{1, numbers[0], numbers[0], numbers[1], numbers[2]};

    const auto told = [](const char *name, std::uint64_t number) {
        return name + (" = " + std::to_string(number));
    };
    if (header.d_model % header.num_heads != 0) {
        throw input.error(places[places.size() - 2],
                          told("d", header.d_model) + " is not divisible by " + told("h", header.num_heads));
    }
    if (causal && header.n_q > header.n_k) {
        throw input.error(places[1], told("n_q", header.n_q) + " is more than " + told("n_k", header.n_k) +
                                         ": --causal needs n_q <= n_k");
    }
    const std::uint64_t most = INT64_MAX, most_rows = most / header.batch / header.d_model;
    if (header.n_k > most / 2 || header.n_q > most - 2 * header.n_k || header.n_q + 2 * header.n_k > most_rows) {
        throw input.error(places[0], "Q, K and V would hold 2^63 numbers or more");
    }
    return header;
}

// Reads a matrix of `rows` rows of `columns` numbers, called `name` in errors. Throws Error.
std::vector<double> read_matrix(Input &input, Progress &progress, const std::string &name, std::uint64_t rows,
                                std::uint64_t columns) {
    const std::uint64_t total = rows * columns;
    std::vector<double> numbers;
    try {
        // Address space only: memory is touched, and so taken, when the numbers come.
        numbers.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(total, SIZE_MAX)));
    } catch (const std::exception &) {
        // The header may promise what never comes: grow with what does.
    }
    for (std::uint64_t count = 0; count < total; ++count) {
        if (count % 65536 == 0) progress.show(("reading " + name).c_str(), count, total);
        if (!input.next()) {
            throw input.error(input.here(), "input ends inside " + name + ": row " +
                                                std::to_string(count / columns + 1) + " of " +
                                                std::to_string(rows) + " has " + std::to_string(count % columns) +
                                                " of " + std::to_string(columns) + " numbers");
        }
        numbers.push_back(input.number());
    }
    return numbers;
}

struct Shape {
    std::size_t batch, n_q, n_k, d_model, num_heads;

    std::size_t d_k() const { return d_model / num_heads; }
    std::size_t all_heads() const { return batch * num_heads; }
};

struct Problem {
    Shape shape;
    bool causal;
    std::vector<double> queries; // (batch, n_q, d_model), row-major as read; the output takes its place
    std::vector<double> keys;    // (batch, n_k, d_model)
    std::vector<double> values;  // (batch, n_k, d_model)
};

// Reads the whole input. Throws Error at the first place where it is not as stated at the top of this file.
Problem read_problem(Input &input, Progress &progress, bool causal) {
    const auto [batch, n_q, n_k, d_model, num_heads] = read_header(input, causal);
    Problem problem;
    problem.causal = causal;
    problem.queries = read_matrix(input, progress, "Q", batch * n_q, d_model);
    problem.keys = read_matrix(input, progress, "K", batch * n_k, d_model);
    problem.values = read_matrix(input, progress, "V", batch * n_k, d_model);
    if (input.next()) {
        const std::uint64_t expected = batch * (n_q + 2 * n_k) * d_model;
        throw input.error(input.here(), "input goes on after V: expected " + std::to_string(expected) + " numbers");
    }
    // what has come is in memory, so that its sizes fit
    const auto size = [](std::uint64_t number) { return static_cast<std::size_t>(number); };
    problem.shape = {size(batch), size(n_q), size(n_k), size(d_model), size(num_heads)};
    return problem;
}

// ----------------------------------------------------------------------------------------------------------------
// Attention
// ----------------------------------------------------------------------------------------------------------------

// One head of one batch item, where it lies in the matrices: its first row in each, rows d_model numbers apart.
struct Head {
    double *queries;      // (n_q, d_k), the output takes its place
    const double *keys;   // (n_k, d_k)
    const double *values; // (n_k, d_k)
    std::size_t n_q, n_k, d_k, d_model;
    bool causal;

    // How many keys query i sees. A causal mask lets the last query see every key.
    std::size_t visible_keys(std::size_t i) const { return causal ? i + 1 + (n_k - n_q) : n_k; }
};

// Head `index` of all: the heads of the first batch item come first.
Head head_of(Problem &problem, std::size_t index) {
    const auto [batch, n_q, n_k, d_model, num_heads] = problem.shape;
    const std::size_t item = index / num_heads, d_k = problem.shape.d_k();
    const std::size_t first_column = index % num_heads * d_k;
    double *queries = problem.queries.data() + item * n_q * d_model + first_column;
    const double *keys = problem.keys.data() + item * n_k * d_model + first_column;
    const double *values = problem.values.data() + item * n_k * d_model + first_column;
    return {queries, keys, values, n_q, n_k, d_k, d_model, problem.causal};
}

// So many terms are summed at once, then so many of these sums, and then those: shorter sums have smaller rounding
// errors. Of a tile's queries, below, 128 channels take 24 KiB of L1.
constexpr std::size_t chunk_terms = tiny_blocks ? 2 : 128;

// A sum of products as everyone writes it, and a bound of its rounding error in units of half an ulp of 1 (running
// error analysis: Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 3.3). The bound is
// infinite or NaN where a product or a sum has passed the largest double.
class PlainSum {
    double total_ = 0, chunks_ = 0, chunk_ = 0, error_ = 0;
    std::size_t terms_ = 0;

  public:
    void add(double a, double b) {
        const double product = a * b;
        chunk_ += product;
        error_ += std::fabs(product) + std::fabs(chunk_);
        if (++terms_ % chunk_terms != 0) return;
        chunks_ += chunk_;
        error_ += std::fabs(chunks_);
        chunk_ = 0;
        if (terms_ % (chunk_terms * chunk_terms) != 0) return;
        total_ += chunks_;
        error_ += std::fabs(total_);
        chunks_ = 0;
    }
    double value() const { return total_ + (chunks_ + chunk_); }
    double error() const { return error_ + std::fabs(chunks_ + chunk_) + std::fabs(value()); }
};

// The error to allow to the scores of a row. It moves the output by up to twice as much of the largest value; the
// bound to keep there is 1e-12 (1 + the largest score), and a fifth of it is left for the roundings that follow.
// Scores past 1e6 count as 1e6: what is small beside them may still decide between two that are alike.
double allowed_error(double largest_score) { return 0.4e-12 * (1 + std::min(largest_score, 1e6)); }

// scores[j] = q_i . k_j / sqrt(d_k) for each key that query i sees. Returns whether no rounding error matters, and
// no product has passed the largest double.
template <class Sum> bool query_scores(const Head &head, std::size_t i, std::vector<double> &scores) {
    const double *q = head.queries + i * head.d_model;
    const double root = std::sqrt(static_cast<double>(head.d_k));
    double largest_score = 0, largest_error = 0;
    bool finite = true;
    for (std::size_t j = 0; j < head.visible_keys(i); ++j) {
        const double *k = head.keys + j * head.d_model;
        Sum sum;
        for (std::size_t c = 0; c < head.d_k; ++c) sum.add(q[c], k[c]);
        scores[j] = sum.value() / root;
        finite = finite && sum.error() <= DBL_MAX;
        largest_score = std::max(largest_score, std::fabs(scores[j]));
        largest_error = std::max(largest_error, sum.error() / root * (DBL_EPSILON / 2));
    }
    return finite && largest_error <= allowed_error(largest_score);
}

// weights[0..count) = softmax of the scores that stand there
void softmax(std::vector<double> &weights, std::size_t count) {
    const double max = *std::max_element(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count));
    PlainSum sum;
    for (std::size_t j = 0; j < count; ++j) {
        weights[j] = std::exp(weights[j] - max);
        sum.add(weights[j], 1);
    }
    for (std::size_t j = 0; j < count; ++j) weights[j] /= sum.value();
}

void careful_scores(const Head &head, std::size_t i, std::vector<double> &scores); // below

// The softmax weights of query i: `weights` becomes n_k numbers, 0 for a key that it does not see.
void query_weights(const Head &head, std::size_t i, std::vector<double> &weights) {
    weights.assign(head.n_k, 0.0);
    if (!query_scores<PlainSum>(head, i, weights)) careful_scores(head, i, weights);
    softmax(weights, head.visible_keys(i));
}

// Attention of query i as textbooks have it: its output takes its place. `weights` is scratch.
void attend_query(const Head &head, std::size_t i, std::vector<double> &weights) {
    query_weights(head, i, weights);
    for (std::size_t c = 0; c < head.d_k; ++c) {
        PlainSum sum;
        for (std::size_t j = 0; j < head.visible_keys(i); ++j) {
            sum.add(weights[j], head.values[j * head.d_model + c]);
        }
        // a mean cannot pass the largest double but by rounding
        head.queries[i * head.d_model + c] = std::clamp(sum.value(), -DBL_MAX, DBL_MAX);
    }
}

// ----------------------------------------------------------------------------------------------------------------
// Attention where rounding would spoil a score: large terms cancel, or products pass the largest double
// ----------------------------------------------------------------------------------------------------------------

// A sum of products in twice the precision: what each product and each addition loses is summed beside it (Ogita,
// Rump and Oishi 2005, "Accurate sum and dot product"), and a bound of its error as PlainSum has one.
class DoubledSum {
    double sum_ = 0, lost_ = 0, magnitude_ = 0, terms_ = 0;

    // The upper 26 bits of x: the product of two such halves is exact.
    static double upper_half(double x) {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof x);
        bits &= ~std::uint64_t{(1 << 27) - 1};
        std::memcpy(&x, &bits, sizeof x);
        return x;
    }

  public:
    void add(double a, double b) {
        const double product = a * b, a_high = upper_half(a), b_high = upper_half(b);
        const double a_low = a - a_high, b_low = b - b_high;
        const double product_lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
        const double sum = sum_ + product, added = sum - sum_;
        const double sum_lost = (sum_ - (sum - added)) + (product - added);
        sum_ = sum;
        lost_ += product_lost + sum_lost;
        magnitude_ += std::fabs(product);
        ++terms_;
    }
    double value() const { return sum_ + lost_; }
    // The last addition. Then the parts lost: each is known to some 2^-22 of half an ulp of its product, and each
    // of the additions to their sum rounds it, which is less than two half ulps of `magnitude_` for each term.
    double error() const { return std::fabs(value()) + magnitude_ * (0x1p-19 + terms_ * terms_ * DBL_EPSILON); }
};

// A sum of products of doubles without any rounding: a fixed-point number with room for the smallest bit of the
// smallest product and for the largest sum (Kulisch's accumulator).
class ExactSum {
    static constexpr int lowest_exponent = -2 * (1073 + 53); // of a product of two subnormals, as add() takes it
    static constexpr std::int64_t radix = std::int64_t{1} << 32;
    std::array<std::int64_t, 140> digits_{}; // the sum is that of digits_[i] * 2^(32 i + lowest_exponent)
    int products_ = 0;

    // Brings every digit but the highest into [0, radix).
    void carry() {
        for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
            std::int64_t rest = digits_[i] % radix;
            if (rest < 0) rest += radix;
            digits_[i + 1] += (digits_[i] - rest) / radix;
            digits_[i] = rest;
        }
    }

    // Adds part * 2^exponent, |part| <= 2^54.
    void add_part(std::int64_t part, int exponent) {
        const int bit = exponent - lowest_exponent;
        const std::int64_t shift = std::int64_t{1} << (bit % 32);
        auto digit = digits_.begin() + bit / 32;
        for (const std::int64_t half : {part % radix, part / radix}) {
            digit[0] += half * shift % radix;
            digit[1] += half * shift / radix;
            ++digit;
        }
    }

  public:
    // Adds a * b, each factor as (high * 2^27 + low) * 2^exponent in whole numbers.
    void add(double a, double b) {
        int a_exponent, b_exponent;
        const auto a_whole = static_cast<std::int64_t>(std::ldexp(std::frexp(a, &a_exponent), 53));
        const auto b_whole = static_cast<std::int64_t>(std::ldexp(std::frexp(b, &b_exponent), 53));
        const std::int64_t split = std::int64_t{1} << 27;
        const std::int64_t a_high = a_whole / split, a_low = a_whole % split;
        const std::int64_t b_high = b_whole / split, b_low = b_whole % split;
        const int exponent = a_exponent + b_exponent - 2 * 53;
        add_part(a_high * b_high, exponent + 54);
        add_part(a_high * b_low + a_low * b_high, exponent + 27);
        add_part(a_low * b_low, exponent);
        if (++products_ % (1 << 20) == 0) carry(); // a digit has room for 2^28 products
    }

    void subtract(const ExactSum &other) {
        for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] -= other.digits_[i];
        carry();
    }

    // The sum as a double, a rounding or two away from it; infinite past the largest.
    double rounded() {
        carry();
        const bool negative = digits_.back() < 0;
        if (negative) {
            for (std::int64_t &digit : digits_) digit = -digit;
            carry();
        }
        double sum = 0;
        for (std::size_t i = digits_.size(); i-- > 0;) {
            if (digits_[i] == 0) continue;
            sum += std::ldexp(static_cast<double>(digits_[i]), 32 * static_cast<int>(i) + lowest_exponent);
        }
        return negative ? -sum : sum;
    }
};

// The scores of query i less the largest of them: scores[j] for each key j that it sees.
void exact_scores(const Head &head, std::size_t i, std::vector<double> &scores) {
    const double *q = head.queries + i * head.d_model;
    const auto product = [&](std::size_t j) { // q_i . k_j
        const double *k = head.keys + j * head.d_model;
        ExactSum sum;
        for (std::size_t c = 0; c < head.d_k; ++c) sum.add(q[c], k[c]);
        return sum;
    };
    const auto less = [](ExactSum sum, const ExactSum &other) {
        sum.subtract(other);
        return sum.rounded();
    };
    ExactSum largest = product(0);
    for (std::size_t j = 1; j < head.visible_keys(i); ++j) {
        const ExactSum sum = product(j);
        if (less(sum, largest) > 0) largest = sum;
    }
    for (std::size_t j = 0; j < head.visible_keys(i); ++j) {
        scores[j] = less(product(j), largest) / std::sqrt(static_cast<double>(head.d_k));
    }
}

// The scores of query i, or these less the largest of them, which is the same to a softmax, in twice the precision
// or, where that is not enough, exactly.
void careful_scores(const Head &head, std::size_t i, std::vector<double> &scores) {
    // with registers wider than double the parts lost would not be known
    if (FLT_EVAL_METHOD == 0 && query_scores<DoubledSum>(head, i, scores)) return;
    exact_scores(head, i, scores);
}

// ----------------------------------------------------------------------------------------------------------------
// Attention, fast: the same sums for a tile of queries at a time
//
// Each lane of a vector is a query. A tile's queries, scores, weights and outputs lie transposed, [..][lane], so
// that each inner loop runs over a constant count of lanes that all do the same: it vectorizes for any d_k, needs
// no sum across lanes, and keeps each output's sum in the order of the keys. Scores and outputs are then one and
// the same product, multiply(), whose sums stay in registers.
//
// No row of scores is ever whole: the softmax is the online one (Milakov and Gimelshein 2018; FlashAttention, Dao
// et al. 2022). Keys come in blocks; each lane has a running maximum and sum, and what was summed under a smaller
// maximum is scaled down. A block is packed in the order in which multiply() reads it, once for a group of tiles.
// ----------------------------------------------------------------------------------------------------------------

// multiply() has sums of 6 rows by 2 vectors of lanes: 12 sums hide the latency of two additions at a time, and
// with 2 vectors and 1 factor to load they fit the 16 registers of AVX2. AVX-512 has 32 registers and takes 3
// vectors: it then loads less for each product.
constexpr std::size_t strip_rows = 6;
constexpr std::size_t most_lanes = 24;

// So many keys in a block, at most: with 128 channels their K and V take 192 KiB of L2. More where there would be
// more than 2^13 blocks: their sums are added one by one.
constexpr std::size_t most_block_keys = tiny_blocks ? strip_rows : 96, most_blocks = 1 << 13;
// About so many queries in a group, at most: enough to make packing cheap beside its use.
constexpr std::size_t most_group_queries = tiny_blocks ? 4 * most_lanes : 1024;
// Groups that several threads share may be as small as this, or half of it where they are few.
constexpr std::size_t shared_group_queries = tiny_blocks ? most_lanes : 256;
// Up to so many pairs of a query and a key take the textbook's way: the exercise's n <= 10.
constexpr std::size_t textbook_pairs = tiny_blocks ? 0 : 100;
// A thread should have so many additions to do: some milliseconds.
constexpr std::uint64_t additions_per_thread = tiny_blocks ? 1 : 1 << 26;

std::size_t divide_up(std::size_t number, std::size_t unit) { return (number + unit - 1) / unit; }
std::size_t round_up(std::size_t number, std::size_t unit) { return divide_up(number, unit) * unit; }

// Numbers that begin at a multiple of 64 bytes, so that no vector straddles two cache lines.
class AlignedBuffer {
    std::vector<double> numbers_;
    double *first_ = nullptr;

  public:
    AlignedBuffer() = default;
    AlignedBuffer(const AlignedBuffer &) = delete;
    AlignedBuffer &operator=(const AlignedBuffer &) = delete;

    void resize(std::size_t size) {
        numbers_.resize(size + 64 / sizeof(double));
        first_ = numbers_.data();
        while (reinterpret_cast<std::uintptr_t>(first_) % 64 != 0) ++first_;
    }
    void fill(std::size_t size, double number) { std::fill_n(first_, size, number); }
    operator double *() { return first_; }
};

// How many rows of a head to take at once, `most` or less: where there is a choice 1 MiB each of Q, of the output,
// of K and of V, so that they stay in cache.
std::size_t fitting_rows(std::size_t d_k, std::size_t most) {
    return std::clamp((std::size_t{1} << 17) / d_k, std::size_t{1}, most);
}

// How many queries to take at once, whole tiles: the same for each group but the last, and two groups for each of
// several threads where they do not become too small.
std::size_t queries_per_group(const Shape &shape, std::size_t num_threads) {
    const std::size_t least = divide_up(shape.n_q, fitting_rows(shape.d_k(), most_group_queries));
    const std::size_t shared = num_threads > 1 ? divide_up(2 * num_threads, shape.all_heads()) : 1;
    const std::size_t groups = std::max(least, std::min(shared, divide_up(shape.n_q, shared_group_queries)));
    return round_up(divide_up(shape.n_q, groups), most_lanes);
}

// How many keys to take at once, whole strips. It does not depend on the threads, so that the sums do not.
std::size_t keys_per_block(const Shape &shape) {
    const std::size_t fitting = fitting_rows(shape.d_k(), std::max(most_block_keys, shape.n_k / most_blocks));
    return std::max(fitting / strip_rows, std::size_t{1}) * strip_rows;
}

// What one thread works on: a group of queries, a block of keys.
struct Scratch {
    std::vector<double> row; // for attend_query()
    std::size_t block_keys = 0;
    AlignedBuffer queries;      // [tile][d_k][lane], scaled
    AlignedBuffer outputs;      // [tile][d_k][lane], sums of weight * value so far
    AlignedBuffer maxima;       // [tile][lane], the largest score so far
    AlignedBuffer sums;         // [tile][lane], the sum of the weights so far
    AlignedBuffer longest_keys; // [tile], the largest sum of squares of a key so far
    AlignedBuffer keys;         // [strip of 6 keys][d_k][key]
    AlignedBuffer values;       // [strip of 6 channels][key][channel]
    AlignedBuffer weights;      // [key][lane], scores and then weights of one tile

    std::vector<std::size_t> inaccurate; // queries of which tiles cannot give the output

    Progress *progress = nullptr; // where to show how far it is; one thread does
    std::size_t part = 0, parts = 1;

    // Takes address space for a row, no memory until a query needs one.
    explicit Scratch(std::size_t n_k) { row.reserve(n_k); }

    // Makes room for the tiles of a group and for a block.
    void make_tiles(std::size_t group_queries, std::size_t keys_of_block, std::size_t d_k) {
        block_keys = keys_of_block;
        queries.resize(group_queries * d_k);
        outputs.resize(group_queries * d_k);
        maxima.resize(group_queries);
        sums.resize(group_queries);
        longest_keys.resize(group_queries); // more than tiles
        keys.resize(block_keys * d_k);
        values.resize(block_keys * d_k);
        weights.resize(block_keys * most_lanes);
        inaccurate.reserve(group_queries);
    }

    // Tells that `done` steps of `total` in the part are done.
    void show(const char *doing, std::size_t done, std::size_t total) const {
        if (progress) progress->show(doing, std::uint64_t{part} * total + done, std::uint64_t{parts} * total);
    }
};

// The lanes of one tile, in scratch.
struct Tile {
    std::size_t first_query;   // of the head
    std::size_t num_queries;   // in the first lanes
    double *queries, *outputs; // [d_k][lane]
    double *maxima, *sums;     // [lane]
    double *longest_key;
};

// The keys in scratch.
struct Block {
    std::size_t first_key, num_keys;
    double longest_key; // the largest sum of squares of one
};

// The functions below are one loop nest for the compiler: it must see them whole in each function that it compiles
// for a target of its own. g++ unrolls short loops before it vectorizes, and then vectorizes none: by no more than
// 2, lanes stay a loop until they are vectors.
#if defined(__GNUC__)
#define MHA_INLINE inline __attribute__((always_inline))
#else
#define MHA_INLINE inline
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define MHA_FOR_LANES _Pragma("GCC unroll 2") for (std::size_t lane = 0; lane < Lanes; ++lane)
#else
#define MHA_FOR_LANES for (std::size_t lane = 0; lane < Lanes; ++lane)
#endif

// sums[row][lane] = the sum over k < depth of a[k][row] * b[k][lane], depth >= 1
template <std::size_t Rows, std::size_t Lanes>
MHA_INLINE void multiply(const double *__restrict a, const double *__restrict b, std::size_t depth,
                         double (&sums)[Rows][Lanes]) {
    for (std::size_t row = 0; row < Rows; ++row) {
        MHA_FOR_LANES sums[row][lane] = -0.0; // adds nothing, as 0 does, but is no memset, which would be slower
    }
    std::size_t k = 0;
    do {
        for (std::size_t row = 0; row < Rows; ++row) {
            MHA_FOR_LANES sums[row][lane] += a[k * Rows + row] * b[k * Lanes + lane];
        }
    } while (++k < depth);
}

// 2^x for x <= 0, less 2^-1000, so that it is 0 from x = -1000 down (and for NaN, -infinity less -infinity, where
// every score has passed the largest double: is_accurate() tells). The relative error is below 1e-15 as far as x =
// -949.
MHA_INLINE double exp2_of_negative(double x) {
    x = x > -1000 ? x : -1000;
    // x = whole + part, |part| <= 1/2: next to 1.5 * 2^52 a double has no room for a fraction
    const double shifted = x + 0x1.8p52;
    const double part = x - (shifted - 0x1.8p52);
    // 2^part = 1 + part * p(part), p through (2^x - 1) / x at the Chebyshev nodes of [-1/2, 1/2]
    double power = 7.070977866508138e-09;
    power = power * part + 1.0205905413765595e-07;
    power = power * part + 1.3215451633221434e-06;
    power = power * part + 1.5252672924850737e-05;
    power = power * part + 0.00015403530424776529;
    power = power * part + 0.0013333558200794592;
    power = power * part + 0.009618129107618665;
    power = power * part + 0.05550410866465167;
    power = power * part + 0.24022650695910075;
    power = power * part + 0.6931471805599462;
    power = power * part + 1;
    // times 2^whole: the low bits of shifted are the whole number, and go to where the exponent is
    std::uint64_t power_bits, shifted_bits;
    std::memcpy(&power_bits, &power, sizeof power);
    std::memcpy(&shifted_bits, &shifted, sizeof shifted);
    power_bits += shifted_bits << 52;
    std::memcpy(&power, &power_bits, sizeof power);
    return power - 0x1p-1000;
}

// Starts a group: nothing summed yet, and the queries in their tiles, times log2(e) / sqrt(d_k), so that the scores
// are exponents of 2. Lanes past the last query hold zeros.
template <std::size_t Lanes>
MHA_INLINE void begin_group(const Head &head, std::size_t first, std::size_t count, Scratch &scratch) {
    const double log2_e = 1.4426950408889634;
    const double factor = log2_e / std::sqrt(static_cast<double>(head.d_k));
    const std::size_t lanes = round_up(count, Lanes);
    scratch.queries.fill(lanes * head.d_k, 0.0);
    scratch.outputs.fill(lanes * head.d_k, 0.0);
    scratch.maxima.fill(lanes, -HUGE_VAL);
    scratch.sums.fill(lanes, 0.0);
    scratch.longest_keys.fill(lanes / Lanes, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const double *q = head.queries + (first + i) * head.d_model;
        double *lane = scratch.queries + i / Lanes * Lanes * head.d_k + i % Lanes;
        for (std::size_t c = 0; c < head.d_k; ++c) lane[c * Lanes] = q[c] * factor;
    }
}

// Packs a block's keys, strip by strip, and finds the longest. The last strip is filled up with its last key;
// nobody reads those scores.
MHA_INLINE void pack_keys(const Head &head, Block &block, Scratch &scratch) {
    block.longest_key = 0;
    for (std::size_t first = 0; first < block.num_keys; first += strip_rows) {
        const double *rows[strip_rows];
        double squares[strip_rows] = {};
        for (std::size_t row = 0; row < strip_rows; ++row) {
            rows[row] = head.keys + (block.first_key + std::min(first + row, block.num_keys - 1)) * head.d_model;
        }
        double *strip = scratch.keys + first * head.d_k;
        for (std::size_t c = 0; c < head.d_k; ++c) {
            for (std::size_t row = 0; row < strip_rows; ++row) {
                const double k = rows[row][c];
                strip[c * strip_rows + row] = k;
                squares[row] += k * k;
            }
        }
        for (const double square : squares) block.longest_key = std::max(block.longest_key, square);
    }
}

// Packs a block's values, strip by strip; the last strip has the channels that are left.
MHA_INLINE void pack_values(const Head &head, const Block &block, Scratch &scratch) {
    const std::size_t whole = head.d_k / strip_rows * strip_rows, rest = head.d_k - whole;
    for (std::size_t j = 0; j < block.num_keys; ++j) {
        const double *v = head.values + (block.first_key + j) * head.d_model;
        for (std::size_t first = 0; first < whole; first += strip_rows) {
            double *to = scratch.values + first * block.num_keys + j * strip_rows;
            for (std::size_t c = 0; c < strip_rows; ++c) to[c] = v[first + c];
        }
        double *to = scratch.values + whole * block.num_keys + j * rest;
        for (std::size_t c = 0; c < rest; ++c) to[c] = v[whole + c];
    }
}

// scores = Q K^T of a tile and the first keys of the block, a whole strip at a time. The tile's chunk of channels
// stays in L1 for all of them.
template <std::size_t Lanes>
MHA_INLINE void score(const Tile &tile, std::size_t num_keys, std::size_t d_k, Scratch &scratch) {
    for (std::size_t c = 0; c < d_k; c += chunk_terms) {
        for (std::size_t first = 0; first < num_keys; first += strip_rows) {
            double sums[strip_rows][Lanes];
            multiply<strip_rows, Lanes>(scratch.keys + first * d_k + c * strip_rows, tile.queries + c * Lanes,
                                        std::min(chunk_terms, d_k - c), sums);
            for (std::size_t row = 0; row < strip_rows; ++row) {
                double *scores = scratch.weights + (first + row) * Lanes;
                MHA_FOR_LANES scores[lane] = c == 0 ? sums[row][lane] : scores[lane] + sums[row][lane];
            }
        }
    }
}

// scores = -infinity where a query does not see a key.
template <std::size_t Lanes>
MHA_INLINE void mask(const Head &head, const Tile &tile, const Block &block, std::size_t num_keys,
                     Scratch &scratch) {
    for (std::size_t lane = 0; lane < Lanes; ++lane) {
        const std::size_t visible = head.visible_keys(tile.first_query + lane);
        const std::size_t visible_here = visible > block.first_key ? visible - block.first_key : 0;
        for (std::size_t j = visible_here; j < num_keys; ++j) scratch.weights[j * Lanes + lane] = -HUGE_VAL;
    }
}

// maximum = the largest score so far
template <std::size_t Lanes>
MHA_INLINE void find_maximum(const Tile &tile, std::size_t num_keys, Scratch &scratch, double (&maximum)[Lanes]) {
    MHA_FOR_LANES maximum[lane] = tile.maxima[lane];
    for (std::size_t j = 0; j < num_keys; ++j) {
        const double *scores = scratch.weights + j * Lanes;
        MHA_FOR_LANES maximum[lane] = scores[lane] > maximum[lane] ? scores[lane] : maximum[lane];
    }
}

// weights = 2^(scores - maximum). Brings the tile's maxima and sums up to date; `factor` is by how much the sums
// before this block shrink.
template <std::size_t Lanes>
MHA_INLINE void weigh(const Tile &tile, std::size_t num_keys, Scratch &scratch, const double (&maximum)[Lanes],
                      double (&factor)[Lanes]) {
    double sum[Lanes];
    MHA_FOR_LANES {
        factor[lane] = exp2_of_negative(tile.maxima[lane] - maximum[lane]);
        sum[lane] = 0;
    }
    for (std::size_t j = 0; j < num_keys; ++j) {
        double *weights = scratch.weights + j * Lanes;
        MHA_FOR_LANES {
            weights[lane] = exp2_of_negative(weights[lane] - maximum[lane]);
            sum[lane] += weights[lane];
        }
    }
    MHA_FOR_LANES {
        tile.maxima[lane] = maximum[lane];
        tile.sums[lane] = tile.sums[lane] * factor[lane] + sum[lane];
    }
}

// outputs = outputs * factor + V^T weights, for Rows channels.
template <std::size_t Rows, std::size_t Lanes>
MHA_INLINE void add_strip(const double *values, const double *weights, std::size_t num_keys,
                          const double (&factor)[Lanes], double *__restrict outputs) {
    double sums[Rows][Lanes];
    multiply<Rows, Lanes>(values, weights, num_keys, sums);
    for (std::size_t row = 0; row < Rows; ++row) {
        double *output = outputs + row * Lanes;
        MHA_FOR_LANES output[lane] = output[lane] * factor[lane] + sums[row][lane];
    }
}

// The same for all channels. The block has `block_keys` values, of which the tile sees the first `num_keys`.
template <std::size_t Lanes>
MHA_INLINE void add_values(const Tile &tile, std::size_t num_keys, std::size_t block_keys, std::size_t d_k,
                           Scratch &scratch, const double (&factor)[Lanes]) {
    const double *weights = scratch.weights, *values = scratch.values;
    double *outputs = tile.outputs;
    for (std::size_t left = d_k; left >= strip_rows; left -= strip_rows) {
        add_strip<strip_rows, Lanes>(values, weights, num_keys, factor, outputs);
        values += strip_rows * block_keys;
        outputs += strip_rows * Lanes;
    }
    switch (d_k % strip_rows) {
    case 5:
        return add_strip<5, Lanes>(values, weights, num_keys, factor, outputs);
    case 4:
        return add_strip<4, Lanes>(values, weights, num_keys, factor, outputs);
    case 3:
        return add_strip<3, Lanes>(values, weights, num_keys, factor, outputs);
    case 2:
        return add_strip<2, Lanes>(values, weights, num_keys, factor, outputs);
    case 1:
        return add_strip<1, Lanes>(values, weights, num_keys, factor, outputs);
    }
}

// Whether a query's scores are as good as the textbook's: no rounding error matters, and no product has passed the
// largest double. By Cauchy and Schwarz the absolute values of a score's products sum up to no more than |q| |k|; a
// sum of m of them is off by no more than m half ulps of that. The squares are of the scaled query and of the
// longest key, the score in units of log2(e).
bool is_accurate(std::size_t d_k, double query_square, double key_square, double largest_score) {
    const double ln_2 = 0.6931471805599453;
    // of each term its product and the additions in its chunk; then those of the chunks, and four for the scale of
    // the query
    const auto roundings = static_cast<double>(4 + std::min(d_k, chunk_terms) + d_k / chunk_terms);
    const double error = roundings * (DBL_EPSILON / 2) * std::sqrt(query_square) * std::sqrt(key_square) * ln_2;
    return error < allowed_error(std::fabs(largest_score) * ln_2);
}

// Writes a tile's outputs, sums of weighted values over sums of weights, in place of its queries. Leaves, and
// lists, those that would not be accurate.
template <std::size_t Lanes> MHA_INLINE void store_outputs(const Head &head, const Tile &tile, Scratch &scratch) {
    double query_squares[Lanes], zero_if_finite[Lanes]; // else NaN
    MHA_FOR_LANES query_squares[lane] = zero_if_finite[lane] = 0;
    for (std::size_t c = 0; c < head.d_k; ++c) {
        const double *q = tile.queries + c * Lanes;
        double *output = tile.outputs + c * Lanes;
        MHA_FOR_LANES {
            query_squares[lane] += q[lane] * q[lane];
            output[lane] /= tile.sums[lane];
            zero_if_finite[lane] += output[lane] * 0;
        }
    }
    for (std::size_t lane = 0; lane < tile.num_queries; ++lane) {
        const std::size_t i = tile.first_query + lane;
        if (zero_if_finite[lane] == 0 &&
            is_accurate(head.d_k, query_squares[lane], *tile.longest_key, tile.maxima[lane])) {
            double *output = head.queries + i * head.d_model;
            for (std::size_t c = 0; c < head.d_k; ++c) output[c] = tile.outputs[c * Lanes + lane];
        } else {
            scratch.inaccurate.push_back(i);
        }
    }
}

// Brings a tile's sums up to date with the block.
template <std::size_t Lanes>
MHA_INLINE void attend_block(const Head &head, const Tile &tile, const Block &block, Scratch &scratch) {
    // the last query of the tile sees the most keys
    const std::size_t visible = head.visible_keys(tile.first_query + tile.num_queries - 1);
    if (visible <= block.first_key) return;
    *tile.longest_key = std::max(*tile.longest_key, block.longest_key);
    const std::size_t num_keys = std::min(visible - block.first_key, block.num_keys);
    const bool some_hidden = head.visible_keys(tile.first_query) < block.first_key + num_keys;
    double maximum[Lanes], factor[Lanes];
    score<Lanes>(tile, num_keys, head.d_k, scratch);
    if (some_hidden) mask<Lanes>(head, tile, block, num_keys, scratch);
    find_maximum<Lanes>(tile, num_keys, scratch, maximum);
    weigh<Lanes>(tile, num_keys, scratch, maximum, factor);
    add_values<Lanes>(tile, num_keys, block.num_keys, head.d_k, scratch, factor);
}

// Attention of `count` of a head's queries, from the first on: their outputs take their place.
template <std::size_t Lanes>
MHA_INLINE void attend_group(const Head &head, std::size_t first, std::size_t count, Scratch &scratch) {
    const auto tile_at = [&](std::size_t i) {
        return Tile{first + i,
                    std::min(Lanes, count - i),
                    scratch.queries + i * head.d_k,
                    scratch.outputs + i * head.d_k,
                    scratch.maxima + i,
                    scratch.sums + i,
                    scratch.longest_keys + i / Lanes};
    };
    begin_group<Lanes>(head, first, count, scratch);
    const std::size_t last_visible = head.visible_keys(first + count - 1);
    for (Block block{0, 0, 0}; block.first_key < last_visible; block.first_key += block.num_keys) {
        scratch.show("attention", block.first_key, 2 * last_visible);
        // whole blocks, that tiles may be alike in all groups
        block.num_keys = std::min(scratch.block_keys, head.n_k - block.first_key);
        pack_keys(head, block, scratch);
        pack_values(head, block, scratch);
        for (std::size_t i = 0; i < count; i += Lanes) attend_block<Lanes>(head, tile_at(i), block, scratch);
    }
    scratch.inaccurate.clear();
    for (std::size_t i = 0; i < count; i += Lanes) store_outputs<Lanes>(head, tile_at(i), scratch);
    for (std::size_t done = 0; done < scratch.inaccurate.size(); ++done) {
        scratch.show("attention, carefully", scratch.inaccurate.size() + done, 2 * scratch.inaccurate.size());
        attend_query(head, scratch.inaccurate[done], scratch.row);
    }
}

// The same in the textbook's way.
void attend_queries(const Head &head, std::size_t first, std::size_t count, Scratch &scratch) {
    for (std::size_t done = 0; done < count; ++done) {
        scratch.show("attention", done, count);
        attend_query(head, first + done, scratch.row);
    }
}

// attend_group() for one target each, and the choice among those that the machine has. MHA_NO_DISPATCH leaves but
// the compiler's own. Not on Windows with g++, which cannot align vectors on the stack there.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(MHA_NO_DISPATCH) &&                \
    (defined(__clang__) || !defined(_WIN32))
#define MHA_DISPATCH
#endif

using AttendGroup = void (*)(const Head &, std::size_t first, std::size_t count, Scratch &);

#if defined(__AVX512F__)
constexpr std::size_t plain_lanes = most_lanes;
#elif defined(__AVX__)
constexpr std::size_t plain_lanes = 8;
#else
constexpr std::size_t plain_lanes = 4;
#endif

void attend_group_plain(const Head &head, std::size_t first, std::size_t count, Scratch &scratch) {
    attend_group<plain_lanes>(head, first, count, scratch);
}

#if defined(MHA_DISPATCH)
#define MHA_AVX512 "avx512f,avx512dq,avx512vl,fma"
#define MHA_AVX2 "avx2,fma"

__attribute__((target(MHA_AVX512))) void attend_group_avx512(const Head &head, std::size_t first, std::size_t count,
                                                             Scratch &scratch) {
    attend_group<most_lanes>(head, first, count, scratch);
}

__attribute__((target(MHA_AVX2))) void attend_group_avx2(const Head &head, std::size_t first, std::size_t count,
                                                         Scratch &scratch) {
    attend_group<8>(head, first, count, scratch);
}
#endif

AttendGroup fastest_attend_group() {
#if defined(MHA_DISPATCH)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
        return attend_group_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return attend_group_avx2;
#endif
    return attend_group_plain;
}

// A thread for each few milliseconds of work, as far as there are processors and leave.
std::size_t count_threads(const Shape &shape, std::uint64_t most_threads) {
    const auto number = [](std::size_t size) { return static_cast<double>(size); };
    // a weight takes as much as 16 additions
    const double additions =
        number(shape.all_heads()) * number(shape.n_q) * number(shape.n_k) * (2 * number(shape.d_k()) + 16);
    const double deserved = 1 + additions / static_cast<double>(additions_per_thread);
    const std::uint64_t processors = std::max(1u, std::thread::hardware_concurrency());
    const auto most = static_cast<double>(std::min(processors, most_threads));
    return static_cast<std::size_t>(std::min(deserved, most));
}

// All queries of all heads, on at most `most_threads` threads: the output takes the place of problem.queries. The
// result does not depend on the threads: each tile is computed by itself. Throws bad_alloc.
void attend(Problem &problem, Progress &progress, std::uint64_t most_threads) {
    const Shape &shape = problem.shape;
    const std::size_t n_q = shape.n_q, n_k = shape.n_k, d_k = shape.d_k();

    // What tiles may take beside Q, K and V: a tenth of them, and 5 MiB.
    const std::size_t numbers = problem.queries.size() + problem.keys.size() + problem.values.size();
    const std::size_t room = numbers / 10 + (std::size_t{5} << 17);

    // The exercise's own sizes go the textbook's way, in which ties fall as in everyone's solution; so do heads so
    // wide that there is no room for a tile, and machines whose registers are wider than double, where
    // exp2_of_negative() would be wrong.
    const bool by_textbook =
        n_k <= textbook_pairs / n_q || 2 * (most_lanes + strip_rows) > room / d_k || FLT_EVAL_METHOD != 0;
    const AttendGroup attend_part = by_textbook ? attend_queries : fastest_attend_group();
    const std::size_t num_threads = count_threads(shape, most_threads);
    const std::size_t group_queries = by_textbook ? 1 : queries_per_group(shape, num_threads);
    const std::size_t block_keys = by_textbook ? 0 : keys_per_block(shape);
    const std::size_t groups = divide_up(n_q, group_queries), parts = shape.all_heads() * groups;
    const std::size_t scratches_in_room = room / d_k / (2 * (group_queries + block_keys));

    std::atomic<std::size_t> next_part{0};
    const auto work = [&](Scratch &scratch) {
        while ((scratch.part = next_part++) < parts) {
            // under a causal mask the last queries take the longest: they come first
            const std::size_t first = (groups - 1 - scratch.part % groups) * group_queries;
            const Head head = head_of(problem, scratch.part / groups);
            attend_part(head, first, std::min(group_queries, n_q - first), scratch);
        }
    };

    std::deque<Scratch> scratches; // of each thread; the first is this one's
    const auto add_scratch = [&]() -> Scratch & {
        Scratch &scratch = scratches.emplace_back(n_k);
        if (!by_textbook) scratch.make_tiles(group_queries, block_keys, d_k);
        return scratch;
    };
    Scratch &own_scratch = add_scratch();
    own_scratch.progress = &progress;
    own_scratch.parts = parts;
    std::vector<std::thread> threads;
    try {
        while (threads.size() + 1 < std::min({num_threads, parts, scratches_in_room})) {
            threads.emplace_back([&work, &scratch = add_scratch()] { work(scratch); });
        }
    } catch (const std::exception &) {
        // No memory or no thread to be had: those that are there do the work.
    }
    work(own_scratch);
    for (std::thread &thread : threads) thread.join();
}

// ----------------------------------------------------------------------------------------------------------------
// Output: numbers to text
// ----------------------------------------------------------------------------------------------------------------

// The sign, 309 digits, the point and 4 digits of the largest double, and the 0 behind them that snprintf() writes.
constexpr std::size_t longest_number = 1 + 309 + 1 + 4 + 1;

// Writes `value` at `at` as printf("%.4f") does and returns the byte behind it.
char *format_number(char *at, double value) {
    // Scaled by 10^4 and rounded to a whole number: the same digits wherever the scaled fraction is further from
    // one half than the multiplication's error (half an ulp), and the whole number is exact.
    const double scaled = std::fabs(value) * 1e4;
    if (scaled < 1e15) {
        const auto floor = static_cast<std::int64_t>(scaled);
        const double above_half = scaled - static_cast<double>(floor) - 0.5;
        if (std::fabs(above_half) > scaled * DBL_EPSILON) {
            if (std::signbit(value)) *at++ = '-';
            const auto rounded = static_cast<std::uint64_t>(floor + (above_half > 0));
            at = std::to_chars(at, at + 20, rounded / 10000).ptr;
            auto fraction = static_cast<unsigned>(rounded % 10000);
            *at = '.';
            for (int place = 4; place >= 1; --place, fraction /= 10)
                at[place] = static_cast<char>('0' + fraction % 10);
            return at + 5;
        }
    }
#if defined(MHA_HAS_CHARCONV)
    return std::to_chars(at, at + longest_number, value, std::chars_format::fixed, 4).ptr;
#else
    return at + std::snprintf(at, longest_number, "%.4f", value);
#endif
}

// Rows of numbers on standard output.
class Output {
    std::vector<char> buffer_ = std::vector<char>(1 << 16);
    std::size_t used_ = 0;

    void flush() {
        for (std::size_t written = 0; written < used_;) {
            errno = 0;
            written += std::fwrite(buffer_.data() + written, 1, used_ - written, stdout);
            if (std::ferror(stdout) && errno != EINTR) throw system_error("<stdout>");
            std::clearerr(stdout);
        }
        used_ = 0;
    }

  public:
    Output() { std::setvbuf(stdout, nullptr, _IONBF, 0); } // the buffer here is enough

    // Writes a text that the buffer has room for.
    void text(std::string_view text) { used_ += text.copy(buffer_.data() + used_, buffer_.size() - used_); }

    // Writes `[x.xxxx ...]` and a newline. Throws Error where the system refuses.
    void row(const double *numbers, std::size_t count) {
        buffer_[used_++] = '[';
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) buffer_[used_++] = ' ';
            used_ = static_cast<std::size_t>(format_number(buffer_.data() + used_, numbers[i]) - buffer_.data());
            if (used_ + longest_number + 3 > buffer_.size()) flush(); // room for one more and what stands around it
        }
        buffer_[used_++] = ']';
        buffer_[used_++] = '\n';
    }

    // Writes what is left. Throws Error where the system refuses: only now is it known that all has arrived.
    void close() {
        flush();
        if (std::fclose(stdout) != 0) throw system_error("<stdout>");
    }
};

// Prints the rows of the output, (batch * n_q, d_model). Throws Error.
void print_rows(const Problem &problem, Output &output, Progress &progress) {
    progress.give_way();
    const std::size_t d_model = problem.shape.d_model, rows = problem.queries.size() / d_model;
    for (std::size_t i = 0; i < rows; ++i) {
        progress.show("printing", i, rows);
        output.row(problem.queries.data() + i * d_model, d_model);
    }
}

// Prints the softmax weights, (batch * num_heads * n_q, n_k), each row as soon as it is known. Throws Error;
// bad_alloc before the first row.
void print_weights(Problem &problem, Output &output, Progress &progress) {
    progress.give_way();
    const std::size_t all_heads = problem.shape.all_heads();
    std::vector<double> weights;
    weights.reserve(problem.shape.n_k);
    for (std::size_t index = 0; index < all_heads; ++index) {
        const Head head = head_of(problem, index);
        for (std::size_t i = 0; i < head.n_q; ++i) {
            progress.show("printing weights", index * head.n_q + i, all_heads * head.n_q);
            query_weights(head, i, weights);
            output.row(weights.data(), weights.size());
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------
// Command line
// ----------------------------------------------------------------------------------------------------------------

const char *const help_text = R"(Usage: mha [--causal] [--weights] [--threads N] [FILE]
       mha --help | --version

Multi-head attention on projected queries, keys and values: softmax(Q K^T / sqrt(d_k)) V in each head.
Reads FILE, or standard input where FILE is absent or -, and prints a row `[x.xxxx ...]` for each query.

Input:  n d h              n tokens, model width d, h heads; then Q, K, V, each n rows of d numbers
   or:  b n_q n_k d h      a batch of b: Q has b*n_q rows, K and V have b*n_k rows

  --causal       query i sees key j only where j <= i + (n_k - n_q)
  --weights      print the softmax weights instead: for each batch item, head and query a row of n_k
  --threads N    use at most N threads; otherwise as many as the machine has and the work deserves
                 (--weights takes one)
  --help         print this and exit
  --version      print the version and exit

Exit status: 0 if all is well, 1 if the input or the system is at fault, 2 if the command line is.
)";

struct Options {
    bool causal = false;
    bool weights = false;
    std::uint64_t threads = UINT64_MAX; // at most
    std::string file = "-";
    const char *text = nullptr; // to print in place of any work
};

// Reads the command line. Throws Error, status 2, at the first word that is wrong.
[[maybe_unused]] Options parse_options(const std::vector<std::string> &words) {
    const auto usage_error = [](const std::string &message) { return Error{message + "; try mha --help", 2}; };
    Options options;
    bool has_file = false, options_ended = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (options_ended || words[i].size() < 2 || words[i][0] != '-') {
            if (has_file) throw usage_error("more than one input file: " + quoted(words[i]));
            has_file = true;
            options.file = words[i];
            continue;
        }
        if (words[i] == "--") {
            options_ended = true;
            continue;
        }
        const std::size_t equals = words[i].find('=');
        const std::string name = words[i].substr(0, equals);
        if (name == "--threads") {
            if (equals == std::string::npos && i + 1 == words.size()) {
                throw usage_error("option --threads needs a value");
            }
            const std::string value = equals == std::string::npos ? words[++i] : words[i].substr(equals + 1);
            if (!parse_whole(value, options.threads)) {
                throw usage_error("option --threads: expected a whole number of at least 1, found " +
                                  quoted(value));
            }
            continue;
        }
        if (name != "--causal" && name != "--weights" && name != "--help" && name != "--version") {
            throw usage_error("unknown option " + quoted(name));
        }
        if (equals != std::string::npos) throw usage_error("option " + name + " takes no value");
        if (name == "--causal") options.causal = true;
        if (name == "--weights") options.weights = true;
        if (name == "--help") options.text = help_text;
        if (name == "--version") options.text = "mha 1.0.0\n";
        if (options.text) break;
    }
    return options;
}

// The whole program but its errors. Throws Error; bad_alloc or length_error where there is no memory.
[[maybe_unused]] void run(const Options &options) {
    Output output;
    if (options.text) {
        output.text(options.text);
    } else {
        Progress progress;
        Input input(options.file);
        Problem problem = read_problem(input, progress, options.causal);
        if (options.weights) {
            print_weights(problem, output, progress);
        } else {
            attend(problem, progress, options.threads);
            print_rows(problem, output, progress);
        }
    }
    output.close();
}

} // namespace

#if !defined(MHA_NO_MAIN)
int main(int argc, char **argv) {
#if defined(_WIN32)
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    Error error;
    try {
        run(parse_options({argv + 1, argv + argc}));
        return 0;
    } catch (const Error &caught) {
        error = caught;
    } catch (const std::exception &) { // bad_alloc, or length_error for a vector longer than the address space
        error = {std::string("memory: ") + std::strerror(ENOMEM)};
    }
    std::fprintf(stderr, "mha: %s\n", error.message.c_str());
    return error.status;
}
#endif
