// Multi-head attention on projected queries, keys and values: one file, the standard library alone.
//
// Input (line breaks matter in the header alone):
//
//     n d h                one self-attention: n tokens, model width d, h heads
//     b n_q n_k d h        or a batch of b, each item with n_q queries and n_k keys
//     Q  (b*n_q rows of d)      K  (b*n_k rows of d)      V  (b*n_k rows of d)
//
// Output: b*n_q rows of d numbers, `[x.xxxx ...]`. With d_k = d/h, head t owns the columns from t*d_k on:
//
//     head_t = softmax(Q_t K_t^T / sqrt(d_k)) V_t       (Vaswani et al. 2017, "Attention Is All You Need")
//
// The softmax goes along each row of scores, after the row's maximum is subtracted.
// Time: 4*b*n_q*n_k*d operations. Memory: Q, K and V once; the output takes the place of Q.
//
// The first section is the whole formula; the rest makes it fast, reads and prints: see run().

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "mha needs infinities and IEEE 754 rounding: compile it without -ffast-math and -Ofast"
#endif

// At judges' -O2 g++ hardly vectorizes. Nothing here reads the floating-point flags. Products are rounded
// before they are summed, as in everyone's solution; only the tiles fuse the two.
#ifdef __clang__
#pragma clang fp contract(off)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3,no-trapping-math,fp-contract=off")
#endif

// -pthread defines _REENTRANT; headers may too, so this stands first. Some judges cannot run threads.
#if defined(_REENTRANT) || defined(_WIN32) || defined(__APPLE__)
#include <future>
#include <mutex>
#include <thread>
#if !defined(__GLIBCXX__) || defined(_GLIBCXX_HAS_GTHREADS) // else there is no thread in it
#define MHA_THREADS
#endif
#endif
#ifndef MHA_THREADS
#undef MHA_PROCESSORS
#define MHA_PROCESSORS 1
#elif !defined(MHA_PROCESSORS) // tests have more than there are
#define MHA_PROCESSORS std::max(1u, std::thread::hardware_concurrency())
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
#include <map>
#include <memory>
#include <numeric>
#include <stddef.h>
#include <stdint.h>
#include <string>
#include <vector>
#if __has_include(<charconv>) // not with g++ 7
#include <charconv>
#endif
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#define fileno _fileno
#define isatty _isatty
#define read _read
#else
#include <poll.h>
#include <unistd.h>
#endif

namespace {

using namespace std;

// ---- Attention, the textbook's formula ----

// The header's sizes, which may claim more than memory holds, and the numbers after it.
struct Problem {
  uint64_t batch, n_q, n_k, d_model, num_heads;
  bool causal;
  vector<double> numbers; // Q (batch, n_q, d_model), K and V (batch, n_k, d_model); the output replaces Q
  size_t all_heads() const { return size_t(batch * num_heads); }
};

// One head of one batch item: Q_t, K_t and V_t among the numbers. Their rows are d_model apart.
struct Head {
  double *q; // (n_q, d_k)
  const double *k, *v; // (n_k, d_k)
  size_t n_q, n_k, d_k, d_model;
  bool causal;
  const double *query(size_t i) const { return q + i * d_model; }
  const double *key(size_t j) const { return k + j * d_model; }
  const double *value(size_t j) const { return v + j * d_model; }
  double *output(size_t i) const { return q + i * d_model; } // in place of query i

