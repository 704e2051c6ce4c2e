#pragma once

#include <span>
#include <string>

#include "tendril/traverse/options.hpp"

namespace tendril::app {

/// Words around the plot.
struct plot_captions {
  std::string title;
  std::string note;
  std::string x_label;  ///< "level (steps from the source)"
};

/// A picture, as SVG, of how many vertices each level of a traversal expanded: a bar per level,
/// light for push and dark for pull, on a logarithmic scale when sizes differ by more than 50
/// times. Where there are more levels than columns, a bar stands for the widest of several levels.
[[nodiscard]] std::string plot_frontier(std::span<const level_report> levels,
                                        const plot_captions& captions);

}  // namespace tendril::app
