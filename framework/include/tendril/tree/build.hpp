#pragma once

#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

namespace tendril {

class host_engine;

/// Builds a quadtree on the engine's threads: Morton keys, a sort, then subtrees in parallel.
/// @return the same arrays for every number of threads
/// @throws input_error naming the first row that is not finite, or that lies outside given bounds
///         where those are refused; usage_error for a leaf size of 0, a depth outside 0 .. 31, or
///         bounds that are not finite or inverted; resource_error
/// @cost   O(n log n) work. Memory: the tree (12 or 20 bytes per point and the nodes) and 16 bytes
///         per point meanwhile
template <coordinate Real>
[[nodiscard]] quadtree<Real> build_quadtree(host_engine& engine, const points<Real>& from,
                                            const quadtree_options& options = {});

}  // namespace tendril
