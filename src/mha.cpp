// Multi-head attention on projected queries, keys and values: one file, the standard library alone.
//
// Input (line breaks matter in the header alone):
//
//     n d h                one self-attention: n tokens, model width d, h heads
//     b n_q n_k d h        or a batch of b, each item with n_q queries and n_k keys
//     Q  (b*n_q rows of d)      K  (b*n_k rows of d)      V  (b*n_k rows of d)
//
// Output: b*n_q rows of d numbers, `[x.xxxx ...]`. With d_k = d/h, head t owns columns t*d_k to (t+1)*d_k - 1:
//
//     head_t = softmax(Q_t K_t^T / sqrt(d_k)) V_t            (Vaswani et al. 2017, "Attention Is All You Need")
//
// The softmax goes along each row of scores, after the row's maximum is subtracted.
// Time: 4*b*n_q*n_k*d operations. Memory: Q, K and V once; the output takes the place of Q.
//
// Read the first section: it is the whole formula. The rest is speed, input and output.

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "mha computes with infinities and rounds as IEEE 754 says: compile it without -ffast-math and -Ofast"
#endif
// Judges compile with -O2, at which g++ hardly vectorizes. Nothing here reads the floating-point flags. Products are
// rounded before they are summed, as in everyone's solution; the tiles, far below, may fuse both.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3,no-trapping-math,fp-contract=off")
#endif

// -pthread defines _REENTRANT; headers may too, so this stands first. Some judges can neither link nor run threads.
#if defined(_REENTRANT) || defined(_WIN32) || defined(__APPLE__)
#include <condition_variable>
#include <mutex>
#include <thread>
#if !defined(__GLIBCXX__) || defined(_GLIBCXX_HAS_GTHREADS) // else the header has no thread
#define MHA_THREADS
#endif
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <stddef.h>
#include <stdint.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<charconv>) // not with g++ 7
#include <charconv>
#endif
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#else
#include <poll.h>
#include <unistd.h>
#endif

namespace {

// ---- Attention, the textbook's formula ----

// The header's sizes, in 64 bits as a header may claim more than memory holds, and the numbers after it.
struct Problem {
  uint64_t batch, n_q, n_k, d_model, num_heads;
  bool causal;
  std::vector<double> numbers; // Q (batch, n_q, d_model), K and V (batch, n_k, d_model); the output replaces Q
  size_t all_heads() const { return size_t(batch * num_heads); }
};

// One head of one batch item, among the numbers: its rows are d_model apart.
struct Head {
  double *queries;             // (n_q, d_k)
  const double *keys, *values; // (n_k, d_k)
  size_t n_q, n_k, d_k, d_model;
  bool causal;
  double *query(size_t i) const { return queries + i * d_model; } // and its output
  const double *key(size_t j) const { return keys + j * d_model; }
  const double *value(size_t j) const { return values + j * d_model; }

