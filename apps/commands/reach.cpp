#include "tendril/query/reach.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "support/reach_plot.hpp"
#include "support/reach_report.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/reach.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "tendril/cuda/reach.hpp"
#endif

namespace tendril::app {

namespace {

struct reach_command {
  search_options search;
  reach_options options;
  std::optional<std::int32_t> slots;
};

/// Refuses options beside a way or an engine that does not have them.
void refuse_impossible(const reach_command& given) {
  const search_options& search = given.search;
  const reach_options& options = given.options;
  if (search.sources.names.empty() && search.sources.list.empty()) {
    throw usage_error("reach: expected --sources FILE|random:K|all, or --source V, found neither");
  }
  if (options.way == reach_way::streams &&
      (search.engine.engine == engine_choice::cuda || search.engine.device)) {
    throw usage_error("--way streams is the CPU's; a GPU runs queries as batch or blocks");
  }
  if (options.way == reach_way::blocks && search.engine.engine == engine_choice::host) {
    throw usage_error("--way blocks is a GPU's, and --engine host was given");
  }
  if (given.slots == 0) {
    throw usage_error("--slots: expected at least 1, found 0");
  }
  if (options.way == reach_way::batch && given.slots) {
    throw usage_error("--slots applies to queries side by side, and --way batch was given");
  }
  if (options.way != reach_way::batch && options.way != reach_way::automatic &&
      options.lanes != most_lanes) {
    throw usage_error("--lanes applies to queries in a batch, and --way " +
                      std::string(to_string(options.way)) + " was given");
  }
}

/// The options of the run, with the engine that has the way, where auto may choose one.
run_options run_for(const reach_command& given) {
  run_options run = given.search;
  if (given.options.way == reach_way::streams) {
    run.engine.engine = engine_choice::host;
  }
  return run;
}

template <class Engine>
exit_status run_on(Engine& engine, engine_facts facts, const reach_command& given) {
  const bool is_host = facts.name == "host";
  if (is_host && given.options.way == reach_way::blocks) {
    throw resource_error("--way blocks needs a GPU: " + facts.reason);
  }
  if (given.options.way == reach_way::streams &&
      given.search.engine.engine == engine_choice::automatic) {
    facts.reason = "--way streams is the CPU's";
  }
  const auto loaded = load<none>(given.search.input, given.search.common);
  reach_command_report report;
  begin_search(report, "reach", given.search, facts, loaded);
  const auto bytes = [&](const cuda_memory& memory) {
    const std::uint64_t blocks =
        memory.reach_block_bytes + (given.options.histograms ? memory.reach_histogram_bytes : 0);
    switch (given.options.way) {
      case reach_way::batch:
        return memory.reach_batch_bytes;
      case reach_way::automatic:  // what it chooses is not known yet
        return std::min(memory.reach_batch_bytes, blocks);
      default:
        return blocks;
    }
  };
  const auto graph = place(engine, loaded.graph, bytes, report);
  report.result = repeat(given.search.runs, report.times,
                         [&] { return reach(engine, graph, report.sources.ids, given.options); });
  if (given.search.check) {
    report.check = check_reach(loaded.graph, report.sources, report.result);
  }
  return finish_run(
      given.search, report, [&] { return to_rows(report); }, [&] { return plot_reach(report); });
}

exit_status run(reach_command given) {
  refuse_impossible(given);
  given.options.timeline = !given.search.plot.empty();
  if (given.slots) {
    given.options.slots = static_cast<std::size_t>(*given.slots);
  }
  return run_with_engine(
      run_for(given), {given.search.input.text, given.search.sources.list},
      [&](auto& engine, const engine_facts& facts) { return run_on(engine, facts, given); });
}

}  // namespace

action add_reach(CLI::App& app) {
  auto given = std::make_shared<reach_command>();
  search_options& search = given->search;
  search.sources.takes_all = true;
  add_input(app, search.input);
  add_texts(app, "--source", search.sources.names, "V",
            "A query from this vertex, by the name the file uses; repeatable");
  add_text(app, "--sources", search.sources.list, "FILE|random:K|all",
           "A query from each vertex that a file names, one a line (# begins a comment, unless a "
           "vertex is called so); from K random ones; or from every vertex");
  exclude(app, "--sources", "--source");
  add_number(app, "--seed", search.sources.random_seed, 0U, 0xFFFF'FFFFU, "Seed of random sources");
  add_choice<reach_way>(app, "--way", given->options.way,
                        {{"auto", reach_way::automatic},
                         {"batch", reach_way::batch},
                         {"blocks", reach_way::blocks},
                         {"streams", reach_way::streams}},
                        "Queries together, a bit each (batch), or side by side: on a GPU a block "
                        "each (blocks), on the CPU a thread each (streams); auto looks at the "
                        "first levels of one query, and says what it saw");
  add_number(app, "--lanes", given->options.lanes, std::size_t{1}, most_lanes,
             "Queries of a batch carried together, at most; fewer take less memory");
  add_number(app, "--slots", given->slots,
             "Queries side by side at a time, at most; else as many as there is room for. Fewer "
             "take less memory");
  add_flag(app, "--histogram", given->options.histograms,
           "Also count the vertices at each depth, for --out and --json");
  add_engine_and_device(app, search.engine);
  add_runs(app, search.runs);
  add_outputs(
      app, search,
      {.check = "Compare every query with Boost.Graph's search; exit 1 on any difference",
       .out = "Write a line for each query: its source, the vertices it reaches (the source among "
              "them), the depth of the farthest, their mean depth, and the source's closeness. " +
              std::string(escapes),
       .plot = "Draw when each query, or each pass of a batch, ran, and on which slot"});
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
