#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "tendril/algorithms/distance.hpp"
#include "tendril/graph/csr.hpp"

// Proofs that a result is right, by one pass over the edges and no second search. Each returns
// nothing, or a sentence that names the first vertex or edge that disproves it. Host memory.

/// Independent answers and proofs, for tests and for the program's --check.
namespace tendril::oracle {

/// Proves breadth-first depths and parents: sources and only they have depth 0; for every edge
/// u -> v with u reached and below the depth limit, v is reached and depth[v] <= depth[u] + 1; each
/// reached vertex but the sources has a parent, one level up, with an edge to it. Together these
/// leave one possible depth for each vertex.
/// @param graph        the graph that was searched
/// @param sources      of the search, valid ids; duplicates count once
/// @param depth        [num_vertices]
/// @param parent       [num_vertices], a source's own id; or empty: then some edge must come from
///                     one level up
/// @param depth_limit  of the search; the target's depth for one that stopped there
/// @cost  O(vertices + edges), 2 bits per vertex
template <weight W>
[[nodiscard]] std::optional<std::string> certify_bfs(
    const csr<W>& graph, std::span<const vertex_id> sources, std::span<const std::int32_t> depth,
    std::span<const vertex_id> parent,
    std::int32_t depth_limit = std::numeric_limits<std::int32_t>::max());

/// Proves shortest distances: sources have distance 0; for every edge u -> v with u reached,
/// distance[v] <= distance[u] + weight; and every reached vertex is reached from a source over
/// tight edges alone (distance[v] == distance[u] + weight), so that no cycle of weight zero holds
/// itself up. Exact for float and double too: see algorithms/sssp.hpp.
/// @param graph     the graph that was searched; its weights are usable
/// @param sources   of the search, valid ids; duplicates count once
/// @param distance  [num_vertices]
/// @cost  O(vertices + edges), up to 4 bytes and a bit per vertex
template <numeric_weight W>
[[nodiscard]] std::optional<std::string> certify_sssp(const csr<W>& graph,
                                                      std::span<const vertex_id> sources,
                                                      std::span<const distance_type<W>> distance);

/// Proves a shortest-path tree over certified distances: each reached vertex but the sources has a
/// parent with a tight edge to it, and following parents ends at a source.
/// @param graph     the graph that was searched
/// @param sources   of the search, valid ids; duplicates count once
/// @param distance  [num_vertices], certified
/// @param parent    [num_vertices], a source's own id
template <numeric_weight W>
[[nodiscard]] std::optional<std::string> certify_shortest_path_tree(
    const csr<W>& graph, std::span<const vertex_id> sources,
    std::span<const distance_type<W>> distance, std::span<const vertex_id> parent);

}  // namespace tendril::oracle
