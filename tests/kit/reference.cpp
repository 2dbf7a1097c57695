// Multi-head attention as its formula reads, in long double: what mha must print, and whether an answer is
// right.
//
//     head_t = softmax(Q_t K_t^T / sqrt(d_k)) V_t,   d_k = d / h,   head t owns d_k columns from t*d_k on
//
//     reference [--causal] [--weights] FILE                  prints the expected output
//     reference --check ANSWER [--causal] [--weights] FILE   tells the first wrong place in the file ANSWER
//
// Meant to be read as the specification: no blocks, no threads, one row at a time, whose softmax is
// exact_softmax(). The input is one that mha takes; hexadecimals are not refused here. The status is 1 where
// the answer is wrong or the input refused. tests/program/accuracy.cpp and fuzz.cpp include this file without
// main().

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace reference {

// Scores reach the square of the largest double, 1e616: the x87 type (64 bits, to 1e4932) holds them as they
// are.
static_assert(LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP >= 16384, "needs a long double wider than double");

struct Problem {
  std::size_t batch = 0, num_queries = 0, num_keys = 0, d_model = 0, num_heads = 0;
  std::vector<double> queries; // (batch * num_queries, d_model)
  std::vector<double> keys, values; // (batch * num_keys, d_model)
};

struct Options {
  bool causal = false, weights = false;
  std::string answer_file, input_file;
};

// ---- input ----

inline bool is_separator(char byte) { return std::string(" \n,[]\t\r\f").find(byte) != std::string::npos; }

inline double number(const std::string &token) {
  char *end = nullptr;
  const double value = std::strtod(token.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value)) throw std::runtime_error("no number: " + token);
  return value;
}

inline std::size_t whole_number(const std::string &token) {
  const double value = number(token);
  if (value < 1 || value != std::floor(value))
    throw std::runtime_error("no whole number of at least 1: " + token);
  return static_cast<std::size_t>(value);
}

struct Tokens {
  std::vector<std::string> words;
  std::size_t in_header = 0; // on the first line with any, up to a newline or a carriage return
};

inline Tokens split(const std::string &text) {
  Tokens tokens;
  std::string word;
  for (const char byte : text + '\n') {
    if (!is_separator(byte)) {
      word += byte;
      continue;
    }
    if (!word.empty()) tokens.words.push_back(word);
    word.clear();
    if (tokens.in_header == 0 && (byte == '\n' || byte == '\r')) tokens.in_header = tokens.words.size();
  }
  return tokens;
}

inline Problem read_problem(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  const Tokens tokens = split(text);
  if (tokens.in_header < 3) throw std::runtime_error("the header is too short");

  Problem p;
  auto next = tokens.words.begin();
  if (tokens.in_header == 5) {
    p.batch = whole_number(*next++);
    p.num_queries = whole_number(*next++);
    p.num_keys = whole_number(*next++);
  } else {
    p.batch = 1;
    p.num_queries = p.num_keys = whole_number(*next++);
  }
  p.d_model = whole_number(*next++);
  p.num_heads = whole_number(*next++);
  if (p.d_model % p.num_heads != 0) throw std::runtime_error("d is not divisible by h");

  const auto read_matrix = [&](std::vector<double> &matrix, std::size_t rows) {
    for (std::size_t left = rows * p.d_model; left > 0; --left) {
      if (next == tokens.words.end()) throw std::runtime_error("the input ends too early");
      matrix.push_back(number(*next++));
    }
  };
  read_matrix(p.queries, p.batch * p.num_queries);
  read_matrix(p.keys, p.batch * p.num_keys);
  read_matrix(p.values, p.batch * p.num_keys);
  if (next != tokens.words.end()) throw std::runtime_error("the input goes on after V");
  return p;
}

// ---- attention ----

// The contract's accuracy of a score is 1e-12 * S, where S is the sum of its products' absolute values.
constexpr long double unit = 1e-12L;

struct Softmax {
  std::vector<long double> weights; // (num_keys)
  std::vector<long double> possible; // (num_keys), 1 for a key that can matter, or what its weight is below
  long double largest_sum = 0; // S: of the keys that can matter
};