  // How many keys query i sees: under a causal mask the first ones, and all for the last query.
  size_t visible_keys(size_t i) const { return causal ? i + 1 + (n_k - n_q) : n_k; }
};

// Head `index` of the batch: item 0 has the first num_heads. All numbers are in memory, so the sizes fit size_t.
Head head_of(Problem &problem, size_t index) {
  const auto n_q = size_t(problem.n_q), n_k = size_t(problem.n_k), d_model = size_t(problem.d_model);
  const auto batch = size_t(problem.batch), num_heads = size_t(problem.num_heads), d_k = d_model / num_heads;
  const size_t item = index / num_heads, column = index % num_heads * d_k;
  double *q = problem.numbers.data(), *k = q + batch * n_q * d_model, *v = k + batch * n_k * d_model;
  const size_t q_offset = item * n_q * d_model + column, k_offset = item * n_k * d_model + column;
  return {q + q_offset, k + k_offset, v + k_offset, n_q, n_k, d_k, d_model, problem.causal};
}

// scores[j] = q_i . k_j / sqrt(d_k) for each key that query i sees.
void compute_scores(const Head &head, size_t i, std::vector<double> &scores) {
  const double *q = head.query(i);
  scores.resize(head.visible_keys(i));
  for (size_t j = 0; j < scores.size(); ++j) {
    const double *k = head.key(j);
    double sum = 0;
    for (size_t c = 0; c < head.d_k; ++c) sum += q[c] * k[c];
    scores[j] = sum / std::sqrt(double(head.d_k));
  }
}

// weights = softmax(scores), in their place.
void softmax(std::vector<double> &scores) {
  const double max = *std::max_element(scores.begin(), scores.end());
  for (double &score : scores) score = std::exp(score - max);
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
  for (double &score : scores) score /= sum;
}

void rescale_scores(const Head &head, size_t i, std::vector<double> &scores); // those past the largest double

// weights[j] = softmax(scores)[j] for each key that query i sees.
void compute_weights(const Head &head, size_t i, std::vector<double> &weights) {
  compute_scores(head, i, weights);
  rescale_scores(head, i, weights);
  softmax(weights);
}

// output_i = the sum over j of weights[j] * v_j, in place of query i.
void attend_query(const Head &head, size_t i, std::vector<double> &weights) {
  compute_weights(head, i, weights);
  double *output = head.query(i);
  std::fill_n(output, head.d_k, 0.0);
  for (size_t j = 0; j < weights.size(); ++j) {
    const double *v = head.value(j);
    for (size_t c = 0; c < head.d_k; ++c) output[c] += weights[j] * v[c];
  }
  // a mean can pass the largest double by rounding alone
  for (size_t c = 0; c < head.d_k; ++c) output[c] = std::clamp(output[c], -DBL_MAX, DBL_MAX);
}

// A score is infinite or NaN where a product or a sum passes the largest double. It is computed again from numbers
// divided by 2^550, which loses only what is too small to count, and multiplied back. Below -1.8e308 its key is as
// good as masked. If the largest is still infinite, the largest divided score takes all the weight.
void rescale_scores(const Head &head, size_t i, std::vector<double> &scores) {
  const double *q = head.query(i), root = 0x1p550;
  const auto divided_score = [&](size_t j) {
    const double *k = head.key(j);
    double sum = 0;
    for (size_t c = 0; c < head.d_k; ++c) sum += (q[c] / root) * (k[c] / root);
    return sum / std::sqrt(double(head.d_k));
  };
  for (size_t j = 0; j < scores.size(); ++j) {
    if (!std::isfinite(scores[j])) scores[j] = divided_score(j) * root * root;
  }
  const double max = *std::max_element(scores.begin(), scores.end());
  if (std::isfinite(max)) return;
  for (size_t j = 0; j < scores.size(); ++j) scores[j] = scores[j] == max ? divided_score(j) : -HUGE_VAL;
  const double largest = *std::max_element(scores.begin(), scores.end());
  for (double &score : scores) score = score == largest ? 0 : -HUGE_VAL;
}

// ---- Attention, fast ----
//
// Each lane of a vector is a query, and a tile is as many queries as are computed at a time. Its numbers lie
// transposed, [..][lane]: an inner loop runs over a constant count of lanes that all do the same. It vectorizes for
// any d_k, and keeps the order of each query's sums. Q K^T and weights V are then the same product, multiply().
//
// The softmax is the online one (Milakov and Gimelshein 2018; FlashAttention, Dao et al. 2022): keys come in
// blocks, each query keeps a running maximum and sum, and what was summed under a smaller maximum is scaled down.
//
//     word    what it is                             size         why this size
//     tile    queries computed at a time             4, 8 or 24   two or three vectors: see targets()
//     strip   keys, or channels of V, summed up in   6            6 x 2 vectors of sums hide the latency of two
//             registers at a time                                 additions a cycle, and fit 16 registers
//     chunk   channels of Q and K that are summed    128          24 lanes of them take 24 KiB of L1; and short
//             at a time                                           sums have small rounding errors
//     block   keys that are packed at a time         96 or less   K and V of 128 channels take 192 KiB of L2;
//                                                                 wide ones 512 KiB each at most
//     group   queries that share packed blocks       1024 or      packing hardly counts beside so many; wide ones
//                                                    less         take 1.5 MiB at most

#if !defined(MHA_TINY_BLOCKS)
#define MHA_TINY_BLOCKS 0 // 1 in tests: small inputs then cross every edge
#endif
constexpr bool tiny_blocks = MHA_TINY_BLOCKS;
constexpr size_t max_lanes = 24, strip_rows = 6;
constexpr size_t chunk_channels = tiny_blocks ? 2 : 128, max_block_keys = tiny_blocks ? strip_rows : 96;
constexpr size_t max_group_queries = tiny_blocks ? 4 * max_lanes : 1024;
constexpr size_t max_block = 1 << 16, max_group = 3 << 16; // numbers
size_t divide_up(size_t number, size_t unit) { return (number + unit - 1) / unit; }
size_t round_up(size_t number, size_t unit) { return divide_up(number, unit) * unit; }

// How many of `count` rows to take at a time: whole units, and no more than `max` or one unit.
size_t rows_at_a_time(size_t count, size_t unit, size_t max) {
  return std::min(round_up(count, unit), std::max(max / unit, size_t{1}) * unit);
}

// A tile and a block of keys: where they lie in the memory of a thread.
struct Tile {
  size_t d_k;
  size_t first_key, block_keys; // of the block
  size_t num_keys;              // of the block, those that some lane sees
  size_t visible;        // keys of the head that lane 0 sees; under a mask each lane sees one more than the last
  double *queries;       // [d_k][lane], scaled
  double *outputs;       // [d_k][lane], sums of weight * value so far
  double *maxima, *sums; // [lane], the largest score and the sum of the weights so far
  double *weights;       // [key][lane], scores and then weights
  double *keys, *values; // [strip of keys][d_k][key], [strip of channels][key][channel]
};

// attend_tile() is compiled once for each target, with all that it calls inlined.
// g++ unrolls short loops before it vectorizes them; `unroll 2` prevents that.
#define MHA_INLINE [[gnu::always_inline]] inline
#if defined(__GNUC__) && !defined(__clang__)
#define MHA_FOR_LANES _Pragma("GCC unroll 2") for (size_t lane = 0; lane < Lanes; ++lane)
#else
#define MHA_FOR_LANES for (size_t lane = 0; lane < Lanes; ++lane)
#endif

#if defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#endif

// sums[row][lane] = the sum over k < depth of a[k][row] * b[k][lane]
template <size_t Rows, size_t Lanes>
MHA_INLINE void multiply(const double *__restrict a, const double *__restrict b, size_t depth,
                         double (&sums)[Rows][Lanes]) {
  // 0 would become a memset, which is slower
  for (size_t row = 0; row < Rows; ++row) MHA_FOR_LANES sums[row][lane] = -0.0;
  for (size_t k = 0; k < depth; ++k) {
    for (size_t row = 0; row < Rows; ++row)
      MHA_FOR_LANES sums[row][lane] += a[k * Rows + row] * b[k * Lanes + lane];
  }
}

// 2^x - 2^-1000 for x <= 0: exactly 0 from x = -1000 down. The relative error is below 1e-15 as far as x = -949.
MHA_INLINE double exp2_of_negative(double x) {
  x = x > -1000 ? x : -1000;
  // x = whole + part, |part| <= 1/2: next to 1.5 * 2^52 a double has no room for a fraction
  const double shifted = x + 0x1.8p52;
  const double part = x - (shifted - 0x1.8p52);
  // 2^part = 1 + part * p(part), p through (2^x - 1) / x at the Chebyshev nodes of [-1/2, 1/2]
  double power = 1.0205905413765595e-07 + part * 7.070977866508138e-09;
  power = 1.5252672924850737e-05 + part * (1.3215451633221434e-06 + part * power);
  power = 0.0013333558200794592 + part * (0.00015403530424776529 + part * power);
  power = 0.05550410866465167 + part * (0.009618129107618665 + part * power);
  power = 1 + part * (0.6931471805599462 + part * (0.24022650695910075 + part * power));
  // times 2^whole: the low bits of shifted are the whole number, and go to where the exponent is
  uint64_t power_bits, shifted_bits;
  std::memcpy(&power_bits, &power, sizeof power);
  std::memcpy(&shifted_bits, &shifted, sizeof shifted);
  power_bits += shifted_bits << 52;
  std::memcpy(&power, &power_bits, sizeof power);
  return power - 0x1p-1000;
}

// scores = Q K^T, a whole strip at a time; those past the last key are not read.
template <size_t Lanes> MHA_INLINE void score_tile(const Tile &tile) {
  for (size_t c = 0; c < tile.d_k; c += chunk_channels) {
    for (size_t first = 0; first < tile.num_keys; first += strip_rows) {
      double sums[strip_rows][Lanes];
      multiply<strip_rows, Lanes>(tile.keys + first * tile.d_k + c * strip_rows, tile.queries + c * Lanes,
                                  std::min(chunk_channels, tile.d_k - c), sums);
      for (size_t row = 0; row < strip_rows; ++row) {
        double *scores = tile.weights + (first + row) * Lanes;
        MHA_FOR_LANES scores[lane] = c == 0 ? sums[row][lane] : scores[lane] + sums[row][lane];
      }
    }
  }
}

// scores = -infinity where a query does not see a key. Each sees key 0: its maximum is finite.
template <size_t Lanes> MHA_INLINE void mask_tile(const Tile &tile) {
  for (size_t lane = 0; lane < Lanes; ++lane) {
    const size_t visible = std::max(tile.visible + lane, tile.first_key) - tile.first_key;
    for (size_t j = visible; j < tile.num_keys; ++j) tile.weights[j * Lanes + lane] = -HUGE_VAL;
  }
}

// weights = 2^(scores - maximum), for the largest score so far. What was summed under a smaller one is scaled down.
template <size_t Lanes> MHA_INLINE void softmax_tile(const Tile &tile) {
  double maximum[Lanes], correction[Lanes], sum[Lanes] = {};
  MHA_FOR_LANES maximum[lane] = tile.maxima[lane];
  for (size_t j = 0; j < tile.num_keys; ++j) {
    const double *scores = tile.weights + j * Lanes;
    MHA_FOR_LANES maximum[lane] = scores[lane] > maximum[lane] ? scores[lane] : maximum[lane];
  }
  for (size_t j = 0; j < tile.num_keys; ++j) {
    double *weights = tile.weights + j * Lanes;
    MHA_FOR_LANES {
      weights[lane] = exp2_of_negative(weights[lane] - maximum[lane]);
      sum[lane] += weights[lane];
    }
  }
  MHA_FOR_LANES {
    correction[lane] = exp2_of_negative(tile.maxima[lane] - maximum[lane]);
    tile.maxima[lane] = maximum[lane];
    tile.sums[lane] = tile.sums[lane] * correction[lane] + sum[lane];
  }
  for (size_t c = 0; c < tile.d_k; ++c) MHA_FOR_LANES tile.outputs[c * Lanes + lane] *= correction[lane];
}

// outputs += V^T weights, Rows channels at a time from `first` on, and then those that are left.
template <size_t Rows, size_t Lanes> MHA_INLINE void add_values(const Tile &tile, size_t first) {
  for (; first + Rows <= tile.d_k; first += Rows) {
    double sums[Rows][Lanes];
    multiply<Rows, Lanes>(tile.values + first * tile.block_keys, tile.weights, tile.num_keys, sums);
    double *outputs = tile.outputs + first * Lanes;
    for (size_t row = 0; row < Rows; ++row) MHA_FOR_LANES outputs[row * Lanes + lane] += sums[row][lane];
  }
  if constexpr (Rows > 1) add_values<Rows - 1, Lanes>(tile, first);
}

// Brings a tile's sums up to date with the block.
template <size_t Lanes> MHA_INLINE void attend_tile(const Tile &tile) {
  score_tile<Lanes>(tile);
  mask_tile<Lanes>(tile);
  softmax_tile<Lanes>(tile);
  add_values<strip_rows, Lanes>(tile, 0);
}

// A way to compute tiles.
struct Target {
  size_t lanes;
  void (*attend_tile)(const Tile &);
};

#if defined(__AVX__)
constexpr size_t plain_lanes = 8;
#else
constexpr size_t plain_lanes = 4;
#endif
void attend_tile_plain(const Tile &tile) { attend_tile<plain_lanes>(tile); }

// MHA_NO_DISPATCH leaves the compiler's own target. So does g++ on Windows, which cannot align vectors.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(MHA_NO_DISPATCH) &&                \
    (defined(__clang__) || !defined(_WIN32))
#define MHA_DISPATCH
[[gnu::target("avx512f")]] void attend_tile_avx512(const Tile &tile) { attend_tile<max_lanes>(tile); }
[[gnu::target("avx2,fma")]] void attend_tile_avx2(const Tile &tile) { attend_tile<8>(tile); }
#endif

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif

// The targets of this machine, the fastest first. With its 32 registers AVX-512 takes three vectors a row.
std::vector<Target> targets() {
  std::vector<Target> targets;
#if defined(MHA_DISPATCH)
  if (__builtin_cpu_supports("avx512f")) targets.push_back({max_lanes, attend_tile_avx512});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) targets.push_back({8, attend_tile_avx2});
#endif
  targets.push_back({plain_lanes, attend_tile_plain});
  return targets;
}