  // How many keys query i sees, the first ones: under a causal mask the last query sees all.
  size_t visible_keys(size_t i) const { return causal ? i + 1 + (n_k - n_q) : n_k; }
};

// Head `index` of the batch: item 0 has the first num_heads.
Head head_of(Problem &problem, size_t index) {
  auto n_q = size_t(problem.n_q), n_k = size_t(problem.n_k), d_model = size_t(problem.d_model);
  auto batch = size_t(problem.batch), num_heads = size_t(problem.num_heads), d_k = d_model / num_heads;
  size_t item = index / num_heads, column = index % num_heads * d_k;
  double *q = problem.numbers.data(), *k = q + batch * n_q * d_model, *v = k + batch * n_k * d_model;
  size_t q_offset = item * n_q * d_model + column, k_offset = item * n_k * d_model + column;
  return {q + q_offset, k + k_offset, v + k_offset, n_q, n_k, d_k, d_model, problem.causal};
}

// scores[j] = q_i . k_j / sqrt(d_k) for each key that query i sees.
void compute_scores(const Head &head, size_t i, double *scores) {
  const double *q = head.query(i);
  for (size_t j = 0; j < head.visible_keys(i); ++j) {
    const double *k = head.key(j);
    double sum = 0;
    for (size_t c = 0; c < head.d_k; ++c) sum += q[c] * k[c];
    scores[j] = sum / sqrt(double(head.d_k));
  }
}

// weights = softmax(scores), in their place.
void softmax(double *scores, size_t count) {
  double max = *max_element(scores, scores + count);
  for (size_t j = 0; j < count; ++j) scores[j] = exp(scores[j] - max);
  double sum = accumulate(scores, scores + count, 0.0);
  for (size_t j = 0; j < count; ++j) scores[j] /= sum;
}

// output_i = the sum over j of weights[j] * v_j.
void sum_values(const Head &head, size_t i, const double *weights) {
  double *output = head.output(i);
  fill_n(output, head.d_k, 0.0);
  for (size_t j = 0; j < head.visible_keys(i); ++j) {
    const double *v = head.value(j);
    for (size_t c = 0; c < head.d_k; ++c) output[c] += weights[j] * v[c];
  }
}

// output_i = softmax(q_i K^T / sqrt(d_k)) V, with room for a weight for each key.
void attend_query(const Head &head, size_t i, double *weights) {
  compute_scores(head, i, weights);
  softmax(weights, head.visible_keys(i));
  sum_values(head, i, weights);
}

// ---- Past the largest double ----
//
// Products and sums can pass it though the answer does not: Q = K = 1e200 gives scores of 1e400. Where
// products_fit() does not rule that out, queries take attend_large_query().

double largest_magnitude(const double *first, const double *last) {
  double largest[8] = {}; // eight at a time: none waits for the one before
  for (size_t i = 0; first + i != last; ++i) largest[i % 8] = max(largest[i % 8], fabs(first[i]));
  return *max_element(largest, largest + 8);
}

// Whether no score, and no sum of weighted values, can pass it.
bool products_fit(Problem &problem) {
  Head head = head_of(problem, 0); // where each matrix begins
  double q = largest_magnitude(head.q, head.k), k = largest_magnitude(head.k, head.v);
  double v = largest_magnitude(head.v, &problem.numbers.back() + 1);
  double score = q * k * double(head.d_k), sum = v * double(head.n_k);
  return max({q, score, sum}) <= DBL_MAX / 2; // log2(e) times q fits, too
}

// Infinite and NaN scores are computed again from numbers divided by 2^550, which loses only what is too
// small to count, and multiplied back. Below -1.8e308 a key is as good as masked. If the largest score is
// infinite, only the differences to it are multiplied back.
void repair_scores(const Head &head, size_t i, double *scores) {
  const double *q = head.query(i), root = 0x1p550;
  auto divided_score = [&](size_t j) {
    const double *k = head.key(j);
    double sum = 0;
    for (size_t c = 0; c < head.d_k; ++c) sum += (q[c] / root) * (k[c] / root);
    return sum / sqrt(double(head.d_k));
  };
  size_t count = head.visible_keys(i);
  for (size_t j = 0; j < count; ++j)
    if (!isfinite(scores[j])) scores[j] = divided_score(j) * root * root;
  if (isfinite(*max_element(scores, scores + count))) return;
  for (size_t j = 0; j < count; ++j) scores[j] = divided_score(j);
  double largest = *max_element(scores, scores + count);
  for (size_t j = 0; j < count; ++j) scores[j] = (scores[j] - largest) * root * root;
}

// weights = softmax(scores) of the keys that query i sees, whatever the numbers.
void compute_weights(const Head &head, size_t i, double *weights) {
  compute_scores(head, i, weights);
  repair_scores(head, i, weights);
  softmax(weights, head.visible_keys(i));
}

void attend_large_query(const Head &head, size_t i, double *weights) {
  compute_weights(head, i, weights);
  sum_values(head, i, weights);
  // a mean can pass the largest double by rounding alone
  double *output = head.output(i);
  for (size_t c = 0; c < head.d_k; ++c) output[c] = clamp(output[c], -DBL_MAX, DBL_MAX);
}

// ---- Fast: limits, threads, progress ----

// In tests all are small: then small inputs cross every edge, and start threads.
constexpr struct {
#ifdef MHA_TINY_BLOCKS
  size_t textbook_pairs = 0, chunk_channels = 2, block_keys = 6, group_queries = 96, window = 32, piece = 3;
  double thread_time = 1;
#else
  size_t textbook_pairs = 100; // n_q * n_k up to which ties fall as in everyone's solution
  size_t chunk_channels = 128, block_keys = 96, group_queries = 1024; // see the next section
  size_t window = 1 << 16; // bytes read at a time, and parsed by a thread: they fit a cache
  size_t piece = 4096; // numbers printed by a thread at a time
  double thread_time = 1e6; // nanoseconds of work that deserve a thread; it takes a tenth at a time
#endif
} limits;

uint64_t max_threads = UINT64_MAX; // --threads

size_t divide_up(size_t number, size_t unit) { return (number + unit - 1) / unit; }
size_t round_up(size_t number, size_t unit) { return divide_up(number, unit) * unit; }

// How many threads so much work deserves.
size_t threads_for(double nanoseconds) {
  auto most = double(min<uint64_t>(max_threads, MHA_PROCESSORS));
  return size_t(clamp(nanoseconds / limits.thread_time, 1.0, most));
}

// Calls run() on as many of `num_threads` threads as can be had. Throws what one of them threw.
template <class Run> void run_on_threads([[maybe_unused]] size_t num_threads, const Run &run) {
#ifdef MHA_THREADS
  vector<future<void>> others;
  try {
    others.reserve(num_threads); // else a future may be lost, with what it throws
    while (others.size() + 1 < num_threads) others.push_back(async(launch::async, run));
  } catch (const exception &) { // fewer do the work
  }
  run();
  for (future<void> &other : others) other.get();
#else
  run();
#endif
}

// Calls work(index) for each index below `count`. Threads take some indexes at a time.
template <class Work>
void parallel_for(size_t num_threads, size_t count, double nanoseconds, const Work &work) {
  auto turn = size_t(1 + limits.thread_time / 10 / (1 + nanoseconds));
  atomic<size_t> next{0};
  run_on_threads(min(num_threads, divide_up(count, turn)), [&] {
    for (size_t first = next.fetch_add(turn); first < count; first = next.fetch_add(turn)) {
      for (size_t i = first; i < min(first + turn, count); ++i) work(i);
    }
  });
}

// A parallel pipeline: source(index, item) fills an item, until it returns false; work(index, item) runs
// beside others; sink(item) takes the items in order. One thread at a time is in the source or the sink.
template <class Item, class Source, class Work, class Sink>
void pipeline([[maybe_unused]] size_t num_threads, const Source &source, const Work &work, const Sink &sink) {
#ifdef MHA_THREADS
  mutex entry; // to all but work()
  map<size_t, Item> done; // that wait for an earlier one
  size_t taken = 0, sunk = 0;
  bool more = true;
  bool full = false; // too many wait for one that is held up
  auto run = [&] {
    Item item;
    unique_lock<mutex> lock(entry);
    while (more && !full) {
      more = source(taken, item);
      if (!more) break;
      size_t index = taken++;
      lock.unlock();
      work(index, item);
      lock.lock();
      done.emplace(index, std::move(item));
      for (; done.count(sunk) > 0; ++sunk) {
        item = std::move(done[sunk]); // with its memory, to be filled again
        done.erase(sunk);
        sink(item); // where it throws, nothing follows
      }
      full = full || done.size() > 4 * num_threads; // then all leave, and start anew
    }
  };
  while (num_threads > 1) {
    full = false;
    run_on_threads(num_threads, run);
    if (!more) return;
  }
#endif
  // one thread needs no lock; some static builds have none
  Item item;
  for (size_t index = 0; source(index, item); ++index) {
    work(index, item);
    sink(item);
  }
}

// Whether something comes within 10 ms, if the system can tell.
bool can_read([[maybe_unused]] FILE *file) {
#ifdef _WIN32
  return false;
#else
  pollfd waiting{fileno(file), POLLIN, 0};
  return poll(&waiting, 1, 10) > 0;
#endif
}

// One line on a terminal's stderr, once the run has lasted a second: how far a part of it is.
class Progress {
  using Clock = chrono::steady_clock;
  const char *part_ = "";
  uint64_t total_ = 0; // 0: nothing is shown
  atomic<uint64_t> done_{0};
  atomic_flag looks_ = ATOMIC_FLAG_INIT; // at the clock: one thread at a time
  Clock::time_point next_ = Clock::now() + 1s;
  bool shown_ = false;

public:
  void begin(const char *part, uint64_t total) {
    end();
    part_ = part;
    done_ = 0;
    total_ = isatty(2) ? total : 0;
  }

