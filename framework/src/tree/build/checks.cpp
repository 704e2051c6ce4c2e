#include "tree/build/checks.hpp"

#include <cmath>

namespace tendril::build {

void check_options(const quadtree_options& options) {
  if (options.leaf_size == 0) {
    throw usage_error("quadtree: expected a leaf size of 1 or more, found 0");
  }
  if (options.max_depth < 0 || options.max_depth > finest_level) {
    throw usage_error("quadtree: expected a largest depth in 0 .. " + std::to_string(finest_level) +
                      ", found " + std::to_string(options.max_depth));
  }
  if (options.bounds) {
    const box<double>& b = *options.bounds;
    const bool finite = std::isfinite(b.low.x) && std::isfinite(b.low.y) &&
                        std::isfinite(b.high.x) && std::isfinite(b.high.y);
    if (!finite || b.low.x > b.high.x || b.low.y > b.high.y) {
      throw usage_error("quadtree: expected finite bounds, low before high, found " +
                        to_string(b.low) + " .. " + to_string(b.high));
    }
  }
}

}  // namespace tendril::build
