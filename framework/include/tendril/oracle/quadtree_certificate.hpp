#pragma once

#include <optional>
#include <string>

#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

// What makes an array of nodes a quadtree of given points, checked from the definitions in
// tree/quadtree.hpp and tree/cells.hpp: that points lie in their node's cell by border(), not by
// the code that finds cells; only the order of points and children by its keys.

namespace tendril::oracle {

/// What is wrong with a tree of these points; nothing if it is right: every row that is not clipped
/// is in exactly one leaf, every point in its node's cell and bounds, children partition their
/// parent, and the root's cell and the nodes that are split are what the tree's options say.
/// @cost O(points * depth)
template <coordinate Real>
[[nodiscard]] std::optional<std::string> quadtree_fault(const quadtree<Real>& tree,
                                                        const points<Real>& from);

}  // namespace tendril::oracle
