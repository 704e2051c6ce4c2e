#pragma once

#include <string>

#include "tendril/tree/quadtree.hpp"

namespace tendril::app {

/// Words below the picture.
struct tree_captions {
  std::string title;
  std::string note;
};

/// A picture, as SVG, of a quadtree over its points: leaves coloured by how dense their points are,
/// thin cell borders, and the points on top; at most some tens of thousands of them, taken evenly
/// along the Z curve, are drawn.
[[nodiscard]] std::string plot_tree(const quadtree_view<double>& tree,
                                    const tree_captions& captions);

}  // namespace tendril::app
