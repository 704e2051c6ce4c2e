#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tendril/algorithms/distance.hpp"
#include "tendril/graph/csr.hpp"

// Answers of Boost.Graph, one thread, host memory. The comparisons return nothing, or a sentence
// that names the first vertex on which the two disagree.

namespace tendril::oracle {

/// Depths by boost::breadth_first_search; `unreached` beyond the limit too.
/// @return [num_vertices]
template <weight W>
[[nodiscard]] std::vector<std::int32_t> bfs_depths(
    const csr<W>& graph, std::span<const vertex_id> sources,
    std::int32_t depth_limit = std::numeric_limits<std::int32_t>::max());

/// Distances by boost::dijkstra_shortest_paths, in the arithmetic of distance_type<W>: equal to
/// those of tendril::sssp bit for bit.
/// @pre weights are finite and not negative
/// @return [num_vertices]
template <numeric_weight W>
[[nodiscard]] std::vector<distance_type<W>> dijkstra_distances(const csr<W>& graph,
                                                               std::span<const vertex_id> sources);

/// Compares depths with Boost.Graph's.
template <weight W>
[[nodiscard]] std::optional<std::string> compare_bfs(
    const csr<W>& graph, std::span<const vertex_id> sources, std::span<const std::int32_t> depth,
    std::int32_t depth_limit = std::numeric_limits<std::int32_t>::max());

/// Compares distances with Boost.Graph's.
template <numeric_weight W>
[[nodiscard]] std::optional<std::string> compare_sssp(const csr<W>& graph,
                                                      std::span<const vertex_id> sources,
                                                      std::span<const distance_type<W>> distance);

/// Compares components with those of boost::connected_components; edges count both ways.
/// @param graph  the graph they were found in
/// @param label  [num_vertices], host memory, the least vertex of each one's component
[[nodiscard]] std::optional<std::string> compare_components(const csr<>& graph,
                                                            std::span<const vertex_id> label);

/// Compares the labels of voronoi() with those of boost::breadth_first_search from all sources.
[[nodiscard]] std::optional<std::string> compare_voronoi(const csr<>& graph,
                                                         std::span<const vertex_id> sources,
                                                         std::span<const std::uint64_t> label);

}  // namespace tendril::oracle
