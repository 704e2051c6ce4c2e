#include "tendril/tree/build.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/engine.hpp"
#include "tree/build/key_order.hpp"
#include "tree/build/subtrees.hpp"

namespace tendril {

namespace {

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

template <coordinate Real>
quadtree<Real> build_in_arena(std::span<const point<Real>> from, const quadtree_options& options) {
  const build::survey<Real> found = build::survey_points(from, options);
  build::require_usable(from, found, options);
  if (found.num_outside == from.size()) {
    return {{}, {}, {}, cell_grid{}, options};
  }
  const cell_grid cells =
      options.bounds ? grid_over(*options.bounds) : square_grid_over(found.bounds);
  const page_vector<build::keyed_row> order = build::rows_in_order(from, found, cells, options);

  page_vector<point<Real>> positions(order.size());
  page_vector<point_id> rows(order.size());
  parallel::for_each(order.size(), [&](std::size_t i) {
    rows[i] = order[i].row;
    positions[i] = from[order[i].row];
  });
  std::vector<quadtree_node<Real>> nodes;
  build::subtree_grower<Real>(order, positions, options)
      .grow(0, static_cast<point_id>(order.size()), 0, nodes);
  return {std::move(nodes), share(std::move(positions), order.size()),
          share(std::move(rows), order.size()), cells, options};
}

}  // namespace

template <coordinate Real>
quadtree<Real> build_quadtree(host_engine& engine, const points<Real>& from,
                              const quadtree_options& options) {
  check_options(options);
  const std::uint64_t bytes_per_point =
      sizeof(build::keyed_row) + sizeof(point<Real>) + sizeof(point_id);
  require_memory(from.num_points() * bytes_per_point, "quadtree");
  quadtree<Real> tree;
  engine.run([&] { tree = build_in_arena(from.positions(), options); });
  return tree;
}

template quadtree<float> build_quadtree(host_engine&, const points<float>&,
                                        const quadtree_options&);
template quadtree<double> build_quadtree(host_engine&, const points<double>&,
                                         const quadtree_options&);

}  // namespace tendril
