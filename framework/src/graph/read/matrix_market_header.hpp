#pragma once

#include <cstdint>

#include "graph/read/text_reader.hpp"

namespace tendril::detail {

/// The banner and the size line of a Matrix Market file.
struct matrix_header {
  enum class layout : std::uint8_t { coordinate, array } format = layout::coordinate;
  enum class values : std::uint8_t { pattern, integer, real, complex } field = values::real;
  enum class mirror : std::uint8_t {
    general,
    symmetric,
    skew_symmetric,
    hermitian
  } symmetry = mirror::general;
  std::uint64_t size = 0;         ///< rows, and columns: only square matrices are graphs
  std::uint64_t num_entries = 0;  ///< entries that the body must have
  std::uint64_t size_line = 0;    ///< where both are declared
};

/// Reads banner, comments and size line; words in any case, one % before the banner is enough.
/// @throws input_error for anything else, for rectangular matrices, and for more vertices or
/// entries
///         than a graph can have
[[nodiscard]] matrix_header read_matrix_header(text_reader& reader);

}  // namespace tendril::detail
