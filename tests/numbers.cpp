// The functions of src/mha.cpp that turn text into numbers, numbers into text and numbers into numbers, each
// against the C library or against wider arithmetic:
//
//     build/numbers
//
// A line for each group of checks, with the first one that fails; the last line is `N passed, N failed` of groups.

#define MHA_NO_MAIN
#include "../src/mha.cpp"
#include "exact.h"

#include <random>

namespace {

// ----------------------------------------------------------------------------------------------------------------
// Groups of checks, random numbers
// ----------------------------------------------------------------------------------------------------------------

int groups_passed = 0, groups_failed = 0;

// Counts checks from its construction to report().
class Group {
    const std::string name_;
    std::uint64_t checks_ = 0, wrong_ = 0;
    std::string first_wrong_;

  public:
    explicit Group(const std::string &name) : name_(name) {}

    // `describe()` is a string that tells what was wrong.
    template <class Describe> void check(bool right, const Describe &describe) {
        ++checks_;
        if (right) return;
        if (wrong_++ == 0) first_wrong_ = describe();
    }

    void report(const std::string &remark = "") {
        const bool right = wrong_ == 0 && checks_ > 0;
        ++(right ? groups_passed : groups_failed);
        std::printf("%s %-48s %8llu checks%s\n", right ? "ok  " : "FAIL", name_.c_str(),
                    static_cast<unsigned long long>(checks_), remark.c_str());
        if (wrong_ > 0) {
            std::printf("    %llu wrong, the first: %s\n", static_cast<unsigned long long>(wrong_),
                        first_wrong_.c_str());
        }
    }
};

std::mt19937_64 random_bits(1);

double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_bits() >> 11) * 0x1p-53);
}

std::size_t whole(std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(random_bits() % (high - low + 1));
}

bool coin() { return whole(0, 1) == 1; }

// 10^x for x uniform in [low, high].
double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }

std::uint64_t bits_of(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Every finite double is as likely as any other.
double random_double() {
    for (;;) {
        const std::uint64_t bits = random_bits();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) return value;
    }
}

template <class Number> std::string printed(const char *format, int digits, Number value) {
    char text[1200];
    const int length = std::snprintf(text, sizeof text, format, digits, value);
    return {text, static_cast<std::size_t>(length)};
}

// ----------------------------------------------------------------------------------------------------------------
// format_number() against printf
// ----------------------------------------------------------------------------------------------------------------

void check_format(Group &group, double value) {
    for (const double number : {value, -value}) {
        char text[400];
        const std::string found(text, format_number(text, number)), expected = printed("%.*f", 4, number);
        group.check(found == expected,
                    [&] { return printed("%.*g", 17, number) + " gives " + found + " and not " + expected; });
    }
}

void check_format_with_neighbours(Group &group, double value) {
    check_format(group, value);
    check_format(group, std::nextafter(value, -HUGE_VAL));
    check_format(group, std::nextafter(value, HUGE_VAL));
}

void format_random() {
    Group any("format_number: any double");
    for (int i = 0; i < 100000; ++i) check_format(any, random_double());
    any.report();

    Group usual("format_number: 1e-6 to 1e16");
    for (int i = 0; i < 100000; ++i) check_format(usual, magnitude(-6, 16));
    usual.report();
}

void format_ties() {
    Group exact("format_number: ties, and next to them");
    for (int k = 0; k <= 20 * 32; ++k) { // k/32 has five decimals, the last a 5 where k is odd
        for (const double whole_part : {0.0, 1e4, 1e8, 1e11, 1e13}) {
            check_format_with_neighbours(exact, whole_part + k / 32.0);
        }
    }
    exact.report();

    Group nearly("format_number: the doubles next to x.xxxx5");
    for (int k = 0; k < 100000; ++k) check_format_with_neighbours(nearly, (k + 0.5) / 1e4);
    for (int k = 0; k < 100000; ++k) check_format_with_neighbours(nearly, std::floor(magnitude(0, 15)) / 2e4);
    nearly.report();
}

