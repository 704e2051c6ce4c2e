#include "graph/read/edge_list_layout.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "graph/counted.hpp"
#include "graph/file_name.hpp"
#include "graph/read/fields.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

struct row {
  std::string text;  // without blanks around, with its '\n'
  std::uint64_t line = 0;

  [[nodiscard]] cursor start() const { return {text.data(), text.data() + text.size()}; }
};

[[nodiscard]] std::optional<row> next_row(text_reader& reader) {
  constexpr const char* blanks = " \t\r\v\f";
  while (const auto line = reader.next_line()) {
    const auto first = line->find_first_not_of(blanks);
    if (first != std::string_view::npos && !starts_comment(line->data() + first)) {
      const auto last = line->find_last_not_of(blanks);
      return row{std::string(line->substr(first, last + 1 - first)) + '\n', reader.line_number()};
    }
  }
  return std::nullopt;
}

/// Columns as a row of numbers has them: blanks with at most one comma or semicolon between.
[[nodiscard]] std::vector<std::string> number_fields(cursor at) {
  std::vector<std::string> fields;
  for (at.skip_blanks(); !at.at_line_end(); at.skip_delimiter()) {
    fields.emplace_back(at.word());
  }
  return fields;
}

[[nodiscard]] std::vector<std::string> text_fields(cursor at, char separator) {
  std::vector<std::string> fields;
  std::string kept;
  do {
    fields.emplace_back(text_field(at, separator, "a column", kept));
  } while (next_text(at, separator));
  return fields;
}

[[nodiscard]] bool is_number(const std::string& field) {
  const std::size_t sign = field.starts_with('-') || field.starts_with('+') ? 1 : 0;
  // A name such as "nan" or "inf" is no number here.
  if (field.size() == sign || (!is_digit(field[sign]) && field[sign] != '.')) {
    return false;
  }
  double value = 0;
  return std::from_chars(field.data() + sign, field.data() + field.size(), value).ptr ==
         field.data() + field.size();
}

[[nodiscard]] bool has_number_ids(const std::vector<std::string>& fields) {
  return fields.size() > 1 && is_number(fields[0]) && is_number(fields[1]);
}

/// Column names in use for the end points of an edge.
[[nodiscard]] bool names_end_points(const std::vector<std::string>& fields) {
  constexpr std::array<std::array<std::string_view, 2>, 10> known{{{"source", "target"},
                                                                   {"source", "destination"},
                                                                   {"src", "dst"},
                                                                   {"src", "dest"},
                                                                   {"from", "to"},
                                                                   {"fromnodeid", "tonodeid"},
                                                                   {"origin", "destination"},
                                                                   {"u", "v"},
                                                                   {"tail", "head"},
                                                                   {"node1", "node2"}}};
  const std::string first = lower_case(fields[0]);
  const std::string second = lower_case(fields[1]);
  return std::any_of(known.begin(), known.end(),
                     [&](const auto& pair) { return pair[0] == first && pair[1] == second; });
}

[[nodiscard]] bool has_no_number(const std::vector<std::string>& fields) {
  return std::none_of(fields.begin(), fields.end(), is_number);
}

[[nodiscard]] bool is_header_of_texts(const std::vector<std::string>& first,
                                      const std::vector<std::string>& second) {
  const bool only_second_has_weight =
      first.size() == 3 && second.size() == 3 && is_number(second[2]);
  return has_no_number(first) && (only_second_has_weight || names_end_points(first));
}

void refuse_unless_two_or_three(std::size_t num_columns) {
  if (num_columns < 2 || num_columns > 3) {
    throw syntax_error(nullptr, "expected two end points and at most a weight, found " +
                                    counted(num_columns, "column", "columns"));
  }
}

/// Calls fields(row.start()), and gives its errors file and line.
template <class Fields>
[[nodiscard]] std::vector<std::string> checked(const std::filesystem::path& path, const row& from,
                                               Fields fields) {
  try {
    auto found = fields(from.start());
    refuse_unless_two_or_three(found.size());
    return found;
  } catch (const syntax_error& error) {
    throw input_error(line_prefix(path, from.line) + error.what());
  }
}

/// How rows are to be read of which these are the first two. @param path  for messages
[[nodiscard]] edge_list_layout layout_of(const std::filesystem::path& path, const row& first,
                                         const std::optional<row>& second) {
  if (has_number_ids(number_fields(first.start()))) {
    return {.has_weights = checked(path, first, number_fields).size() == 3};
  }
  if (second && has_number_ids(number_fields(second->start())) &&
      has_no_number(number_fields(first.start()))) {
    return {.has_weights = checked(path, *second, number_fields).size() == 3,
            .header_line = first.line};
  }
  edge_list_layout layout{.has_texts = true, .separator = separator_of(first.text)};
  const auto split = [&](cursor at) { return text_fields(at, layout.separator); };
  auto fields = checked(path, first, split);
  if (second) {
    auto below = checked(path, *second, split);
    if (is_header_of_texts(fields, below)) {
      layout.header_line = first.line;
      fields = std::move(below);
    }
  }
  layout.has_weights = fields.size() == 3;
  return layout;
}

}  // namespace

std::string_view text_field(cursor& row, char separator, const char* what, std::string& kept) {
  row.skip_blanks();
  const char* const start = row.position();
  const std::string_view field = take_field(row, separator, kept);
  if (field.empty()) {
    refuse(start, what);
  }
  return field;
}

bool next_text(cursor& row, char separator) {
  if (!next_field(row, separator)) {
    return false;
  }
  if (is_blank(separator)) {
    row.skip_blanks();
  }
  return !(is_blank(separator) && row.at_line_end());
}

std::vector<std::string> columns_of(cursor row, const edge_list_layout& layout) {
  return layout.has_texts ? text_fields(row, layout.separator) : number_fields(row);
}

edge_list_layout find_layout(const std::filesystem::path& path) {
  text_reader reader(path);
  const auto first = next_row(reader);
  return first ? layout_of(path, *first, next_row(reader)) : edge_list_layout{};
}

bool reads_as_texts(const std::string& first, const std::string& second) {
  const edge_list_layout layout =
      layout_of({}, {first, 1}, second.empty() ? std::nullopt : std::optional(row{second, 2}));
  return layout.has_texts && layout.header_line == 0;
}

}  // namespace tendril::detail
