#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/tree/nearest_visitor.hpp"
#include "tendril/tree/quadtree.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "tendril/cuda/tree.hpp"
#endif

namespace tendril::app {

/// One question to a tree, as the command line or a file of queries puts it.
struct tree_query {
  enum class kinds : std::uint8_t { range, circle, nearest } kind;
  std::string text;        ///< "range 0,0,1,1"
  box<double> sides{};     ///< range
  point<double> centre{};  ///< circle, nearest
  double radius = 0;       ///< circle
  std::int64_t count = 0;  ///< nearest
};

/// Where queries come from.
struct query_options {
  std::vector<std::string> ranges;   ///< --range X0,Y0,X1,Y1
  std::vector<std::string> circles;  ///< --circle X,Y,RADIUS
  std::vector<std::string> nearest;  ///< --knn X,Y,K
  std::string file;                  ///< --queries: lines of `range`, `circle` or `knn` and numbers
};

/// All queries, those of the command line first.
/// @throws usage_error for options, input_error `FILE:LINE: ...` for a file
[[nodiscard]] std::vector<tree_query> collect_queries(const query_options& options);

/// The rows that answer a query, with their distances where they have some.
using query_answer = std::vector<neighbour>;

/// Answers of all queries, in their order, found by the engine whose tree it is.
[[nodiscard]] std::vector<query_answer> answer(host_engine& engine, const quadtree<double>& tree,
                                               const std::vector<tree_query>& queries);
#if defined(TENDRIL_HAS_CUDA)
[[nodiscard]] std::vector<query_answer> answer(cuda_engine& engine,
                                               const cuda_quadtree<double>& tree,
                                               const std::vector<tree_query>& queries);
#endif

/// The first answer that differs from that of Boost.Geometry's R-tree over the tree's points, in
/// words.
[[nodiscard]] std::optional<std::string> first_wrong_answer(
    const quadtree<double>& tree, const std::vector<tree_query>& queries,
    const std::vector<query_answer>& answers);

}  // namespace tendril::app
