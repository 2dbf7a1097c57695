// The functions of src/mha.cpp that turn text into numbers, numbers into text and numbers into numbers, each
// against the C library, or against the reference's long double:
//
//     build/numbers
//
// A line for each group of checks, with the first one that fails; the last line is `N passed, N failed` of groups.

#define main mha_main
#include "../src/mha.cpp"
#undef main
#define main reference_main
#include "reference.cpp"
#undef main

#include <array>
#include <random>

namespace {

// ----------------------------------------------------------------------------------------------------------------
// Groups of checks, random numbers
// ----------------------------------------------------------------------------------------------------------------

int groups_passed = 0, groups_failed = 0;

// Counts checks from its construction to report().
class Group {
  std::string name_;
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
      std::printf("    %llu wrong, the first: %s\n", static_cast<unsigned long long>(wrong_), first_wrong_.c_str());
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
      check_format_with_neighbours(group,
                                   std::strtod((std::to_string(digit) + "e" + std::to_string(k)).c_str(), nullptr));
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
// Attention against the reference
// ----------------------------------------------------------------------------------------------------------------

struct AttentionCase {
  const char *kind; // of numbers, see fill_row()
  std::size_t n_q, n_k, d_k, num_heads;
  bool causal;
  double query, value; // their largest magnitude
};

std::string described(const AttentionCase &test) {
  return test.kind + (" n_q " + std::to_string(test.n_q)) + " n_k " + std::to_string(test.n_k) + " d_k " +
         std::to_string(test.d_k) + " h " + std::to_string(test.num_heads) + (test.causal ? " causal" : "") +
         printed(" Q %.*g", 1, test.query) + printed(" V %.*g", 1, test.value);
}

// One row of a head's queries or keys, all keys but the last few:
//   signed      numbers in [-1, 1]
//   positive    numbers in [0, 1]: no term of a score cancels
//   constant    a row of one number: roundings of a score that all go the same way
//   cancelling  channels in pairs: the terms of a score are larger than the score, by up to 10^8
//   offset      numbers about 1000
//   long key    the last key 10^4 times longer
//   masked key  the last key has -1e30 in one channel, where queries have 1
void fill_row(const std::string &kind, bool is_query, bool is_last, std::size_t d_k, double *row) {
  const double constant = uniform(-1, 1), closeness = magnitude(-8, 0);
  for (std::size_t c = 0; c < d_k; ++c) {
    row[c] = uniform(kind == "positive" ? 0 : -1, 1);
    if (kind == "constant") row[c] = constant;
    if (kind == "cancelling" && c % 2 == 1) {
      row[c] = is_query ? -row[c - 1] : row[c - 1] * (1 + closeness * uniform(-1, 1));
    }
    if (kind == "offset") row[c] += 1000;
    if (kind == "long key" && is_last) row[c] *= 1e4;
  }
  if (kind == "masked key") row[d_k - 1] = is_query ? 1 : is_last ? -1e30 : 0;
}

Problem make_problem(const AttentionCase &test) {
  Problem problem{1, test.n_q, test.n_k, test.d_k * test.num_heads, test.num_heads, test.causal, {}};
  for (std::size_t row = 0; row < (test.n_q + test.n_k) * test.num_heads; ++row) {
    const bool is_query = row < test.n_q * test.num_heads;
    const bool is_last = row >= (test.n_q + test.n_k - 1) * test.num_heads;
    problem.numbers.resize(problem.numbers.size() + test.d_k);
    double *numbers = problem.numbers.data() + row * test.d_k;
    fill_row(test.kind, is_query, is_last, test.d_k, numbers);
    for (std::size_t c = 0; c < test.d_k && is_query; ++c) numbers[c] *= test.query;
  }
  for (std::size_t left = test.n_k * test.d_k * test.num_heads; left > 0; --left) {
    problem.numbers.push_back(uniform(-test.value, test.value));
  }
  return problem;
}

// Scores and values of any size.
std::vector<AttentionCase> attention_cases() {
  std::vector<AttentionCase> cases;
  const auto add = [&](const char *kind, std::size_t n_q, std::size_t n_k, std::size_t d_k, std::size_t num_heads) {
    cases.push_back({kind, n_q, n_k, d_k, num_heads, coin() && n_q <= n_k, magnitude(-3, 3), magnitude(-5, 5)});
  };
  for (const char *kind : {"signed", "positive", "constant", "cancelling", "offset", "long key", "masked key"}) {
    add(kind, 100, 200, 300, 1);
    add(kind, 17, 200, 300, 1);
    add(kind, 1, 200, 128, 2);
    for (int i = 0; i < 100; ++i) {
      const auto size = [](double most) {
        return static_cast<std::size_t>(magnitude(0, std::log10(most + 0.999)));
      };
      const std::size_t n_k = size(200), n_q = coin() ? n_k : size(200), d_k = size(300), num_heads = size(4);
      if (n_q * n_k * d_k * num_heads <= 500000) add(kind, n_q, n_k, d_k, num_heads);
    }
    // wide heads, whose channels are summed in chunks, and many keys
    for (const std::size_t d_k : {129u, 300u, 1000u, 10000u}) add(kind, whole(12, 16), whole(16, 20), d_k, 1);
    add(kind, 2, 100000, 3, 1);
  }
  return cases;
}

// How far from exact a way of computing is, as a part of what is allowed, over all cases.
struct Way {
  Group group;
  long double units; // of 1e-12 (1 + S), see reference.cpp
  long double largest = 0;
  std::string largest_at;

