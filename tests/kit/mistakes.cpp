// The exercise solved as in a textbook, with one mistake to choose: proves that the cases of judge/
// catch what they are named after (mistakes.sh), and tells which mistake makes a wrong program's answers
// (run.sh).
//
//   mistakes NAME     makes the mistake NAME, `none` makes none; stdin to stdout as in the exercise
//   mistakes --list   prints for each its name and what is done wrong
//   mistakes --steps  prints for each its name and the steps that the look inside may name (look.awk)

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

struct Mistake {
  std::string name, sentence;
  std::string steps; // of the exercise's five, and 0 for reading, that it may be told to lie in
};

const std::vector<Mistake> mistakes = {
    // reading
    {"n-and-d-swapped", "n is taken for the width and d for the number of tokens", "05"},
    {"input-read-by-columns", "each matrix is read column by column", "05"},
    {"queries-and-keys-swapped", "Q is taken for K and K for Q", "05"},
    {"keys-and-values-swapped", "K is taken for V and V for K", "05"},
    {"queries-and-values-swapped", "Q is taken for V and V for Q", "05"},
    {"keys-used-as-queries", "K is used in place of Q", "05"},
    {"queries-used-as-keys", "Q is used in place of K", "05"},
    {"keys-used-as-values", "K is used in place of V", "05"},
    {"decimals-cut-off-when-read", "numbers are cut to integers when read, 1.7 to 1", "05"},
    {"exponent-cut-off-when-read", "numbers are read without their exponent, 2e-1 as 2", "05"},
    {"minus-sign-lost", "negative numbers are read as positive ones", "05"},
    {"float32-values", "numbers are read as float, not double", "05"},
    {"float32-scores", "scores are kept as float, not double", "05"},
    {"float32-sum", "the sum of a softmax is kept as float, not double", "05"},
    {"float32-throughout", "float is used in place of double", "05"},
    // heads
    {"heads-and-head-width-swapped", "h is taken for the width of a head, d_k", "15"},
    {"split-by-plain-reshape", "heads are split by reshape(h, n, d_k), without a transpose", "15"},
    {"merge-without-transpose", "heads are merged by reshape(n, d), without a transpose", "15"},
    {"split-and-merge-by-plain-reshape", "heads are split and merged by reshape alone, without a transpose",
     "15"},
    {"heads-interleaved", "head t owns every h-th column, not d_k columns side by side", "15"},
    {"heads-stacked-on-last-axis", "heads are stacked on a new last axis and so mixed column by column",
     "15"},
    {"heads-in-reverse-order", "the last head's columns come first", "15"},
    {"heads-added-up", "heads are added up, not put side by side", "15"},
    {"heads-averaged", "heads are averaged, not put side by side", "15"},
    {"heads-concatenated-as-rows", "heads are put one below the other, not side by side", "15"},
    {"only-first-head-computed", "all heads but the first stay 0", "15"},
    {"last-head-forgotten", "the last head stays 0", "15"},
    {"first-head-weights-for-all-heads", "every head uses the weights of the first", "15"},
    {"first-head-keys-for-all-heads", "every head uses the first head's columns of K", "15"},
    {"first-head-values-for-all-heads", "every head uses the first head's columns of V", "15"},
    {"dot-product-over-all-columns", "scores are summed over all d columns, not over the d_k of a head",
     "15"},
    // scores
    {"scale-by-model-width", "scores are divided by the root of d, not of d_k", "2"},
    {"scale-by-head-width-without-root", "scores are divided by d_k, or by its root twice", "2"},
    {"scale-by-number-of-heads", "scores are divided by the root of h, not of d_k", "2"},
    {"scale-by-number-of-tokens", "scores are divided by the root of n, not of d_k", "2"},
    {"scale-by-root-cut-to-int", "the root of d_k is cut to an integer", "2"},
    {"scale-by-integer-division", "1 / d_k is divided as integers, which gives 0", "2"},
    {"scale-multiplied", "scores are multiplied by the root of d_k, not divided", "2"},
    {"no-scale", "scores are not divided by the root of d_k", "2"},
    {"scale-after-softmax", "weights are divided by the root of d_k, in place of the scores", "2"},
    {"keys-reshaped-not-transposed", "K is reshaped to (d_k, n), not transposed", "2"},
    {"dot-product-summed-as-int", "the dot product is summed in an int, as inner_product(..., 0) does", "2"},
    {"causal-mask-applied", "keys after the query are masked, as in a causal model", "2"},
    {"own-key-left-out", "a query does not see its own key", "2"},
    {"last-key-forgotten", "the last key is left out", "2"},
    {"scores-clipped", "scores beyond a bound, for example 500, are clipped", "2"},
    // softmax
    {"no-softmax", "scores are used as weights, without a softmax", "3"},
    {"softmax-over-queries", "softmax runs over the queries, not over the keys", "3"},
    {"softmax-over-all-scores", "softmax runs over all scores of a head, not over each row", "3"},
    {"softmax-over-heads", "softmax runs over the heads, not over the keys", "3"},
    {"softmax-over-heads-and-keys", "softmax runs over the keys of all heads together, not of each", "3"},
    {"softmax-over-whole-array", "softmax runs over all scores of all heads, not over each row", "3"},
    {"softmax-applied-twice", "softmax is applied twice", "3"},
    {"keepdims-forgotten", "max and sum lack keepdims, so row j's are taken for column j", "3"},
    {"keepdims-forgotten-at-sum", "sum lacks keepdims, so row j's is taken for column j", "3"},
    {"exp-overflows", "no maximum is subtracted, and exp of a large score is infinite", "3"},
    {"exp-underflows", "no maximum is subtracted, and exp of a score far below 0 is 0", "3"},
    {"maximum-starts-at-zero", "the search for the maximum starts at 0, above negative scores", "3"},
    {"maximum-starts-at-smallest-positive-double",
     "the search for the maximum starts at DBL_MIN, above negative scores", "3"},
    {"maximum-starts-at-minus-ten-thousand",
     "the search for the maximum starts too high, for example at -10000, above lower scores", "3"},
    {"maximum-starts-at-minus-a-billion",
     "the search for the maximum starts too high, for example at -1e9, above lower scores", "3"},
    {"maximum-is-first-score", "the first score of a row is subtracted, not the largest", "3"},
    {"maximum-is-last-score", "the last score of a row is subtracted, not the largest", "3"},
    {"maximum-of-absolute-values", "the largest absolute value is subtracted, not the largest score", "3"},
    {"maximum-over-all-rows", "the largest score of all rows is subtracted, not of each row", "3"},
    {"maximum-over-queries", "the largest score of each column is subtracted, not of each row", "3"},
    {"maximum-kept-for-next-row", "the maximum of earlier rows is kept for the next row", "3"},
    {"minimum-subtracted", "the smallest score is subtracted, not the largest", "3"},
    {"power-of-two", "weights are powers of 2, not of e", "3"},
    {"one-added-to-sum", "1 is added to the sum of a softmax", "3"},
    {"small-number-added-to-sum", "a small number, for example 1e-9, is added to the sum of a softmax", "3"},
    {"sum-kept-for-next-row", "the sum of earlier rows is kept for the next row", "3"},
    {"sum-kept-for-next-head", "the sum of a row in earlier heads is kept for the next head", "3"},
    {"sum-kept-throughout", "the sum is never set back to 0, for no row and no head", "3"},
    {"weights-summed-as-int", "the sum of a softmax is an int, as accumulate(..., 0) makes it", "3"},
    {"not-divided-by-sum", "weights are not divided by their sum", "3"},
    {"divided-by-sum-twice", "weights are divided by their sum twice", "3"},
    {"largest-score-takes-all", "the largest score has all the weight", "3"},
    {"weights-rounded-before-use", "weights are rounded to 4 decimals before use", "3"},
    // weighted values
    {"assigned-not-added",
     "a weighted value is assigned to the output, not added, so the last key's alone is left", "45"},
    {"weights-transposed", "weights are transposed before they meet V", "45"},
    {"output-written-over-values", "the output takes the place of V while V is still needed", "45"},
    {"last-query-forgotten", "the last query's row stays 0", "45"},
    {"residual-added", "Q is added to the output, as a residual", "45"},
    // printing
    {"output-printed-by-columns", "the output is printed transposed", "05"},
    {"truncated-not-rounded", "digits after the fourth decimal are cut off, not rounded", "05"},
    {"half-added-to-negatives", "numbers are rounded as int(x + 0.5), also below 0", "05"},
    {"rounded-in-32-bits", "numbers are rounded by way of a 32-bit integer, which overflows", "05"},
    {"printed-with-percent-g", "numbers are printed with %g", "05"},
    {"four-significant-digits", "4 significant digits are printed, not 4 decimals", "05"},
    {"three-decimals", "3 decimals are printed, not 4", "05"},
    {"six-decimals", "6 decimals are printed, not 4", "05"},
    {"trailing-zeros-dropped", "zeros at a number's end are not printed", "05"},
    {"padded-like-numpy", "a blank is printed before a number without a sign", "05"},
    {"wrapped-like-numpy", "long rows are printed on several lines, as NumPy does", "05"},
    {"commas-between-numbers", "commas are printed between numbers", "05"},
    {"brackets-around-all-rows", "a second pair of brackets is printed around all rows", "05"},
    {"no-brackets", "rows are printed without brackets", "05"},
};