void format_borders() {
    Group group("format_number: 10^k, 2^k, 0, the largest");
    for (int k = -324; k <= 308; ++k) {
        for (const int digit : {1, 5, 9}) {
            check_format_with_neighbours(
                group, std::strtod((std::to_string(digit) + "e" + std::to_string(k)).c_str(), nullptr));
        }
    }
    for (int k = -1074; k <= 1023; ++k) check_format_with_neighbours(group, std::ldexp(1, k));
    check_format(group, 0);
    check_format(group, DBL_MAX);
    for (const double border : {1e11, 99999.99995, 9.99995, 0.99995, 0.00005, 0x1p53}) {
        check_format_with_neighbours(group, border);
    }
    group.report();
}

// ----------------------------------------------------------------------------------------------------------------
// parse_number() against strtod
// ----------------------------------------------------------------------------------------------------------------

// Whether parse_number() takes all of the literal.
bool parse(std::string literal, double &value) {
    literal += '\n';
    const char *last = literal.data() + literal.size() - 1;
    return parse_number(literal.data(), last, value) == last;
}

void check_parse(Group &group, const std::string &literal) {
    double found = 0;
    const bool taken = parse(literal, found);
    const double expected = std::strtod(literal.c_str(), nullptr);
    group.check(taken && bits_of(found) == bits_of(expected), [&] {
        return literal + (taken ? printed(" gives %.*g", 17, found) : " is refused") +
               printed(" and not %.*g", 17, expected);
    });
}

std::string random_digits(std::size_t count) {
    std::string digits;
    while (digits.size() < count) digits += static_cast<char>('0' + random_bits() % 10);
    return digits;
}

// Any literal that is a number: at least one digit before or behind the point.
std::string random_literal() {
    const std::size_t most = whole(0, 9) == 0 ? 800 : 20;
    const std::size_t digits = whole(1, most), before = whole(0, digits);
    std::string literal = std::array{"", "-", "+"}[whole(0, 2)];
    if (whole(0, 3) == 0) literal += std::string(whole(1, most), '0');
    literal += random_digits(before);
    if (before < digits || coin()) literal += '.';
    if (whole(0, 3) == 0 && before < digits) literal += std::string(whole(1, most), '0');
    literal += random_digits(digits - before);
    if (coin()) return literal;
    literal += coin() ? 'e' : 'E';
    literal += std::array{"", "-", "+"}[whole(0, 2)];
    if (whole(0, 3) == 0) literal += std::string(whole(1, 30), '0');
    return literal + std::to_string(whole(0, 9) == 0 ? whole(0, 1200) : whole(0, 340));
}

// The number half way between `low` and the next double, and what is closest below and above it in some 800 digits.
void check_halfway(Group &group, double low) {
    const double high = std::nextafter(low, HUGE_VAL);
    const long double next = high > DBL_MAX ? std::ldexp(1.0L, 1024) : static_cast<long double>(high);
    const long double middle = low + (next - low) / 2;
    const std::string text = printed("%.*Le", 800, middle);
    const std::size_t end_of_digits = text.find('e'), last_digit = text.find_last_not_of('0', end_of_digits - 1);
    const std::string digits = text.substr(0, end_of_digits), exponent = text.substr(end_of_digits);
    std::string smaller = digits;
    --smaller[last_digit];
    std::fill(smaller.begin() + static_cast<std::ptrdiff_t>(last_digit) + 1, smaller.end(), '9');
    for (const std::string &near : {digits, digits + "1", smaller, digits.substr(0, last_digit + 1)}) {
        check_parse(group, near + exponent);
        check_parse(group, '-' + near + exponent);
    }
}

void parse_right() {
    Group forms("parse_number: literals of every form");
    for (int i = 0; i < 200000; ++i) check_parse(forms, random_literal());
    forms.report();

    Group round_trips("parse_number: any double in 1 to 25 digits");
    for (int i = 0; i < 100000; ++i) {
        const int digits = static_cast<int>(whole(0, 24));
        check_parse(round_trips, printed("%.*e", digits, random_double()));
        const double value = random_double();
        double found = 0;
        const bool taken = parse(printed("%.*g", 17, value), found);
        round_trips.check(taken && bits_of(found) == bits_of(value),
                          [&] { return printed("%.*g", 17, value) + printed(" comes back as %.*g", 17, found); });
    }
    round_trips.report();

    Group halfway("parse_number: half way between two doubles");
    for (int i = 0; i < 5000; ++i) check_halfway(halfway, std::fabs(random_double()));
    for (int i = 0; i < 2000; ++i) check_halfway(halfway, magnitude(-5, 20));
    for (int i = 0; i < 2000; ++i) check_halfway(halfway, static_cast<double>(whole(0, 2000)) * DBL_TRUE_MIN);
    for (const double border : {0.0, DBL_TRUE_MIN, std::nextafter(DBL_MIN, 0), DBL_MIN, DBL_MAX}) {
        check_halfway(halfway, border);
    }
    halfway.report();
}

