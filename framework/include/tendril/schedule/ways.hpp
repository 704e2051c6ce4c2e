#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/schedule/protocol.hpp"
#include "tendril/schedule/tiles.hpp"

// The ways to run the tiles of a grid. A way knows nothing of what a tile means; launch() of
// host.hpp (threads) and launch.cuh (one GPU) take any of them. A block is a CUDA block or a task.
//
// clang-format off
// | way | on the GPU | on threads | prologues | balances | lets others in |
// | --- | --- | --- | --- | --- | --- |
// | per_block | a block per tile | a task per tile | one per tile | yes | yes |
// | fixed_grid | resident blocks, stride loop | static partition | few | no | GPU: no |
// | ticket | resident blocks, a counter | a task per thread, a counter | few | yes | GPU: no |
// | launch_control | a block per tile; running blocks steal | ranges split on demand | few | yes | yes |
// | canceled_blocks | as launch_control, by libcu++, hardware only | as launch_control | few | yes | yes |
// clang-format on

namespace tendril::schedule {

/// One block per tile.
struct per_block {};

/// As many blocks as fit at once; block b runs tiles b, b + blocks, b + 2 blocks, ...
struct fixed_grid {};

/// As many blocks as fit at once; each draws its next tile from a counter.
struct ticket {};

/// One block per tile is launched; blocks that run steal blocks that have not started. On the CPU:
/// ranges that idle threads split and steal.
struct launch_control {
  asking how = {};                           ///< when it asks, and how many requests are in flight
  steal_order order = steal_order::far_end;  ///< software form
  /// Blocks that start, are stolen and get answers together: 1, 2, 4 or 8.
  std::uint32_t cluster = 1;
  /// Look at the yield flag of the workspace before each request: costs one read of the L2 cache
  /// per tile (software form; the hardware form yields to urgent kernels by itself).
  bool yields = false;
  /// Requests out of 65536 that are refused for no reason, for tests (software form).
  std::uint32_t refused_of_65536 = 0;
  /// Use the hardware form where the GPU has it. Off: the software form everywhere.
  bool hardware = true;
};

/// cuda::for_each_canceled_block of libcu++: one request in flight, single blocks, no stealing
/// below sm_100.
struct canceled_blocks {};

/// A way that is told at run time.
using any_way = std::variant<per_block, fixed_grid, ticket, launch_control, canceled_blocks>;

/// "per-block", "fixed-grid", "ticket", "launch-control", "canceled-blocks".
[[nodiscard]] std::string_view name_of(const any_way& way) noexcept;

/// The name, and of launch control the policy: "launch-control, late, 2 in flight, cluster of 2".
[[nodiscard]] std::string describe(const any_way& way);

/// The way of that name, with its default policies.
/// @throws usage_error listing the names
[[nodiscard]] any_way parse_way(std::string_view name);

/// What a kernel that holds several ways is told at run time (device/supply.cuh).
enum class supply_way : std::uint8_t { per_block, fixed_grid, ticket, launch_control };
/// The same with its policy.
struct told_way {
  supply_way way = supply_way::per_block;  ///< which of them
  launch_control policy = {};              ///< of launch_control
};

/// As name_of(any_way).
[[nodiscard]] std::string_view name_of(supply_way way) noexcept;

/// The way for such a kernel.
/// @throws usage_error for canceled_blocks, for clusters, and for a policy out of range
[[nodiscard]] told_way tell(const any_way& way);

/// A prologue for bodies that need none.
struct no_prologue {
  TENDRIL_HD none operator()() const { return {}; }  ///< what the body is handed
};

/// What both engines check before a launch.
/// @throws usage_error unless requests in flight are 1 .. 3, the cluster is 1, 2, 4 or 8 blocks and
///         the refusal rate is at most 65536; resource_error for more than max_tiles tiles
void check_launch(const any_way& way, const tile_grid& tiles);

}  // namespace tendril::schedule
