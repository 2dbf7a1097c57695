// Multi-head attention as its formula reads, in long double: what mha must print, and whether an answer is right.
//
//     head_t = softmax(Q_t K_t^T / sqrt(d_k)) V_t,   d_k = d / h,   head t owns columns t*d_k to (t+1)*d_k - 1
//
//     reference [--causal] [--weights] [FILE]                  prints the expected output
//     reference --check ANSWER [--causal] [--weights] [FILE]   tells the first wrong place in the file ANSWER
//
// Meant to be read as the specification: no blocks, no threads, one row at a time, whose softmax is
// exact_softmax(). The status is 1 where the answer is wrong or the input refused.

#include "exact.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Problem {
    std::size_t batch = 0, num_queries = 0, num_keys = 0, d_model = 0, num_heads = 0;
    std::vector<double> queries, keys, values; // (batch * num_queries, d_model), (batch * num_keys, d_model) twice
};

struct Options {
    bool causal = false, weights = false;
    std::string answer_file, input_file;
};

// One printed number: its exact value, how far a solver may be off, and whether what was averaged holds a negative.
struct Expected {
    long double exact = 0, accuracy = 0;
    bool may_be_negative = false;
};

// ---- input ----

double number(const std::string &token) {
    const double value = is_number(token) ? std::strtod(token.c_str(), nullptr) : HUGE_VAL;
    if (std::isinf(value)) throw std::runtime_error("no number: " + token);
    return value;
}

std::size_t whole_number(const std::string &token) {
    const std::size_t sign = token[0] == '+';
    const std::string digits = token.substr(sign);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos || std::stoull(digits) == 0)
        throw std::runtime_error("no whole number of at least 1: " + token);
    return std::stoull(digits);
}

Problem read_problem(std::istream &in) {
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
    for (char &byte : text)
        if (byte == '[' || byte == ']' || byte == ',') byte = ' ';

    std::vector<std::string> tokens, first_line;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        for (std::string word; words >> word;) tokens.push_back(word);
        if (first_line.empty()) first_line = tokens;
    }

    Problem p;
    std::size_t next = 0;
    const auto header_number = [&] {
        if (next >= first_line.size()) throw std::runtime_error("the header is too short");
        return whole_number(tokens[next++]);
    };
    if (first_line.size() == 5) {
        p.batch = header_number();
        p.num_queries = header_number();
        p.num_keys = header_number();
    } else {
        p.batch = 1;
        p.num_queries = p.num_keys = header_number();
    }
    p.d_model = header_number();
    p.num_heads = header_number();
    if (p.d_model % p.num_heads != 0) throw std::runtime_error("d is not divisible by h");

    const auto read_matrix = [&](std::vector<double> &matrix, std::size_t rows) {
        for (std::size_t left = rows * p.d_model; left > 0; --left) {
            if (next == tokens.size()) throw std::runtime_error("the input ends too early");
            matrix.push_back(number(tokens[next++]));
        }
    };
    read_matrix(p.queries, p.batch * p.num_queries);
    read_matrix(p.keys, p.batch * p.num_keys);
    read_matrix(p.values, p.batch * p.num_keys);
    if (next != tokens.size()) throw std::runtime_error("the input goes on after V");
    return p;
}

// ---- attention ----

// The weights of the keys that the query sees: the first ones.
Softmax softmax_row(const Problem &p, bool causal, std::size_t item, std::size_t head, std::size_t query) {
    const std::size_t d_k = p.d_model / p.num_heads;
    const std::size_t visible = causal ? query + (p.num_keys - p.num_queries) + 1 : p.num_keys;
    const double *q = &p.queries[(item * p.num_queries + query) * p.d_model + head * d_k];
    const double *keys = &p.keys[item * p.num_keys * p.d_model + head * d_k];
    return exact_softmax(q, keys, visible, d_k, p.d_model);
}

// The contract's accuracy, 1e-12 * (1 + largest |score|) * max|V|. Scores past 1e6 count as 1e6: a promise relative
// to 1e200 would let any answer pass, and scores so large are in practice either equal or far apart.
long double accuracy(long double largest_score, long double largest_value) {
    return 1e-12L * (1 + std::min(largest_score, 1e6L)) * largest_value;
}