void parse_borders() {
    Group group("parse_number: past the largest and the smallest");
    const std::string zeros(400, '0'), nines(310, '9');
    for (const std::string sign : {"", "-", "+"}) {
        for (const std::string literal : {"1e308",
                                          "1.7976931348623157e308",
                                          "1.7976931348623158e308",
                                          "1.7976931348623159e308",
                                          "1.8e308",
                                          "1e309",
                                          "1e400",
                                          "1e99999",
                                          "1e99999999999999999999",
                                          "2.2250738585072014e-308",
                                          "2.2250738585072011e-308",
                                          "4.9406564584124654e-324",
                                          "5e-324",
                                          "2.5e-324",
                                          "2.4e-324",
                                          "1e-400",
                                          "1e-99999",
                                          "1e-99999999999999999999",
                                          "0e99999999999999999999",
                                          "0e-99999999999999999999",
                                          "0.0",
                                          ".0",
                                          "0.",
                                          "00",
                                          "5.",
                                          ".5",
                                          "1.e5",
                                          ".5E-5"}) {
            check_parse(group, sign + literal);
        }
        check_parse(group, sign + nines);
        check_parse(group, sign + "1" + zeros + "e-400");
        check_parse(group, sign + "1" + zeros + "." + zeros + "e-500");
        check_parse(group, sign + "." + zeros + "1e400");
        check_parse(group, sign + "." + zeros + "1");
        check_parse(group, sign + zeros + zeros + ".25" + zeros);
    }
    group.report();
}

void parse_refusals() {
    Group group("parse_number: what is no number");
    for (const std::string sign : {"", "-", "+"}) {
        for (const std::string literal : {"inf",
                                          "Inf",
                                          "INFINITY",
                                          "nan",
                                          "NaN",
                                          "nan(1)",
                                          "0x10",
                                          "0X1p3",
                                          "0x",
                                          "00x1",
                                          "0b1",
                                          "1e",
                                          "1e+",
                                          "1E-",
                                          "1.5e",
                                          ".",
                                          ".e1",
                                          "e5",
                                          "+1",
                                          "-1",
                                          "+.5",
                                          "1..2",
                                          "1.2.3",
                                          "1e1.5",
                                          "1e5e5",
                                          "1e++5",
                                          "1f",
                                          "1.0L",
                                          "1d0",
                                          "1_000",
                                          "1'000",
                                          "1-2",
                                          "1/2",
                                          "1+2j",
                                          "1;2",
                                          "\xEF\xBC\x91",
                                          "\xE2\x88\x92"
                                          "1",
                                          "$1",
                                          "1%"}) {
            const std::string signed_literal = sign + literal;
            if (sign.empty() && (literal[0] == '+' || literal[0] == '-')) continue; // one sign is right
            double value = 0;
            group.check(!parse(signed_literal, value),
                        [&] { return signed_literal + printed(" is taken as %.*g", 17, value); });
        }
    }
    group.report();
}

// ----------------------------------------------------------------------------------------------------------------
// exp2_of_negative() against exp2l
// ----------------------------------------------------------------------------------------------------------------

void exp2_everywhere() {
    // 2^-1000 is taken off the result, so that -1000 gives 0. That is more than 1e-15 of it from -950 down.
    Group near("exp2_of_negative: -949 to 0"), far("exp2_of_negative: below -949");
    long double largest = 0;
    const auto check = [&](double x) {
        if (x > 0) return;
        const long double expected = std::exp2(static_cast<long double>(x));
        const long double error = std::fabs(exp2_of_negative(x) - expected);
        const auto describe = [x] { return printed("%.*g", 17, x); };
        if (x < -949) {
            far.check(error <= 1e-15L * expected + 0x1p-1000L, describe);
        } else {
            largest = std::max(largest, error / expected);
            near.check(error <= 1e-15L * expected, describe);
        }
    };
    for (int i = 0; i < 500000; ++i) {
        check(uniform(-1000, 0));
        check(uniform(-2, 0));
        check(-magnitude(-20, 3));
    }
    for (int half = 0; half <= 2000; ++half) {
        const double x = -half / 2.0;
        check(x);
        check(std::nextafter(x, -HUGE_VAL));
        check(std::nextafter(x, HUGE_VAL));
    }
    for (const double x : {-1000.0, -1000.5, -1e5, -1e300, -DBL_MAX, -HUGE_VAL, std::nan("")}) {
        far.check(exp2_of_negative(x) == 0, [x] { return printed("%.*g", 17, x) + " does not give 0"; });
    }
    near.check(exp2_of_negative(0) == 1, [] { return "0 does not give 1"; });
    near.report(printed(", largest relative error %.*Lg", 3, largest));
    far.report();
}

