#include "tendril/graph/vertex_names.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <utility>

#include "graph/counted.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

struct vertex_names::text_table {
  std::vector<std::string> texts;
  std::vector<vertex_id>
      ascending;  // vertices in the order of their names; empty if that is 0, 1, ...

  [[nodiscard]] vertex_id vertex_at(std::size_t rank) const {
    return ascending.empty() ? static_cast<vertex_id>(rank) : ascending[rank];
  }
};

namespace {

vertex_id checked_size(std::size_t size) {
  if (size >= no_vertex) {
    throw usage_error("vertex_names: at most " + std::to_string(no_vertex - 1) + " names, found " +
                      std::to_string(size));
  }
  return static_cast<vertex_id>(size);
}

// A whole decimal number without sign.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace

vertex_names::vertex_names(vertex_id num_vertices, vertex_id base)
    : num_vertices_(num_vertices), base_(base) {
  if (num_vertices > no_vertex - base) {
    throw usage_error("vertex_names: " + std::to_string(num_vertices) + " names from " +
                      std::to_string(base) + " on do not fit in 32 bits");
  }
}

vertex_names::vertex_names(std::vector<std::uint64_t> numbers)
    : num_vertices_(checked_size(numbers.size())) {
  const auto out_of_order =
      std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>());
  if (out_of_order != numbers.end()) {
    throw usage_error("vertex_names: expected numbers in ascending order, found " +
                      std::to_string(out_of_order[1]) + " after " +
                      std::to_string(out_of_order[0]));
  }
  numbers_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(numbers));
}

vertex_names::vertex_names(std::vector<std::string> texts)
    : num_vertices_(checked_size(texts.size())) {
  auto table = std::make_shared<text_table>();
  table->texts = std::move(texts);
  const std::vector<std::string>& names = table->texts;
  if (!std::is_sorted(names.begin(), names.end())) {
    table->ascending.resize(names.size());
    std::iota(table->ascending.begin(), table->ascending.end(), vertex_id{0});
    tbb::parallel_sort(table->ascending.begin(), table->ascending.end(),
                       [&](vertex_id a, vertex_id b) { return names[a] < names[b]; });
  }
  for (std::size_t rank = 1; rank < names.size(); ++rank) {
    if (names[table->vertex_at(rank)] == names[table->vertex_at(rank - 1)]) {
      throw usage_error("vertex_names: expected distinct names, found '" +
                        names[table->vertex_at(rank)] + "' twice");
    }
  }
  texts_ = std::move(table);
}

vertex_id vertex_names::num_vertices() const noexcept {
  return num_vertices_;
}

vertex_id vertex_names::base() const noexcept {
  return base_;
}

std::span<const std::uint64_t> vertex_names::numbers() const noexcept {
  return numbers_ ? std::span<const std::uint64_t>(*numbers_) : std::span<const std::uint64_t>();
}

std::span<const std::string> vertex_names::texts() const noexcept {
  return texts_ ? std::span<const std::string>(texts_->texts) : std::span<const std::string>();
}

std::string vertex_names::name(vertex_id v) const {
  if (texts_) {
    return texts_->texts[v];
  }
  return std::to_string(numbers_ ? (*numbers_)[v] : std::uint64_t{base_} + v);
}

std::optional<vertex_id> vertex_names::find(std::string_view name) const {
  if (texts_) {
    std::size_t begin = 0;
    std::size_t end = num_vertices_;
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (texts_->texts[texts_->vertex_at(middle)] < name) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    if (begin < num_vertices_ && texts_->texts[texts_->vertex_at(begin)] == name) {
      return texts_->vertex_at(begin);
    }
    return std::nullopt;
  }
  const std::optional<std::uint64_t> number = parse_number(name);
  if (!number) {
    return std::nullopt;
  }
  if (numbers_) {
    const auto place = std::lower_bound(numbers_->begin(), numbers_->end(), *number);
    if (place == numbers_->end() || *place != *number) {
      return std::nullopt;
    }
    return static_cast<vertex_id>(place - numbers_->begin());
  }
  if (*number < base_ || *number - base_ >= num_vertices_) {
    return std::nullopt;
  }
  return static_cast<vertex_id>(*number - base_);
}

vertex_id vertex_names::at(std::string_view name) const {
  if (const std::optional<vertex_id> v = find(name)) {
    return *v;
  }
  throw input_error("vertex: expected one of " + range() + ", found '" + std::string(name) + "'");
}

std::string vertex_names::range() const {
  if (num_vertices_ == 0) {
    return "no vertices";
  }
  if (texts_) {
    return detail::counted(num_vertices_, "name", "names");
  }
  std::string text = name(0);
  if (num_vertices_ > 1) {
    text += " .. " + name(num_vertices_ - 1);
  }
  if (numbers_) {
    const std::uint64_t span = numbers_->back() - numbers_->front();
    if (span != num_vertices_ - 1) {
      text += " (" + std::to_string(num_vertices_) + " of them occur)";
    }
  }
  return text;
}

}  // namespace tendril