// The rows of the answer in order; each goes to receive(row).
template <class Receive> void for_each_row(const Problem &p, const Options &options, Receive receive) {
    const std::size_t d_k = p.d_model / p.num_heads;
    std::vector<Expected> row;
    for (std::size_t item = 0; item < p.batch; ++item) {
        if (options.weights) {
            for (std::size_t head = 0; head < p.num_heads; ++head)
                for (std::size_t query = 0; query < p.num_queries; ++query) {
                    Softmax softmax = softmax_row(p, options.causal, item, head, query);
                    softmax.weights.resize(p.num_keys); // 0 where masked
                    row.clear();
                    for (const long double weight : softmax.weights)
                        row.push_back({weight, accuracy(softmax.largest_score, 1), false});
                    receive(row);
                }
            continue;
        }
        for (std::size_t query = 0; query < p.num_queries; ++query) {
            row.clear();
            for (std::size_t head = 0; head < p.num_heads; ++head) {
                const Softmax softmax = softmax_row(p, options.causal, item, head, query);
                for (std::size_t column = head * d_k; column < (head + 1) * d_k; ++column) {
                    long double sum = 0.0L, largest_value = 0.0L;
                    bool any_negative = false;
                    for (std::size_t key = 0; key < softmax.weights.size(); ++key) {
                        const long double value = p.values[(item * p.num_keys + key) * p.d_model + column];
                        sum += softmax.weights[key] * value;
                        largest_value = std::max(largest_value, std::fabs(value));
                        any_negative = any_negative || value < 0;
                    }
                    row.push_back({sum, accuracy(softmax.largest_score, largest_value), any_negative});
                }
            }
            receive(row);
        }
    }
}

// ---- output and check ----

// As printf's %.4f prints the nearest double: past 2^53 the digits are the double's, not the long double's.
std::string format(long double exact) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(4) << static_cast<double>(exact);
    return out.str();
}

void print_answer(const Problem &p, const Options &options) {
    for_each_row(p, options, [](const std::vector<Expected> &row) {
        std::cout << '[' << format(row[0].exact);
        for (std::size_t c = 1; c < row.size(); ++c) std::cout << ' ' << format(row[c].exact);
        std::cout << "]\n";
    });
}

// digits without a leading zero, a point, four digits
bool is_printed_number(const std::string &word) {
    const std::size_t sign = word[0] == '-', point = word.find('.');
    if (point == std::string::npos || point == sign || word.size() != point + 5) return false;
    if (word[sign] == '0' && point != sign + 1) return false;
    return word.find_first_not_of("0123456789", sign) == point &&
           word.find_first_not_of("0123456789", point + 1) == std::string::npos;
}

// The exact value rounded to 4 decimals, up to 1e-9 and the accuracy. The sign of a printed zero is the value's
// too, except where the value is so near 0 that either may come out; an average of no negative value has no minus.
bool is_right(const std::string &printed, const Expected &expected) {
    const long double slack = 1e-9L + expected.accuracy;
    if (printed == "-0.0000" && (expected.exact > slack || !expected.may_be_negative)) return false;
    if (printed == "0.0000" && expected.exact < -slack) return false;
    return std::fabs(std::strtold(printed.c_str(), nullptr) - expected.exact) <= 0.00005L + slack;
}

void check_answer(const Problem &p, const Options &options) {
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
        std::vector<std::string> words;
        if (line.size() >= 2 && line.front() == '[' && line.back() == ']') {
            std::istringstream inside(line.substr(1, line.size() - 2) + ' ');
            for (std::string word; std::getline(inside, word, ' ');) words.push_back(word);
        }
        if (words.size() != row.size() || !std::all_of(words.begin(), words.end(), is_printed_number))
            wrong(rows, ": expected the form [x.xxxx ...] with " + std::to_string(row.size()) + " numbers, found " +
                            line);
        for (std::size_t c = 0; c < row.size(); ++c)
            if (!is_right(words[c], row[c]))
                wrong(rows, ", number " + std::to_string(c + 1) + ": expected about " + format(row[c].exact) +
                                ", found " + words[c]);
    });
    if (std::getline(answer, line)) wrong(rows + 1, ": the answer goes on after its last row");
}

int main(int argc, char **argv) try {
    Options options;
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
    std::ifstream file;
    if (!options.input_file.empty()) {
        file.open(options.input_file, std::ios::binary);
        if (!file) throw std::runtime_error("cannot open " + options.input_file);
    }
    const Problem problem = read_problem(options.input_file.empty() ? std::cin : file);
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
