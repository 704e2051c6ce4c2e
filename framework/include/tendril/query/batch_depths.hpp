#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/query/reach.hpp"
#include "tendril/traverse/options.hpp"

// Full depths of many searches, kept as they are found: bit by bit. A search over rmat graphs has
// some ten levels, so that a depth takes four bits and the one that says "reached", not 32.

namespace tendril {

/// Depths of a batch, readable where its engine's memory is.
struct batch_depths_view {
  static constexpr std::size_t most_planes = 32;  ///< bits of a depth

  const std::uint64_t* reached = nullptr;         ///< [num_vertices][num_words]; bit per query
  const std::uint64_t* planes[most_planes] = {};  ///< the same: plane k holds bit k of depths
  std::size_t num_planes = 0;                     ///< bits of the largest depth
  std::size_t num_words = 0;                      ///< words of 64 queries per vertex
  std::size_t num_queries = 0;                    ///< searches in the batch
  vertex_id num_vertices = 0;                     ///< of the graph

  /// Depth of a vertex in one of the searches, or `unreached`.
  /// @pre query < num_queries, v < num_vertices
  [[nodiscard]] TENDRIL_HD std::int32_t depth(std::size_t query, vertex_id v) const {
    const std::size_t word = v * num_words + query / 64;
    const unsigned bit = static_cast<unsigned>(query % 64);
    if ((reached[word] >> bit & 1U) == 0) {
      return unreached;
    }
    std::uint32_t depth = 0;
    for (std::size_t k = 0; k < num_planes; ++k) {
      depth |= static_cast<std::uint32_t>(planes[k][word] >> bit & 1U) << k;
    }
    return static_cast<std::int32_t>(depth);
  }
};

/// Depths of a batch of searches, in the engine's memory.
template <class Engine>
class batch_depths {
 public:
  /// Masks in the engine's memory.
  using array = typename Engine::template array_type<std::uint64_t>;

  /// Takes masks over.
  /// @param shape   all of the view but its pointers
  /// @param masks   [1 + num_planes], each [num_vertices][num_words]: `reached`, then the planes
  batch_depths(const batch_depths_view& shape, std::vector<array>&& masks)
      : view_(shape), masks_(std::move(masks)) {
    view_.reached = masks_[0].data();
    for (std::size_t k = 0; k < view_.num_planes; ++k) {
      view_.planes[k] = masks_[k + 1].data();
    }
  }

  /// Pointers into the engine's memory; valid as long as this lives.
  [[nodiscard]] const batch_depths_view& view() const noexcept { return view_; }

  /// Depths of one search, in host memory: [num_vertices]. @pre query < num_queries
  /// @sync waits for the engine's stream
  /// @cost copies the whole batch, for each call
  [[nodiscard]] std::vector<std::int32_t> to_host(std::size_t query) const {
    batch_depths_view here = view_;
    std::vector<std::vector<std::uint64_t>> copies;
    for (const array& each : masks_) {
      copies.push_back(each.to_host());
    }
    here.reached = copies[0].data();
    for (std::size_t k = 0; k < here.num_planes; ++k) {
      here.planes[k] = copies[k + 1].data();
    }
    std::vector<std::int32_t> depths(here.num_vertices);
    for (vertex_id v = 0; v < here.num_vertices; ++v) {
      depths[v] = here.depth(query, v);
    }
    return depths;
  }

 private:
  batch_depths_view view_;
  std::vector<array> masks_;
};

/// Depths from each of up to most_lanes sources, in one pass.
/// @param engine   a host_engine or a cuda_engine
/// @param graph    what engine.place() returned
/// @param sources  ids; one that is named twice is answered twice
/// @throws usage_error for more than most_lanes sources, or none; input_error naming a source
///         outside the graph; resource_error
/// @sync   waits for the last level
/// @cost   that of reach(), and per vertex, lane and bit of the largest depth one bit
template <class Engine, class Graph>
[[nodiscard]] batch_depths<Engine> bfs_batch(Engine& engine, const Graph& graph,
                                             const source_list& sources) {
  detail::check_batch(sources.ids(), graph.num_vertices());
  return run_bfs_batch(engine, graph, sources.ids());
}

}  // namespace tendril