// ----------------------------------------------------------------------------------------------------------------
// ExactSum against whole numbers
// ----------------------------------------------------------------------------------------------------------------

using Products = std::vector<std::pair<double, double>>;

double exact_sum(Products products) {
    std::shuffle(products.begin(), products.end(), random_bits);
    ExactSum sum;
    for (const auto &[a, b] : products) sum.add(a, b);
    return sum.rounded();
}

void check_sum(Group &group, const Products &products, double expected) {
    const double found = exact_sum(products);
    group.check(found == expected,
                [&] { return printed("%.*g and not ", 17, found) + printed("%.*g", 17, expected); });
}

// A whole number of at most `bits` bits.
double random_whole(int bits) {
    const double number = static_cast<double>(random_bits() >> (64 - bits));
    return coin() ? -number : number;
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Wide;

void sums_of_wholes() {
    Group group("ExactSum: whole numbers times 2^k, against 128 bits");
    for (int i = 0; i < 20000; ++i) {
        const int a_exponent = static_cast<int>(whole(0, 900)) - 500;
        const int b_exponent = static_cast<int>(whole(0, 900)) - 500;
        Wide expected = 0;
        Products products;
        for (std::size_t left = whole(1, 40); left > 0; --left) {
            const double a = random_whole(static_cast<int>(whole(1, 53)));
            const double b = random_whole(static_cast<int>(whole(1, 53)));
            expected += static_cast<Wide>(a) * static_cast<Wide>(b);
            products.emplace_back(std::ldexp(a, a_exponent), std::ldexp(b, b_exponent));
        }
        const long double expected_sum = std::ldexp(static_cast<long double>(expected), a_exponent + b_exponent);
        const double found = exact_sum(products);
        // above the subnormals a rounding or two may be half an ulp each
        const long double allowed = std::fabs(expected_sum) * DBL_EPSILON + DBL_TRUE_MIN;
        const bool right = std::fabs(expected_sum) > DBL_MAX ? std::isinf(found) && (found > 0) == (expected > 0)
                                                             : std::fabs(found - expected_sum) <= allowed;
        group.check(right,
                    [&] { return printed("%.*g and not ", 17, found) + printed("%.*Lg", 20, expected_sum); });
    }
    group.report();
}
#endif

void sums_that_cancel() {
    Group group("ExactSum: large products that cancel, one is left");
    for (int i = 0; i < 20000; ++i) {
        Products products;
        for (std::size_t left = whole(0, 20); left > 0; --left) {
            const double a = random_double(), b = random_double();
            products.emplace_back(a, b);
            products.push_back(coin() ? std::pair(-a, b) : std::pair(b, -a));
        }
        // 52 bits at most, so that the product of the two is a double
        const int exponent = static_cast<int>(whole(0, 1900)) - 1074;
        const double a = std::ldexp(random_whole(26), exponent), b = random_whole(26);
        products.emplace_back(a, b);
        check_sum(group, products, a * b);
    }
    group.report();
}

// Terms of like magnitudes, half of which nearly cancel the other half.
template <class Sum> void sums_within_bounds(const char *name) {
    Group group(name);
    for (int i = 0; i < 20000; ++i) {
        std::vector<double> a(2 * whole(1, 300)), b(a.size());
        for (std::size_t k = 0; k < a.size(); k += 2) {
            a[k] = uniform(-1, 1) * magnitude(-3, 3), b[k] = uniform(-1, 1);
            a[k + 1] = -a[k], b[k + 1] = coin() ? uniform(-1, 1) : b[k] * (1 + uniform(-1, 1) * magnitude(-16, 0));
        }
        Sum sum;
        for (std::size_t k = 0; k < a.size(); ++k) sum.add(a[k], b[k]);
        const long double expected = rounded(exact_dot(a.data(), b.data(), a.size()));
        group.check(std::fabs(sum.value() - expected) <= static_cast<long double>(sum.error()) * (DBL_EPSILON / 2),
                    [&] { return printed("%.*g and not ", 17, sum.value()) + printed("%.*Lg", 20, expected); });
    }
    group.report();
}

void sums_at_the_borders() {
    Group group("ExactSum: subnormals, sums past the largest double");
    const auto check = [&](const Products &products, double expected) { check_sum(group, products, expected); };
    check({}, 0);
    check({{0.0, DBL_MAX}, {-0.0, 1}}, 0);
    check({{DBL_TRUE_MIN, 1}, {DBL_TRUE_MIN, 2}}, 3 * DBL_TRUE_MIN);
    check({{DBL_TRUE_MIN, 0x1p1000}, {-DBL_TRUE_MIN, 0x1p1000}, {DBL_TRUE_MIN, -1}}, -DBL_TRUE_MIN);
    check({{DBL_MAX, DBL_MAX}, {DBL_MAX, -DBL_MAX}, {DBL_TRUE_MIN, 1}}, DBL_TRUE_MIN);
    check({{DBL_MAX, DBL_MAX}}, HUGE_VAL);
    check({{DBL_MAX, -DBL_MAX}, {1, 1}}, -HUGE_VAL);
    check({{DBL_MAX, 1}, {DBL_MAX, 1}, {-DBL_MAX, 1}}, DBL_MAX);
    check({{DBL_TRUE_MIN, DBL_TRUE_MIN}, {1, 1}, {-1, 1}}, 0); // 2^-2148 is there, but no double
    check(Products(3000, {DBL_MAX, DBL_MAX}), HUGE_VAL);
    Products products(1 << 12, {0x1.fffffffffffffp0, 1.0});
    products.emplace_back(-0x1.fffffffffffffp12, 1.0);
    check(products, 0);
    check(Products((1 << 21) + 1, {1.5, -3}), -4.5 * ((1 << 21) + 1)); // past the carries between the products
    group.report();
}

// ----------------------------------------------------------------------------------------------------------------
// Attention against long double
// ----------------------------------------------------------------------------------------------------------------

struct AttentionCase {
    const char *kind; // of queries and keys, see fill_row()
    std::size_t n_q, n_k, d_k, num_heads;
    bool causal;
    double score, value; // their largest magnitude, up to a factor of 2; for swallowed the largest term's
};

std::string described(const AttentionCase &test) {
    return test.kind + (" n_q " + std::to_string(test.n_q)) + " n_k " + std::to_string(test.n_k) + " d_k " +
           std::to_string(test.d_k) + " h " + std::to_string(test.num_heads) + (test.causal ? " causal" : "") +
           printed(" score %.*g", 1, test.score) + printed(" V %.*g", 1, test.value);
}

// What the output of query i may be: `exact`, and at most `bound` away from it.
struct Expected {
    std::vector<long double> exact; // (d_k)
    long double bound = 0;
};

Expected expected_output(const Head &head, std::size_t i) {
    const Softmax row =
        exact_softmax(head.queries + i * head.d_model, head.keys, head.visible_keys(i), head.d_k, head.d_model);
    Expected expected{std::vector<long double>(head.d_k), 0};
    long double largest_value = 0;
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        for (std::size_t c = 0; c < head.d_k; ++c) {
            const long double v = head.values[j * head.d_model + c];
            expected.exact[c] += row.weights[j] * v;
            largest_value = std::max(largest_value, std::fabs(v));
        }
    }
    expected.bound = 1e-12L * (1 + row.largest_score) * largest_value;
    return expected;
}