std::string mistake;

bool wrong(const char *name) { return mistake == name; }

// Row-major.
struct Matrix {
  std::size_t rows, columns;
  std::vector<double> data;

  Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), data(r * c) {}
  double &at(std::size_t r, std::size_t c) { return data[r * columns + c]; }
  double at(std::size_t r, std::size_t c) const { return data[r * columns + c]; }
  const double *row(std::size_t r) const { return data.data() + r * columns; }
};

Matrix transposed(const Matrix &x) {
  Matrix y(x.columns, x.rows);
  for (std::size_t r = 0; r < x.rows; ++r)
    for (std::size_t c = 0; c < x.columns; ++c) y.at(c, r) = x.at(r, c);
  return y;
}

double float32(double x) { return static_cast<double>(static_cast<float>(x)); }

// A result as a variable keeps it.
double kept(double x) { return wrong("float32-throughout") ? float32(x) : x; }

double read_number() {
  std::string word;
  std::cin >> word;
  if (wrong("exponent-cut-off-when-read")) word = word.substr(0, word.find_first_of("eE"));
  double x = std::atof(word.c_str());
  if (wrong("decimals-cut-off-when-read")) x = std::trunc(x);
  if (wrong("minus-sign-lost")) x = std::fabs(x);
  if (wrong("float32-values")) x = float32(x);
  return kept(x);
}