  // From any thread.
  void add(uint64_t done) {
    if (total_ == 0) return;
    done_ += done;
    if (looks_.test_and_set()) return;
    auto now = Clock::now();
    if (now >= next_) {
      next_ = now + 200ms;
      shown_ = true;
      double percent = min(100 * double(done_) / double(total_), 100.0);
      fprintf(stderr, "\rmha: %-20s %3.0f %%", part_, percent);
    }
    looks_.clear();
  }

  // Clears the line.
  void end() {
    if (shown_) fprintf(stderr, "\r%31s\r", "");
    shown_ = false;
  }
} progress;

// ---- Fast: attention by tiles ----
//
// Each lane of a vector is a query. A tile of queries lies transposed, [..][lane]: inner loops run over a
// constant count of lanes that all do the same, and vectorize for any d_k. Q K^T and weights V are then one
// product, multiply().
//
// The softmax is the online one (Milakov and Gimelshein 2018; FlashAttention, Dao et al. 2022): keys come in
// blocks, a query keeps a running maximum and sum, and what was summed under a smaller one is scaled down.
//
//     tile   4, 8 or 24    queries computed at a time: two or three vectors, see targets()
//     strip  6             keys, or channels of V, summed up at a time: 6 x 2 vectors of sums hide the
//                          latency of two additions a cycle, and fit 16 registers
//     chunk  128           channels of Q and K summed at a time: 24 lanes of them take 24 KiB of L1
//     block  96 or less    keys packed at a time: K and V of 128 channels take 192 KiB of L2
//     group  1024 or less  queries that share packed blocks: packing hardly counts beside so many

constexpr size_t strip_rows = 6;
// In numbers, not rows: wide heads get fewer. A thread's scratch is at most 4 MB.
constexpr size_t max_block = 1 << 16, max_group = 5 << 15, max_scratch = 500'000;

// A tile and a block of keys: where they lie in a thread's memory.
struct Tile {
  size_t d_k;
  size_t first_key, block_keys; // of the block
  size_t num_keys; // of the block, those that some lane sees
  size_t visible; // keys of the head that lane 0 sees; under a mask each lane sees one more
  double *queries; // [d_k][lane], scaled
  double *outputs; // [d_k][lane], sums of weight * value so far
  double *maxima, *sums; // [lane], the largest score and the sum of the weights so far
  double *weights; // [key][lane], scores and then weights
  double *keys, *values; // [strip of keys][d_k][key], [strip of channels][key][channel]
};

// All is inlined into attend_tile() for each target. `unroll 2` keeps g++ from unrolling before it
// vectorizes.
#define INLINE [[gnu::always_inline]] inline
#if defined(__GNUC__) && !defined(__clang__)
#define FOR_LANES _Pragma("GCC unroll 2") for (size_t lane = 0; lane < Lanes; ++lane)
#else
#define FOR_LANES for (size_t lane = 0; lane < Lanes; ++lane)
#endif

// Here products may be fused with sums, and g++ inlines nothing of the library.
#ifdef __clang__
#pragma clang fp contract(fast)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#endif

// sums[row][lane] = the sum over k < depth of a[k][row] * b[k][lane]
template <size_t Rows, size_t Lanes>
INLINE void multiply(const double *__restrict a, const double *__restrict b, size_t depth,
                     double (&sums)[Rows][Lanes]) {
  // -0.0 + x is x: with 0, or a `for` over k, the sums would go through memory
  for (size_t row = 0; row < Rows; ++row) FOR_LANES sums[row][lane] = -0.0;
  size_t k = 0;
  do {
    for (size_t row = 0; row < Rows; ++row)
      FOR_LANES sums[row][lane] += a[k * Rows + row] * b[k * Lanes + lane];
  } while (++k < depth);
}

// 2^x for x <= 0, less 2^-1000: so a masked key weighs 0. The relative error is below 1e-15 to x = -949.
INLINE double exp2_of_negative(double x) {
  x = x > -1000 ? x : -1000;
  // x = whole + part, |part| <= 1/2: next to 1.5 * 2^52 a double has no room for a fraction
  double shifted = x + 0x1.8p52;
  double part = x - (shifted - 0x1.8p52);
  // 2^part = 1 + part * p(part), p through (2^x - 1) / x at the Chebyshev nodes of [-1/2, 1/2]
  double power = 1.0205905413765595e-07 + part * 7.070977866508138e-09;
  power = 1.5252672924850737e-05 + part * (1.3215451633221434e-06 + part * power);
  power = 0.0013333558200794592 + part * (0.00015403530424776529 + part * power);
  power = 0.05550410866465167 + part * (0.009618129107618665 + part * power);
  power = 1 + part * (0.6931471805599462 + part * (0.24022650695910075 + part * power));
  // times 2^whole: the low bits of shifted are the whole number, and go to where the exponent is
  uint64_t power_bits, shifted_bits;
  memcpy(&power_bits, &power, sizeof power);
  memcpy(&shifted_bits, &shifted, sizeof shifted);
  power_bits += shifted_bits << 52;
  memcpy(&power, &power_bits, sizeof power);
  return power - 0x1p-1000;
}

// scores = Q K^T, whole strips: those past the last key are not read.
template <size_t Lanes> INLINE void score_tile(const Tile &tile) {
  for (size_t c = 0; c < tile.d_k; c += limits.chunk_channels) {
    size_t chunk = min(limits.chunk_channels, tile.d_k - c);
    for (size_t first = 0; first < tile.num_keys; first += strip_rows) {
      double sums[strip_rows][Lanes];
      multiply<strip_rows, Lanes>(tile.keys + first * tile.d_k + c * strip_rows, tile.queries + c * Lanes,
                                  chunk, sums);
      for (size_t row = 0; row < strip_rows; ++row) {
        double *scores = tile.weights + (first + row) * Lanes;
        FOR_LANES scores[lane] = c == 0 ? sums[row][lane] : scores[lane] + sums[row][lane];
      }
    }
  }
}

// scores = -infinity where a query does not see a key. Each sees key 0: its maximum is finite.
template <size_t Lanes> INLINE void mask_tile(const Tile &tile) {
  for (size_t lane = 0; lane < Lanes; ++lane) {
    size_t visible = tile.visible + lane;
    for (size_t j = visible > tile.first_key ? visible - tile.first_key : 0; j < tile.num_keys; ++j)
      tile.weights[j * Lanes + lane] = -HUGE_VAL;
  }
}

// weights = 2^(scores - maximum), for the largest so far. What was summed under a smaller one is scaled down.
template <size_t Lanes> INLINE void softmax_tile(const Tile &tile) {
  double maximum[Lanes], correction[Lanes], sum[Lanes] = {};
  FOR_LANES maximum[lane] = tile.maxima[lane];
  for (size_t j = 0; j < tile.num_keys; ++j) {
    const double *scores = tile.weights + j * Lanes;
    FOR_LANES maximum[lane] = scores[lane] > maximum[lane] ? scores[lane] : maximum[lane];
  }
  for (size_t j = 0; j < tile.num_keys; ++j) {
    double *weights = tile.weights + j * Lanes;
    FOR_LANES {
      weights[lane] = exp2_of_negative(weights[lane] - maximum[lane]);
      sum[lane] += weights[lane];
    }
  }
  FOR_LANES {
    correction[lane] = exp2_of_negative(tile.maxima[lane] - maximum[lane]);
    tile.maxima[lane] = maximum[lane];
    tile.sums[lane] = tile.sums[lane] * correction[lane] + sum[lane];
  }
  for (size_t c = 0; c < tile.d_k; ++c) FOR_LANES tile.outputs[c * Lanes + lane] *= correction[lane];
}

// outputs += V^T weights, Rows channels at a time from `first` on, then what is left.
template <size_t Rows, size_t Lanes> INLINE void add_values(const Tile &tile, size_t first) {
  for (; first + Rows <= tile.d_k; first += Rows) {
    double sums[Rows][Lanes];
    multiply<Rows, Lanes>(tile.values + first * tile.block_keys, tile.weights, tile.num_keys, sums);
    double *outputs = tile.outputs + first * Lanes;
    for (size_t row = 0; row < Rows; ++row) FOR_LANES outputs[row * Lanes + lane] += sums[row][lane];
  }
  if constexpr (Rows > 1) add_values<Rows - 1, Lanes>(tile, first);
}

// Brings a tile's sums up to date with the block.
template <size_t Lanes> INLINE void attend_tile(const Tile &tile) {
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

#ifdef __AVX__
constexpr size_t plain_lanes = 8;
#else
constexpr size_t plain_lanes = 4;
#endif
void attend_tile_plain(const Tile &tile) { attend_tile<plain_lanes>(tile); }

// MHA_NO_DISPATCH leaves the compiler's own target. So does g++ on Windows, which cannot align vectors.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(MHA_NO_DISPATCH) &&          \
    (defined(__clang__) || !defined(_WIN32))
#define MHA_DISPATCH
[[gnu::target("avx512f")]] void attend_tile_avx512(const Tile &tile) { attend_tile<24>(tile); }
[[gnu::target("avx2,fma")]] void attend_tile_avx2(const Tile &tile) { attend_tile<8>(tile); }
#endif

#ifdef __clang__
#pragma clang fp contract(off)
#elif defined(__GNUC__) && defined(__OPTIMIZE__)
#pragma GCC pop_options
#endif

// The targets of this machine, the fastest first. With its 32 registers AVX-512 takes three vectors a row.
vector<Target> targets() {
  vector<Target> targets;
#ifdef MHA_DISPATCH
  if (__builtin_cpu_supports("avx512f")) targets.push_back({24, attend_tile_avx512});
  bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (fma) targets.push_back({8, attend_tile_avx2});
#endif
  targets.push_back({plain_lanes, attend_tile_plain});
  return targets;
}

// Packs rows of d_k numbers times `factor`: [row / unit][d_k][row % unit]. Zeros fill up the last unit.
void pack_rows(const Head &head, const double *rows, size_t count, size_t unit, double factor, double *to) {
  fill_n(to, round_up(count, unit) * head.d_k, 0.0);
  for (size_t row = 0; row < count; ++row) {
    double *first = to + row / unit * unit * head.d_k + row % unit;
    for (size_t c = 0; c < head.d_k; ++c) first[c * unit] = rows[row * head.d_model + c] * factor;
  }
}

// Packs `count` rows of values: [strip of channels][key][channel], the last strip with what is left.
void pack_values(const Head &head, const double *rows, size_t count, double *to) {
  for (size_t first = 0; first < head.d_k; first += strip_rows) {
    size_t channels = min(strip_rows, head.d_k - first);
    for (size_t j = 0; j < count; ++j) to = copy_n(rows + j * head.d_model + first, channels, to);
  }
}

// How many of `count` rows to take at a time: whole units, and no more than `most` or one unit.
size_t rows_at_a_time(size_t count, size_t unit, size_t most) {
  return min(round_up(count, unit), max(most / unit, size_t{1}) * unit);
}

// What attend_group() needs for a group of whole tiles, and a block of whole strips.
size_t scratch_size(size_t d_k, size_t lanes, size_t group, size_t block) {
  return 2 * (group + block) * d_k + 2 * group + block * lanes + 8;
}

// The outputs of `count` queries from `first` on, a multiple of the lanes, in their place.
void attend_group(const Head &head, size_t first, size_t count, const Target &target, size_t block,
                  double *scratch) {
  size_t d_k = head.d_k, lanes = target.lanes, group = round_up(count, lanes);
  size_t past = reinterpret_cast<uintptr_t>(scratch) / sizeof *scratch % 8;
  double *queries = scratch + (8 - past) % 8; // then no vector lies on two cache lines
  double *outputs = queries + group * d_k, *sums = outputs + group * d_k, *maxima = sums + group;
  double *weights = maxima + group, *keys = weights + block * lanes, *values = keys + block * d_k;
  double scale = 1.4426950408889634 / sqrt(double(d_k)); // log2(e): weights are powers of 2
  pack_rows(head, head.query(first), count, lanes, scale, queries);
  fill(outputs, sums, 0.0);
  fill(sums, maxima, 0.0);
  fill(maxima, weights, -HUGE_VAL);
  for (size_t key = 0; key < head.n_k; key += block) {
    size_t block_keys = min(block, head.n_k - key);
    progress.add(count * block_keys);
    pack_rows(head, head.key(key), block_keys, strip_rows, 1, keys);
    pack_values(head, head.value(key), block_keys, values);
    for (size_t i = 0; i < count; i += lanes) {
      size_t visible = head.visible_keys(first + min(i + lanes, count) - 1); // to the last lane
      if (key >= visible) continue;
      size_t num_keys = min(block_keys, visible - key);
      target.attend_tile({d_k, key, block_keys, num_keys, head.visible_keys(first + i), queries + i * d_k,
                          outputs + i * d_k, maxima + i, sums + i, weights, keys, values});
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const double *lane = outputs + i / lanes * lanes * d_k + i % lanes;
    for (size_t c = 0; c < d_k; ++c) head.output(first + i)[c] = lane[c * lanes] / sums[i];
  }
}

// Nanoseconds that tiles take for a query, about; the textbook's way takes ten times as long.
double query_time(const Head &head) { return double(head.n_k) * (1.5 + 0.1 * double(head.d_k)); }

// All queries of all heads, a group at a time. Returns false where heads are too wide for a tile, however
// many threads there are: the target decides the last bits.
bool attend_by_tiles(Problem &problem, const Target &target) {
  Head head = head_of(problem, 0);
  size_t d_k = head.d_k, lanes = target.lanes, most = limits.group_queries;
  size_t block = rows_at_a_time(head.n_k, strip_rows, min(limits.block_keys, max_block / d_k));
  if (scratch_size(d_k, lanes, lanes, block) > max_scratch) return false;
  size_t queries = problem.all_heads() * head.n_q;
  size_t num_threads = threads_for(double(queries) * query_time(head));
  // two groups or more for each thread, where that makes no small ones
  size_t shared = clamp(queries / (2 * num_threads), most / 4, most);
  size_t group = rows_at_a_time(head.n_q, lanes, min(shared, max_group / d_k));
  size_t groups = divide_up(head.n_q, group);
  auto work = [&](size_t index) {
    thread_local vector<double> scratch;
    scratch.resize(scratch_size(d_k, lanes, group, block));
    // causal: the last queries take the longest, so they come first
    size_t first = (groups - 1 - index % groups) * group, count = min(group, head.n_q - first);
    attend_group(head_of(problem, index / groups), first, count, target, block, scratch.data());
  };
  parallel_for(num_threads, problem.all_heads() * groups, double(group) * query_time(head), work);
  return true;
}

// All queries of all heads. The output takes the place of Q, and is the same for any threads.
void attend(Problem &problem) {
  Head head = head_of(problem, 0);
  size_t n_q = head.n_q, n_k = head.n_k, all_queries = problem.all_heads() * n_q;
  progress.begin("attention", uint64_t{all_queries} * n_k);
  bool fit = products_fit(problem);
  // with x87 registers exp2_of_negative() is wrong
  if (fit && n_k > limits.textbook_pairs / n_q && FLT_EVAL_METHOD == 0) {
    for (const Target &target : targets())
      if (attend_by_tiles(problem, target)) return;
  }
  auto attend_one = fit ? attend_query : attend_large_query; // the textbook's way
  double time = 10 * query_time(head);
  parallel_for(threads_for(double(all_queries) * time), all_queries, time, [&](size_t index) {
    thread_local vector<double> weights;
    weights.resize(n_k);
    attend_one(head_of(problem, index / n_q), index % n_q, weights.data());
    progress.add(n_k);
  });
}

// ---- Errors ----

// Ends the program with a line on stderr and an exit status.
struct Error {
  string message;
  int status = 1;
};

// What the system refused, with errno's reason.
Error os_error(const string &what) { return {what + ": " + strerror(errno)}; }

// In double quotes, cut to 32 bytes, with unprintable ones escaped.
string quoted(const string &text) {
  string out = "\"";
  for (const char c : text.substr(0, 32)) {
    char shown[5] = {c};
    if (c < ' ' || c > '~') snprintf(shown, sizeof shown, "\\x%02x", uint8_t(c));
    if (c == '"' || c == '\\') out += '\\';
    out += shown;
  }
  return out + (text.size() > 32 ? "...\"" : "\"");
}

// ---- Input: from text to numbers ----

constexpr size_t longest_token = 1 << 20;

bool is_separator(char c) {
  return c == ' ' || c == '\n' || c == ',' || c == '[' || c == ']' || c == '\t' || c == '\r' || c == '\f';
}

// The whole number in `text`, with a plus or not: 0 where it is none, UINT64_MAX where it is larger.
uint64_t parse_whole(string text) {
  text.erase(0, text[0] == '+');
  if (text.find_first_not_of("0123456789") != text.npos) return 0;
  return strtoull(text.c_str(), nullptr, 10);
}

// Reads the decimal number at `first`, which a separator follows. Returns its end, or `first` where there is
// none. Past the largest double it is infinite, below the smallest 0 of its sign.
const char *parse_number(const char *first, [[maybe_unused]] const char *last, double &value) {
  // Only a digit or a point may follow the sign: the library would take inf and nan, and strtod hexadecimals.
  const char *digits = first + (*first == '-' || *first == '+');
  if (*digits != '.' && (*digits < '0' || *digits > '9')) return first;
  if (*digits == '0' && (digits[1] == 'x' || digits[1] == 'X')) return first;
// Some libraries have no from_chars() for double; libstdc++'s for 32-bit x86 rounds some numbers twice.
#if defined(__cpp_lib_to_chars) && !defined(__i386__)
  auto result = from_chars(*first == '+' ? digits : first, last, value);
  if (result.ec == errc()) return result.ptr;
  if (result.ec == errc::invalid_argument) return first;
  if (result.ec != errc::result_out_of_range) throw bad_alloc(); // libstdc++ may need memory
#endif
  char *end;
  value = strtod(first, &end);
  return end;
}

// Appends `most` numbers at most. Ends at a token that is no finite number or is too long, or at `last`; a
// separator stands there, or just before. Throws bad_alloc.
const char *parse_numbers(const char *first, const char *last, uint64_t most, vector<double> &numbers) {
  for (; most > 0; --most) {
    while (first != last && is_separator(*first)) ++first;
    if (first == last) break;
    double value;
    const char *end = parse_number(first, last, value);
    if (end == first || !is_separator(*end) || isinf(value) || size_t(end - first) > longest_token) break;
    numbers.push_back(value);
    first = end;
  }
  return first;
}

struct Token {
  string text;
  uint64_t line, column; // of its first byte, from 1
};

// A window of the text of a file, or of standard input, as it comes.
class Input {
  unique_ptr<FILE, int (*)(FILE *)> file_; // none where all is read
  string name_ = "<stdin>";
  string window_;
  size_t next_ = 0; // the first byte that is not done with
  size_t whole_ = 0; // up to here all tokens are whole
  uint64_t line_ = 1, column_ = 1; // of the window's first byte

  // Reads on. False where no more comes. Throws Error, also at a token without end.
  bool read_more() {
    if (window_.size() - whole_ > longest_token) throw fault();
    if (!file_) return false;
    if (next_ > 0) {
      Token start = token();
      line_ = start.line;
      column_ = start.column;
      window_.erase(0, next_);
      whole_ -= next_;
      next_ = 0;
    }
    size_t kept = window_.size();
    window_.resize(kept + limits.window);
    auto count = read(fileno(file_.get()), &window_[kept], limits.window); // what has come
    window_.resize(kept + size_t(count > 0 ? count : 0));
    if (count < 0 && errno != EINTR) throw os_error(name_);
    for (size_t end = window_.size(); end > kept && whole_ <= kept; --end) {
      if (is_separator(window_[end - 1])) whole_ = end;
    }
    if (count != 0) return true;
    file_.reset();
    whole_ = window_.size();
    window_ += '\n'; // the separator behind the last token
    return true;
  }

public:
  // Opens `path`; `-` is standard input. Passes over a byte-order mark. Throws Error.
  explicit Input(const string &path) : file_(path == "-" ? stdin : fopen(path.c_str(), "rb"), fclose) {
    if (path != "-") name_ = path;
    for (char &c : name_) c = uint8_t(c) < ' ' || c == 127 ? '?' : c;
    if (!file_) throw os_error(name_);
    if (path == "-" && isatty(0))
      fputs("mha: type n d h, then Q, K and V; end with Ctrl-D (Windows: Ctrl-Z and Enter)\n", stderr);
    string mark = "\xEF\xBB\xBF";
    while (window_.size() < 3 && mark.compare(0, window_.size(), window_) == 0 && read_more()) continue;
    if (window_.compare(0, 3, mark) == 0) next_ = 3;
    whole_ = max(whole_, next_); // no separator need have come yet
  }

  // Goes to the next token. False at the input's end, or where a byte of `ends` comes before. Throws Error.
  bool next(const char *ends = "") {
    for (;; ++next_) {
      while (next_ == whole_) {
        if (!read_more()) return false;
      }
      if (!is_separator(window_[next_])) return true;
      if (strchr(ends, window_[next_])) return false;
    }
  }

  // The next, if it is a number.
  void take_number(vector<double> &numbers) {
    const char *first = window_.data();
    next_ = size_t(parse_numbers(first + next_, first + whole_, 1, numbers) - first);
  }

  // Appends what has come, up to `total` or a token that is no finite number. Threads parse a part each.
  void take_numbers(uint64_t total, size_t num_threads, vector<double> &numbers) {
    struct Part {
      string text;
      Token start;
      vector<double> numbers;
      bool has_fault;
    };
    bool has_fault = false;
    auto take = [&](size_t index, Part &part) {
      if (has_fault || numbers.size() == total) return false;
      // alone it may wait: all before is joined
      if (index > 0 && file_ && (num_threads < 2 || can_read(file_.get()))) read_more();
      if (next_ == whole_) return false; // the end, a pause, or a part of a token
      part.start = token();
      part.text.assign(window_, next_, whole_ - next_);
      part.text += '\n'; // the separator behind the last token
      next_ = whole_;
      return true;
    };
    auto parse = [](size_t, Part &part) {
      const char *first = part.text.data(), *last = first + part.text.size();
      part.numbers.clear();
      part.has_fault = parse_numbers(first, last, UINT64_MAX, part.numbers) != last;
    };
    auto join = [&](Part &part) {
      if (has_fault) return; // in a part before
      progress.add(part.numbers.size());
      has_fault = part.has_fault || part.numbers.size() > total - numbers.size();
      if (!has_fault) {
        numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
        return;
      }
      window_ = part.text; // drops what came after: parsed again, up to the fault
      line_ = part.start.line;
      column_ = part.start.column;
      whole_ = window_.size();
      const char *first = window_.data();
      next_ = size_t(parse_numbers(first, first + whole_, total - numbers.size(), numbers) - first);
    };
    pipeline<Part>(num_threads, take, parse, join);
  }

  // The next token, empty where a separator or the end is next.
  Token token() const {
    const char *first = window_.data(), *const next = first + next_, *const last = first + window_.size();
    const string text(next, find_if(next, last, is_separator));
    auto newlines = uint64_t(count(first, next, '\n'));
    if (newlines == 0) return {text, line_, column_ + next_};
    return {text, line_ + newlines, next_ - window_.rfind('\n', next_ - 1)};
  }

  Error error(const Token &at, const string &message) const {
    return {name_ + ':' + to_string(at.line) + ':' + to_string(at.column) + ": " + message};
  }

  // Why the next token is no finite number.
  Error fault() const {
    const Token next = token();
    string found = quoted(next.text);
    if (next.text.size() > longest_token) return error(next, "a token over 1 MiB: " + found);
    double number;
    const char *first = next.text.c_str(), *last = first + next.text.size();
    if (parse_number(first, last, number) == last) return error(next, found + " is past the largest double");
    return error(next, "expected a number, found " + found);
  }
};

// Throws Error where the sizes do not go together, at the one to blame.
void check_sizes(const Input &input, const Problem &problem, const vector<Token> &tokens) {
  auto is = [](const char *name, uint64_t number) { return name + (" = " + to_string(number)); };
  uint64_t n_q = problem.n_q, n_k = problem.n_k, d = problem.d_model, h = problem.num_heads;
  if (d % h != 0)
    throw input.error(tokens[tokens.size() - 2], is("d", d) + " is not divisible by " + is("h", h));
  if (problem.causal && n_q > n_k)
    throw input.error(tokens[1],
                      is("n_q", n_q) + " is more than " + is("n_k", n_k) + ": --causal needs n_q <= n_k");
  uint64_t most_rows = INT64_MAX / problem.batch / d; // of an item
  if (n_k > most_rows / 2 || n_q > most_rows - 2 * n_k)
    throw input.error(tokens[0], "Q, K and V would hold 2^63 numbers or more");
}

// Reads `n d h` or `b n_q n_k d h`, and up to the sixth number on the line. Throws Error.
Problem read_header(Input &input, bool causal) {
  vector<double> numbers;
  vector<Token> tokens;
  input.next(); // empty lines may come before
  Token end = input.token(); // what is behind the numbers
  while (tokens.size() == numbers.size() && tokens.size() < 6 && input.next("\r\n")) {
    tokens.push_back(input.token());
    input.take_number(numbers); // a word stays next
    end = input.token();
  }
  bool is_batch = tokens.size() == 5 && numbers.size() == 5; // and nothing else
  vector<const char *> names = {"n", "d", "h"};
  if (is_batch) names = {"b", "n_q", "n_k", "d", "h"};
  vector<uint64_t> sizes;
  for (const char *name : names) {
    size_t i = sizes.size();
    if (i == tokens.size()) throw input.error(end, "the header has " + to_string(i) + " of 3 numbers: n d h");
    if (i == numbers.size()) throw input.fault();
    sizes.push_back(parse_whole(tokens[i].text));
    if (sizes[i] > 0 && sizes[i] <= INT64_MAX) continue;
    string range = sizes[i] == 0 ? "of at least 1" : "below 2^63", found = quoted(tokens[i].text);
    throw input.error(tokens[i], "expected a whole number " + range + " for " + name + ", found " + found);
  }
  tokens.resize(sizes.size());
  numbers.erase(numbers.begin(), numbers.begin() + ptrdiff_t(sizes.size()));
  if (!is_batch) sizes = {1, sizes[0], sizes[0], sizes[1], sizes[2]};
  const Problem problem{sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], causal, numbers};
  check_sizes(input, problem, tokens);
  return problem;
}

// Where in Q, K or V the input ends, after `count` numbers.
string describe_end(const Problem &problem, uint64_t count) {
  const char *matrix = "QKV";
  uint64_t rows = problem.batch * problem.n_q, d = problem.d_model;
  for (; count >= rows * d; rows = problem.batch * problem.n_k, ++matrix) count -= rows * d;
  return string("input ends inside ") + *matrix + ": row " + to_string(count / d + 1) + " of " +
         to_string(rows) + " has " + to_string(count % d) + " of " + to_string(d) + " numbers";
}

// Reads the whole input. Throws Error at its first fault, and bad_alloc.
Problem read_problem(const string &path, bool causal) {
  Input input(path);
  Problem problem = read_header(input, causal);
  uint64_t total = problem.batch * (problem.n_q + 2 * problem.n_k) * problem.d_model;
  vector<double> &numbers = problem.numbers;
  try {
    numbers.reserve(size_t(min<uint64_t>(total, SIZE_MAX))); // takes no memory before numbers come
  } catch (const exception &) { // they may never come: grow with those that do
  }
  progress.begin("reading", total);
  while (numbers.size() < total) {
    if (!input.next()) throw input.error(input.token(), describe_end(problem, numbers.size()));
    size_t before = numbers.size();
    input.take_numbers(total, threads_for(40 * double(total - before)), numbers); // 40 nanoseconds each
    if (numbers.size() == before) throw input.fault();
  }
  if (!input.next()) return problem;
  throw input.error(input.token(), "input goes on after V: expected " + to_string(total) + " numbers");
}

// ---- Output: from numbers to text ----

// -DBL_MAX, and the 0 that snprintf() writes behind.
constexpr size_t longest_number = 1 + 309 + 1 + 4 + 1;

// Writes `value` at `at` as printf("%.4f") does. Returns the byte behind it.
char *format_number(char *at, double value) {
  double magnitude = fabs(value);
  if (FLT_EVAL_METHOD != 0 || magnitude >= 0x1p63) return at + snprintf(at, longest_number, "%.4f", value);
  // The rest is exact. Times 10^4 it is rounded once, which can take it to one half, but not past it: there
  // the sign of what was lost decides, and where nothing was, half goes to even.
  auto whole = int64_t(magnitude);
  double rest = magnitude - double(whole), scaled = rest * 1e4;
  auto decimals = int64_t(scaled);
  double above_half = scaled - double(decimals) - 0.5, lost = above_half == 0 ? fma(rest, 1e4, -scaled) : 0;
  if (above_half + lost > 0 || (above_half == 0 && lost == 0 && decimals % 2 == 1)) ++decimals;
  whole += decimals / 10'000;
  decimals %= 10'000;
  if (signbit(value)) *at++ = '-';
  char *point = at + 1;
  for (int64_t left = whole / 10; left > 0; left /= 10) ++point;
  for (char *digit = point; digit != at; whole /= 10) *--digit = char('0' + whole % 10);
  *point = '.';
  for (char *digit = point + 4; digit != point; decimals /= 10) *digit-- = char('0' + decimals % 10);
  return point + 5;
}

// Writes `text` to standard output and empties it. Throws Error.
void write_out(string &text) {
  for (size_t written = 0; written < text.size();) {
    errno = 0;
    written += fwrite(text.data() + written, 1, text.size() - written, stdout);
    if (ferror(stdout) && errno != EINTR) throw os_error("<stdout>");
    clearerr(stdout);
  }
  text.clear();
}

// Appends numbers `first` to `last` of rows `[x.xxxx ...]` of `columns` each. Throws bad_alloc.
void append_rows(string &text, const double *numbers, size_t first, size_t last, size_t columns) {
  for (size_t i = first, column = first % columns; i < last; ++i) {
    char number[longest_number];
    text += column == 0 ? '[' : ' ';
    text.append(number, format_number(number, numbers[i]));
    if (++column < columns) continue;
    text += "]\n";
    column = 0;
  }
}

// Prints `count` things. Threads append(text, first, last) some at a time. Throws Error.
template <class Append> void print(size_t count, size_t at_a_time, double nanoseconds, const Append &append) {
  auto take = [&](size_t index, string &) { return index * at_a_time < count; };
  auto make = [&](size_t index, string &text) {
    append(text, index * at_a_time, min((index + 1) * at_a_time, count));
  };
  auto write = [&](string &text) {
    write_out(text);
    progress.add(at_a_time);
  };
  progress.begin("printing", isatty(1) ? 0 : count); // on a terminal the rows tell how far it is
  pipeline<string>(threads_for(double(count) * nanoseconds), take, make, write);
}

// The output: (batch * n_q, d_model).
void print_output(const Problem &problem) {
  auto columns = size_t(problem.d_model), count = size_t(problem.batch * problem.n_q) * columns;
  print(count, limits.piece, 12, [&](string &text, size_t first, size_t last) {
    append_rows(text, problem.numbers.data(), first, last, columns);
  });
}

// The weights: (batch * num_heads * n_q, n_k). All of them need not fit in memory.
void print_weights(Problem &problem) {
  Head head = head_of(problem, 0);
  size_t rows = problem.all_heads() * head.n_q, at_a_time = divide_up(limits.piece, head.n_k);
  print(rows, at_a_time, 10 * query_time(head), [&](string &text, size_t first, size_t last) {
    for (size_t row = first; row < last; ++row) {
      vector<double> weights(head.n_k); // 0 for unseen keys
      compute_weights(head_of(problem, row / head.n_q), row % head.n_q, weights.data());
      append_rows(text, weights.data(), 0, head.n_k, head.n_k);
    }
  });
}

// ---- Command line ----

const char *const help_text = R"(Usage: mha [--causal] [--weights] [--threads N] [FILE]
       mha --help | --version

Prints a row `[x.xxxx ...]` of multi-head softmax(Q K^T / sqrt(d_k)) V for each query.
FILE, or standard input where it is absent or -, holds

  n d h              n tokens, model width d, h heads; then Q, K, V, each n rows of d numbers
  b n_q n_k d h      or a batch of b: Q has b*n_q rows, K and V have b*n_k rows

  --causal       query i sees key j only where j <= i + (n_k - n_q)
  --weights      print the softmax weights instead: for each batch item, head and query a row of n_k
  --threads N    use at most N threads
)";

struct Options {
  bool causal = false, weights = false;
  string file, text; // the text to print in place of any work
};

Error usage_error(const string &message) { return {message + "; try mha --help", 2}; }

// Takes an option, `--name` or `--name=value`.
void set_option(Options &options, const string &word) {
  string name = word.substr(0, word.find('=')), value = word.substr(name.size());
  if (name == "--threads") {
    max_threads = parse_whole(value.substr(1));
    if (max_threads > 0) return;
    throw usage_error("option --threads: expected a whole number of at least 1, found " +
                      quoted(value.substr(1)));
  }
  if (name == "--causal")
    options.causal = true;
  else if (name == "--weights")
    options.weights = true;
  else if (name == "--help")
    options.text = help_text;
  else if (name == "--version")
    options.text = "mha 2.1.0\n";
  else
    throw usage_error("unknown option " + quoted(name));
  if (!value.empty()) throw usage_error("option " + name + " takes no value");
}

// Reads the command line, up to an option that prints a text. Throws Error at the first wrong word.
Options parse_options(const vector<string> &words) {
  Options options;
  vector<string> files;
  bool only_files = false;
  for (size_t i = 0; i < words.size() && options.text.empty(); ++i) {
    const string &word = words[i];
    if (only_files || word.size() < 2 || word[0] != '-') {
      if (!files.empty()) throw usage_error("more than one input file: " + quoted(word));
      files.push_back(word);
    } else if (word == "--") {
      only_files = true;
    } else if (word == "--threads") {
      if (++i == words.size()) throw usage_error("option --threads needs a value");
      set_option(options, word + '=' + words[i]);
    } else {
      set_option(options, word);
    }
  }
  options.file = files.empty() ? "-" : files[0];
  return options;
}

// The whole program. Throws Error; bad_alloc or length_error where there is no memory.
void run(Options options) {
  setvbuf(stdout, nullptr, _IONBF, 0); // what is written is long
  if (options.text.empty()) {
    Problem problem = read_problem(options.file, options.causal);
    if (options.weights) {
      print_weights(problem);
    } else {
      attend(problem);
      print_output(problem);
    }
  }
  write_out(options.text);
  progress.end();
  if (fclose(stdout) != 0) throw os_error("<stdout>"); // not all arrived
}

} // namespace

int main(int argc, char **argv) {
#ifdef _WIN32
  for (const int fd : {0, 1}) _setmode(fd, _O_BINARY);
#endif
  Error error{"", 0};
  try {
    run(parse_options({argv + 1, argv + argc}));
  } catch (Error &thrown) {
    swap(error, thrown);
  } catch (const std::exception &) { // bad_alloc or length_error
    errno = ENOMEM;
    error = os_error("memory");
  }
  progress.end();
  if (error.status != 0) std::fprintf(stderr, "mha: %s\n", error.message.c_str());
  return error.status;
}
