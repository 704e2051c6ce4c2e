#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "support/input.hpp"
#include "support/run.hpp"
#include "support/search_report.hpp"
#include "support/sources.hpp"
#include "support/text.hpp"

// The way of every algorithm on a graph: options, timed runs, and what is printed and written. A
// search starts from sources; what starts from none has graph_options alone.

namespace tendril::app {

/// What every algorithm on a graph takes.
struct graph_options : run_options {
  input_options input;
};

/// What every search takes.
struct search_options : graph_options {
  source_options sources;
};

/// begin_run() with all else that is known before the algorithm runs.
template <weight W>
void begin_report(graph_report& report, const char* command, const graph_options& given,
                  const engine_facts& engine, const loaded_graph<W>& loaded,
                  chosen_sources sources = {}) {
  begin_run(report, command, given, engine);
  report.input = given.input.text;
  report.num_vertices = loaded.graph.num_vertices();
  report.num_edges = loaded.graph.num_edges();
  report.kind = loaded.graph.kind();
  report.header_line = loaded.facts ? loaded.facts->header_line : 0;
  report.seed = loaded.seed;
  report.names = loaded.names;
  report.sources = std::move(sources);
}

/// The same for a search, with its sources.
template <weight W>
void begin_search(graph_report& report, const char* command, const search_options& search,
                  const engine_facts& engine, const loaded_graph<W>& loaded) {
  begin_report(report, command, search, engine, loaded,
               choose_sources(search.sources, without_weights(loaded.graph), loaded.names));
}

/// Notes what a search did. @param is_reached  is_reached(v)
template <class Reached>
void note_reached(search_report& report, const traverse_report& traversal,
                  const Reached& is_reached) {
  report.traversal = traversal;
  for (vertex_id v = 0; v < report.num_vertices; ++v) {
    report.reached += is_reached(v) ? 1U : 0U;
  }
}

/// The same, and how far it came.
/// @param steps  steps(v): from the sources to a vertex; negative: none reaches it
template <class Steps>
void note_search(search_report& report, const traverse_report& traversal, const Steps& steps) {
  std::int64_t most = -1;
  note_reached(report, traversal, [&](vertex_id v) {
    const std::int64_t found = steps(v);
    most = std::max(most, found);
    return found >= 0;
  });
  if (most >= 0) {
    report.farthest = most;
    report.extent = "in " + counted(static_cast<std::uint64_t>(most), "step", "steps");
  }
}

/// Words on the picture and rows of --out.
struct search_output {
  std::string title = {};    ///< of the picture: "Breadth-first search"
  std::string x_label = {};  ///< of the picture
  std::string header;        ///< of --out
  std::function<std::string(vertex_id)> row;
};

/// finish_run() for a search, or for what has no sources and comes to a result.
[[nodiscard]] exit_status finish_search(const run_options& given, const search_report& report,
                                        const search_output& output);

}  // namespace tendril::app