Matrix read_matrix(std::size_t rows, std::size_t columns) {
  if (wrong("input-read-by-columns")) std::swap(rows, columns);
  Matrix x(rows, columns);
  for (double &value : x.data) value = read_number();
  return wrong("input-read-by-columns") ? transposed(x) : x;
}

// Columns head * d_k to (head + 1) * d_k - 1: (n, d) -> (n, d_k).
Matrix split(const Matrix &x, std::size_t head, std::size_t num_heads) {
  const std::size_t d_k = x.columns / num_heads;
  Matrix part(x.rows, d_k);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t c = 0; c < d_k; ++c) {
      std::size_t from = i * x.columns + head * d_k + c;
      if (wrong("split-by-plain-reshape") || wrong("split-and-merge-by-plain-reshape"))
        from = (head * x.rows + i) * d_k + c;
      if (wrong("heads-interleaved")) from = i * x.columns + c * num_heads + head;
      part.at(i, c) = x.data[from];
    }
  return part;
}

// The way back: part (n, d_k) into its columns of the output (n, d).
void merge(const Matrix &part, std::size_t head, std::size_t num_heads, Matrix &output) {
  if (wrong("heads-in-reverse-order")) head = num_heads - 1 - head;
  const std::size_t d_k = part.columns;
  for (std::size_t i = 0; i < part.rows; ++i)
    for (std::size_t c = 0; c < d_k; ++c) {
      std::size_t to = i * output.columns + head * d_k + c;
      if (wrong("merge-without-transpose") || wrong("split-and-merge-by-plain-reshape") ||
          wrong("heads-concatenated-as-rows"))
        to = (head * part.rows + i) * d_k + c;
      if (wrong("heads-interleaved") || wrong("heads-stacked-on-last-axis"))
        to = i * output.columns + c * num_heads + head;
      output.data[to] = part.at(i, c);
    }
}