// Packs rows of d_k numbers times `factor`: [row / unit][d_k][row % unit]. Zeros fill up the last unit.
void pack_rows(const Head &head, const double *rows, size_t count, size_t unit, double factor, double *to) {
  std::fill_n(to, round_up(count, unit) * head.d_k, 0.0);
  for (size_t row = 0; row < count; ++row) {
    double *first = to + row / unit * unit * head.d_k + row % unit;
    for (size_t c = 0; c < head.d_k; ++c) first[c * unit] = rows[row * head.d_model + c] * factor;
  }
}

// Packs `count` rows of values: [strip of channels][key][channel], the last strip with what is left.
void pack_values(const Head &head, const double *rows, size_t count, double *to) {
  for (size_t first = 0; first < head.d_k; first += strip_rows) {
    const size_t channels = std::min(strip_rows, head.d_k - first);
    for (size_t j = 0; j < count; ++j) to = std::copy_n(rows + j * head.d_model + first, channels, to);
  }
}

// ---- Threads ----

// What systems call differently. read_some() returns as soon as some bytes have come, `size` at most: how many, 0
// at the end, -1 on a fault. can_read() tells whether it would return within 10 ms, where the system can say.
#if defined(_WIN32)
bool is_terminal(int fd) { return _isatty(fd) != 0; }
bool can_read(std::FILE *) { return false; }
long read_some(std::FILE *file, char *to, unsigned size) { return _read(_fileno(file), to, size); }
#else
bool is_terminal(int fd) { return isatty(fd) != 0; }
bool can_read(std::FILE *file) {
  pollfd waiting{fileno(file), POLLIN, 0};
  return poll(&waiting, 1, 10) > 0;
}
long read_some(std::FILE *file, char *to, unsigned size) { return long(read(fileno(file), to, size)); }
#endif