// softmax(q K^T / sqrt(d_k)) of one query and of num_keys keys, at least one, whose rows are d_model numbers
// apart.
inline Softmax exact_softmax(const double *q, const double *keys, std::size_t num_keys, std::size_t d_k,
                             std::size_t d_model) {
  // scores = q k^T / sqrt(d_k), and beside each the sum of the absolute values
  const long double root = std::sqrt(static_cast<long double>(d_k));
  std::vector<long double> scores, sums;
  for (std::size_t j = 0; j < num_keys; ++j) {
    long double score = 0, sum = 0;
    for (std::size_t c = 0; c < d_k; ++c) {
      const long double product = static_cast<long double>(q[c]) * keys[j * d_model + c];
      score += product;
      sum += std::fabs(product);
    }
    scores.push_back(score / root);
    sums.push_back(sum / root);
  }

  // weights = exp(scores - max) / sum
  Softmax row;
  const long double max = *std::max_element(scores.begin(), scores.end());
  long double sum = 0;
  for (const long double score : scores) {
    row.weights.push_back(std::exp(score - max));
    sum += row.weights.back();
  }
  for (long double &weight : row.weights) weight /= sum;

  // A key can matter where its score may be less than 50 below the largest one.
  long double least_max = -std::numeric_limits<long double>::infinity();
  for (std::size_t j = 0; j < num_keys; ++j) least_max = std::max(least_max, scores[j] - unit * sums[j]);
  for (std::size_t j = 0; j < num_keys; ++j) {
    const long double below = scores[j] + unit * sums[j] - least_max;
    row.possible.push_back(below >= -50 ? 1 : 2 * std::exp(below));
    if (below >= -50) row.largest_sum = std::max(row.largest_sum, sums[j]);
  }
  return row;
}

// One number of the answer: its exact value, and what a solver may give. An average of no negative value has
// no minus.
struct Expected {
  long double exact = 0, low = 0, high = 0;
  bool may_be_negative = false;
};

// The mean of value_of(key), weighted. A solver may be off by `units` * (1 + S) of the largest value, but not
// past all values of the keys that can matter: so a score of 1e18 is no excuse for the second-best key. Four
// units: a solver may sum as the textbook does.
template <class ValueOf>
Expected weighted_mean(const Softmax &row, const ValueOf &value_of, long double units = 4) {
  Expected mean;
  long double low = std::numeric_limits<long double>::infinity(), high = -low, largest = 0, others = 0;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    const long double value = value_of(j);
    mean.exact += row.weights[j] * value;
    mean.may_be_negative = mean.may_be_negative || value < 0;
    if (row.possible[j] == 1) {
      low = std::min(low, value);
      high = std::max(high, value);
      largest = std::max(largest, std::fabs(value));
    } else {
      others += row.possible[j] * std::fabs(value);
    }
  }
  const long double rounding = units * unit * largest + 2 * others;
  mean.low = std::max(mean.exact - rounding * (1 + row.largest_sum), low - rounding);
  mean.high = std::min(mean.exact + rounding * (1 + row.largest_sum), high + rounding);
  return mean;
}

// The weights of the keys that the query sees: the first ones.
inline Softmax softmax_row(const Problem &p, bool causal, std::size_t item, std::size_t head,
                           std::size_t query) {
  const std::size_t d_k = p.d_model / p.num_heads;
  const std::size_t visible = causal ? query + (p.num_keys - p.num_queries) + 1 : p.num_keys;
  const double *q = &p.queries[(item * p.num_queries + query) * p.d_model + head * d_k];
  const double *keys = &p.keys[item * p.num_keys * p.d_model + head * d_k];
  return exact_softmax(q, keys, visible, d_k, p.d_model);
}

// A query's weights in one head: (num_keys).
inline std::vector<Expected> weights_row(const Problem &p, bool causal, std::size_t item, std::size_t head,
                                         std::size_t query) {
  const Softmax softmax = softmax_row(p, causal, item, head, query);
  std::vector<Expected> row(p.num_keys);
  for (std::size_t key = 0; key < p.num_keys; ++key)
    row[key] = weighted_mean(softmax, [key](std::size_t j) { return j == key; });
  return row;
}

// A query's output, all heads side by side: (d_model).
inline std::vector<Expected> output_row(const Problem &p, bool causal, std::size_t item, std::size_t query) {
  const std::size_t d_k = p.d_model / p.num_heads;
  std::vector<Expected> row;
  for (std::size_t head = 0; head < p.num_heads; ++head) {
    const Softmax softmax = softmax_row(p, causal, item, head, query);
    for (std::size_t column = head * d_k; column < (head + 1) * d_k; ++column) {
      const double *values = &p.values[item * p.num_keys * p.d_model + column];
      row.push_back(weighted_mean(softmax, [&](std::size_t j) { return values[j * p.d_model]; }));
    }
  }
  return row;
}

