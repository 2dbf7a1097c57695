// src/mha.cpp under libFuzzer: make fuzz.
//
// The first byte of an input chooses the options, in its low bits: 1 --causal, 2 --weights, 4 and 8 the
// threads less 1, 16 blanks before the text so that the reader's first window ends inside it, as many bytes
// on as the second byte says. The rest is stdin. With @0 before it, a case of this folder is an input.
//
// What must hold of any input, besides what the sanitizers watch: it gets status 0 and rows of numbers, or
// status 1 and one line that names a place in the input; and the same from one thread. Whether the numbers
// are right, tests/stress.sh tells.

#include <unistd.h>
// No progress is shown, and nobody is asked to type.
#define isatty(fd) ((void)(fd), 0)
#define main mha_main
#include "../../src/mha.cpp"
#undef main
#define main reference_main
#include "../kit/reference.cpp"
#undef main
#include "operator_new.h"

#include <sys/mman.h>

namespace {

void require(bool holds, const std::string &what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

struct Result {
  int status;
  std::string out, err;
};

// Runs the program. glibc's standard streams are variables.
Result run_on(const std::string &text, std::vector<std::string> words) {
  const auto write_to = [](std::string &printed) {
    const auto append = [](void *to, const char *from, size_t size) {
      static_cast<std::string *>(to)->append(from, size);
      return ssize_t(size);
    };
    return fopencookie(&printed, "w", {nullptr, append, nullptr, nullptr});
  };
  std::vector<char *> argv(words.size());
  for (size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  Result result{};
  std::FILE *const real_in = stdin, *const real_out = stdout, *const real_err = stderr;
  const int file = memfd_create("stdin", 0);
  require(write(file, text.data(), text.size()) == ssize_t(text.size()) && lseek(file, 0, SEEK_SET) == 0,
          "no file");
  stdin = fdopen(file, "r");
  stdout = write_to(result.out);
  stderr = write_to(result.err);
  most_memory = 1 << 24; // a header may promise anything
  result.status = mha_main(int(argv.size()), argv.data());
  most_memory = SIZE_MAX;
  if (result.status != 0) std::fclose(stdout); // what it prints, and stdin, it closes itself
  std::fclose(stderr);
  stdin = real_in, stdout = real_out, stderr = real_err;
  return result;
}

// Whether it is rows `[x.xxxx ...]`, as many numbers in each.
bool is_answer(const std::string &out) {
  std::istringstream rows(out);
  size_t columns = 0;
  for (std::string row; std::getline(rows, row);) {
    const size_t count = reference::printed_numbers(row).size();
    if (count == 0 || (columns > 0 && count != columns)) return false;
    columns = count;
  }
  return columns > 0 && out.back() == '\n';
}

// Whether it is one short printable line, and the place that it names is the first byte of a token, of the
// one that it quotes where it quotes any, the byte behind a token, or the end.
bool is_refusal(const std::string &err, const std::string &text) {
  unsigned long line = 0, column = 0;
  int first = 0;
  std::sscanf(err.c_str(), "mha: <stdin>:%lu:%lu: %n", &line, &column, &first);
  if (first == 0 || err.size() < size_t(first) + 2 || err.size() > 200 || err.back() != '\n') return false;
  if (!std::all_of(err.begin(), err.end() - 1, [](char c) { return c >= ' ' && c <= '~'; })) return false;

  size_t begin = 0; // of the line
  for (; line > 1 && begin <= text.size(); --line) begin = std::min(text.find('\n', begin), text.size()) + 1;
  const size_t at = begin + column - 1;
  if (line == 0 || column == 0 || at > text.size() || text.find('\n', begin) < at) return false;
  const bool after_mark = at == 3 && text.compare(0, 3, "\xEF\xBB\xBF") == 0;
  const bool behind = at > 0 && !is_separator(text[at - 1]) && !after_mark;
  if (at == text.size() || is_separator(text[at])) return at == text.size() || behind;
  const std::string token(text.begin() + ptrdiff_t(at),
                          std::find_if(text.begin() + ptrdiff_t(at), text.end(), is_separator));
  return !behind && (err.find('"') == err.npos || err.find(quoted(token)) != err.npos);
}

void check(const std::string &text, const std::vector<std::string> &options, unsigned threads) {
  const auto run_with = [&](unsigned count) {
    std::vector<std::string> words = {"mha", "--threads", std::to_string(count)};
    words.insert(words.end(), options.begin(), options.end());
    return run_on(text, words);
  };
  const auto [status, out, err] = run_with(threads);
  require(status == 0 || status == 1, "status " + std::to_string(status));
  if (status == 0) require(err.empty() && is_answer(out), "a strange answer: " + err + out);
  if (status == 1) require(out.empty() && is_refusal(err, text), "a strange refusal: " + err + out);
  if (threads == 1) return;
  const Result alone = run_with(1);
  require(alone.out == out && alone.err == err,
          "otherwise from one thread: " + err + out + alone.err + alone.out);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  std::string text(data + 2, data + size);
  // The reader's window is 2^16 bytes, the last of them kept free.
  if (data[0] & 16) text.insert(0, (1 << 16) - 1 - data[1], ' ');
  std::vector<std::string> options;
  if (data[0] & 1) options.push_back("--causal");
  if (data[0] & 2) options.push_back("--weights");
  check(text, options, 1 + data[0] / 4 % 4);
  return 0;
}