const auto run_begins = std::chrono::steady_clock::now();
// One line on a terminal's stderr, once the run has lasted a second: how far a part is. The destructor clears it.
class Progress {
  const char *const doing_;
  const uint64_t total_; // 0 where nothing is to be shown
  std::atomic<uint64_t> done_{0};
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT; // by a thread in add()
  std::chrono::steady_clock::time_point next_ = run_begins + std::chrono::seconds(1);
  bool shown_ = false;

public:
  Progress(const char *doing, uint64_t total) : doing_(doing), total_(is_terminal(2) ? total : 0) {}
  ~Progress() {
    if (shown_) std::fprintf(stderr, "\r%31s\r", "");
  }

  // Any thread may add to what is done.
  void add(uint64_t done) {
    if (total_ == 0) return;
    done_ += done;
    if (in_use_.test_and_set()) return;
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_) {
      next_ = now + std::chrono::milliseconds(200);
      shown_ = true;
      std::fprintf(stderr, "\rmha: %-20s %3.0f %%", doing_, std::min(100 * double(done_) / double(total_), 100.0));
    }
    in_use_.clear();
  }
};

#if defined(MHA_THREADS)
double processors() { return tiny_blocks ? 4 : std::max(1u, std::thread::hardware_concurrency()); }

// Calls run(item) on `num_threads` threads, or as many as can be had. Each has a copy of `item`.
template <class Item, class Run> void run_on_threads(size_t num_threads, Item item, const Run &run) {
  std::vector<std::thread> threads;
  try {
    while (threads.size() + 1 < num_threads) threads.emplace_back(run, item);
  } catch (const std::exception &) { // no memory or no thread: those that are there do the work
  }
  run(std::move(item));
  for (std::thread &thread : threads) thread.join();
}

// Shares work out to `num_threads` threads. A thread calls take(index, item), with rising indexes, until it returns
// false; then work(index, item), beside the others; then finish(index, item), in the order of the indexes, or at
// once where it is nullptr. After a failure no more is taken, and the first one by index is thrown.
template <class Item, class Take, class Work, class Finish>
void share_out(size_t num_threads, Item item, const Take &take, const Work &work, const Finish &finish) {
  std::mutex mutex; // locked, except in work() and while a thread waits
  std::condition_variable one_more;
  size_t taken = 0, finished = 0;
  bool more = true;
  std::exception_ptr failure;
  run_on_threads(num_threads, std::move(item), [&](Item own) {
    std::unique_lock<std::mutex> lock(mutex);
    while (more) {
      const size_t index = taken++;
      const auto is_turn = [&] { return finished >= index || failure; };
      try {
        if (!(more = take(index, own))) break;
        lock.unlock();
        work(index, own);
        lock.lock();
        if constexpr (!std::is_null_pointer_v<Finish>) {
          one_more.wait(lock, is_turn);
          if (!failure) finish(index, own);
        }
      } catch (...) {
        if (!lock) lock.lock();
        more = false;
        one_more.wait(lock, is_turn); // an earlier one may fail, too
        if (!failure) failure = std::current_exception();
      }
      ++finished;
      one_more.notify_all();
    }
  });
  if (failure) std::rethrow_exception(failure);
}
#else
double processors() { return 1; }

template <class Item, class Take, class Work, class Finish>
void share_out(size_t, Item item, const Take &take, const Work &work, const Finish &finish) {
  for (size_t index = 0; take(index, item); ++index) {
    work(index, item);
    if constexpr (!std::is_null_pointer_v<Finish>) finish(index, item);
  }
}
#endif

// One thread for each `unit` of work: one at least, and `max_threads` and one for each processor at most.
size_t threads_for(double work, double unit, uint64_t max_threads) {
  return size_t(std::clamp(work / (tiny_blocks ? 1 : unit), 1.0, std::min(double(max_threads), processors())));
}

// Calls work(index, item) for each index below `count`, which costs some `cost` products. A turn is a run of them that
// takes some 100 microseconds: the lock is hardly noticed then.
template <class Item, class Work>
void share_runs(size_t num_threads, size_t count, double cost, Item item, const Work &work) {
  const auto run = tiny_blocks ? size_t{1} : size_t(1 + (1 << 20) / cost);
  const auto take = [&](size_t turn, Item &) { return turn < divide_up(count, run); };
  const auto work_on_run = [&](size_t turn, Item &own) {
    for (size_t i = turn * run; i < std::min(turn * run + run, count); ++i) work(i, own);
  };
  share_out(num_threads, std::move(item), take, work_on_run, nullptr);
}