// One row of a head's queries or keys:
//   signed      numbers in [-1, 1]
//   positive    numbers in [0, 1]: no term of a score cancels
//   constant    a row of one number: roundings of a score that all go the same way
//   cancelling  channels in pairs: the terms of a score are larger than the score, by up to 10^8
//   swallowed   a term that stands and falls, and between a score of terms that are under half an ulp of it
void fill_row(const std::string &kind, bool is_query, std::size_t d_k, double *row) {
    const double constant = uniform(-1, 1), closeness = magnitude(-8, 0);
    for (std::size_t c = 0; c < d_k; ++c) {
        row[c] = uniform(kind == "positive" ? 0 : -1, 1);
        if (kind == "constant") row[c] = constant;
        if (kind == "cancelling" && c % 2 == 1) {
            row[c] = is_query ? -row[c - 1] : row[c - 1] * (1 + closeness * uniform(-1, 1));
        }
        if (kind == "swallowed") row[c] = is_query ? DBL_EPSILON * 0.4 : constant;
    }
    if (kind == "swallowed") row[d_k - 1] = -(row[0] = 1);
    if (kind == "swallowed" && !is_query) row[d_k - 1] = 1;
}

Problem make_problem(const AttentionCase &test) {
    Problem problem;
    problem.shape = {1, test.n_q, test.n_k, test.d_k * test.num_heads, test.num_heads};
    problem.causal = test.causal;
    problem.queries.resize(test.n_q * test.d_k * test.num_heads);
    problem.keys.resize(test.n_k * test.d_k * test.num_heads);
    for (std::size_t at = 0; at < problem.queries.size(); at += test.d_k) {
        fill_row(test.kind, true, test.d_k, problem.queries.data() + at);
    }
    for (std::size_t at = 0; at < problem.keys.size(); at += test.d_k) {
        fill_row(test.kind, false, test.d_k, problem.keys.data() + at);
    }
    for (std::size_t count = problem.keys.size(); count > 0; --count) {
        problem.values.push_back(uniform(-test.value, test.value));
    }

    // Powers of two leave what cancels and what is rounded as it is.
    long double largest = 1;
    if (test.kind != std::string("swallowed")) {
        largest = 0;
        const Head head = head_of(problem, 0);
        for (std::size_t j = 0; j < head.n_k; ++j) {
            const Parts dot = exact_dot(head.queries, head.keys + j * head.d_model, head.d_k);
            largest = std::max(largest, std::fabs(rounded(dot)));
        }
        if (largest == 0) largest = 1;
    }
    const int exponent = std::ilogb(test.score * std::sqrt(static_cast<double>(test.d_k)) / largest);
    for (double &q : problem.queries) q = std::ldexp(q, exponent);
    return problem;
}

