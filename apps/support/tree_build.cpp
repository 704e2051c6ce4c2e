#include "support/tree_build.hpp"

#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/tree/build.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "tendril/cuda/grow_tree.hpp"
#endif

namespace tendril::app {

namespace {

bool grows(build_choice way) {
  return way == build_choice::child_grid || way == build_choice::level;
}

}  // namespace

std::string_view to_string(build_choice way) noexcept {
  switch (way) {
    case build_choice::automatic:
      return "auto";
    case build_choice::sort:
      return "sort";
    case build_choice::child_grid:
      return "child-grid";
    case build_choice::level:
      return "level";
  }
  return "";
}

void refuse_growth_on_host(build_choice way, const engine_options& options) {
  if (grows(way) && options.engine == engine_choice::host) {
    throw usage_error("--build " + std::string(to_string(way)) +
                      " applies to a GPU, and --engine host was given");
  }
}

void refuse_growth_without_gpu(build_choice way, const engine_facts& facts) {
  if (grows(way) && facts.name == "host") {
    throw resource_error("--build " + std::string(to_string(way)) +
                         " needs a GPU: " + facts.reason);
  }
}

built_tree<quadtree<double>> build_times(host_engine& engine, const points<double>& set,
                                         const quadtree_options& options, build_choice /*way*/,
                                         int runs) {
  build_facts facts;
  auto tree = repeat(runs, facts.times, [&] { return build_quadtree(engine, set, options); });
  return {std::move(tree), std::move(facts)};
}

#if defined(TENDRIL_HAS_CUDA)

built_tree<cuda_quadtree<double>> build_times(cuda_engine& engine, const points<double>& set,
                                              const quadtree_options& options, build_choice way,
                                              int runs) {
  build_facts facts;
  const auto timed = [&](const auto& build) {
    return repeat(runs, facts.times, [&] {
      auto result = build();
      engine.context().synchronize();
      return result;
    });
  };
  if (!grows(way)) {
    auto tree = timed([&] { return build_quadtree(engine, set, options); });
    return {std::move(tree), std::move(facts)};
  }
  const growth_options growth{.way = way == build_choice::level ? tree_growth::level
                                                                : tree_growth::child_grid};
  auto grown = timed([&] { return grow_quadtree(engine, set, options, growth); });
  facts.way = way;
  facts.growth = {grown.report.child_grids, grown.report.tail_launches, grown.report.refused};
  return {std::move(grown.tree), std::move(facts)};
}

#endif

}  // namespace tendril::app