// Attention of a group: the `count` queries from `first`, a multiple of target.lanes; the outputs replace them.
// `scratch` holds what attend_by_tiles() counts; `block` is a multiple of strip_rows.
void attend_group(const Head &head, size_t first, size_t count, const Target &target, size_t block, double *scratch,
                  Progress &progress) {
  scratch += (64 - reinterpret_cast<uintptr_t>(scratch) % 64) % 64 / sizeof *scratch; // no vector on two cache lines
  const size_t d_k = head.d_k, lanes = target.lanes, group = round_up(count, lanes);
  double *queries = scratch, *outputs = queries + group * d_k, *sums = outputs + group * d_k;
  double *maxima = sums + group, *weights = maxima + group;
  double *keys = weights + block * lanes, *values = keys + block * d_k;
  const double log2_e = 1.4426950408889634, scale = log2_e / std::sqrt(double(d_k)); // weights are powers of 2
  pack_rows(head, head.query(first), count, lanes, scale, queries);
  std::fill_n(outputs, group * d_k + group, 0.0); // and sums
  std::fill_n(maxima, group, -HUGE_VAL);
  for (size_t key = 0; key < head.n_k; key += block) {
    const size_t block_keys = std::min(block, head.n_k - key);
    progress.add(count * block_keys);
    if (key >= head.visible_keys(first + count - 1)) continue;
    pack_rows(head, head.key(key), block_keys, strip_rows, 1, keys);
    pack_values(head, head.value(key), block_keys, values);
    for (size_t i = 0; i < count; i += lanes) {
      const size_t visible = head.visible_keys(first + std::min(i + lanes, count) - 1);
      if (key >= visible) continue;
      target.attend_tile({d_k, key, block_keys, std::min(block_keys, visible - key), head.visible_keys(first + i),
                          queries + i * d_k, outputs + i * d_k, maxima + i, sums + i, weights, keys, values});
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const double *lane = outputs + i / lanes * lanes * d_k + i % lanes;
    for (size_t c = 0; c < d_k; ++c) head.query(first + i)[c] = lane[c * lanes] / sums[i];
  }
}

// All queries of all heads, a group at a time. Does nothing and returns false where heads are so wide that a
// thread's scratch would take over 6.4 MB and a tenth of Q, K and V. Throws bad_alloc.
bool attend_by_tiles(Problem &problem, const Target &target, size_t num_threads, Progress &progress) {
  const Head head = head_of(problem, 0); // all have these sizes
  // two groups or more for each thread, where that makes no small ones
  const size_t shared = problem.all_heads() * head.n_q / (2 * num_threads), small = max_group_queries / 4;
  const size_t max_queries = std::clamp(shared, small, max_group_queries);
  const size_t group = rows_at_a_time(head.n_q, target.lanes, std::min(max_queries, max_group / head.d_k));
  const size_t block = rows_at_a_time(head.n_k, strip_rows, std::min(max_block_keys, max_block / head.d_k));
  const size_t groups = divide_up(head.n_q, group), room = problem.numbers.size() / 10 + 800'000;
  const size_t size = 2 * (group + block) * head.d_k + 2 * group + block * target.lanes + 8; // for attend_group()
  // The group depends on the threads, and what is computed must not. A group of one tile does not depend on them, and
  // a larger one always fits.
  static_assert(2 * (max_group + max_group / (2 * plain_lanes) * strip_rows + max_group_queries) +
                    max_block_keys * max_lanes + 8 <=
                800'000);
  if (size > room) return false;
  if (size > 400'000) num_threads = std::min(num_threads, room / size); // all of them within the room
  const size_t count = problem.all_heads() * groups;
  const auto work = [&](size_t index, std::vector<double> &scratch) {
    // causal: the last queries take the longest, so they come first
    const size_t first = (groups - 1 - index % groups) * group, queries = std::min(group, head.n_q - first);
    attend_group(head_of(problem, index / groups), first, queries, target, block, scratch.data(), progress);
  };
  const double cost = double(group) * double(head.n_k) * double(2 * head.d_k + 32);
  share_runs(std::min(num_threads, count), count, cost, std::vector<double>(size), work);
  return true;
}

// Whether no score, and no sum of weighted values, can pass the largest double.
bool products_fit(Problem &problem) {
  const auto largest = [](const double *first, const double *last) {
    double max[8] = {}; // eight at a time: none waits for the one before
    for (size_t i = 0; first + i != last; ++i) max[i % 8] = std::max(max[i % 8], std::fabs(first[i]));
    return *std::max_element(max, max + 8);
  };
  const Head head = head_of(problem, 0);
  const double q = largest(head.queries, head.keys), k = largest(head.keys, head.values);
  const double v = largest(head.values, problem.numbers.data() + problem.numbers.size());
  return std::max({q, q * k * double(head.d_k), v * double(head.n_k)}) <= DBL_MAX / 2; // q times log2(e) fits, too
}

// All queries of all heads: the output takes the place of Q and is the same for any threads. Throws bad_alloc.
void attend(Problem &problem, uint64_t max_threads) {
  const Head head = head_of(problem, 0);
  const size_t n_q = head.n_q, n_k = head.n_k, all_queries = problem.all_heads() * n_q;
  Progress progress("attention", uint64_t{all_queries} * n_k);
  const double products = 2.0 * double(all_queries) * double(n_k) * double(head.d_k);
  const size_t num_threads = threads_for(products, 1 << 24, max_threads); // some milliseconds each
  // The exercise's own sizes go the textbook's way: ties fall as in everyone's solution. So do numbers whose
  // products could pass the largest double, and x87 registers, for which exp2_of_negative() is wrong.
  if ((tiny_blocks || n_k > 100 / n_q) && FLT_EVAL_METHOD == 0 && products_fit(problem)) {
    for (const Target &target : targets())
      if (attend_by_tiles(problem, target, num_threads, progress)) return;
  }
  const auto work = [&](size_t index, std::vector<double> &weights) {
    attend_query(head_of(problem, index / n_q), index % n_q, weights);
    progress.add(n_k);
  };
  const double cost = 10 * double(n_k) * double(2 * head.d_k + 16); // no vectors
  share_runs(num_threads, all_queries, cost, std::vector<double>(n_k), work);
}

// ---- Input: text to numbers ----

// What ends the program: the line for stderr, without its "mha: ", and the exit status.
struct Error {
  std::string message;
  int status = 1;
};

// What the system refused, with errno's reason.
Error system_error(const std::string &what) { return {what + ": " + std::strerror(errno)}; }

// `text` in double quotes, cut to 32 bytes, with unprintable ones escaped.
std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 32)) {
    char shown[5] = {c};
    if (c < ' ' || c > '~') std::snprintf(shown, sizeof shown, "\\x%02x", static_cast<unsigned char>(c));
    if (c == '"' || c == '\\') out += '\\';
    out += shown;
  }
  return out + (text.size() > 32 ? "...\"" : "\"");
}

bool is_separator(char c) {
  return c == ' ' || c == '\n' || c == ',' || c == '[' || c == ']' || c == '\t' || c == '\r' || c == '\f';
}

// The whole number in `text`, with an optional plus: 0 where it is none, UINT64_MAX where it is too large.
uint64_t parse_whole(std::string text) {
  text.erase(0, text[0] == '+');
  if (text.find_first_not_of("0123456789") != text.npos) return 0;
  return std::strtoull(text.c_str(), nullptr, 10);
}

