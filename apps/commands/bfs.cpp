#include "tendril/algorithms/bfs.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace tendril::app {

namespace {

struct bfs_command {
  search_options search;
  direction way = direction::automatic;
  std::optional<std::int32_t> depth_limit;
  std::string target;
};

bfs_options options_of(const bfs_command& given, const vertex_names& names) {
  bfs_options options;
  options.way = given.way;
  options.depth_limit = given.depth_limit.value_or(options.depth_limit);
  if (!given.target.empty()) {
    options.target = named_vertex("--target: ", given.target, names);
  }
  return options;
}

/// A pull over a directed graph needs its edges turned round. That pays when it is asked for, or
/// when the search itself is measured by several runs.
template <class Graph>
double prepare(const bfs_command& given, const Graph& graph) {
  const bool pays =
      given.way == direction::pull || (given.way == direction::automatic && given.search.runs > 1);
  return pays && !graph.can_pull() ? graph.prepare_pull() : 0;
}

/// What a search found, readable here.
struct bfs_answer {
  std::span<const std::int32_t> depth;
  std::span<const vertex_id> parent;
};

check_outcome check(const bfs_options& options, const csr<none>& graph,
                    const std::vector<vertex_id>& sources, const bfs_answer& found) {
  std::int32_t limit = options.depth_limit;
  if (options.target && found.depth[*options.target] != unreached) {
    limit = std::min(limit, found.depth[*options.target]);
  }
  return first_failure({oracle::compare_bfs(graph, sources, found.depth, limit),
                        oracle::certify_bfs(graph, sources, found.depth, found.parent, limit)},
                       "depths are Boost.Graph's; the certificate of depths and parents holds");
}

template <class Engine>
exit_status run_on(Engine& engine, const engine_facts& facts, const bfs_command& given) {
  const auto loaded = load<none>(given.search.input, given.search.common);
  search_report report;
  begin_search(report, "bfs", given.search, facts, loaded);
  const bfs_options options = options_of(given, loaded.names);

  const auto graph = place(engine, loaded.graph, &cuda_memory::bfs_bytes, report);
  report.prepare_ms = prepare(given, graph);
  const auto result = timed_runs(engine, given.search.runs, report,
                                 [&] { return bfs(engine, graph, report.sources.ids, options); });
  const auto depth = on_host(result.depth);
  const auto parent = on_host(result.parent);
  note_search(report, result.report, [&](vertex_id v) { return depth[v]; });

  if (given.search.check) {
    report.check = check(options, loaded.graph, report.sources.ids, {depth, parent});
  }

  const auto row = [&](vertex_id v) {
    const bool has_parent = depth[v] > 0;  // sources have none
    return std::to_string(depth[v]) + '\t' +
           (has_parent ? field_text(loaded.names.name(parent[v])) : "-1");
  };
  return finish_search(given.search, report,
                       {.title = "Breadth-first search",
                        .x_label = "level (steps from the source)",
                        .header = "vertex\tdepth\tparent",
                        .row = row});
}

}  // namespace

action add_bfs(CLI::App& app) {
  auto given = std::make_shared<bfs_command>();
  add_search(app, given->search, "its name, depth and parent; -1 for none");
  add_choice<direction>(
      app, "--direction", given->way,
      {{"auto", direction::automatic}, {"push", direction::push}, {"pull", direction::pull}},
      "How levels go over the edges; auto decides level by level. A directed "
      "graph is pulled only when asked, or by auto when there are several runs: "
      "its edges must be turned round first");
  add_number(app, "--depth-limit", given->depth_limit,
             "Enter no vertex beyond this depth; else there is no limit");
  add_text(app, "--target", given->target, "V", "Stop after the level that reaches this vertex");
  add_search_footer(app);
  return [given] {
    return run_with_engine(given->search, [&](auto& engine, const engine_facts& facts) {
      return run_on(engine, facts, *given);
    });
  };
}

}  // namespace tendril::app