double scale(std::size_t d_k, std::size_t num_heads, std::size_t n) {
  const double width = static_cast<double>(d_k);
  if (wrong("no-scale") || wrong("scale-after-softmax")) return 1.0;
  if (wrong("scale-by-model-width")) return std::sqrt(width * static_cast<double>(num_heads));
  if (wrong("scale-by-head-width-without-root")) return width;
  if (wrong("scale-by-number-of-heads")) return std::sqrt(static_cast<double>(num_heads));
  if (wrong("scale-by-number-of-tokens")) return std::sqrt(static_cast<double>(n));
  if (wrong("scale-by-root-cut-to-int")) return std::floor(std::sqrt(width));
  // NOLINTNEXTLINE(bugprone-integer-division): this is the mistake
  if (wrong("scale-by-integer-division")) return 1.0 / static_cast<double>(1 / d_k);
  if (wrong("scale-multiplied")) return 1.0 / std::sqrt(width);
  return std::sqrt(width);
}

double dot_product(const double *query, const double *key, std::size_t d_k) {
  double sum = 0;
  for (std::size_t c = 0; c < d_k; ++c) {
    sum = kept(sum + kept(query[c] * key[c]));
    if (wrong("dot-product-summed-as-int")) sum = std::trunc(sum);
  }
  return sum;
}

// Whether query i of n does not see key j.
bool is_masked(std::size_t i, std::size_t j, std::size_t n) {
  return (wrong("causal-mask-applied") && j > i) || (wrong("own-key-left-out") && j == i) ||
         (wrong("last-key-forgotten") && j == n - 1);
}

// Q K^T / divisor: (n, n), a row per query.
Matrix scaled_scores(const Matrix &queries, Matrix keys, double divisor) {
  const std::size_t n = queries.rows;
  if (wrong("keys-reshaped-not-transposed")) {
    std::swap(keys.rows, keys.columns);
    keys = transposed(keys);
  }
  Matrix scores(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double &score = scores.at(i, j);
      score = kept(dot_product(queries.row(i), keys.row(j), queries.columns) / kept(divisor));
      if (wrong("float32-scores")) score = float32(score);
      if (wrong("scores-clipped")) score = std::clamp(score, -500.0, 500.0);
      if (is_masked(i, j, n)) score = -std::numeric_limits<double>::infinity();
    }
  return scores;
}

double first_maximum() {
  if (wrong("maximum-starts-at-zero")) return 0;
  if (wrong("maximum-starts-at-smallest-positive-double")) return std::numeric_limits<double>::min();
  if (wrong("maximum-starts-at-minus-ten-thousand")) return -1e4;
  if (wrong("maximum-starts-at-minus-a-billion")) return -1e9;
  return -std::numeric_limits<double>::infinity();
}

// Of row r. `maximum` is that of the row before, whose scores are weights by now.
double find_maximum(const Matrix &x, std::size_t r, double maximum) {
  const double *row = x.row(r), *end = x.row(r + 1);
  if (wrong("maximum-is-first-score")) return *row;
  if (wrong("maximum-is-last-score")) return end[-1];
  if (wrong("maximum-of-absolute-values"))
    return std::max(*std::max_element(row, end), -*std::min_element(row, end));
  if (wrong("maximum-over-all-rows"))
    return std::max(maximum, *std::max_element(x.data.begin(), x.data.end()));
  if (wrong("minimum-subtracted")) return *std::min_element(row, end);
  if (wrong("exp-overflows") || wrong("exp-underflows")) return 0;
  if (!wrong("maximum-kept-for-next-row")) maximum = first_maximum();
  return std::max(maximum, *std::max_element(row, end));
}