// Reads the decimal number at `first`; a separator stands at `last` or before. Returns the byte behind the number,
// or `first` where there is none. Past the largest double it is infinite, below the smallest 0 of its sign.
const char *parse_number(const char *first, [[maybe_unused]] const char *last, double &value) {
  // Only a digit or a point may follow the sign: the library would take inf and nan, and strtod hexadecimals.
  const char *digits = first + (*first == '-' || *first == '+');
  if (*digits != '.' && (*digits < '0' || *digits > '9')) return first;
  if (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X')) return first;
// Some libraries have no from_chars() for double; libstdc++'s for 32-bit x86 rounds some numbers twice.
#if defined(__cpp_lib_to_chars) && !defined(__i386__)
  const auto result = std::from_chars(*first == '+' ? digits : first, last, value);
  if (result.ec == std::errc()) return result.ptr;
  if (result.ec == std::errc::invalid_argument) return first;
  if (result.ec != std::errc::result_out_of_range) throw std::bad_alloc(); // libstdc++ may need memory
  // else strtod() tells which end was passed
#endif
  char *end;
  value = std::strtod(first, &end);
  return end;
}

// In the input, each counted from 1.
struct Place {
  uint64_t line, column;
};

// Text that has come: tokens with separators between.
struct Text {
  std::string bytes;
  size_t used = 0;      // the bytes before are done with
  size_t whole = 0;     // the end of the last whole token, or just behind its separator
  Place start = {1, 1}; // of the first byte

  // Where the first byte is that is not used.
  Place place() const {
    const auto newlines = uint64_t(std::count(bytes.data(), bytes.data() + used, '\n'));
    if (newlines == 0) return {start.line, start.column + used};
    return {start.line + newlines, used - bytes.rfind('\n', used - 1)};
  }

  // The token that is next.
  std::string token() const {
    const auto first = bytes.begin() + ptrdiff_t(used);
    return {first, std::find_if(first, bytes.end(), is_separator)};
  }

  // Takes numbers until `numbers` holds `wanted`, or a token that is no finite number is next. Throws bad_alloc.
  void take_numbers(std::vector<double> &numbers, uint64_t wanted) {
    const char *first = bytes.data() + used, *const last = bytes.data() + whole;
    while (numbers.size() < wanted) {
      while (first != last && is_separator(*first)) ++first;
      if (first == last) break;
      double value;
      const char *end = parse_number(first, last, value);
      if (end == first || !is_separator(*end) || std::isinf(value)) break;
      numbers.push_back(value);
      first = end;
    }
    used = size_t(first - bytes.data());
  }
};

// The text of a file, or of standard input, as it comes.
class Input : public Text {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file_; // none where all is read
  std::string name_ = "<stdin>";

  // Reads on, where used == whole. False at the end of the input. Throws Error, and can read no more then.
  bool read_more() {
    if (!file_) return false;
    const size_t kept = bytes.size() - used;
    start = place();
    bytes.erase(0, std::exchange(used, 0));
    bytes.resize(kept + (tiny_blocks ? 32 : 1 << 16)); // fits a cache
    long count;
    do count = read_some(file_.get(), &bytes[kept], unsigned(bytes.size() - kept));
    while (count < 0 && errno == EINTR);
    if (count < 0) throw system_error(name_);
    bytes.resize(kept + size_t(count));
    const auto end = std::find_if(bytes.begin() + ptrdiff_t(kept), bytes.end(), is_separator);
    if (end - bytes.begin() > 1 << 20) throw error(start, "a token over 1 MiB: " + quoted(bytes));
    const auto part = std::find_if(bytes.rbegin(), bytes.rbegin() + count, is_separator) - bytes.rbegin();
    whole = part == count ? 0 : bytes.size() - size_t(part);
    if (count > 0) return true;
    file_.reset();
    whole = bytes.size();
    bytes += '\n'; // the separator behind the last token
    return true;
  }

public:
  // Opens `path`; `-` is standard input. Passes over a byte-order mark. Throws Error.
  explicit Input(const std::string &path)
      : file_(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), std::fclose) {
    if (path != "-") name_ = path;
    for (char &c : name_) c = uint8_t(c) < ' ' || c == 127 ? '?' : c;
    if (!file_) throw system_error(name_);
    if (path == "-" && is_terminal(0))
      std::fputs("mha: type n d h, then Q, K and V; end with Ctrl-D (Windows: Ctrl-Z and Enter)\n", stderr);
    const std::string mark = "\xEF\xBB\xBF";
    while (bytes.size() < mark.size() && mark.compare(0, bytes.size(), bytes) == 0 && read_more()) continue;
    if (bytes.compare(0, mark.size(), mark) == 0) used = mark.size();
    whole = std::max(whole, used); // no separator need have come yet
  }

  Error error(Place at, const std::string &message) const {
    return {name_ + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": " + message};
  }

  // Goes to the next token. False at the input's end, or where a byte of `ends` comes before. Throws Error.
  bool next(const char *ends = "") {
    for (;; ++used) {
      while (used == whole)
        if (!read_more()) return false;
      if (!is_separator(bytes[used])) return true;
      if (std::strchr(ends, bytes[used])) return false;
    }
  }

  // Takes the numbers that have come and, on several threads, reads on as long as bytes are there: a thread parses
  // a window of the text. Throws Error at the first token that is no finite number or one too many; bad_alloc.
  void take_windows(std::vector<double> &numbers, uint64_t total, size_t num_threads, Progress &progress) {
    struct Window : Text {
      std::vector<double> numbers;
      size_t first; // where they begin
    };
    const auto take = [&](size_t index, Window &window) {
      if (index > 0 && num_threads > 1 && file_ && can_read(file_.get())) read_more();
      if (used == whole) return false; // nothing has come, or a part of a token
      static_cast<Text &>(window) = *this;
      window.first = std::exchange(used, whole);
      return true;
    };
    const auto parse = [](size_t, Window &window) {
      window.numbers.clear();
      window.take_numbers(window.numbers, UINT64_MAX);
    };
    const auto join = [&](size_t, Window &window) {
      progress.add(window.numbers.size());
      if (window.used < window.whole || window.numbers.size() > total - numbers.size()) {
        static_cast<Text &>(*this) = window;
        used = window.first; // again, up to the fault
        take_numbers(numbers, total);
        next();
        throw numbers.size() < total ? fault() : too_many(total);
      }
      numbers.insert(numbers.end(), window.numbers.begin(), window.numbers.end());
    };
    share_out(num_threads, Window(), take, parse, join);
  }

  // The next token comes after all numbers.
  Error too_many(uint64_t total) const {
    return error(place(), "input goes on after V: expected " + std::to_string(total) + " numbers");
  }

  // The next token is no finite number.
  Error fault() const {
    double number;
    const char *first = bytes.data() + used, *last = first + token().size();
    const std::string found = quoted(token());
    if (parse_number(first, last, number) == last) return error(place(), found + " is past the largest double");
    return error(place(), "expected a number, found " + found);
  }
};

