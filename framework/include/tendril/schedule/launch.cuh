#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "tendril/schedule/device/kernels.cuh"
#include "tendril/schedule/device/recording.cuh"
#include "tendril/schedule/record.hpp"
#include "tendril/schedule/tiles.hpp"
#include "tendril/schedule/ways.hpp"
#include "tendril/schedule/workspace.hpp"

// The tile interface on one GPU; include it from CUDA source. host.hpp is the same on threads.

namespace tendril::schedule {

/// Where tiles run on the GPU, and in what blocks.
struct blocks {
  workspace& space;              ///< whose stream they go to
  unsigned threads = 256;        ///< per block, along x
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of the body, per block
};

namespace detail {

template <class... Arguments>
void start_kernel(void (*kernel)(Arguments...), std::uint64_t num_blocks, std::uint32_t cluster,
                  const blocks& on, Arguments... arguments) {
  void* addresses[] = {&arguments...};
  on.space.guard_launch([&] {
    launch_blocks(
        {reinterpret_cast<const void*>(kernel), num_blocks, on.threads, on.shared_bytes, cluster},
        addresses, on.space.stream());
  });
}

/// The kernel that a way launches.
template <class Recorder, class Prologue, class Body>
constexpr auto kernel_of(const per_block&) {
  return device::per_block_kernel<Recorder, Prologue, Body>;
}
template <class Recorder, class Prologue, class Body>
constexpr auto kernel_of(const fixed_grid&) {
  return device::fixed_grid_kernel<Recorder, Prologue, Body>;
}
template <class Recorder, class Prologue, class Body>
constexpr auto kernel_of(const ticket&) {
  return device::ticket_kernel<Recorder, Prologue, Body>;
}
template <class Recorder, class Prologue, class Body>
constexpr auto kernel_of(const canceled_blocks&) {
  return device::canceled_blocks_kernel<Recorder, Prologue, Body>;
}
template <class Recorder, class Prologue, class Body>
constexpr auto kernel_of(const launch_control& way) {
  using device::launch_control_kernel;
  if (way.cluster != 1) {
    return launch_control_kernel<device::cluster_unit, asking, Recorder, Prologue, Body>;
  }
  if (way.how.in_flight != 1) {
    return launch_control_kernel<device::block_unit, asking, Recorder, Prologue, Body>;
  }
  return way.how.early ? launch_control_kernel<device::block_unit, fixed_asking<true, 1>, Recorder,
                                               Prologue, Body>
                       : launch_control_kernel<device::block_unit, fixed_asking<false, 1>, Recorder,
                                               Prologue, Body>;
}

template <class Way>
std::uint32_t cluster_of(const Way& way) {
  if constexpr (std::is_same_v<Way, launch_control>) {
    return way.cluster;
  } else {
    return 1;
  }
}

/// @param kernel  of the way; its address is the one that is launched
template <class Kernel, class Way>
const kernel_facts& facts_of(Kernel kernel, const Way& way, const blocks& on) {
  return on.space.facts_of(reinterpret_cast<const void*>(kernel), on.threads, on.shared_bytes,
                           cluster_of(way));
}

template <class Way, class Recorder, class Prologue, class Body>
void start(const Way& way, const tile_grid& tiles, const Recorder& recorder,
           const Prologue& prologue, const Body& body, const blocks& on) {
  const auto kernel = kernel_of<Recorder, Prologue, Body>(way);
  const std::uint32_t resident = facts_of(kernel, way, on).resident_units;
  const std::uint64_t size = tiles.size();
  if constexpr (std::is_same_v<Way, per_block> || std::is_same_v<Way, canceled_blocks>) {
    start_kernel(kernel, size, 1, on, tiles, recorder, prologue, body);
  } else if constexpr (std::is_same_v<Way, fixed_grid>) {
    start_kernel(kernel, std::min<std::uint64_t>(resident, size), 1, on, tiles, recorder, prologue,
                 body);
  } else if constexpr (std::is_same_v<Way, ticket>) {
    start_kernel(kernel, std::min<std::uint64_t>(resident, size), 1, on, tiles,
                 on.space.begin_launch(0), recorder, prologue, body);
  } else {
    static_assert(std::is_same_v<Way, launch_control>, "a way of ways.hpp");
    const auto units = static_cast<std::uint32_t>((size + way.cluster - 1) / way.cluster);
    const device::control_arguments arguments{on.space.begin_launch(units),
                                              {units, std::min(resident, units), way.order},
                                              way.how,
                                              way.refused_of_65536,
                                              way.yields,
                                              way.hardware};
    start_kernel(kernel, static_cast<std::uint64_t>(units) * way.cluster, way.cluster, on, tiles,
                 arguments, recorder, prologue, body);
  }
}

template <class Recorder, class Prologue, class Body>
void start(const any_way& any, const tile_grid& tiles, const Recorder& recorder,
           const Prologue& prologue, const Body& body, const blocks& on) {
  std::visit([&](const auto& way) { start(way, tiles, recorder, prologue, body, on); }, any);
}

}  // namespace detail

/// Runs body(tile, result) once for every tile of the grid, by all threads of a block; `result` is
/// what the prologue() of that block returned, per thread. A barrier of the block separates two
/// tiles. A prologue that leaves data in shared memory ends with its own barrier. Bodies may not
/// return early from the kernel, and may wait for their cluster only if the number of tiles is a
/// multiple of its blocks.
/// @param way       any way of ways.hpp; any_way compiles the kernels of all of them
/// @param tiles     at most max_tiles; none: nothing happens
/// @param prologue  trivially copyable, TENDRIL_HD or __device__, called without arguments
/// @param body      trivially copyable, TENDRIL_HD or __device__, called with (tile, result)
/// @param on        the workspace, and the shape of a block
/// @throws usage_error for a policy out of range, no threads, tickets or requests under capture;
///         resource_error, with both numbers, for more tiles, threads, shared memory or blocks in a
///         cluster than the device takes; all before anything is launched
/// @sync   none; ordered on the workspace's stream
/// @cost   one launch; device memory only when the workspace has to grow
/// @source CUDA C++ programming guide, "Work stealing with cluster launch control"
template <class Way, class Prologue, class Body>
void launch(const Way& way, const tile_grid& tiles, const Prologue& prologue, const Body& body,
            const blocks& on) {
  check_launch(way, tiles);
  if (tiles.size() != 0) {
    detail::start(way, tiles, device::no_recorder{}, prologue, body, on);
  }
}

/// As launch, and says what ran where and when.
/// @sync waits for the stream
/// @cost 64 bytes of device memory per tile; the recording slows small tiles down
template <class Way, class Prologue, class Body>
[[nodiscard]] launch_record record(const Way& way, const tile_grid& tiles, const Prologue& prologue,
                                   const Body& body, const blocks& on) {
  check_launch(way, tiles);
  const auto size = static_cast<std::uint32_t>(tiles.size());
  const device::recording log(size, on.space.stream());
  if (size != 0) {
    detail::start(way, tiles, log.view(), prologue, body, on);
  }
  return log.collect(way);
}

/// Registers and residency of the kernel that launch() would start.
/// @throws as launch does for the shape of a block
template <class Prologue, class Body>
[[nodiscard]] kernel_facts facts(const any_way& any, const Prologue&, const Body&,
                                 const blocks& on) {
  return std::visit(
      [&](const auto& way) {
        return detail::facts_of(detail::kernel_of<device::no_recorder, Prologue, Body>(way), way,
                                on);
      },
      any);
}

}  // namespace tendril::schedule