// Row r's weights before they are divided by their sum, which is added to `sum`.
double add_weights(Matrix &x, std::size_t r, double maximum, double sum) {
  for (std::size_t j = 0; j < x.columns; ++j) {
    double &weight = x.at(r, j);
    const double below = kept(weight - maximum);
    weight = kept(wrong("power-of-two") ? std::exp2(below) : std::exp(below));
    if (wrong("largest-score-takes-all")) weight = weight < 1 ? 0 : 1;
    sum = kept(sum + weight);
    if (wrong("float32-sum")) sum = float32(sum);
    if (wrong("weights-summed-as-int")) sum = std::trunc(sum);
  }
  return sum;
}

void divide_weights(Matrix &x, std::size_t r, double sum) {
  if (wrong("one-added-to-sum")) sum += 1;
  if (wrong("small-number-added-to-sum")) sum += 1e-9;
  if (wrong("not-divided-by-sum")) sum = 1;
  for (std::size_t j = 0; j < x.columns; ++j) {
    double &weight = x.at(r, j);
    weight = kept(weight / sum);
    if (wrong("divided-by-sum-twice")) weight /= sum;
    if (wrong("weights-rounded-before-use")) weight = std::round(weight * 1e4) / 1e4;
  }
}

void softmax_of_rows(Matrix &x) {
  static std::vector<double> earlier_sums; // of the head before, row by row
  earlier_sums.resize(x.rows);
  double maximum = first_maximum();
  double sum = wrong("sum-kept-throughout") ? earlier_sums.back() : 0;
  for (std::size_t r = 0; r < x.rows; ++r) {
    maximum = find_maximum(x, r, maximum);
    if (!wrong("sum-kept-for-next-row") && !wrong("sum-kept-throughout")) sum = 0;
    if (wrong("sum-kept-for-next-head")) sum = earlier_sums[r];
    sum = add_weights(x, r, maximum, sum);
    earlier_sums[r] = sum;
    divide_weights(x, r, sum);
  }
}

// Maxima and sums that meet columns: without keepdims NumPy takes those of row j for column j.
void softmax_with_columns(Matrix &x) {
  const bool over_queries = wrong("maximum-over-queries");
  const Matrix scores = over_queries ? transposed(x) : x;
  std::vector<double> maxima(x.columns, *std::max_element(x.data.begin(), x.data.end())), sums(x.columns);
  if (!wrong("keepdims-forgotten-at-sum"))
    for (std::size_t r = 0; r < x.rows; ++r) maxima[r] = *std::max_element(scores.row(r), scores.row(r + 1));
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.columns; ++j) {
      x.at(i, j) = std::exp(x.at(i, j) - maxima[j]);
      sums[i] += x.at(i, j);
    }
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.columns; ++j) x.at(i, j) /= sums[over_queries ? i : j];
}

Matrix softmax(Matrix scores) {
  const std::size_t n = scores.rows;
  if (wrong("no-softmax")) return scores;
  if (wrong("maximum-over-queries") || wrong("keepdims-forgotten") || wrong("keepdims-forgotten-at-sum")) {
    softmax_with_columns(scores);
    return scores;
  }
  if (wrong("softmax-over-queries")) scores = transposed(scores);
  if (wrong("softmax-over-all-scores")) {
    scores.rows = 1;
    scores.columns = n * n;
  }
  softmax_of_rows(scores);
  scores.rows = scores.columns = n;
  if (wrong("softmax-over-queries")) scores = transposed(scores);
  if (wrong("softmax-applied-twice")) softmax_of_rows(scores);
  return scores;
}