// Reads `n d h` or `b n_q n_k d h`. Numbers that follow on the line go to problem.numbers. Throws Error.
void read_header(Input &input, Problem &problem) {
  // the numbers on the first line that holds any, up to the sixth
  std::vector<Place> places;
  std::vector<std::string> tokens;
  input.next();
  Place end = input.place(); // behind them
  while (tokens.size() < 6 && input.next("\r\n")) {
    places.push_back(input.place());
    tokens.push_back(input.token());
    input.take_numbers(problem.numbers, tokens.size());
    if (problem.numbers.size() < tokens.size()) break; // a word: told where a number is needed
    end = input.place();
  }
  const size_t count = problem.numbers.size();
  const size_t is_batch = count == 5 && tokens.size() == 5, size = is_batch ? 5 : 3; // a sixth word is data
  const char *const names[2][5] = {{"n", "d", "h"}, {"b", "n_q", "n_k", "d", "h"}};
  uint64_t sizes[5];
  for (size_t i = 0; i < size; ++i) {
    if (i == count && input.next("\r\n")) throw input.fault();
    if (i == count) throw input.error(end, "the header has " + std::to_string(i) + " of 3 numbers: n d h");
    sizes[i] = parse_whole(tokens[i]);
    if (sizes[i] > 0 && sizes[i] <= INT64_MAX) continue;
    const std::string range = sizes[i] == 0 ? "of at least 1" : "below 2^63", name = names[is_batch][i];
    throw input.error(places[i],
                      "expected a whole number " + range + " for " + name + ", found " + quoted(tokens[i]));
  }
  const uint64_t n_q = sizes[is_batch], n_k = sizes[2 * is_batch], d = sizes[size - 2], h = sizes[size - 1];
  problem.numbers.erase(problem.numbers.begin(), problem.numbers.begin() + ptrdiff_t(size));
  problem = {is_batch ? sizes[0] : 1, n_q, n_k, d, h, problem.causal, problem.numbers};
  const auto is = [](const char *name, uint64_t number) { return name + (" = " + std::to_string(number)); };
  if (d % h != 0) throw input.error(places[size - 2], is("d", d) + " is not divisible by " + is("h", h));
  if (problem.causal && n_q > n_k)
    throw input.error(places[1], is("n_q", n_q) + " is more than " + is("n_k", n_k) + ": --causal needs n_q <= n_k");
  const uint64_t most_rows = INT64_MAX / problem.batch / d; // of an item
  if (n_k <= most_rows / 2 && n_q <= most_rows - 2 * n_k) return;
  throw input.error(places[0], "Q, K and V would hold 2^63 numbers or more");
}

// Tells where in Q, K or V the input ends, after `count` numbers.
std::string describe_end(const Problem &problem, uint64_t count) {
  const char *matrix = "QKV";
  uint64_t rows = problem.batch * problem.n_q, d = problem.d_model;
  for (; count >= rows * d; rows = problem.batch * problem.n_k, ++matrix) count -= rows * d;
  return std::string("input ends inside ") + *matrix + ": row " + std::to_string(count / d + 1) + " of " +
         std::to_string(rows) + " has " + std::to_string(count % d) + " of " + std::to_string(d) + " numbers";
}

// Reads the whole input. Throws Error at its first fault.
Problem read_problem(Input &input, bool causal, uint64_t max_threads) {
  Problem problem{0, 0, 0, 0, 0, causal, {}};
  read_header(input, problem);
  const uint64_t total = problem.batch * (problem.n_q + 2 * problem.n_k) * problem.d_model;
  std::vector<double> &numbers = problem.numbers;
  try {
    numbers.reserve(size_t(std::min<uint64_t>(total, SIZE_MAX))); // takes no memory before the numbers come
  } catch (const std::exception &) { // the header may promise what never comes: grow with what does
  }
  Progress progress("reading", total);
  while (numbers.size() < total) {
    if (!input.next()) throw input.error(input.place(), describe_end(problem, numbers.size()));
    const size_t num_threads = threads_for(double(total - numbers.size()), 1 << 14, max_threads);
    input.take_windows(numbers, total, num_threads, progress);
  }
  if (!input.next()) return problem;
  throw input.too_many(total);
}

// ---- Output: numbers to text ----

// -DBL_MAX: sign, 309 digits, point, 4 digits, and the 0 that snprintf() writes behind.
constexpr size_t longest_number = 1 + 309 + 1 + 4 + 1;

// Writes `value` at `at` as printf("%.4f") does. Returns the byte behind it.
char *format_number(char *at, double value) {
  const double magnitude = std::fabs(value);
  if (FLT_EVAL_METHOD != 0 || magnitude >= 0x1p63) return at + std::snprintf(at, longest_number, "%.4f", value);
  // The rest is exact. Times 10^4 it is rounded once, which can take it to one half, but not past it: there the sign
  // of what was lost decides, and where nothing was, half goes to even.
  const auto floor = int64_t(magnitude);
  const double rest = magnitude - double(floor), scaled = rest * 1e4;
  const auto cut = int64_t(scaled);
  const double above_half = scaled - double(cut) - 0.5;
  bool up = above_half > 0;
  if (above_half == 0) {
    const double lost = std::fma(rest, 1e4, -scaled);
    up = lost > 0 || (lost == 0 && cut % 2 == 1);
  }
  auto whole = uint64_t(floor);
  auto decimals = unsigned(cut) + up;
  if (decimals == 10'000) {
    ++whole;
    decimals = 0;
  }
  if (std::signbit(value)) *at++ = '-';
  char *point = at + 1;
  for (uint64_t left = whole / 10; left > 0; left /= 10) ++point;
  for (char *digit = point; digit != at; whole /= 10) *--digit = char('0' + whole % 10);
  *point = '.';
  for (char *digit = point + 4; digit != point; decimals /= 10) *digit-- = char('0' + decimals % 10);
  return point + 5;
}