struct Path {
    const char *name;
    AttendGroup attend_part;
    bool by_tiles;
};

// Every way that the source knows and that this machine can go.
std::vector<Path> paths() {
    std::vector<Path> paths{{"textbook", attend_queries, false}};
    if (FLT_EVAL_METHOD != 0) return paths; // the only one that is taken
    paths.push_back({"tiles, the compiler's own target", attend_group_plain, true});
#if defined(MHA_DISPATCH)
    if (fastest_attend_group() != attend_group_plain) {
        paths.push_back({"tiles, AVX2", attend_group_avx2, true});
    }
    if (fastest_attend_group() == attend_group_avx512) {
        paths.push_back({"tiles, AVX-512", attend_group_avx512, true});
    }
#endif
    return paths;
}

void attend_by(const Path &path, Problem &problem, const AttentionCase &test) {
    Scratch scratch(test.n_k);
    const std::size_t group_queries = queries_per_group(problem.shape, 1);
    if (path.by_tiles) scratch.make_tiles(group_queries, keys_per_block(problem.shape), test.d_k);
    for (std::size_t head = 0; head < test.num_heads; ++head) {
        for (std::size_t first = 0; first < test.n_q; first += group_queries) {
            path.attend_part(head_of(problem, head), first, std::min(group_queries, test.n_q - first), scratch);
        }
    }
}

// Scores and values of any size.
AttentionCase random_case(const char *kind, std::size_t n_q, std::size_t n_k, std::size_t d_k,
                          std::size_t num_heads) {
    const double score = std::string(kind) == "swallowed" ? magnitude(0, 3) : magnitude(-3, 5);
    return {kind, n_q, n_k, d_k, num_heads, coin() && n_q <= n_k, score, magnitude(-5, 5)};
}

