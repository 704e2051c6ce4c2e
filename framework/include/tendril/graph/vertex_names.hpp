#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tendril/core/types.hpp"

namespace tendril {

/// What a file calls its vertices. Dense files need no table: the name of v is v + base. Sparse
/// numbers and strings are kept in a table, ascending (numbers by value, strings by bytes), so ids
/// do not depend on threads.
class vertex_names {
 public:
  /// Names base, base + 1, ..., base + num_vertices - 1.
  /// @throws usage_error if the last name would not fit in 32 bits
  explicit vertex_names(vertex_id num_vertices = 0, vertex_id base = 0);
  /// Names that are numbers.
  /// @param numbers  [num_vertices], strictly ascending
  /// @throws usage_error if they are not, or for 2^32 - 1 or more
  explicit vertex_names(std::vector<std::uint64_t> numbers);
  /// Names that are texts.
  /// @param texts    [num_vertices], distinct; ascending is fastest to make
  /// @throws usage_error if two are the same, or for 2^32 - 1 or more
  explicit vertex_names(std::vector<std::string> texts);

  /// Number of names.
  [[nodiscard]] vertex_id num_vertices() const noexcept;
  /// The name of v as the file writes it. @pre v < num_vertices()
  [[nodiscard]] std::string name(vertex_id v) const;
  /// The vertex of that name, if there is one. @cost O(log num_vertices) where a table is used
  [[nodiscard]] std::optional<vertex_id> find(std::string_view name) const;
  /// As find. @throws input_error that says what is valid
  [[nodiscard]] vertex_id at(std::string_view name) const;
  /// For messages and reports: "0 .. 33", "1 .. 65105 (6474 of them occur)", "305 names".
  [[nodiscard]] std::string range() const;
  /// First number of a dense file; 0 where a table is used.
  [[nodiscard]] vertex_id base() const noexcept;
  /// [num_vertices], the table of numbers, for writers; empty where names are of another kind.
  [[nodiscard]] std::span<const std::uint64_t> numbers() const noexcept;
  /// [num_vertices], the table of texts; empty where names are of another kind.
  [[nodiscard]] std::span<const std::string> texts() const noexcept;

 private:
  vertex_id num_vertices_ = 0;
  vertex_id base_ = 0;
  std::shared_ptr<const std::vector<std::uint64_t>> numbers_;
  struct text_table;
  std::shared_ptr<const text_table> texts_;
};

}  // namespace tendril
