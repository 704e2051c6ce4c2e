#pragma once

#include <span>
#include <string>
#include <vector>

#include "tendril/cuda/engine.hpp"

// Pools of searches on a GPU, for bench_query_gpu.

namespace tendril::bench {

/// Seconds that a pool took to answer a search from each source, each of `repetitions` times.
/// @param wrong  gets a sentence where a search did not reach what a single one does
[[nodiscard]] std::vector<double> pool_seconds(cuda_engine& engine, const cuda_graph<>& graph,
                                               std::span<const vertex_id> sources,
                                               std::size_t repetitions, std::string& wrong);

/// What urgent queries of one level waited.
struct urgent_waits {
  std::vector<double> us;  ///< from submit() to the visitor's arrival, as the host sees it
  std::string way;         ///< of the pool
};

/// Submits urgent queries while usual searches from all sources run or wait.
[[nodiscard]] urgent_waits urgent_among(cuda_engine& engine, const cuda_graph<>& graph,
                                        std::span<const vertex_id> sources, std::size_t count);

}  // namespace tendril::bench
