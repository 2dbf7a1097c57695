// How fast mha is on this machine, part by part: numbers read and printed, attention beside the textbook's
// three loops, threads, and kinds of numbers. Includes the program itself; `make bench` runs it.

#define main mha_main
#include "../../src/mha.cpp"
#undef main

#include <random>

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The least time of `work` over some runs: at least two, and as many as fit a part of a second.
template <class Work> double least_seconds(Work work) {
  double least = HUGE_VAL;
  const double begin = seconds();
  for (int run = 0; run < 2 || (run < 20 && seconds() - begin < 0.4); ++run) {
    const double start = seconds();
    work();
    least = std::min(least, seconds() - start);
  }
  return least;
}

std::vector<double> normal_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double &number : numbers) number = normal(random);
  return numbers;
}

// Sizes of one self-attention.
struct Shape {
  std::size_t batch, n_q, n_k, d_model, num_heads;
};

Problem random_problem(const Shape &shape, bool causal) {
  const auto &[batch, n_q, n_k, d_model, num_heads] = shape;
  return {batch, n_q, n_k, d_model, num_heads, causal, normal_numbers(batch * (n_q + 2 * n_k) * d_model, 1)};
}

double attention_seconds(const Problem &problem, std::uint64_t threads) {
  max_threads = threads;
  Problem solved = problem;
  return least_seconds([&] {
    solved.numbers = problem.numbers;
    attend(solved);
  });
}

// Two operations for each number of K and of V, for each query: the exponentials are not counted.
double operations(const Shape &shape) {
  return 4.0 * static_cast<double>(shape.batch) * static_cast<double>(shape.n_q) *
         static_cast<double>(shape.n_k) * static_cast<double>(shape.d_model);
}

// ---- reading and printing ----

const char *const input_file = "build/bench.in";

// Of a shape, each number as printf prints it with `format`.
void write_input(const Shape &shape, const char *format) {
  std::FILE *file = std::fopen(input_file, "wb");
  if (!file) throw os_error(input_file);
  std::fprintf(file, "%zu %zu %zu\n", shape.n_q, shape.d_model, shape.num_heads);
  for (const double number : normal_numbers(3 * shape.n_q * shape.d_model, 4)) {
    std::fprintf(file, format, number);
    std::fputc('\n', file);
  }
  std::fclose(file);
}

void bench_numbers() {
  const Shape shape{1, 3000, 3000, 64, 1};
  const double count = 3 * 3000 * 64;
  std::puts("reading, as printf prints    %.6g  %.17g  %.18e    printing %.4f");
  std::printf("ns a number                ");
  for (const char *format : {"%.6g", "%.17g", "%.18e"}) {
    write_input(shape, format);
    max_threads = 1;
    std::printf("%6.0f", least_seconds([] { read_problem(input_file, false); }) / count * 1e9);
  }
  std::vector<char> text(400);
  const std::vector<double> numbers = normal_numbers(std::size_t(count), 4);
  unsigned check = 0; // so that the text is needed
  const double time = least_seconds([&] {
    for (const double number : numbers)
      check += static_cast<unsigned>(*(format_number(text.data(), number) - 1));
  });
  std::printf("%18.0f%s\n\n", time / count * 1e9, check == 1 ? " " : "");
}

// All of the program's work, and each part of it, on one thread and on all.
void bench_whole() {
  const std::size_t all = MHA_PROCESSORS;
  std::printf("\nthe whole program, ms on 1 thread and on %zu\n", all);
  std::puts(
      "     n      d   h         reading       attention        printing             all  times faster");
  for (const Shape &shape : {Shape{1, 1000, 1000, 512, 8},
                             {1, 2000, 2000, 64, 64},
                             {1, 4096, 4096, 128, 1},
                             {1, 10, 10, 204800, 8}}) {
    write_input(shape, "%.6g");
    const Problem problem = read_problem(input_file, false);
    double parts[3][2], whole[2];
    std::FILE *nowhere = std::fopen("/dev/null", "w");
    if (!nowhere) throw os_error("/dev/null");
    std::swap(stdout, nowhere); // glibc's standard streams are variables
    for (const int i : {0, 1}) {
      max_threads = i == 0 ? 1 : all;
      Problem solved = problem;
      parts[0][i] = least_seconds([] { read_problem(input_file, false); });
      parts[1][i] = attention_seconds(problem, max_threads);
      parts[2][i] = least_seconds([&] { print_output(solved); });
      whole[i] = least_seconds([&] {
        solved = read_problem(input_file, false);
        attend(solved);
        print_output(solved);
      });
    }
    std::swap(stdout, nowhere);
    std::fclose(nowhere);
    std::printf("%6zu %6zu %3zu", shape.n_q, shape.d_model, shape.num_heads);
    for (const auto &part : parts) std::printf(" %7.1f %7.1f", part[0] * 1e3, part[1] * 1e3);
    std::printf(" %7.1f %7.1f %9.2f\n", whole[0] * 1e3, whole[1] * 1e3, whole[0] / whole[1]);
  }
}