// How many scores, side by side in each head's (n, n), sum to 1 over all heads; 0 where no head minds the
// others.
std::size_t scores_over_heads(std::size_t n) {
  if (wrong("softmax-over-heads")) return 1;
  if (wrong("softmax-over-heads-and-keys")) return n;
  return wrong("softmax-over-whole-array") ? n * n : 0;
}

void softmax_over_heads(std::vector<Matrix> &heads, std::size_t count) {
  for (std::size_t from = 0; from < heads[0].data.size(); from += count) {
    Matrix scores(1, heads.size() * count);
    for (std::size_t at = 0; at < scores.columns; ++at)
      scores.data[at] = heads[at / count].data[from + at % count];
    softmax_of_rows(scores);
    for (std::size_t at = 0; at < scores.columns; ++at)
      heads[at / count].data[from + at % count] = scores.data[at];
  }
}

double weighted_sum(const Matrix &weights, std::size_t i, const Matrix &values, std::size_t c) {
  double sum = 0;
  for (std::size_t j = 0; j < values.rows; ++j) {
    if (wrong("assigned-not-added")) sum = 0;
    sum = kept(sum + kept(weights.at(i, j) * values.at(j, c)));
  }
  return sum;
}

// weights V: (n, d_k)
Matrix weighted_values(Matrix weights, Matrix values) {
  if (wrong("weights-transposed")) weights = transposed(weights);
  if (wrong("scale-after-softmax"))
    for (double &weight : weights.data) weight /= std::sqrt(static_cast<double>(values.columns));
  Matrix output(values.rows, values.columns);
  const std::size_t queries = wrong("last-query-forgotten") ? values.rows - 1 : values.rows;
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t c = 0; c < values.columns; ++c) {
      output.at(i, c) = weighted_sum(weights, i, values, c);
      if (wrong("output-written-over-values")) values.at(i, c) = output.at(i, c);
    }
  return output;
}

// The sum of all heads, (n, d) -> (n, d_k), divided by `divisor`.
Matrix added_up(const Matrix &output, std::size_t num_heads, double divisor) {
  Matrix sum(output.rows, output.columns / num_heads);
  for (std::size_t i = 0; i < output.rows; ++i)
    for (std::size_t c = 0; c < output.columns; ++c) sum.at(i, c % sum.columns) += output.at(i, c) / divisor;
  return sum;
}

// Each head's: (n, n).
std::vector<Matrix> weights_of_heads(const Matrix &queries, const Matrix &keys, std::size_t num_heads) {
  const std::size_t n = queries.rows;
  const bool first_q = wrong("first-head-weights-for-all-heads");
  const bool first_k = first_q || wrong("first-head-keys-for-all-heads");
  const bool all_columns = wrong("dot-product-over-all-columns");
  const double divisor = scale(queries.columns / num_heads, num_heads, n);
  std::vector<Matrix> weights;
  for (std::size_t head = 0; head < num_heads; ++head) {
    const Matrix part_q = all_columns ? queries : split(queries, first_q ? 0 : head, num_heads);
    const Matrix part_k = all_columns ? keys : split(keys, first_k ? 0 : head, num_heads);
    const Matrix scores = scaled_scores(part_q, part_k, divisor);
    weights.push_back(scores_over_heads(n) > 0 ? scores : softmax(scores));
  }
  if (scores_over_heads(n) > 0) softmax_over_heads(weights, scores_over_heads(n));
  return weights;
}

Matrix multi_head_attention(const Matrix &queries, const Matrix &keys, const Matrix &values,
                            std::size_t num_heads) {
  const std::size_t n = values.rows, d_model = values.columns;
  if (wrong("heads-and-head-width-swapped")) num_heads = d_model / num_heads;
  const std::vector<Matrix> weights = weights_of_heads(queries, keys, num_heads);
  Matrix output(n, d_model);
  for (std::size_t head = 0; head < num_heads; ++head) {
    if (wrong("only-first-head-computed") && head > 0) break;
    if (wrong("last-head-forgotten") && head == num_heads - 1) break;
    const Matrix part_v = split(values, wrong("first-head-values-for-all-heads") ? 0 : head, num_heads);
    merge(weighted_values(weights[head], part_v), head, num_heads, output);
  }
  if (wrong("residual-added"))
    for (std::size_t at = 0; at < output.data.size(); ++at) output.data[at] += queries.data[at];
  if (wrong("heads-added-up")) return added_up(output, num_heads, 1);
  if (wrong("heads-averaged")) return added_up(output, num_heads, static_cast<double>(num_heads));
  if (wrong("heads-concatenated-as-rows")) {
    output.rows = n * num_heads;
    output.columns = d_model / num_heads;
  }
  return output;
}

