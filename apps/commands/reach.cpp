#include "tendril/query/reach.hpp"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"
#include "support/reach_report.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/reach.hpp"

namespace tendril::app {

namespace {

struct reach_command {
  input_options input;
  source_options sources;
  engine_choice engine = engine_choice::automatic;
  common_options common;
  reach_options options;
  int runs = 1;
  bool check = false;
  std::string json;
  std::string out;
};

chosen_sources queries_of(const source_options& options, const csr<none>& graph,
                          const vertex_names& names) {
  if (options.list == "all") {
    std::vector<vertex_id> all(graph.num_vertices());
    std::iota(all.begin(), all.end(), vertex_id{0});
    return {std::move(all), false};
  }
  return choose_sources(options, graph, names);
}

reach_command_report begin(const reach_command& given, const loaded_graph<none>& loaded) {
  reach_command_report report;
  report.input = given.input.text;
  report.num_vertices = loaded.graph.num_vertices();
  report.num_edges = loaded.graph.num_edges();
  report.kind = loaded.graph.kind();
  report.seed = loaded.seed;
  report.engine = decide_host_engine(given.engine);
  report.names = loaded.names;
  report.sources = queries_of(given.sources, loaded.graph, loaded.names);
  report.source_seed = given.sources.random_seed;
  return report;
}

exit_status run(const reach_command& given) {
  if (given.sources.names.empty() && given.sources.list.empty()) {
    throw usage_error("reach: expected --sources FILE|random:K|all, or --source V, found neither");
  }
  for (const std::string& path : {given.json, given.out}) {
    check_writable(path);
  }
  const auto limit = limit_threads(given.common);
  const auto loaded = load<none>(given.input, given.common);
  reach_command_report report = begin(given, loaded);
  host_engine engine({.threads = given.common.threads});
  report.threads = engine.threads();
  const auto graph = engine.place(loaded.graph);
  report.result = repeat(given.runs, report.times,
                         [&] { return reach(engine, graph, report.sources.ids, given.options); });
  if (given.check) {
    report.check = check_reach(loaded.graph, report.sources, report.result);
  }
  output_files files;
  if (!given.out.empty()) {
    files.add(given.out, to_rows(report));
  }
  finish_report(files, {[&] { return to_json(report); }, [&] { return to_text(report); }},
                given.json, given.common.quiet);
  return status_of(report.check);
}

}  // namespace

action add_reach(CLI::App& app) {
  auto given = std::make_shared<reach_command>();
  add_input(app, given->input);
  add_texts(app, "--source", given->sources.names, "V",
            "A query from this vertex, by the name the file uses; repeatable");
  add_text(app, "--sources", given->sources.list, "FILE|random:K|all",
           "A query from each vertex that a file names, one a line; from K random ones; or from "
           "every vertex");
  exclude(app, "--sources", "--source");
  add_number(app, "--seed", given->sources.random_seed, 0U, 0xFFFF'FFFFU, "Seed of random sources");
  add_choice<reach_way>(
      app, "--way", given->options.way,
      {{"auto", reach_way::automatic},
       {"batch", reach_way::batch},
       {"streams", reach_way::streams}},
      "Queries together, a bit each, or side by side, a thread each; auto looks at "
      "the first levels of one query");
  add_number(app, "--lanes", given->options.lanes, std::size_t{1}, most_lanes,
             "Queries carried together, at most; fewer take less memory");
  add_flag(app, "--histogram", given->options.histograms,
           "Also count the vertices at each depth, for --out and --json");
  add_engine(app, given->engine);
  add_common(app, given->common);
  add_runs(app, given->runs);
  add_flag(app, "--check", given->check,
           "Compare every query with Boost.Graph's search; exit 1 on any difference");
  add_json(app, given->json);
  add_text(app, "--out", given->out, "FILE",
           "Write a line for each query: its source, the vertices it reaches (the source among "
           "them), the depth of the farthest, their mean depth, and the source's closeness");
  add_footer(
      app,
      "Each source is a search of its own; one that is named twice is answered twice. Vertices "
      "are\n"
      "named as in the file. The depth of the farthest vertex is the source's eccentricity among\n"
      "what it reaches. Closeness is that of Wasserman and Faust: the reached share of the other\n"
      "vertices by their mean depth. Self-loops and duplicate edges change nothing. Exit status: "
      "0\n"
      "done, 1 check failed, 2 usage, 3 bad input, 4 no such GPU, memory or disk.");
  return [given] { return run(*given); };
}

}  // namespace tendril::app