std::vector<AttentionCase> attention_cases() {
    std::vector<AttentionCase> cases;
    for (const char *kind : {"signed", "positive", "constant", "cancelling", "swallowed"}) {
        cases.push_back({kind, 100, 200, 300, 1, false, 1, 1});
        cases.push_back({kind, 17, 200, 300, 1, true, 10, 1});
        cases.push_back({kind, 1, 200, 128, 2, false, 10, 1});
        for (int i = 0; i < 150; ++i) {
            const auto size = [](double most) {
                return static_cast<std::size_t>(magnitude(0, std::log10(most + 0.999)));
            };
            const std::size_t n_k = size(200), n_q = coin() ? n_k : size(200), d_k = size(300), num_heads = size(4);
            const AttentionCase test = random_case(kind, n_q, n_k, d_k, num_heads);
            if (test.n_q * test.n_k * test.d_k * test.num_heads <= 500000) cases.push_back(test);
        }
        // wide heads, whose channels are summed in chunks
        for (const std::size_t d_k : {129u, 300u, 1000u, 5000u}) {
            for (int i = 0; i < 3; ++i) {
                const std::size_t n_k = whole(12, 20), n_q = whole(12, n_k);
                cases.push_back(random_case(kind, n_q, n_k, d_k, 1));
            }
        }
    }
    return cases;
}

// How far from exact each path is, as a part of what is allowed.
void attention_everywhere() {
    const std::vector<Path> all_paths = paths();
    std::vector<Group> groups;
    for (const Path &path : all_paths) groups.emplace_back("attention: " + std::string(path.name));
    std::vector<long double> largest(all_paths.size());
    std::vector<std::string> largest_at(all_paths.size());

    for (const AttentionCase &test : attention_cases()) {
        Problem problem = make_problem(test);
        std::vector<Problem> found(all_paths.size(), problem);
        for (std::size_t p = 0; p < all_paths.size(); ++p) attend_by(all_paths[p], found[p], test);
        for (std::size_t head = 0; head < test.num_heads; ++head) {
            for (std::size_t i = 0; i < test.n_q; ++i) {
                const Expected expected = expected_output(head_of(problem, head), i);
                for (std::size_t p = 0; p < all_paths.size(); ++p) {
                    const double *output = found[p].queries.data() + (i * test.num_heads + head) * test.d_k;
                    long double error = 0;
                    for (std::size_t c = 0; c < test.d_k; ++c) {
                        error = std::max(error, std::fabs(output[c] - expected.exact[c]));
                    }
                    groups[p].check(error <= expected.bound, [&] {
                        return described(test) + printed(", %.*Lg of the bound", 3, error / expected.bound);
                    });
                    if (error / expected.bound > largest[p]) {
                        largest[p] = error / expected.bound;
                        largest_at[p] = described(test);
                    }
                }
            }
        }
    }
    for (std::size_t p = 0; p < all_paths.size(); ++p) {
        groups[p].report(printed(", at most %.*Lf of the bound: ", 3, largest[p]) + largest_at[p]);
    }
}

// attend() is one of those paths, whatever the threads.
void attend_takes_a_path() {
    Group group("attention: attend() on 1 and 3 threads");
    const AttentionCase test{"signed", 130, 150, 40, 3, true, 1, 1};
    const Problem problem = make_problem(test);
    Problem expected = problem;
    const bool by_textbook = FLT_EVAL_METHOD != 0;
    attend_by({"", by_textbook ? attend_queries : fastest_attend_group(), !by_textbook}, expected, test);
    for (const unsigned threads : {1u, 3u}) {
        Problem found = problem;
        Progress progress;
        attend(found, progress, threads);
        group.check(found.queries == expected.queries, [&] { return std::to_string(threads) + " threads"; });
    }
    group.report();
}

} // namespace

int main() {
    format_random();
    format_ties();
    format_borders();
    parse_right();
    parse_borders();
    parse_refusals();
    if (FLT_EVAL_METHOD == 0) exp2_everywhere(); // wrong, and not used, where registers are wider than double
#if defined(__SIZEOF_INT128__)
    sums_of_wholes();
#endif
    sums_that_cancel();
    sums_at_the_borders();
    sums_within_bounds<PlainSum>("PlainSum: errors within their bound");
#if FLT_EVAL_METHOD == 0
    sums_within_bounds<DoubledSum>("DoubledSum: errors within their bound");
#endif
    attention_everywhere();
    attend_takes_a_path();
    std::printf("%d passed, %d failed\n", groups_passed, groups_failed);
    return groups_failed == 0 ? 0 : 1;
}
