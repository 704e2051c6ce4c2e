#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/engine.hpp"
#include "support/report.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "support/gpu_engine.hpp"
#endif

// Building a tree with the engine and in the way that a command was asked for.

namespace tendril::app {

/// What --build asks for.
enum class build_choice : std::uint8_t { automatic, sort, child_grid, level };
/// "auto", "sort", "child-grid", "level".
[[nodiscard]] std::string_view to_string(build_choice way) noexcept;

/// What a GPU launched from the device, as tendril/cuda/grow_tree.hpp has it.
struct growth_facts {
  std::uint32_t child_grids = 0;
  std::uint32_t tail_launches = 0;
  std::uint32_t refused = 0;
};

/// How a tree was built.
struct build_facts {
  build_choice way = build_choice::sort;  ///< never automatic
  run_times times;
  std::optional<growth_facts> growth;  ///< of the last run
};

struct built_tree {
  quadtree<double> tree;
  build_facts facts;
};

/// Refuses a way of building that grows trees beside --engine host. @throws usage_error
void refuse_growth_on_host(build_choice way, const engine_options& options);

/// Builds the tree several times. Copying it from a GPU is not part of the time.
/// @throws usage_error for a way of building that the engine does not have
[[nodiscard]] built_tree build_times(host_engine& engine, const points<double>& set,
                                     const quadtree_options& options, build_choice way, int runs);
#if defined(TENDRIL_HAS_CUDA)
[[nodiscard]] built_tree build_times(cuda_engine& engine, const points<double>& set,
                                     const quadtree_options& options, build_choice way, int runs);
#endif

}  // namespace tendril::app
