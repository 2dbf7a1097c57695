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

#define main mha_main
#include "../src/mha.cpp"
#undef main
#define main reference_main
#include "reference.cpp"
#undef main
#include "operator_new.h"

#include <sys/mman.h>

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
  Problem problem{};
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
      tokens.empty() ? text.size() : std::min(text.find_first_of("\r\n", tokens[0].first), text.size());
  const auto number = [&](std::size_t i) {
    return reference::is_number(word(i)) ? std::strtod(word(i).c_str(), nullptr) : HUGE_VAL;
  };
  std::size_t on_line = 0;
  while (on_line < tokens.size() && tokens[on_line].first < line_end && !std::isinf(number(on_line))) ++on_line;

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
  Problem &problem = reading.problem;
  problem = on_line == 5 ? Problem{header[0], header[1], header[2], header[3], header[4], causal, {}}
                         : Problem{1, header[0], header[0], header[1], header[2], causal, {}};
  if (problem.d_model % problem.num_heads != 0) return refused_at(tokens[header.size() - 2].first);
  if (causal && problem.n_q > problem.n_k) return refused_at(tokens[1].first);
  // exact up to 2^64, and never rounded across 2^63
  const long double rows = static_cast<long double>(problem.n_q) + 2.0L * static_cast<long double>(problem.n_k);
  const long double total =
      static_cast<long double>(problem.batch) * static_cast<long double>(problem.d_model) * rows;
  if (total >= 0x1p63L) return refused_at(tokens[0].first);

  for (std::size_t i = header.size(); i < tokens.size(); ++i) {
    if (static_cast<long double>(problem.numbers.size()) == total) return refused_at(tokens[i].first);
    problem.numbers.push_back(number(i));
    if (std::isinf(problem.numbers.back())) return refused_at(tokens[i].first);
  }
  if (static_cast<long double>(problem.numbers.size()) < total) return refused_at(text.size());
  return reading;
}

// ---- the formula in long double ----

// How many keys a query sees, as the contract has it.
std::size_t seen(const Head &head, std::size_t query) {
  std::size_t count = 0;
  for (std::size_t j = 0; j < head.n_k; ++j) count += !head.causal || j + head.n_q <= query + head.n_k;
  return count;
}

reference::Softmax exact_row(const Head &head, std::size_t query) {
  return reference::exact_softmax(head.query(query), head.keys, seen(head, query), head.d_k, head.d_model);
}

void check_number(double found, const reference::Expected &expected, const std::string &what) {
  const long double tiny = DBL_MIN;
  if (found >= expected.low - tiny && found <= expected.high + tiny) return;
  char numbers[200];
  std::snprintf(numbers, sizeof numbers, ": found %.17g, exact %.20Lg, allowed %.20Lg to %.20Lg", found,
                expected.exact, expected.low, expected.high);
  broken(what + numbers);
}

// `solved`: the same head, with its output in place of its queries.
void check_output(const Head &head, const Head &solved) {
  for (std::size_t i = 0; i < head.n_q; ++i) {
    const reference::Softmax row = exact_row(head, i);
    for (std::size_t c = 0; c < head.d_k; ++c) {
      const auto value = [&](std::size_t j) { return head.value(j)[c]; };
      const reference::Expected expected = reference::weighted_mean(row, value, 4);
      const double found = solved.query(i)[c];
      check_number(found, expected, "an output is wrong");
      require(expected.may_be_negative || !std::signbit(found), "an output is negative, and no value is");
    }
  }
}

void check_weights(const Head &head, std::size_t query, const std::vector<double> &weights) {
  const reference::Softmax row = exact_row(head, query);
  long double sum = 0;
  for (std::size_t j = 0; j < head.n_k; ++j) {
    check_number(weights[j],
                 reference::weighted_mean(
                     row, [j](std::size_t i) { return i == j; }, 4),
                 "a weight is wrong");
    require(j < seen(head, query) || weights[j] == 0, "a masked key has a weight");
    sum += weights[j];
  }
  require(std::fabs(sum - 1) <= 1e-12L, "weights do not add up to 1");
}

// ---- the program ----

// Collects what is printed.
ssize_t collect(void *text, const char *from, std::size_t size) {
  static_cast<std::string *>(text)->append(from, size);
  return static_cast<ssize_t>(size);
}

// A file that holds the text, open to be read.
std::FILE *file_of(const std::string &text) {
  const int descriptor = memfd_create("stdin", 0);
  require(descriptor >= 0 && write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
              lseek(descriptor, 0, SEEK_SET) == 0,
          "no file to read from");
  return fdopen(descriptor, "r");
}

struct Result {
  std::string out, refusal;
};

// glibc's stdin and stdout are variables.
Result run_on(const std::string &text, const Options &options) {
  Result result;
  std::FILE *const real_in = stdin, *const real_out = stdout;
  stdin = file_of(text);
  stdout = fopencookie(&result.out, "w", {nullptr, collect, nullptr, nullptr});
  try {
    most_memory = 1 << 24; // a header may promise anything
    run(options);          // closes both
  } catch (const Error &error) {
    require(error.status == 1, "status " + std::to_string(error.status));
    result.refusal = error.message;
    std::fclose(stdout);
  }
  most_memory = SIZE_MAX;
  stdin = real_in;
  stdout = real_out;
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
  require(refusal.size() > place.size() && refusal.size() < 200, "a refusal of " + std::to_string(refusal.size()));
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

// Computes the answer from the numbers as read here, checks it, and returns what to print.
std::string checked_answer(Problem problem, const Options &options) {
  Problem solved = problem;
  if (!options.weights) attend(solved, options.threads);
  const Head first = head_of(problem, 0);
  const std::size_t all_heads = problem.all_heads();
  const bool small = all_heads * first.n_q * first.n_k * first.d_k <= 3000; // the formula takes its time
  std::string rows;
  for (std::size_t index = 0; index < all_heads; ++index) {
    const Head head = head_of(problem, index);
    if (!options.weights && small) check_output(head, head_of(solved, index));
    std::vector<double> weights;
    for (std::size_t i = 0; options.weights && i < head.n_q; ++i) {
      compute_weights(head, i, weights);
      weights.resize(head.n_k);
      if (small) check_weights(head, i, weights);
      append_row(rows, weights.data(), head.n_k);
    }
  }
  for (std::size_t i = 0; !options.weights && i < problem.batch * first.n_q; ++i) {
    append_row(rows, head_of(solved, 0).query(i), first.d_model);
  }
  return rows;
}

void check(const std::string &text, Options options) {
  const Result result = run_on(text, options);
  const Reading reading = read(text, options.causal);
  if (reading.refused) return check_refusal(text, reading, result);
  require(result.refusal.empty(), "should be accepted, and is not: " + result.refusal);
  require(result.out == checked_answer(reading.problem, options),
          "printed otherwise than by printf:\n" + result.out);
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
