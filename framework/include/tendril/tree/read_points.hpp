#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tendril/tree/points.hpp"

// Text files of points: a row is a point. Columns are separated by commas if the first row has one,
// else by semicolons, else by tabs, else by runs of blanks; a field may stand in double quotes, a
// quote inside is doubled. The first row is a header if a wanted column is not a number there.
// Blank lines and lines that start with # or % are no rows. DIMACS coordinates (.co) are known by
// their `p aux sp co N` line: N rows `v ID X Y` follow, and comments `c ...`. Any file may be
// gzipped. A file without a byte is a file without rows.

namespace tendril {

/// Some columns of a file as numbers.
struct number_columns {
  std::vector<std::string> names;            ///< from the header; "" where there is none
  std::vector<std::vector<double>> columns;  ///< one for each that was asked for, rows in order
};

/// How a file of points is read.
struct point_file_options {
  /// Names from the header, or numbers counted from 1. Empty: the first of x and y, longitude and
  /// latitude, lon and lat, lng and lat that the header has; else the first two columns.
  std::vector<std::string> columns;
  /// Called now and then with bytes read and bytes in the file (compressed bytes for gzip), from
  /// one thread at a time.
  std::function<void(std::uint64_t, std::uint64_t)> progress = nullptr;
};

/// Reads columns, each number rounded to the nearest double.
/// @throws input_error `FILE:LINE: expected ..., found ...`, also for nan, infinities, numbers that
///         are too large and columns that the file does not have
/// @cost   one pass over the file, in parallel
[[nodiscard]] number_columns read_columns(const std::filesystem::path& path,
                                          const point_file_options& options = {});

/// Reads two columns as x and y.
/// @throws as read_columns; usage_error if other than none or two columns are asked for
[[nodiscard]] points<double> read_points(const std::filesystem::path& path,
                                         const point_file_options& options = {});

/// The line on which a row stands, for messages. @cost reads the file again, up to that row
/// @pre the file was read with the same options, and has the row
[[nodiscard]] std::uint64_t line_of_row(const std::filesystem::path& path,
                                        const point_file_options& options, std::uint64_t row);

}  // namespace tendril
