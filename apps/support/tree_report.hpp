#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/report.hpp"
#include "support/tree_build.hpp"
#include "support/tree_queries.hpp"

namespace tendril::app {

/// What `quadtree` was asked and what it did.
struct tree_report : run_report {
  quadtree_options options;
  point_id num_rows = 0;    ///< of the input
  point_id num_points = 0;  ///< in the tree
  node_id num_nodes = 0;
  node_id num_leaves = 0;
  std::uint32_t depth = 0;  ///< the largest
  point_id largest_leaf = 0;
  box<double> root{};  ///< the root's cell
  build_facts build;
  std::vector<tree_query> queries;
  std::vector<query_answer> answers;
  double queries_ms = 0;

  /// Points by the median time; 0 where the clock saw no time pass.
  [[nodiscard]] double points_per_second() const;
  /// "3,376 points in 203 leaves, 9 levels"
  [[nodiscard]] std::string outcome() const;
};

/// Fills in what a tree is like.
void describe(const quadtree<double>& tree, tree_report& report);

[[nodiscard]] std::string to_text(const tree_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const tree_report& report);

}  // namespace tendril::app
