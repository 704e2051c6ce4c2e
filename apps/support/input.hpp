#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "support/common_options.hpp"
#include "tendril/graph/read.hpp"

namespace tendril::app {

/// Calls take(where, line) for each line of a text file that is not blank, without blanks around
/// it; `where` is "FILE:LINE: ". A byte order mark is skipped.
/// @throws input_error where the file cannot be read
void for_each_line(const std::string& path,
                   const std::function<void(const std::string&, const std::string&)>& take);

/// The generators, for help texts.
inline constexpr const char* generator_forms =
    "rmat:SCALE:EDGEFACTOR[:SEED=1][:A:B:C=0.57:0.19:0.19], urand:SCALE:EDGEFACTOR[:SEED=1], "
    "grid:WxH[:REMOVED%=0[:SEED=1]], path:N, star:N or tree:DEPTH:FANOUT";

/// INPUT and how to read it.
struct input_options {
  std::string text;  ///< a file, or a generator such as rmat:16:16
  bool directed = false;
  bool undirected = false;
  std::optional<vertex_id> index_base;
  std::optional<file_format> format;
  bool drop_loops = false;
  bool merge_duplicates = false;

  [[nodiscard]] bool is_generator() const;
};

/// A graph and where it came from.
template <weight W>
struct loaded_graph {
  csr<W> graph;
  vertex_names names;
  std::optional<file_facts> facts;    ///< of a file
  std::optional<std::uint64_t> seed;  ///< of a generator that has one
};

/// Reads or makes the graph, with a progress line on a terminal.
/// @throws usage_error where an option cannot apply, and what read_graph_file and generate throw
template <weight W>
[[nodiscard]] loaded_graph<W> load(const input_options& input, const common_options& common);

/// Weight types as --weights names them.
enum class weight_choice : std::uint8_t { automatic, none, int32, float32, float64 };

/// "none", "int32", "float" or "double".
template <weight W>
[[nodiscard]] constexpr const char* weight_name() {
  if constexpr (std::is_same_v<W, none>) {
    return "none";
  } else if constexpr (std::is_same_v<W, std::int32_t>) {
    return "int32";
  } else {
    return std::is_same_v<W, float> ? "float" : "double";
  }
}

/// A graph whose weight type is known once it is read.
using any_graph = std::variant<loaded_graph<none>, loaded_graph<std::int32_t>, loaded_graph<float>,
                               loaded_graph<double>>;

/// As load. automatic: none for a file without weights and for a generator, int32 where every
/// weight is a whole number that fits, else double.
[[nodiscard]] any_graph load_any(const input_options& input, weight_choice weights,
                                 const common_options& common);

/// A graph whose weights are numbers.
using weighted_graph =
    std::variant<loaded_graph<std::int32_t>, loaded_graph<float>, loaded_graph<double>>;

/// As load. automatic: int32 where every weight is a whole number that fits (so also for a
/// generator, and for a file without weights, where each is 1), else double.
/// @pre weights is not none
[[nodiscard]] weighted_graph load_weighted(const input_options& input, weight_choice weights,
                                           const common_options& common);

}  // namespace tendril::app
