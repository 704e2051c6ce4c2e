#include "tendril/tree/quadtree.hpp"

#include <string>
#include <utility>

#include "tendril/core/error.hpp"

namespace tendril {

template <coordinate Real>
quadtree<Real>::quadtree(shared_array<quadtree_node<Real>> nodes,
                         shared_array<point<Real>> positions, shared_array<point_id> rows,
                         const cell_grid& cells, const quadtree_options& options)
    : nodes_(std::move(nodes)),
      positions_(std::move(positions)),
      rows_(std::move(rows)),
      cells_(cells),
      options_(options) {
  if (positions_.size() != rows_.size()) {
    throw usage_error("quadtree: expected a row for each of " + std::to_string(positions_.size()) +
                      " positions, found " + std::to_string(rows_.size()));
  }
  if (nodes_.empty() != positions_.empty()) {
    throw usage_error("quadtree: expected nodes exactly where there are points, found " +
                      std::to_string(nodes_.size()) + " nodes and " +
                      std::to_string(positions_.size()) + " points");
  }
}

template class quadtree<float>;
template class quadtree<double>;

}  // namespace tendril
