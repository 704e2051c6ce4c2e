#include "tendril/algorithms/sssp.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"
#include "tendril/algorithms/distance_overflow.hpp"
#include "tendril/core/error.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace tendril::app {

namespace {

struct sssp_command {
  search_options search;
  weight_choice weights = weight_choice::automatic;
};

/// An edge by the names of the file: "a -> b of weight 3".
template <numeric_weight W>
std::string edge_text(const loaded_graph<W>& loaded, const edge<W>& e) {
  return loaded.names.name(e.source) + " -> " + loaded.names.name(e.target) + " of weight " +
         number(distance_type<W>{e.weight});
}

template <numeric_weight W>
void refuse_unusable_weights(const sssp_command& given, const loaded_graph<W>& loaded) {
  if (const auto unusable = first_unusable_edge(loaded.graph)) {
    const std::string& path = given.search.input.text;
    std::optional<std::uint64_t> line;
    if (loaded.facts) {
      line = line_of_negative_edge(path, loaded.facts->format, loaded.names.name(unusable->source),
                                   loaded.names.name(unusable->target));
    }
    throw input_error(path + (line ? ':' + std::to_string(*line) : "") +
                      ": expected finite weights of 0 or more, found the edge " +
                      edge_text(loaded, *unusable));
  }
}

/// Calls run(); an edge over which a distance overflows is named as in the file.
template <numeric_weight W, class Run>
auto naming_edges(const sssp_command& given, const loaded_graph<W>& loaded, const Run& run) {
  try {
    return run();
  } catch (const distance_overflow<W>& refused) {
    throw input_error(given.search.input.text + ": expected distances that a " + weight_name<W>() +
                      " holds, found a larger one over the edge " +
                      edge_text(loaded, refused.over()));
  }
}

template <class Distance>
std::string distance_text(Distance distance, Distance infinite) {
  return distance == infinite ? "-1" : number(distance);
}

template <numeric_weight W>
void describe(std::span<const distance_type<W>> distances, search_report& report) {
  using distance = distance_type<W>;
  std::optional<distance> farthest;
  for (const distance each : distances) {
    if (each != infinite_distance<W>) {
      ++report.reached;
      farthest = std::max(farthest.value_or(each), each);
    }
  }
  if (!farthest) {
    return;
  }
  if constexpr (std::is_same_v<distance, std::int64_t>) {
    report.farthest = *farthest;
  } else {
    // A float's own digits, not its double's; subnormal numbers, too, which stod() refuses.
    report.farthest = std::strtod(number(*farthest).c_str(), nullptr);
  }
  report.extent = "at distances up to " + number(*farthest);
}

template <numeric_weight W>
check_outcome check(const csr<W>& graph, const std::vector<vertex_id>& sources,
                    std::span<const distance_type<W>> distances,
                    std::span<const vertex_id> parents) {
  return first_failure(
      {oracle::compare_sssp<W>(graph, sources, distances),
       oracle::certify_sssp<W>(graph, sources, distances),
       oracle::certify_shortest_path_tree<W>(graph, sources, distances, parents)},
      "distances are those of Boost.Graph's Dijkstra; the certificates of distances and of the "
      "shortest-path tree hold");
}

template <class Engine, numeric_weight W>
exit_status run_with(Engine& engine, const engine_facts& facts, const sssp_command& given,
                     const loaded_graph<W>& loaded) {
  refuse_unusable_weights(given, loaded);
  search_report report;
  begin_search(report, "sssp", given.search, facts, loaded);
  report.weights = weight_name<W>();
  const bool with_parents = given.search.check || !given.search.out.empty();
  const auto graph = place(
      engine, loaded.graph,
      with_parents ? &cuda_memory::sssp_with_parents_bytes : &cuda_memory::sssp_bytes, report);
  const auto& sources = report.sources.ids;
  std::optional result = naming_edges(given, loaded, [&] {
    return timed_runs(engine, given.search.runs, report,
                      [&] { return sssp(engine, graph, sources); });
  });
  report.traversal = result->report;

  // Parents are not part of the time.
  if (with_parents) {
    result.reset();  // its memory is needed again
    result.emplace(sssp(engine, graph, sources, {.with_parents = true}));
  }
  const auto distance = on_host(result->distance);
  using parents = decltype(on_host(*result->parent));
  const parents parent = result->parent ? on_host(*result->parent) : parents();
  describe<W>(distance, report);
  if (given.search.check) {
    report.check = check<W>(loaded.graph, sources, distance, parent);
  }
  const auto row = [&](vertex_id v) {
    const bool has_parent = parent[v] != no_vertex && parent[v] != v;  // sources have none
    return distance_text(distance[v], infinite_distance<W>) + '\t' +
           (has_parent ? field_text(loaded.names.name(parent[v])) : "-1");
  };
  return finish_search(given.search, report,
                       {.title = "Shortest paths",
                        .x_label = "round",
                        .header = "vertex\tdistance\tparent",
                        .row = row});
}

exit_status run(const sssp_command& given) {
  return run_with_engine(given.search, [&](auto& engine, const engine_facts& facts) {
    const weighted_graph loaded =
        load_weighted(given.search.input, given.weights, given.search.common);
    return std::visit([&](const auto& each) { return run_with(engine, facts, given, each); },
                      loaded);
  });
}

}  // namespace

action add_sssp(CLI::App& app) {
  auto given = std::make_shared<sssp_command>();
  add_search(app, given->search, "its name, distance and parent; -1 for none");
  add_choice<weight_choice>(app, "--weights", given->weights,
                            {{"auto", weight_choice::automatic},
                             {"int32", weight_choice::int32},
                             {"float", weight_choice::float32},
                             {"double", weight_choice::float64}},
                            "Type of the weights; auto is int32 where all are whole and fit, else "
                            "double. Weights that a file lacks are 1");
  add_search_footer(app);
  return [given] { return run(*given); };
}

}  // namespace tendril::app
