#include "graph/read/matrix_market_header.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "graph/file_name.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/header.hpp"

namespace tendril::detail {

namespace {

template <class Value, std::size_t Size>
using words_of = std::array<std::pair<std::string_view, Value>, Size>;

constexpr words_of<matrix_header::layout, 2> layout_words{
    {{"coordinate", matrix_header::layout::coordinate}, {"array", matrix_header::layout::array}}};
constexpr words_of<matrix_header::values, 5> value_words{
    {{"pattern", matrix_header::values::pattern},
     {"integer", matrix_header::values::integer},
     {"real", matrix_header::values::real},
     {"double", matrix_header::values::real},
     {"complex", matrix_header::values::complex}}};
constexpr words_of<matrix_header::mirror, 4> mirror_words{
    {{"general", matrix_header::mirror::general},
     {"symmetric", matrix_header::mirror::symmetric},
     {"skew-symmetric", matrix_header::mirror::skew_symmetric},
     {"hermitian", matrix_header::mirror::hermitian}}};

/// Takes the next word of the banner and gives what it stands for.
template <class Value, std::size_t Size>
[[nodiscard]] Value banner_word(cursor& line, const words_of<Value, Size>& words) {
  line.skip_blanks();
  const char* const where = line.position();
  const std::string word = lower_case(line.word());
  std::string expected;
  for (const auto& [name, value] : words) {
    if (word == name) {
      return value;
    }
    expected.append(expected.empty() ? "" : " or ").append(name);
  }
  refuse(where, expected);
}

void read_banner(cursor& line, matrix_header& header) {
  const char* const where = line.position();
  const std::string banner = lower_case(line.word());
  if (banner != "%%matrixmarket" && banner != "%matrixmarket") {
    refuse(where, "the banner %%MatrixMarket");
  }
  constexpr words_of<bool, 1> object_words{{{"matrix", true}}};
  (void)banner_word(line, object_words);
  header.format = banner_word(line, layout_words);
  header.field = banner_word(line, value_words);
  line.skip_blanks();
  const char* const symmetry_at = line.position();
  header.symmetry = banner_word(line, mirror_words);
  line.end_line();
  if (header.format == matrix_header::layout::array &&
      header.field == matrix_header::values::pattern) {
    refuse(where, "values in an array (a pattern has none)");
  }
  if (header.symmetry == matrix_header::mirror::hermitian &&
      header.field != matrix_header::values::complex) {
    refuse(symmetry_at, "complex values in a hermitian matrix");
  }
}

/// Values that an array of that symmetry lists: the whole, or a triangle with or without diagonal.
[[nodiscard]] std::uint64_t array_entries(const matrix_header& header) {
  const std::uint64_t n = header.size;  // < 2^32: nothing overflows
  switch (header.symmetry) {
    case matrix_header::mirror::general:
      return n * n;
    case matrix_header::mirror::symmetric:
    case matrix_header::mirror::hermitian:
      return n * (n + 1) / 2;
    case matrix_header::mirror::skew_symmetric:
      return n == 0 ? 0 : n * (n - 1) / 2;
  }
  return 0;
}

void read_sizes(cursor& line, matrix_header& header) {
  line.skip_blanks();
  header.size = vertex_count(line, "a number of rows");
  line.skip_blanks();
  const char* const columns_at = line.position();
  if (line.unsigned_number("a number of columns") != header.size) {
    refuse(columns_at, "as many columns as rows (" + std::to_string(header.size) +
                           "; a rectangular matrix is no graph)");
  }
  if (header.format == matrix_header::layout::coordinate) {
    line.skip_blanks();
    header.num_entries = line.unsigned_number("a number of entries");
  } else {
    header.num_entries = array_entries(header);
  }
  line.end_line();
}

}  // namespace

matrix_header read_matrix_header(text_reader& reader) {
  matrix_header header;
  parse_header_line(reader, "the banner %%MatrixMarket", "",
                    [&](cursor& line) { read_banner(line, header); });
  parse_header_line(reader, "a line with rows, columns and entries", "%",
                    [&](cursor& line) { read_sizes(line, header); });
  header.size_line = reader.line_number();
  return header;
}

}  // namespace tendril::detail
