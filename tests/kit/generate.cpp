// Random inputs for mha, the same for a seed on every platform: integers only, no library distribution.
//
//     generate SEED SIZE [KIND [CROP]]              prints an input of up to SIZE queries and keys
//     generate --options SEED SIZE [KIND [CROP]]    prints the options that go with it
//     generate --smaller SEED SIZE [KIND [CROP]]    prints smaller parts of it: SEED SIZE KIND CROP, a line
//     each
//
// KIND is `any`, or `judge` for the exercise's own format: n d h, n <= 10, plain decimals, no options.
// CROP keeps a part of each dimension, as FIRST:END of batch, queries, keys, heads and columns of a head; a
// word `plain` after it writes the numbers without any variety of layout.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

enum Dimension { batch, queries, keys, heads, columns, num_dimensions };

struct Range {
  std::size_t first = 0, end = 0;
  std::size_t size() const { return end - first; }
};

using Shape = std::array<Range, num_dimensions>;

// A number of up to that many random digits, times 10 to a power between low and high.
struct Scale {
  int digits, low, high;
};

// What Q and K are made of, and V. The exact softmax must not hang on the last bits of a score that is no
// exact double: large scores are equal by equal rows, or far apart by chance.
struct Flavour {
  Scale scores, values;
};

constexpr Flavour flavours[] = {
    {{3, -2, -2}, {4, -3, -3}}, // everyday numbers
    {{17, -16, -16}, {17, -16, -14}}, // as %.17g prints them
    {{1, 0, 0}, {1, 0, 0}}, // integers: many equal scores
    {{3, 0, 0}, {3, -1, -1}}, // scores up to 1e6 and more: one-hot rows
    {{2, -1, -1}, {2, -6, -4}}, // values that round to zero, of either sign
    {{3, -203, -200}, {3, -2, -2}}, // scores of 1e-400
    {{2, -324, -322}, {2, -324, -322}}, // denormals
    {{3, 198, 200}, {3, -2, -2}}, // scores past the largest double
    {{3, -2, -2}, {17, 291, 291}}, // sums of values past the largest double
    {{17, -330, 291}, {6, -9, -3}}, // every magnitude at once
};
constexpr Flavour judge_flavours[] = {
    {{3, -2, -2}, {3, -2, -2}}, {{1, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {2, 0, 0}}};

struct Layout {
  const char *after_header, *open_matrix, *open_row, *gap, *close_row, *close_matrix;
};

constexpr Layout plain_layout = {"\n", "", "", " ", "\n", ""};
constexpr Layout layouts[] = {
    plain_layout,
    {"\r\n", "", "", " ", "\r\n", ""},
    {"\n", "[", "[", " ", "]\n ", "]\n"}, // as NumPy prints
    {"\n", "", "[", " ", "]\n", ""}, // as mha prints
    {"\n", "[", "[", ", ", "],\n ", "],\n"}, // as Python prints
    {"\n", "", " ", "\t", "\n\n", "\f"},
    {"\n", "", "", " ", " ", ""}, // all data on one line
    {" ", "", "", " ", " ", ""}, // all on one line, only with the header n d h
    {"\n", "", "", nullptr, "\n", ""}, // breaks anywhere
    {"\r", "", "", " ", "\r", ""}, // lines that end as on old Macs
};
constexpr const char *gaps[] = {" ", "  ", "\n", "\r\n", "\t", " \f ", "\r", ",", " \n\n"};

class Generator {
public:
  // description: SEED SIZE [KIND [CROP [plain]]]
  explicit Generator(std::istream &description) {
    std::string word;
    if (!(description >> seed >> size) || size == 0)
      throw std::invalid_argument("usage: generate SEED SIZE [KIND [CROP]]");
    if (description >> word) kind = word;
    if (kind != "any" && kind != "judge") throw std::invalid_argument("no such kind: " + kind);
    random.seed(seed);
    draw_shape();
    draw_options();
    crop = shape;
    char colon = 0;
    for (Range &range : crop) {
      Range part;
      if (!(description >> part.first >> colon >> part.end)) break;
      range = part;
    }
    description.clear();
    plain = description >> word && word == "plain";
    if (!is_valid(crop)) throw std::invalid_argument("no such part");
  }

  std::string input() {
    const Flavour flavour = is_judge() ? pick(judge_flavours) : pick(flavours);
    const Layout drawn_layout = pick(layouts), layout = is_varied() ? drawn_layout : plain_layout;
    const bool odd_notation = one_in(6) && !is_judge();
    const bool byte_order_mark = one_in(8) && is_varied();
    const bool blank_lines = one_in(8) && is_varied();
    const bool cut_newline = one_in(8) && is_varied();
    const bool short_header = one_in(2) || is_judge();
    const std::vector<std::string> numbers = draw_numbers(flavour, odd_notation);

    std::string text = byte_order_mark ? "\xEF\xBB\xBF" : "";
    if (blank_lines) text += "\n \r\n";
    append_header(text, short_header, layout);
    std::size_t offset = 0;
    for (const Dimension tokens : {queries, keys, keys}) append_matrix(text, numbers, offset, tokens, layout);
    if (cut_newline) text.erase(text.find_last_not_of("\r\n ") + 1);
    return text;
  }

  std::string options() const {
    return std::string(causal ? "--causal " : "") + (weights ? "--weights" : "");
  }

  // The halves first, so that shrinking is fast; then without the last and without the first.
  std::string smaller() const {
    std::string lines;
    const std::vector<std::vector<Dimension>> cuts = {{batch}, {queries, keys}, {queries},
                                                      {keys},  {heads},         {columns}};
    for (const bool halve : {true, false})
      for (const std::vector<Dimension> &cut : cuts)
        for (const bool keep_front : {true, false}) {
          Shape part = crop;
          for (const Dimension i : cut) part[i] = shortened(part[i], halve, keep_front);
          if (is_valid(part)) lines += describe(part, plain) + '\n';
        }
    if (is_varied()) lines += describe(crop, true) + '\n';
    return lines;
  }

private:
  std::uint64_t below(std::uint64_t bound) { return random() % bound; }
  bool one_in(std::uint64_t bound) { return below(bound) == 0; }
  template <class T, std::size_t N> T pick(const T (&list)[N]) { return list[below(N)]; }
  bool is_judge() const { return kind == "judge"; }
  bool is_varied() const { return !is_judge() && !plain; }

  // Without half of it, or without one. Nothing, which is no part, where there are too few.
  static Range shortened(const Range &range, bool halve, bool keep_front) {
    const std::size_t less = halve ? range.size() / 2 : 1;
    if (range.size() <= (halve ? 2U : 1U)) return {};
    return keep_front ? Range{range.first, range.end - less} : Range{range.first + less, range.end};
  }

  std::size_t up_to(std::size_t most) { return 1 + below(std::max<std::size_t>(1, std::min(most, size))); }

  void draw_shape() {
    std::size_t num_queries = up_to(is_judge() ? 10 : size), num_keys = up_to(size);
    std::size_t num_heads = up_to(6), d_k = up_to(12);
    std::size_t items = one_in(4) ? up_to(3) : 1;
    const std::uint64_t form = below(8);
    if (form == 0) {
      num_heads = 1;
      d_k = up_to(70);
    }
    if (form == 1) {
      num_heads = up_to(12);
      d_k = 1;
    }
    if (form == 2) num_queries = 1;
    if (one_in(2) || is_judge()) num_keys = num_queries;
    if (is_judge()) items = 1;
    // the slow reference stays within some milliseconds: an exp costs it about as much as 20 products
    while (items * num_queries * num_keys * num_heads * (d_k + 20) > 500'000 && items * num_heads * d_k > 1) {
      if (num_heads > 1)
        num_heads /= 2;
      else if (items > 1)
        items /= 2;
      else
        d_k /= 2;
    }
    shape = {{{0, items}, {0, num_queries}, {0, num_keys}, {0, num_heads}, {0, d_k}}};
  }

  void draw_options() {
    causal = one_in(3) && shape[queries].size() <= shape[keys].size() && !is_judge();
    weights = one_in(4) && !is_judge();
  }

  bool is_valid(const Shape &part) const {
    for (std::size_t i = 0; i < part.size(); ++i)
      if (part[i].size() == 0 || part[i].first > part[i].end || part[i].end > shape[i].end) return false;
    if (is_judge() && part[queries].size() != part[keys].size()) return false;
    return !causal || part[queries].size() <= part[keys].size();
  }

  std::string describe(const Shape &part, bool as_plain) const {
    std::ostringstream words;
    words << seed << ' ' << size << ' ' << kind;
    for (const Range &range : part) words << ' ' << range.first << ':' << range.end;
    return words.str() + (as_plain ? " plain" : "");
  }

  std::string draw_number(const Scale &scale, bool odd_notation) {
    std::uint64_t bound = 1;
    for (int i = 0; i < scale.digits; ++i) bound *= 10;
    const std::string digits = std::to_string(below(bound));
    std::string sign;
    if (one_in(2))
      sign = "-";
    else if (odd_notation && one_in(3))
      sign = "+";
    const int powers = scale.high - scale.low + 1;
    const int exponent = scale.low + static_cast<int>(below(static_cast<std::uint64_t>(powers)));
    if (exponent < -20 || exponent > 0 || (odd_notation && one_in(3)))
      return sign + with_exponent(digits, exponent);
    return sign + with_point(digits, static_cast<std::size_t>(-exponent), odd_notation);
  }

  std::string with_exponent(std::string digits, int exponent) {
    if (digits.size() > 1 && one_in(2)) {
      exponent += static_cast<int>(digits.size()) - 1;
      digits.insert(1, ".");
    }
    digits += one_in(2) ? "e" : "E";
    if (exponent >= 0 && one_in(2)) digits += "+";
    return digits + std::to_string(exponent);
  }

  std::string with_point(std::string digits, std::size_t decimals, bool odd_notation) {
    if (odd_notation && one_in(3)) digits.insert(0, 1 + below(3), '0');
    if (digits.size() <= decimals) digits.insert(0, decimals - digits.size() + (odd_notation ? 0 : 1), '0');
    if (decimals > 0 || (odd_notation && one_in(2))) digits.insert(digits.size() - decimals, ".");
    return digits;
  }

  // Q (batch * queries, heads * columns), K and V (batch * keys, heads * columns), one behind the other
  std::vector<std::string> draw_numbers(const Flavour &flavour, bool odd_notation) {
    const std::size_t d_k = shape[columns].size(), d_model = shape[heads].size() * d_k;
    const std::size_t query_rows = shape[batch].size() * shape[queries].size();
    const std::size_t key_rows = shape[batch].size() * shape[keys].size();
    std::vector<std::string> numbers;
    for (std::size_t left = (query_rows + key_rows) * d_model; left > 0; --left)
      numbers.push_back(draw_number(flavour.scores, odd_notation));
    for (std::size_t left = key_rows * d_model; left > 0; --left)
      numbers.push_back(draw_number(flavour.values, odd_notation));

    const auto row_of_k = [&](std::size_t row) {
      return numbers.begin() + static_cast<std::ptrdiff_t>((query_rows + row) * d_model);
    };
    if (one_in(4)) // equal keys: equal scores, however large
      for (std::size_t row = 2; row < key_rows; ++row)
        std::copy_n(row_of_k(below(2)), d_model, row_of_k(row));
    return numbers;
  }

  // Three numbers where they will do and `is_short` says so.
  void append_header(std::string &text, bool is_short, const Layout &layout) const {
    is_short = is_short && crop[batch].size() == 1 && crop[queries].size() == crop[keys].size();
    if (!is_short)
      text += std::to_string(crop[batch].size()) + ' ' + std::to_string(crop[queries].size()) + ' ';
    text += std::to_string(crop[keys].size()) + ' ';
    text += std::to_string(crop[heads].size() * crop[columns].size()) + ' ';
    text += std::to_string(crop[heads].size());
    // five numbers need a line of their own
    text += is_short || *layout.after_header != ' ' ? layout.after_header : "\n";
  }

  // The part of the matrix that crop keeps; offset is where the matrix begins in numbers, then where it ends.
  void append_matrix(std::string &text, const std::vector<std::string> &numbers, std::size_t &offset,
                     Dimension tokens, const Layout &layout) {
    const std::size_t d_k = shape[columns].size(), d_model = shape[heads].size() * d_k;
    text += layout.open_matrix;
    for (std::size_t item = crop[batch].first; item < crop[batch].end; ++item)
      for (std::size_t token = crop[tokens].first; token < crop[tokens].end; ++token) {
        const char *gap = layout.open_row;
        for (std::size_t head = crop[heads].first; head < crop[heads].end; ++head)
          for (std::size_t column = crop[columns].first; column < crop[columns].end; ++column) {
            const std::size_t row = item * shape[tokens].size() + token;
            text += gap + numbers[offset + row * d_model + head * d_k + column];
            gap = layout.gap != nullptr ? layout.gap : pick(gaps);
          }
        text += layout.close_row;
      }
    text += layout.close_matrix;
    offset += shape[batch].size() * shape[tokens].size() * d_model;
  }

  std::mt19937_64 random;
  std::uint64_t seed = 0;
  std::size_t size = 0;
  std::string kind = "any";
  Shape shape, crop;
  bool causal = false, weights = false, plain = false;
};

int main(int argc, char **argv) try {
  std::string words;
  for (int i = 1; i < argc; ++i) words += std::string(argv[i]) + ' ';
  std::string mode;
  if (words.compare(0, 2, "--") == 0) {
    mode = words.substr(0, words.find(' '));
    words.erase(0, mode.size());
  }
  std::istringstream description(words);
  Generator generator(description);
  if (mode == "--options")
    std::cout << generator.options() << '\n';
  else if (mode == "--smaller")
    std::cout << generator.smaller();
  else if (mode.empty())
    std::cout << generator.input();
  else
    throw std::invalid_argument("no such mode: " + mode);
  return std::cout.flush() ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