// The rows of the answer in order; each goes to receive(row).
template <class Receive> void for_each_row(const Problem &p, const Options &options, Receive receive) {
  const std::size_t heads = options.weights ? p.num_heads : 1; // that have rows of their own
  for (std::size_t item = 0; item < p.batch; ++item)
    for (std::size_t head = 0; head < heads; ++head)
      for (std::size_t query = 0; query < p.num_queries; ++query)
        receive(options.weights ? weights_row(p, options.causal, item, head, query)
                                : output_row(p, options.causal, item, query));
}

// ---- output and check ----

// As printf's %.4f prints the nearest double: past 2^53 the digits are the double's, not the long double's.
inline std::string format(long double exact) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(4) << static_cast<double>(exact);
  return out.str();
}

inline void print_answer(const Problem &p, const Options &options) {
  for_each_row(p, options, [](const std::vector<Expected> &row) {
    std::cout << '[' << format(row[0].exact);
    for (std::size_t c = 1; c < row.size(); ++c) std::cout << ' ' << format(row[c].exact);
    std::cout << "]\n";
  });
}

// digits without a leading zero, a point, four digits
inline bool is_printed_number(const std::string &word) {
  const std::size_t sign = word[0] == '-', point = word.find('.');
  if (point == std::string::npos || point == sign || word.size() != point + 5) return false;
  if (word[sign] == '0' && point != sign + 1) return false;
  return word.find_first_not_of("0123456789", sign) == point &&
         word.find_first_not_of("0123456789", point + 1) == std::string::npos;
}

// The numbers of a row [x.xxxx ...]; none where it has another form.
inline std::vector<std::string> printed_numbers(const std::string &line) {
  if (line.size() < 2 || line.front() != '[' || line.back() != ']') return {};
  std::istringstream inside(line.substr(1, line.size() - 2) + ' ');
  std::vector<std::string> words;
  for (std::string word; std::getline(inside, word, ' ');) {
    if (!is_printed_number(word)) return {};
    words.push_back(word);
  }
  return words;
}

// What a solver may give, rounded to 4 decimals. The sign of a printed zero is the value's too, except where
// the value is so near 0 that either may come out.
inline bool is_right(const std::string &printed, const Expected &expected) {
  const long double slack = 1e-9L, value = std::strtold(printed.c_str(), nullptr);
  if (printed == "-0.0000" && (expected.low > slack || !expected.may_be_negative)) return false;
  if (printed == "0.0000" && expected.high < -slack) return false;
  return value >= expected.low - slack - 0.00005L && value <= expected.high + slack + 0.00005L;
}

inline void check_answer(const Problem &p, const Options &options) {
  std::ifstream answer(options.answer_file, std::ios::binary);
  if (!answer) throw std::runtime_error("cannot open " + options.answer_file);
  const auto wrong = [](std::size_t row, const std::string &what) {
    throw std::runtime_error("row " + std::to_string(row) + what);
  };
  std::size_t rows = 0;
  std::string line;
  for_each_row(p, options, [&](const std::vector<Expected> &row) {
    ++rows;
    if (!std::getline(answer, line)) wrong(rows, ": the answer ends before it");
    const std::vector<std::string> words = printed_numbers(line);
    if (words.size() != row.size())
      wrong(rows, ": expected the form [x.xxxx ...] with " + std::to_string(row.size()) + " numbers, found " +
                      line);
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!is_right(words[c], row[c]))
        wrong(rows, ", number " + std::to_string(c + 1) + ": expected about " + format(row[c].exact) +
                        ", found " + words[c]);
  });
  if (std::getline(answer, line)) wrong(rows + 1, ": the answer goes on after its last row");
}

} // namespace reference

int main(int argc, char **argv) try {
  reference::Options options;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--causal")
      options.causal = true;
    else if (*word == "--weights")
      options.weights = true;
    else if (*word == "--check" && word + 1 != words.end())
      options.answer_file = *++word;
    else
      options.input_file = *word; // the last one: a case's --threads N before FILE is passed over
  }
  const reference::Problem problem = reference::read_problem(options.input_file);
  if (options.causal && problem.num_queries > problem.num_keys)
    throw std::runtime_error("--causal needs n_q <= n_k");
  if (options.answer_file.empty())
    print_answer(problem, options);
  else
    check_answer(problem, options);
  return std::cout.flush() ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
