#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"

// The text form of the generators: `rmat:22:16`, `grid:2048x2048:30`.

namespace tendril {

namespace {

struct form {
  std::string_view name;
  std::string_view text;  // what a message expects
};

constexpr std::array forms{
    form{"rmat", "rmat:SCALE:EDGEFACTOR[:SEED][:A:B:C]"},
    form{"urand", "urand:SCALE:EDGEFACTOR[:SEED]"},
    form{"grid", "grid:WIDTHxHEIGHT[:REMOVED%[:SEED]]"},
    form{"path", "path:N"},
    form{"star", "star:N"},
    form{"tree", "tree:DEPTH:FANOUT"},
};

constexpr std::uint64_t default_seed = 1;

const form* form_of(std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return nullptr;
  }
  const auto* const found = std::find_if(
      forms.begin(), forms.end(), [&](const form& f) { return f.name == text.substr(0, colon); });
  return found == forms.end() ? nullptr : found;
}

// The fields of a generator text, read with the form in mind.
class fields {
 public:
  explicit fields(std::string_view text) : text_(text), form_(form_of(text)) {
    if (form_ == nullptr) {
      std::string expected;
      for (const form& f : forms) {
        expected += (expected.empty() ? "" : ", ") + std::string(f.text);
      }
      throw usage_error("generator: expected one of " + expected + "; found '" + std::string(text) +
                        "'");
    }
    for (std::string_view rest = text;;) {
      const std::size_t colon = rest.find(':');
      values_.push_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) {
        break;
      }
      rest.remove_prefix(colon + 1);
    }
    values_.erase(values_.begin());  // the name
  }

  [[nodiscard]] std::string_view name() const noexcept { return form_->name; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

  void expect_size(std::size_t least, std::size_t most) const {
    if (size() < least || size() > most) {
      refuse();
    }
  }

  template <class T>
  [[nodiscard]] T number(std::size_t i) const {
    return parse<T>(values_[i]);
  }
  template <class T>
  [[nodiscard]] T number_or(std::size_t i, T otherwise) const {
    return i < size() ? number<T>(i) : otherwise;
  }
  [[nodiscard]] int percent_or(std::size_t i, int otherwise) const {
    if (i >= size()) {
      return otherwise;
    }
    std::string_view value = values_[i];
    if (!value.empty() && value.back() == '%') {
      value.remove_suffix(1);
    }
    return parse<int>(value);
  }
  /// WIDTHxHEIGHT
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extent(std::size_t i) const {
    const std::size_t cross = values_[i].find('x');
    if (cross == std::string_view::npos) {
      refuse();
    }
    return {parse<std::uint64_t>(values_[i].substr(0, cross)),
            parse<std::uint64_t>(values_[i].substr(cross + 1))};
  }

 private:
  template <class T>
  [[nodiscard]] T parse(std::string_view digits) const {
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      refuse();
    }
    return value;
  }

  [[noreturn]] void refuse() const {
    throw usage_error("generator: expected " + std::string(form_->text) + ", found '" +
                      std::string(text_) + "'");
  }

  std::string_view text_;
  const form* form_;
  std::vector<std::string_view> values_;
};

template <weight W>
csr<W> rmat_of(const fields& f) {
  f.expect_size(2, 6);
  if (f.size() == 4) {  // neither with nor without a seed do A, B and C fit
    f.expect_size(2, 3);
  }
  const int scale = f.number<int>(0);
  const int edge_factor = f.number<int>(1);
  rmat_shape shape;
  if (f.size() >= 5) {
    const std::size_t first = f.size() - 3;
    shape = {f.number<double>(first), f.number<double>(first + 1), f.number<double>(first + 2)};
  }
  const bool has_seed = f.size() == 3 || f.size() == 6;
  return generate_rmat<W>(scale, edge_factor, has_seed ? f.number<std::uint64_t>(2) : default_seed,
                          shape);
}

}  // namespace

bool names_generator(std::string_view text) noexcept {
  return form_of(text) != nullptr;
}

template <weight W>
csr<W> generate(std::string_view text) {
  const fields f(text);
  if (f.name() == "rmat") {
    return rmat_of<W>(f);
  }
  if (f.name() == "urand") {
    f.expect_size(2, 3);
    return generate_urand<W>(f.number<int>(0), f.number<int>(1),
                             f.number_or<std::uint64_t>(2, default_seed));
  }
  if (f.name() == "grid") {
    f.expect_size(1, 3);
    const auto [width, height] = f.extent(0);
    return generate_grid<W>(width, height, f.percent_or(1, 0),
                            f.number_or<std::uint64_t>(2, default_seed));
  }
  if (f.name() == "tree") {
    f.expect_size(2, 2);
    return generate_tree<W>(f.number<int>(0), f.number<std::uint64_t>(1));
  }
  f.expect_size(1, 1);
  const auto num_vertices = f.number<std::uint64_t>(0);
  return f.name() == "path" ? generate_path<W>(num_vertices) : generate_star<W>(num_vertices);
}

std::uint64_t generator_seed(std::string_view text) {
  const fields f(text);
  if (f.name() == "grid") {
    return f.number_or<std::uint64_t>(2, default_seed);
  }
  if (f.name() == "urand" || f.name() == "rmat") {
    const bool has_seed = f.size() == 3 || f.size() == 6;
    return has_seed ? f.number<std::uint64_t>(2) : default_seed;
  }
  return 0;
}

template csr<none> generate(std::string_view);
template csr<std::int32_t> generate(std::string_view);
template csr<float> generate(std::string_view);
template csr<double> generate(std::string_view);

}  // namespace tendril