// Writes `text` to standard output and empties it. Throws Error where the system refuses.
void write_out(std::string &text) {
  for (size_t written = 0; written < text.size();) {
    errno = 0;
    written += std::fwrite(text.data() + written, 1, text.size() - written, stdout);
    if (std::ferror(stdout) && errno != EINTR) throw system_error("<stdout>");
    std::clearerr(stdout);
  }
  text.clear();
}

// Appends numbers `first` to `last` of rows `[x.xxxx ...]` of `columns` each. Throws bad_alloc.
void append(std::string &text, const double *numbers, size_t first, size_t last, size_t columns) {
  for (size_t i = first, column = first % columns; i < last; ++i) {
    char number[longest_number];
    text += column == 0 ? '[' : ' ';
    text.append(number, format_number(number, numbers[i]));
    if (++column < columns) continue;
    text += "]\n";
    column = 0;
  }
}

// Prints the output (batch * n_q, d_model) or the weights (batch * num_heads * n_q, n_k). Throws Error, bad_alloc.
void print(Problem &problem, bool of_weights, uint64_t max_threads) {
  const Head head = head_of(problem, 0);
  const size_t rows = of_weights ? problem.all_heads() * head.n_q : size_t(problem.batch) * head.n_q;
  const size_t columns = of_weights ? head.n_k : head.d_model, count = rows * columns,
               piece = tiny_blocks ? 3 : 4096;
  // a row of weights must be worth a thread's turn; printing takes 16 products' time
  const double row = double(columns) * double(of_weights ? 16 + head.d_k : 16);
  const size_t num_threads =
      threads_for(of_weights && row < 1 << 14 ? 0 : double(rows) * row, 1 << 18, max_threads);
  Progress progress("printing", is_terminal(1) ? 0 : count); // on a terminal the rows tell how far it is
  if (!of_weights) {
    const auto format = [&](size_t index, std::string &text) {
      append(text, head.query(0), index * piece, std::min((index + 1) * piece, count), columns);
      progress.add(piece);
    };
    const auto take = [&](size_t index, auto &) { return index * piece < count; };
    return share_out(num_threads, std::string(), take, format, [](size_t, std::string &text) { write_out(text); });
  }
  std::string text;
  const auto compute = [&](size_t i, std::vector<double> &weights) {
    compute_weights(head_of(problem, i / head.n_q), i % head.n_q, weights);
    weights.resize(columns); // 0 for keys that the query does not see
  };
  const auto print_row = [&](size_t, std::vector<double> &weights) {
    for (size_t j = 0; j < columns; j += piece) {
      append(text, weights.data(), j, std::min(j + piece, columns), columns);
      if (text.size() > 8 * piece) write_out(text);
    }
    progress.add(columns);
  };
  const auto take = [&](size_t index, auto &) { return index < rows; };
  share_out(num_threads, std::vector<double>(columns), take, compute, print_row);
  write_out(text);
}

// ---- Command line ----

const char *const help_text = R"(Usage: mha [--causal] [--weights] [--threads N] [FILE]
       mha --help | --version

Multi-head attention: prints a row `[x.xxxx ...]` of softmax(Q K^T / sqrt(d_k)) V for each query.
FILE, or standard input where FILE is absent or -, holds

  n d h              n tokens, model width d, h heads; then Q, K, V, each n rows of d numbers
  b n_q n_k d h      or a batch of b: Q has b*n_q rows, K and V have b*n_k rows

  --causal       query i sees key j only where j <= i + (n_k - n_q)
  --weights      print the softmax weights instead: for each batch item, head and query a row of n_k
  --threads N    use at most N threads; otherwise as many as the machine has and the work deserves
)";

struct Options {
  bool causal = false, weights = false;
  uint64_t threads = UINT64_MAX; // at most
  std::string file = "-", text;  // the text to print in place of any work
};

// Reads the command line. Throws Error, status 2, at the first word that is wrong.
Options parse_options(const std::vector<std::string> &words) {
  const auto usage_error = [](const std::string &message) { return Error{message + "; try mha --help", 2}; };
  Options options;
  bool has_file = false, only_files = false;
  for (auto word = words.begin(); word != words.end() && options.text.empty(); ++word) {
    const std::string name = word->substr(0, word->find('='));
    const bool has_value = name.size() < word->size();
    if (only_files || word->size() < 2 || word->front() != '-') {
      if (std::exchange(has_file, true)) throw usage_error("more than one input file: " + quoted(*word));
      options.file = *word;
    } else if (*word == "--") {
      only_files = true;
    } else if (name == "--threads") {
      if (!has_value && word + 1 == words.end()) throw usage_error("option --threads needs a value");
      const std::string value = has_value ? word->substr(name.size() + 1) : *++word;
      if ((options.threads = parse_whole(value)) > 0) continue;
      throw usage_error("option --threads: expected a whole number of at least 1, found " + quoted(value));
    } else if (name == "--causal" || name == "--weights" || name == "--help" || name == "--version") {
      if (has_value) throw usage_error("option " + name + " takes no value");
      options.causal |= name == "--causal";
      options.weights |= name == "--weights";
      options.text = name == "--help" ? help_text : name == "--version" ? "mha 2.0.0\n" : "";
    } else {
      throw usage_error("unknown option " + quoted(name));
    }
  }
  return options;
}

// The whole program. Throws Error; bad_alloc or length_error where there is no memory.
void run(Options options) {
  std::setvbuf(stdout, nullptr, _IONBF, 0); // what is written is long
  if (options.text.empty()) {
    Input input(options.file);
    Problem problem = read_problem(input, options.causal, options.threads);
    if (!options.weights) attend(problem, options.threads);
    print(problem, options.weights, options.threads);
  }
  write_out(options.text);
  if (std::fclose(stdout) != 0) throw system_error("<stdout>"); // only now it is known that all arrived
}

} // namespace

int main(int argc, char **argv) {
#if defined(_WIN32)
  for (const int fd : {0, 1}) _setmode(fd, _O_BINARY);
#endif
  try {
    run(parse_options({argv + 1, argv + argc}));
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "mha: %s\n", error.message.c_str());
    return error.status;
  } catch (const std::exception &) { // bad_alloc or length_error
    std::fprintf(stderr, "mha: memory: %s\n", std::strerror(ENOMEM));
    return 1;
  }
}
