// What the cases cannot show of src/mha.cpp: every digit that it prints, its exp2, and how near to exact its
// attention is.
//
//     build/accuracy
//
// A line for each group of checks, with the first one that fails; the last line is `N passed, N failed` of
// groups.

#define main mha_main
#include "../../src/mha.cpp"
#undef main
#define main reference_main
#include "../kit/reference.cpp"
#undef main

#include <random>

namespace {

// ---- Groups of checks, random numbers ----

int groups_passed = 0, groups_failed = 0;

class Group {
  std::string name, first_wrong, largest_at;
  int checks = 0, wrong = 0;
  long double largest = 0; // error, as a part of its bound

public:
  explicit Group(const std::string &its_name) : name(its_name) {}

  // `describe()` is a string that tells what was wrong.
  template <class Describe> void check(bool right, const Describe &describe) {
    ++checks;
    if (!right && wrong++ == 0) first_wrong = describe();
  }

  template <class Describe> void check_error(long double error, long double bound, const Describe &describe) {
    check(error <= bound, describe);
    if (!(error > largest * bound)) return;
    largest = error / bound;
    largest_at = describe();
  }

  void report() const {
    ++(wrong == 0 ? groups_passed : groups_failed);
    std::printf("%s %-40s %8d checks", wrong == 0 ? "ok  " : "FAIL", name.c_str(), checks);
    if (largest > 0) std::printf(", largest error %.3Lf of the bound: %s", largest, largest_at.c_str());
    std::printf("\n");
    if (wrong > 0) std::printf("    %d wrong, the first: %s\n", wrong, first_wrong.c_str());
  }
};

template <class... Values> std::string printed(const char *format, Values... values) {
  char text[400];
  return {text, size_t(std::snprintf(text, sizeof text, format, values...))};
}

std::mt19937_64 random_bits(1);

double uniform(double low, double high) { return low + (high - low) * double(random_bits() >> 11) * 0x1p-53; }
double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }
bool coin() { return random_bits() % 2 == 1; }

// ---- Printing, against printf ----

// The number, its neighbours, and their negatives.
void check_format(Group &group, double value) {
  for (const double near : {value, std::nextafter(value, -HUGE_VAL), std::nextafter(value, HUGE_VAL)}) {
    for (const double number : {near, -near}) {
      char text[longest_number];
      if (!std::isfinite(number)) continue;
      const std::string found(text, format_number(text, number)), expected = printed("%.4f", number);
      group.check(found == expected,
                  [&] { return printed("%.17g gives ", number) + found + " and not " + expected; });
    }
  }
}

void check_printing() {
  Group any("printing: random doubles");
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random_bits();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    check_format(any, value); // as soon 1e-300 as 1
    check_format(any, magnitude(-6, 19));
  }
  any.report();

  Group ties("printing: ties in the fifth decimal");
  for (int k = 0; k <= 640; ++k) { // k/32 has five decimals, the last a 5 where k is odd
    for (const double whole : {0.0, 1e4, 1e8, 1e11, 1e13, 0x1p46}) check_format(ties, whole + k / 32.0);
  }
  for (int k = 0; k < 100000; ++k) check_format(ties, (k + 0.5) / 1e4);
  for (int k = 0; k < 100000; ++k) check_format(ties, std::floor(magnitude(0, 15)) / 2e4);
  ties.report();

  Group borders("printing: 0, powers, 2^63, the largest");
  for (int k = -1074; k <= 1023; ++k) check_format(borders, std::ldexp(1, k));
  for (int k = -323; k <= 308; ++k) {
    for (const int digit : {1, 5, 9})
      check_format(borders, std::strtod(printed("%de%d", digit, k).c_str(), nullptr));
  }
  for (int k = -10000; k <= 10000; ++k) {
    check_format(borders, 1e11 + k / 65536.0);
    check_format(borders, 1e15 + k / 8.0);
    check_format(borders, 0x1p63 + k * 1024.0); // where snprintf() takes over
  }
  for (const double border : {0.0, 0.00005, 0.99995, 9.99995, 99999.99995, DBL_MAX})
    check_format(borders, border);
  borders.report();
}

// ---- 2^x, against exp2l ----

