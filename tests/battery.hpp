#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tendril/graph/csr.hpp"
#include "tendril/traverse/options.hpp"

// The awkward graphs on which every engine, driver, schedule and algorithm is tested, by name, and
// the sets of sources that traversals start from.

namespace tendril::test {

using pairs = std::vector<std::pair<vertex_id, vertex_id>>;

/// A graph of these edges; self-loops and duplicates stay.
[[nodiscard]] csr<> make_graph(vertex_id num_vertices, const pairs& edges,
                               orientation kind = orientation::directed);

struct battery_case {
  std::string name;
  csr<> graph;
  /// Depth from vertex 0 by a formula derived by hand; empty where there is none.
  std::function<std::int32_t(vertex_id)> depth_from_zero;
};

inline constexpr std::array all_ways = {direction::automatic, direction::push, direction::pull};

/// True under TENDRIL_SLOW_TOOL=K/N, for tools under which the whole would take hours: the battery
/// is every N-th case from the K-th (0 to N-1) on, one set of sources is left, and no launch from a
/// device is refused on purpose (tests/sanitize_gpu.sh).
[[nodiscard]] bool under_slow_tool();
/// True under TENDRIL_NO_POLLING, for tools that starve who polls: engines leave small frontiers to
/// the large kernels.
[[nodiscard]] bool without_polling();

/// All cases, made on the first call.
[[nodiscard]] const std::vector<battery_case>& battery();

struct source_set {
  std::string name;
  std::vector<vertex_id> ids;
};

/// First, last, several, duplicates; none at all for a graph without vertices.
[[nodiscard]] std::vector<source_set> source_sets(vertex_id num_vertices);

enum class weights_kind : std::uint8_t { zero, equal, mixed, huge };
[[nodiscard]] const char* to_string(weights_kind kind);
inline constexpr weights_kind all_weights[] = {weights_kind::zero, weights_kind::equal,
                                               weights_kind::mixed, weights_kind::huge};

/// The same graph with weights that depend on an edge's end points, not on its direction. mixed: 0
/// to 15, a few of them 0; huge: the largest int32, or 2^60.
template <numeric_weight W>
[[nodiscard]] csr<W> with_weights(const csr<>& graph, weights_kind kind);

}  // namespace tendril::test