std::string formatted(double x) {
  if (wrong("truncated-not-rounded")) x = std::trunc(x * 1e4) / 1e4;
  if (wrong("half-added-to-negatives")) x = std::trunc(x * 1e4 + 0.5) / 1e4;
  if (wrong("rounded-in-32-bits")) x = static_cast<std::int32_t>(std::llround(x * 1e4)) / 1e4;
  const char *format = "%.4f";
  if (wrong("printed-with-percent-g")) format = "%g";
  if (wrong("four-significant-digits")) format = "%.4g";
  if (wrong("three-decimals")) format = "%.3f";
  if (wrong("six-decimals")) format = "%.6f";
  if (wrong("padded-like-numpy")) format = "% .4f";
  char text[400]; // %f of a double: at most 309 digits before the point
  std::snprintf(text, sizeof text, format, x);
  std::string number = text;
  if (wrong("trailing-zeros-dropped")) number.erase(number.find_last_not_of('0') + 1);
  return number;
}

std::string row_text(const Matrix &x, std::size_t r) {
  std::string line = "[";
  std::size_t start = 0; // of the printed line, which NumPy keeps within 75 characters
  for (std::size_t c = 0; c < x.columns; ++c) {
    const std::string number = formatted(x.at(r, c));
    if (wrong("wrapped-like-numpy") && line.size() + number.size() - start > 74) {
      line += "\n";
      start = line.size();
    }
    if (c > 0) line += wrong("commas-between-numbers") ? ", " : " ";
    line += number;
  }
  return line + "]";
}

void print(const Matrix &x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    std::string line = row_text(x, r);
    if (wrong("no-brackets")) line = line.substr(1, line.size() - 2);
    if (wrong("brackets-around-all-rows")) {
      line.insert(0, r == 0 ? "[" : " ");
      if (r == x.rows - 1) line += "]";
    }
    std::cout << line << "\n";
  }
}

void solve() {
  std::size_t n = 0, d = 0, h = 0;
  std::cin >> n >> d >> h;
  if (wrong("n-and-d-swapped")) std::swap(n, d);
  Matrix queries = read_matrix(n, d);
  Matrix keys = read_matrix(n, d);
  Matrix values = read_matrix(n, d);
  if (wrong("queries-and-keys-swapped")) std::swap(queries, keys);
  if (wrong("keys-and-values-swapped")) std::swap(keys, values);
  if (wrong("queries-and-values-swapped")) std::swap(queries, values);
  if (wrong("keys-used-as-queries")) queries = keys;
  if (wrong("queries-used-as-keys")) keys = queries;
  if (wrong("keys-used-as-values")) values = keys;

  const Matrix output = multi_head_attention(queries, keys, values, h);
  print(wrong("output-printed-by-columns") ? transposed(output) : output);
}

int main(int argc, char **argv) {
  mistake = argc == 2 ? argv[1] : "";
  if (mistake == "--list" || mistake == "--steps") {
    for (const Mistake &m : mistakes)
      std::cout << m.name << " " << (mistake == "--list" ? m.sentence : m.steps) << "\n";
    return 0;
  }
  const auto chosen = [](const Mistake &m) { return m.name == mistake; };
  if (mistake != "none" && std::none_of(mistakes.begin(), mistakes.end(), chosen)) {
    std::cerr << "mistakes: not in the list: " << mistake << "\n";
    return 2;
  }
  solve();
  return std::cout.flush() ? 0 : 1;
}
