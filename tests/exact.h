// What more than one of these programs takes as right: which words are numbers, and attention's weights from scores
// that are summed without any rounding. Nothing of src/mha.cpp is in it.

#ifndef EXACT_H
#define EXACT_H

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// Scores reach the square of the largest double, 1e616: the x87 type (64 bits, to 1e4932) holds them as they are.
static_assert(LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP >= 16384, "needs a long double wider than double");

// Whether the word is sign, digits with an optional point, exponent: no hex, nan or inf, which strtod would take.
inline bool is_number(const std::string &word) {
    std::size_t at = 0;
    const auto skip_sign = [&] { at += word[at] == '+' || word[at] == '-'; };
    const auto skip_digits = [&] {
        const std::size_t from = at;
        while (word[at] >= '0' && word[at] <= '9') ++at;
        return at - from;
    };
    skip_sign();
    std::size_t digits = skip_digits();
    if (word[at] == '.') {
        ++at;
        digits += skip_digits();
    }
    if (digits == 0) return false;
    if (word[at] == 'e' || word[at] == 'E') {
        ++at;
        skip_sign();
        if (skip_digits() == 0) return false;
    }
    return at == word.size();
}

// A sum kept as parts that do not overlap, smallest first.
using Parts = std::vector<long double>;

// Adds to the sum, and no bit is lost (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic").
inline void add_exactly(Parts &sum, long double term) {
    std::size_t kept = 0;
    for (long double part : sum) {
        if (std::fabs(term) < std::fabs(part)) std::swap(term, part);
        const long double both = term + part, error = part - (both - term);
        if (error != 0) sum[kept++] = error;
        term = both;
    }
    sum.resize(kept);
    sum.push_back(term);
}

inline long double rounded(const Parts &sum) { return std::accumulate(sum.begin(), sum.end(), 0.0L); }

// a - b, exact but for one last rounding.
inline long double difference(Parts a, const Parts &b) {
    for (const long double part : b) add_exactly(a, -part);
    return rounded(a);
}

// A double as two numbers of at most 32 bits, so that 64 hold the product of any two of them (Dekker 1971).
inline std::array<long double, 2> halves(long double x) {
    const long double shifted = x * (0x1p32L + 1), high = shifted - (shifted - x);
    return {high, x - high};
}

// q k^T of one query and one key, each product as it rounds and what that left off (Dekker 1971). Products of 1e400
// may cancel and leave the decision to a small one beside.
inline Parts exact_dot(const double *q, const double *k, std::size_t d_k) {
    Parts sum;
    for (std::size_t c = 0; c < d_k; ++c) {
        const auto [q_high, q_low] = halves(q[c]);
        const auto [k_high, k_low] = halves(k[c]);
        const long double product = static_cast<long double>(q[c]) * k[c];
        add_exactly(sum, product);
        add_exactly(sum, q_high * k_high - product + q_high * k_low + q_low * k_high + q_low * k_low);
    }
    return sum;
}

struct Softmax {
    std::vector<long double> weights; // (num_keys)
    long double largest_score = 0;    // of the absolute values
};

// softmax(q K^T / sqrt(d_k)) of one query and of num_keys keys, at least one, whose rows are d_model numbers apart.
inline Softmax exact_softmax(const double *q, const double *keys, std::size_t num_keys, std::size_t d_k,
                             std::size_t d_model) {
    const long double root = std::sqrt(static_cast<long double>(d_k));
    Softmax row;

    // scores = q k^T / sqrt(d_k), and the largest
    std::vector<Parts> dots;
    std::size_t max = 0;
    for (std::size_t j = 0; j < num_keys; ++j) {
        dots.push_back(exact_dot(q, keys + j * d_model, d_k));
        if (difference(dots[j], dots[max]) > 0) max = j;
        row.largest_score = std::max(row.largest_score, std::fabs(rounded(dots[j]) / root));
    }

    // weights = exp(scores - max) / sum
    long double sum = 0;
    for (const Parts &dot : dots) {
        row.weights.push_back(std::exp(difference(dot, dots[max]) / root));
        sum += row.weights.back();
    }
    for (long double &weight : row.weights) weight /= sum;
    return row;
}

#endif
