#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tendril/core/types.hpp"
#include "tendril/cuda/driver.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/ways.hpp"

namespace tendril {

/// Constants that measurements chose, and switches that tests turn. Results do not depend on them.
struct cuda_tuning {
  bool use_cooperative = true;     ///< false: as on a device without cooperative launch
  bool use_clusters = true;        ///< false: as on a device without clusters
  bool use_launch_control = true;  ///< false: in software, as on a device that has none
  bool use_device_launch = true;   ///< false: as on a device whose kernels cannot launch
  /// The launch of that number in a chain is made impossible; 0: none. For tests.
  std::uint32_t refused_launch = 0;
  bool use_small = true;  ///< false: small frontiers are treated as large ones
  /// A pull looks at that many edges in the time in which a push takes one.
  float pull_bias = 4.0F;
  /// The same where pushes cannot mark, so that they cost more: for visitors that read edges, and
  /// on graphs of fewer than dense_vertices.
  float claim_pull_bias = 24.0F;
  float row_pull_bias = 8.0F;  ///< the same where packed rows are pushed
  /// A push of more than num_vertices / dense_push edges marks a bitmap instead of a queue, on
  /// graphs of at least dense_vertices: what a push touches of smaller ones stays in the cache.
  std::uint32_t dense_push = 8;
  vertex_id dense_vertices = vertex_id{1} << 22U;  ///< see dense_push
  /// A resident grid takes one part in so many of the device: for traversals side by side.
  unsigned resident_share = 1;
  /// Vertices that one level may hold before a small traversal goes on as a large one.
  std::uint32_t small_limit = 8192;
};

/// Options of a GPU engine.
struct cuda_options {
  std::optional<int> device;  ///< none: the one with most multiprocessors
  /// Work is ordered on this stream, which outlives the engine and what it made; none: a stream of
  /// the engine's own.
  std::optional<cudaStream_t> stream;
  /// Where device memory comes from; null: a pool of the engine's own.
  std::shared_ptr<cuda::memory_resource> memory;
  std::size_t budget_bytes = 0;                 ///< device memory in use at a time; 0: all there is
  cuda_driver driver = cuda_driver::automatic;  ///< chained: only of dynamic_cuda_engine
  /// Who runs which tile of a level; none: launch control, or fixed grids in a chain, where it
  /// loses. Not for the resident driver, whose blocks have all started, nor canceled_blocks or
  /// clusters.
  std::optional<schedule::any_way> schedule;
  cuda_tuning tuning;  ///< for measurements and tests
};

/// Refuses a driver and a schedule that do not go together.
/// @throws usage_error for a schedule beside the resident driver, or one that no traversal takes
void check_driver(cuda_driver driver, const std::optional<schedule::any_way>& schedule);

/// What place() prepares.
struct place_options {
  bool sort_rows = true;  ///< each row by degree of the neighbour, descending; costs a sort of all
  /// Rows of up to 4 edges packed in 16 bytes per vertex, for graphs of low degree.
  bool pack_short_rows = true;
};

}  // namespace tendril