void check_exp2() {
  Group group("2^x");
  const auto check = [&](double x) {
    const long double expected = std::exp2(static_cast<long double>(x)), bound = 1e-15L * expected;
    const long double error = std::fabs(exp2_of_negative(x) - expected);
    const auto describe = [x] { return printed("x = %.17g", x); };
    x < -949 ? group.check(error <= bound + 0x1p-1000L, describe) : group.check_error(error, bound, describe);
  };
  for (int i = 0; i < 500000; ++i) {
    check(uniform(-1000, 0));
    check(uniform(-2, 0));
    check(-magnitude(-20, 3));
  }
  for (int k = -2000; k <= 0; ++k) { // k/2 is where the whole part changes
    for (const double toward : {-HUGE_VAL, k / 2.0, 0.0}) check(std::nextafter(k / 2.0, toward));
  }
  for (const double x : {-1000.0, -1000.5, -1e5, -1e300, -HUGE_VAL, std::nan("")}) {
    group.check(exp2_of_negative(x) == 0, [x] { return printed("%g does not give 0", x); });
  }
  group.check(exp2_of_negative(0) == 1, [] { return "0 does not give 1"; });
  group.report();
}

// ---- Attention, against the reference's long double ----

struct Case {
  std::string kind; // of numbers, see random_problem()
  size_t n_q, n_k, d_k, num_heads;
  bool causal;
  double query, value; // their largest magnitude

  std::string description() const {
    return kind + printed(" n_q %zu n_k %zu d_k %zu h %zu%s Q %.0g V %.0g", n_q, n_k, d_k, num_heads,
                          causal ? " causal" : "", query, value);
  }
};

// A row of Q or K in one head. Numbers of all sizes, but for these kinds:
//   constant    a row is one number: roundings of a score all go the same way
//   cancelling  channels in pairs: the terms of a score are larger than the score, by up to 10^8
//   offset      numbers about 1000
//   long key    the last key is 10^4 times longer
//   masked key  the last key has -1e30 in one channel, where queries have 1
std::vector<double> random_row(const Case &test, bool is_query, bool is_last_key) {
  std::vector<double> row(test.d_k, uniform(-1, 1));
  const double closeness = magnitude(-8, 0);
  if (test.kind == "constant") return row;
  const double offset = test.kind == "offset" ? 1000 : 0;
  const double length = test.kind == "long key" && is_last_key ? 1e4 : 1;
  for (double &number : row) number = offset + length * uniform(-1, 1);
  if (test.kind == "cancelling") {
    for (size_t c = 1; c < row.size(); c += 2) {
      row[c] = is_query ? -row[c - 1] : row[c - 1] * (1 + closeness * row[c]);
    }
  }
  if (test.kind == "masked key") row.back() = is_query ? 1 : -1e30 * is_last_key;
  return row;
}

Problem random_problem(const Case &test) {
  const size_t heads = test.num_heads, query_rows = test.n_q * heads, key_rows = test.n_k * heads;
  Problem problem{1, test.n_q, test.n_k, test.d_k * heads, heads, test.causal, {}};
  for (size_t i = 0; i < query_rows; ++i) {
    for (const double number : random_row(test, true, false)) problem.numbers.push_back(number * test.query);
  }
  for (size_t j = 0; j < key_rows; ++j) {
    const std::vector<double> row = random_row(test, false, j >= key_rows - heads);
    problem.numbers.insert(problem.numbers.end(), row.begin(), row.end());
  }
  for (size_t left = key_rows * test.d_k; left > 0; --left) {
    problem.numbers.push_back(uniform(-test.value, test.value));
  }
  return problem;
}

std::vector<Case> attention_cases() {
  std::vector<Case> cases;
  for (const char *kind : {"signed", "constant", "cancelling", "offset", "long key", "masked key"}) {
    const auto add = [&](size_t n_q, size_t n_k, size_t d_k, size_t num_heads) {
      const bool causal = coin() && n_q <= n_k;
      cases.push_back({kind, n_q, n_k, d_k, num_heads, causal, magnitude(-3, 3), magnitude(-5, 5)});
    };
    const auto up_to = [](double most) { return size_t(magnitude(0, std::log10(most + 0.999))); };
    for (int i = 0; i < 60; ++i) {
      const size_t n_k = up_to(200), n_q = coin() ? n_k : up_to(60);
      add(n_q, n_k, up_to(4e5 / double(n_q * n_k) + 1) % 300 + 1, up_to(4));
    }
    add(100, 200, 300, 1);
    for (const size_t d_k : {129u, 1000u, 8000u}) add(12, 17, d_k, 1); // channels are summed in chunks
    add(2, 100000, 3, 1);
  }
  return cases;
}

reference::Softmax exact_row(const Head &head, size_t query) {
  return reference::exact_softmax(head.query(query), head.k, head.visible_keys(query), head.d_k,
                                  head.d_model);
}