  void check(double found, const reference::Expected &expected, const AttentionCase &test) {
    const long double allowed =
        found < expected.exact ? expected.exact - expected.low : expected.high - expected.exact;
    const long double error = std::fabs(found - expected.exact);
    group.check(error <= allowed && std::isfinite(found),
                [&] { return described(test) + printed(", %.*Lg of the bound", 3, error / allowed); });
    if (error <= largest * allowed) return;
    largest = error / allowed;
    largest_at = described(test);
  }
};

// Every way that the source knows and this machine can go: the textbook's, and each target's tiles.
void attention_everywhere() {
  std::vector<Way> ways;
  ways.push_back({Group("attention: as the book has it"), 4, 0, ""});
  std::vector<Target> all_targets;
  if (FLT_EVAL_METHOD == 0) all_targets = targets();
  for (const Target &target : all_targets) {
    ways.push_back({Group("attention: tiles of " + std::to_string(target.lanes)), 1, 0, ""});
  }

  for (const AttentionCase &test : attention_cases()) {
    Problem problem = make_problem(test);
    std::vector<Problem> found(ways.size(), problem);
    std::vector<double> weights;
    Progress progress("", 0);
    for (std::size_t i = 0; i < test.n_q * test.num_heads; ++i) {
      attend_query(head_of(found[0], i / test.n_q), i % test.n_q, weights);
    }
    for (std::size_t t = 0; t < all_targets.size(); ++t) attend_by_tiles(found[t + 1], all_targets[t], 1, progress);
    for (std::size_t i = 0; i < test.n_q * test.num_heads; ++i) {
      const Head head = head_of(problem, i / test.n_q);
      const std::size_t query = i % test.n_q;
      const reference::Softmax row =
          reference::exact_softmax(head.query(query), head.keys, head.visible_keys(query), head.d_k, head.d_model);
      for (std::size_t c = 0; c < head.d_k; ++c) {
        const auto value = [&](std::size_t j) { return head.value(j)[c]; };
        for (std::size_t w = 0; w < ways.size(); ++w) {
          ways[w].check(head_of(found[w], i / test.n_q).query(query)[c],
                        reference::weighted_mean(row, value, ways[w].units), test);
        }
      }
    }
  }
  for (Way &way : ways) {
    way.group.report(printed(", at most %.*Lf of the bound: ", 3, way.largest) + way.largest_at);
  }
}

// attend() takes the fastest target's tiles, whatever the threads.
void attend_takes_a_way() {
  Group group("attention: attend() on 1 and 3 threads");
  const AttentionCase test{"signed", 130, 150, 40, 3, true, 1, 1};
  const Problem problem = make_problem(test);
  Problem expected = problem;
  std::vector<double> weights;
  Progress progress("", 0);
  if (FLT_EVAL_METHOD == 0) attend_by_tiles(expected, targets()[0], 1, progress);
  for (std::size_t i = 0; i < test.n_q * test.num_heads && FLT_EVAL_METHOD != 0; ++i) {
    attend_query(head_of(expected, i / test.n_q), i % test.n_q, weights);
  }
  for (const unsigned threads : {1u, 3u}) {
    Problem found = problem;
    attend(found, threads);
    group.check(found.numbers == expected.numbers, [&] { return std::to_string(threads) + " threads"; });
  }
  group.report();
}

// The reference must refuse the values of the second-best key, and those of the last key, which may be masked,
// however large the scores are.
void wrong_keys_are_refused() {
  Group second_best("reference: refuses the second-best key"), last_key("reference: refuses the last key");
  for (const char *kind : {"signed", "offset", "long key", "masked key"}) {
    for (const double query : {1.0, 1e5, 1e9, 1e160, 1e300}) {
      const AttentionCase test{kind, 20, 30, 64, 1, false, query, 1};
      Problem problem = make_problem(test);
      const Head head = head_of(problem, 0);
      for (std::size_t i = 0; i < test.n_q; ++i) {
        const reference::Softmax row =
            reference::exact_softmax(head.query(i), head.keys, test.n_k, test.d_k, head.d_model);
        const auto is_refused = [&](std::size_t key) {
          for (std::size_t c = 0; c < test.d_k; ++c) {
            const auto value = [&](std::size_t j) { return head.value(j)[c]; };
            const reference::Expected expected = reference::weighted_mean(row, value, 4);
            if (value(key) < expected.low || value(key) > expected.high) return true;
          }
          return false;
        };
        std::vector<std::size_t> keys(test.n_k);
        for (std::size_t j = 0; j < test.n_k; ++j) keys[j] = j;
        std::sort(keys.begin(), keys.end(),
                  [&](std::size_t a, std::size_t b) { return row.weights[a] > row.weights[b]; });
        second_best.check(is_refused(keys[1]), [&] { return described(test); });
        last_key.check(keys[0] == test.n_k - 1 || is_refused(test.n_k - 1), [&] { return described(test); });
      }
    }
  }
  second_best.report();
  last_key.report();
}

// Where products may pass the largest double no tile is used: the bound on them must hold, and leave out no other.
void products_that_fit() {
  Group group("products_fit: up to the largest double");
  const auto check = [&](double q, double k, double v, bool fits) {
    Problem problem{1, 20, 20, 2, 1, false, std::vector<double>(120, 0.5)};
    problem.numbers[7] = q, problem.numbers[40 + 39] = -k, problem.numbers[80] = v;
    group.check(products_fit(problem) == fits,
                [&] { return printed("Q %.*g", 3, q) + printed(" K %.*g", 3, k) + printed(" V %.*g", 3, v); });
  };
  for (const double one : {1.0, -1.0}) {
    check(one * 1e150, 1e150, 1, true);
    check(one * 4e153, 1e154, 1, true);
    check(one * 1e155, 1e154, 1, false);
    check(one * 4e307, 1, 1, true);
    check(one * 1e308, 1e-9, 1, false);
    check(one, 4e307, 1, true);
    check(one, 1e308, 1, false);
    check(one, 1, 4e306, true);
    check(one, 1, one * 5e306, false);
    check(one, 1e30, 1e9, true);
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
  attention_everywhere();
  attend_takes_a_way();
  wrong_keys_are_refused();
  products_that_fit();
  std::printf("%d passed, %d failed\n", groups_passed, groups_failed);
  return groups_failed == 0 ? 0 : 1;
}