// ---- attention ----

// The textbook's three loops, for one head and 16 queries.
double three_loops_rate(const Shape &shape) {
  const Shape size{1, 16, shape.n_k, shape.d_model / shape.num_heads, 1};
  Problem problem = random_problem(size, false);
  const Head head = head_of(problem, 0);
  std::vector<double> weights(head.n_k);
  return operations(size) / least_seconds([&] {
           for (std::size_t i = 0; i < head.n_q; ++i) attend_query(head, i, weights.data());
         });
}

void bench_attention() {
  const std::size_t all_processors = MHA_PROCESSORS;
  std::puts("attention, one thread");
  std::printf(" batch    n_q    n_k  d_k   h         GF/s  three loops  times faster  %2zu threads\n",
              all_processors);
  struct {
    Shape shape;
    bool causal;
  } const rows[] = {
      {{1, 1000, 1000, 512, 8}, false}, {{1, 2000, 2000, 64, 64}, false}, {{1, 4096, 4096, 128, 1}, false},
      {{1, 16, 16, 64, 1}, false},      {{1, 64, 64, 64, 1}, false},      {{1, 256, 256, 64, 1}, false},
      {{1, 1024, 1024, 2, 1}, false},   {{1, 1024, 1024, 8, 1}, false},   {{1, 1024, 1024, 33, 1}, false},
      {{1, 1024, 1024, 100, 1}, false}, {{1, 1024, 1024, 256, 1}, false}, {{1, 1024, 1024, 1024, 1}, false},
      {{1, 200, 200, 12000, 1}, false}, {{1, 2048, 2048, 64, 1}, false},  {{1, 2048, 2048, 64, 1}, true},
      {{1, 1, 65536, 64, 1}, false},    {{1, 8, 16384, 64, 1}, false},    {{256, 16, 16, 64, 1}, false},
      {{64, 32, 32, 512, 8}, false},
  };
  for (const auto &row : rows) {
    const double work = operations(row.shape) / (row.causal ? 2 : 1) / 1e9;
    const Problem problem = random_problem(row.shape, row.causal);
    const double rate = work / attention_seconds(problem, 1);
    const double all_threads = work / attention_seconds(problem, all_processors);
    const double textbook = three_loops_rate(row.shape) / 1e9;
    std::printf("%6zu %6zu %6zu %4zu %3zu %s %6.1f %12.2f %13.1f %11.2f\n", row.shape.batch, row.shape.n_q,
                row.shape.n_k, row.shape.d_model / row.shape.num_heads, row.shape.num_heads,
                row.causal ? "causal" : "      ", rate, textbook, rate / textbook, all_threads / rate);
  }
}

// Numbers of every kind take the same time, but those whose products could pass the largest double.
void bench_kinds() {
  std::puts(
      "\nkinds of numbers, 1000 tokens of 128 channels, two heads, one thread: ms, and times the first line");
  const std::size_t n = 1000, d = 128;
  const Problem normal = random_problem({1, n, n, d, 2}, false);
  const struct {
    const char *name;
    double (*number)(double x, std::size_t row, std::size_t column); // of Q, then K, then V, from a normal x
  } kinds[] = {
      {"normal", [](double x, std::size_t, std::size_t) { return x; }},
      {"integers to 1e9", [](double x, std::size_t, std::size_t) { return std::floor(x * 3e8); }},
      {"an offset of 1e6", [](double x, std::size_t, std::size_t) { return x + 1e6; }},
      {"1e-150 times smaller", [](double x, std::size_t, std::size_t) { return x * 1e-150; }},
      {"one key 1e4 times longer",
       [](double x, std::size_t row, std::size_t) { return row == n + 7 ? x * 1e4 : x; }},
      {"a mask column of -1e30",
       [](double x, std::size_t row, std::size_t column) {
         if (column % 64 != 0 || row >= 2 * n) return x;
         if (row < n) return 1.0;
         return row % 3 == 0 ? -1e30 : 0.0;
       }},
      {"past the largest double", [](double x, std::size_t, std::size_t) { return x * 1e160; }},
  };
  double first = 0;
  for (const auto &kind : kinds) {
    Problem problem = normal;
    for (std::size_t i = 0; i < problem.numbers.size(); ++i) {
      problem.numbers[i] = kind.number(problem.numbers[i], i / d, i % d);
    }
    const double time = attention_seconds(problem, 1) * 1e3;
    if (first == 0) first = time;
    std::printf("%-28s %9.2f %6.2f\n", kind.name, time, time / first);
  }
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0); // each row as it comes
  try {
    bench_numbers();
    bench_attention();
    bench_whole();
    bench_kinds();
    std::remove(input_file);
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "bench: %s\n", error.message.c_str());
    return error.status;
  }
}