// What may come for channel c of a query, `units` off.
reference::Expected exact_output(const Head &head, const reference::Softmax &row, size_t c, int units) {
  return reference::weighted_mean(
      row, [&](size_t j) { return head.value(j)[c]; }, units);
}

void check_output(Group &group, const Case &test, const Head &head, const reference::Softmax &row,
                  const double *output, int units) {
  for (size_t c = 0; c < head.d_k; ++c) {
    const reference::Expected expected = exact_output(head, row, c, units);
    const long double error = output[c] - expected.exact;
    const long double bound = error < 0 ? expected.exact - expected.low : expected.high - expected.exact;
    group.check_error(std::fabs(error), bound, [&] { return test.description(); });
  }
}

// The textbook's way, and the tiles of each target that this machine has, on the same inputs.
void check_attention() {
  const std::vector<Target> tiles = FLT_EVAL_METHOD == 0 ? targets() : std::vector<Target>();
  std::vector<Group> ways(1, Group("attention, the textbook's"));
  for (const Target &target : tiles) ways.emplace_back(printed("attention, tiles of %zu", target.lanes));
  for (const Case &test : attention_cases()) {
    Problem problem = random_problem(test);
    std::vector<Problem> found(ways.size(), problem);
    for (size_t t = 0; t < tiles.size(); ++t) attend_by_tiles(found[t + 1], tiles[t]);
    std::vector<double> weights(test.n_k);
    for (size_t i = 0; i < test.n_q * test.num_heads; ++i) {
      const size_t index = i / test.n_q, query = i % test.n_q;
      attend_query(head_of(found[0], index), query, weights.data());
      const Head head = head_of(problem, index);
      const reference::Softmax row = exact_row(head, query);
      for (size_t way = 0; way < ways.size(); ++way) {
        const double *output = head_of(found[way], index).output(query);
        check_output(ways[way], test, head, row, output, way == 0 ? 4 : 1);
      }
    }
  }
  for (const Group &way : ways) way.report();
}

void check_refusals(Group &group, const Case &test) {
  Problem problem = random_problem(test);
  const Head head = head_of(problem, 0);
  for (size_t i = 0; i < test.n_q; ++i) {
    const reference::Softmax row = exact_row(head, i);
    std::vector<bool> refused(test.n_k);
    for (size_t c = 0; c < test.d_k; ++c) {
      const reference::Expected expected = exact_output(head, row, c, 4);
      for (size_t j = 0; j < test.n_k; ++j) {
        const double value = head.value(j)[c];
        if (value < expected.low || value > expected.high) refused[j] = true;
      }
    }
    for (size_t j = 0; j < test.n_k; ++j)
      group.check(refused[j] || row.weights[j] > 0.9, [&] { return test.description(); });
  }
}

// The bound is no excuse for an answer that takes another key's values, however large the scores are.
void check_reference() {
  Group group("reference: refuses any key but the best");
  for (const char *kind : {"signed", "offset", "long key", "masked key"}) {
    for (const double query : {1.0, 1e5, 1e9, 1e160, 1e300}) {
      check_refusals(group, {kind, 20, 30, 64, 1, false, query, 1});
    }
  }
  group.report();
}

// No tile is used where products may pass the largest double, and tiles are used anywhere else.
void check_products_fit() {
  Group group("products_fit");
  const auto check = [&](bool fit, double q, double k, double v) {
    Problem problem{1, 20, 20, 2, 1, false, std::vector<double>(120, 0.5)};
    problem.numbers[7] = -q, problem.numbers[79] = k, problem.numbers[80] = v;
    group.check(products_fit(problem) == fit, [&] { return printed("Q %g K %g V %g", q, k, v); });
  };
  for (const double one : {1, -1}) {
    check(true, one * 4e153, 1e154, 1); // of two channels
    check(false, 5e153, one * 1e154, 1);
    check(true, 8e307, one * 1e-9, 1); // log2(e) times Q fits, too
    check(false, one * 1e308, 1e-9, 1);
    check(true, 1, one * 4e307, 1);
    check(true, 1, 1, one * 4e306); // of twenty keys
    check(false, 1, 1, one * 5e306);
  }
  group.report();
}

} // namespace

int main() {
  check_printing();
  if (FLT_EVAL_METHOD == 0) check_exp2(); // wrong, and not used, where registers are wider than double
  check_attention();
  check_reference();
  check_products_fit();
  std::printf("%d passed, %d failed\n", groups_passed, groups_failed);
  return groups_failed == 0 ? 0 : 1;
}
