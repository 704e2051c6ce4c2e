#pragma once

#include <string>

#include "tendril/tree/quadtree.hpp"

namespace tendril::app {

/// Words below the picture.
struct tree_captions {
  std::string title;
  std::string note;
};

/// A picture, as SVG, of a quadtree over its points, in the manner of an old map: leaves tinted by
/// their depth, thin cell borders, and the points on top. At most some tens of thousands of points,
/// taken evenly along the Z curve, are drawn.
[[nodiscard]] std::string plot_tree(const quadtree_view<double>& tree,
                                    const tree_captions& captions);

}  // namespace tendril::app
