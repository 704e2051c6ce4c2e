#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "tendril/graph/csr.hpp"

// What a shortest distance is, for every algorithm and check that deals in them.

namespace tendril {

/// Distances over int32 weights are 64-bit: fewer than 2^32 edges of less than 2^31 each cannot
/// overflow them. float and double weights add up in their own type.
template <numeric_weight W>
using distance_type = std::conditional_t<std::is_same_v<W, std::int32_t>, std::int64_t, W>;

/// Distance of a vertex that no path reaches.
template <numeric_weight W>
inline constexpr distance_type<W> infinite_distance =
    std::numeric_limits<distance_type<W>>::has_infinity
        ? std::numeric_limits<distance_type<W>>::infinity()
        : std::numeric_limits<distance_type<W>>::max();

/// The first edge, in the order of the rows, whose weight is negative, infinite or not a number.
/// @cost O(edges), parallel
template <numeric_weight W>
[[nodiscard]] std::optional<edge<W>> first_unusable_edge(const csr<W>& graph);

/// Refuses weights that shortest distances cannot be made of.
/// @throws input_error naming the first unusable edge
/// @cost   O(edges), parallel
template <numeric_weight W>
void require_usable_weights(const csr<W>& graph);

/// True if a path of the graph could be longer than the largest distance. Never for int32 weights.
/// @pre  the weights are usable
/// @cost O(edges), one thread
template <numeric_weight W>
[[nodiscard]] bool distances_may_overflow(const csr<W>& graph);

/// Refuses distances of which one is infinite because a sum overflowed.
/// @param graph     the graph they were found in
/// @param distance  [num_vertices], host memory
/// @throws input_error naming an edge over which it happened
/// @cost   O(vertices + edges), one thread
template <numeric_weight W>
void require_no_overflow(const csr<W>& graph, std::span<const distance_type<W>> distance);

}  // namespace tendril
