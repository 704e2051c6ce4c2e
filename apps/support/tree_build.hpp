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
#include "tendril/cuda/tree.hpp"
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

/// A tree where its engine has it.
template <class Tree>
struct built_tree {
  Tree tree;
  build_facts facts;
};

/// Refuses a way of building that grows trees beside --engine host. @throws usage_error
void refuse_growth_on_host(build_choice way, const engine_options& options);

/// Refuses it where --engine auto has found no GPU. @throws resource_error with the reason
void refuse_growth_without_gpu(build_choice way, const engine_facts& facts);

/// Builds the tree several times.
/// @pre the engine has that way of building
[[nodiscard]] built_tree<quadtree<double>> build_times(host_engine& engine,
                                                       const points<double>& set,
                                                       const quadtree_options& options,
                                                       build_choice way, int runs);
#if defined(TENDRIL_HAS_CUDA)
[[nodiscard]] built_tree<cuda_quadtree<double>> build_times(cuda_engine& engine,
                                                            const points<double>& set,
                                                            const quadtree_options& options,
                                                            build_choice way, int runs);
#endif

/// The tree in host memory; one that is there already is shared.
[[nodiscard]] inline quadtree<double> on_host(const quadtree<double>& tree) {
  return tree;
}
#if defined(TENDRIL_HAS_CUDA)
[[nodiscard]] inline quadtree<double> on_host(const cuda_quadtree<double>& tree) {
  return tree.to_host();
}
#endif

}  // namespace tendril::app
