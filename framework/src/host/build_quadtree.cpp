#include "tendril/tree/build.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/engine.hpp"
#include "tree/build/checks.hpp"
#include "tree/build/key_order.hpp"
#include "tree/build/subtrees.hpp"

namespace tendril {

namespace {

template <coordinate Real>
quadtree<Real> build_in_arena(std::span<const point<Real>> from, const quadtree_options& options) {
  const build::survey<Real> found = build::survey_points(from, options);
  build::require_usable(found, options, [&](point_id row) { return from[row]; });
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
  if (nodes.size() > std::numeric_limits<node_id>::max()) {
    throw resource_error("quadtree: at most " +
                         std::to_string(std::numeric_limits<node_id>::max()) + " nodes, needed " +
                         std::to_string(nodes.size()));
  }
  return {std::move(nodes), share(std::move(positions), order.size()),
          share(std::move(rows), order.size()), cells, options};
}

}  // namespace

template <coordinate Real>
quadtree<Real> build_quadtree(host_engine& engine, const points<Real>& from,
                              const quadtree_options& options) {
  build::check_options(options);
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
