#include "graph/read/detect.hpp"

#include <array>
#include <string>
#include <utility>

#include "graph/file_name.hpp"
#include "graph/read/byte_source.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

constexpr std::array<std::pair<std::string_view, file_format>, 18> known_extensions{
    {{".mtx", file_format::matrix_market},
     {".mm", file_format::matrix_market},
     {".el", file_format::edge_list},
     {".wel", file_format::edge_list},
     {".txt", file_format::edge_list},
     {".tsv", file_format::edge_list},
     {".csv", file_format::edge_list},
     {".edges", file_format::edge_list},
     {".snap", file_format::edge_list},
     {".gr", file_format::dimacs},
     {".col", file_format::dimacs_color},
     {".graph", file_format::metis},
     {".metis", file_format::metis},
     {".mgraph", file_format::metis},
     {".adj", file_format::adjacency},
     {".sg", file_format::gap_serial},
     {".wsg", file_format::gap_serial},
     {".tgr", file_format::tgr}}};

[[nodiscard]] std::optional<file_format> by_extension(const std::string& extension) {
  for (const auto& [known, format] : known_extensions) {
    if (extension == known) {
      return format;
    }
  }
  return std::nullopt;
}

[[nodiscard]] bool is_tgr_file(const std::filesystem::path& path) {
  std::array<char, 16> first{};
  byte_source source(path);
  return is_tgr({first.data(), source.read(first)});
}

/// A blank line or a comment of any of the formats.
[[nodiscard]] bool says_nothing(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r\v\f");
  if (first == std::string_view::npos || line[first] == '%' || line[first] == '#') {
    return true;
  }
  return line[first] == 'c' && (first + 1 == line.size() || is_blank(line[first + 1]));
}

[[nodiscard]] std::optional<file_format> by_content(const std::filesystem::path& path) {
  text_reader reader(path);
  while (const auto line = reader.next_line()) {
    if (const auto format = format_named_by(*line)) {
      return format;
    }
    if (!says_nothing(*line)) {
      break;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<file_format> format_named_by(std::string_view line) {
  const std::string text = std::string(line) + '\n';
  cursor at(text.data(), text.data() + text.size());
  at.skip_blanks();
  const std::string first = lower_case(at.word());
  if (first == "%%matrixmarket" || first == "%matrixmarket") {
    return file_format::matrix_market;
  }
  if (first == "adjacencygraph" || first == "weightedadjacencygraph") {
    return file_format::adjacency;
  }
  if (first == "p") {
    at.skip_blanks();
    const std::string kind = lower_case(at.word());
    if (kind == "sp" || kind == "tw") {
      return file_format::dimacs;
    }
    if (kind == "edge" || kind == "edges" || kind == "col") {
      return file_format::dimacs_color;
    }
  }
  return std::nullopt;
}

file_format detect_format(const std::filesystem::path& path) {
  if (is_tgr_file(path)) {
    return file_format::tgr;
  }
  const std::string extension = graph_extension(path);
  const auto named = by_extension(extension);
  // What has no text would be searched in vain for a first line.
  if (named == file_format::gap_serial || named == file_format::tgr) {
    return *named;
  }
  if (const auto found = by_content(path)) {
    return *found;
  }
  if (named) {
    return *named;
  }
  std::string known;
  for (const auto& [one, format] : known_extensions) {
    known.append(known.empty() ? "" : " ").append(one);
  }
  throw input_error(path.string() +
                    ": expected a graph format known by its first line or its extension (" + known +
                    "), found " + (extension.empty() ? "no extension" : extension));
}

}  // namespace tendril::detail
