#pragma once

#include <functional>
#include <string>

#include "support/common_options.hpp"
#include "support/engine.hpp"
#include "support/exit_status.hpp"
#include "support/input.hpp"
#include "support/search_report.hpp"
#include "support/sources.hpp"

// The way of every search from sources: options, timed runs, and what is printed and written.

namespace tendril::app {

/// What every search takes.
struct search_options {
  input_options input;
  engine_options engine;
  source_options sources;
  common_options common;
  int runs = 1;
  bool check = false;
  std::string json;
  std::string out;
  std::string plot;
};

/// Refuses output paths that cannot be written, before any work is done.
void check_outputs(const search_options& search);

/// Fills in all that is known before the run. Says on the error output why the engine is not a
/// GPU's, where auto looked for one.
template <weight W>
void begin_report(graph_report& report, const char* command, const search_options& search,
                  const engine_facts& engine, const loaded_graph<W>& loaded) {
  report.command = command;
  report.input = search.input.text;
  report.num_vertices = loaded.graph.num_vertices();
  report.num_edges = loaded.graph.num_edges();
  report.kind = loaded.graph.kind();
  report.seed = loaded.seed;
  report.engine = engine;
  report.names = loaded.names;
  report.sources = choose_sources(search.sources, without_weights(loaded.graph), loaded.names);
  report.source_seed = search.sources.random_seed;
  announce_fallback(engine, search.common.quiet);
}

/// What a command prints and writes, made only where it is wanted.
struct run_texts {
  std::function<std::string()> json;
  std::function<std::string()> text;
  std::function<std::string()> rows;  ///< for --out
  std::function<std::string()> plot;
};

/// Prints and writes what the options ask for.
/// @return check_failed where a check did
[[nodiscard]] exit_status finish_run(const search_options& search, const graph_report& report,
                                     const run_texts& texts);

/// Words on the picture and rows of --out.
struct search_output {
  std::string title;    ///< "Breadth-first search"
  std::string x_label;  ///< of the picture
  std::string header;   ///< of --out
  std::function<std::string(vertex_id)> row;
};

/// finish_run() for a search.
[[nodiscard]] exit_status finish_search(const search_options& search, const search_report& report,
                                        const search_output& output);

}  // namespace tendril::app
