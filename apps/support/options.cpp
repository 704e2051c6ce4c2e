#include "support/options.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "support/text.hpp"

namespace tendril::app {

namespace {

std::vector<std::pair<std::string, std::optional<file_format>>> format_choices() {
  std::vector<std::pair<std::string, std::optional<file_format>>> choices = {
      {"auto", std::nullopt}};
  for (const file_format format :
       {file_format::matrix_market, file_format::edge_list, file_format::dimacs,
        file_format::dimacs_color, file_format::metis, file_format::adjacency,
        file_format::gap_serial, file_format::tgr}) {
    choices.emplace_back(to_string(format), format);
  }
  return choices;
}

void add_sources(CLI::App& app, source_options& sources) {
  add_texts(app, "--source", sources.names, "V",
            "Start here, by the name the file uses; repeat it to start from several");
  add_text(app, "--sources", sources.list, "FILE|random:K",
           "Start from all vertices that a file names, one a line (# begins a comment, unless a "
           "vertex is called so); or from K random ones");
  exclude(app, "--sources", "--source");
  add_number(app, "--seed", sources.random_seed, 0U, 0xFFFF'FFFFU, "Seed of a random source");
}

/// Of graph_options, what comes after the input.
void add_run_after_input(CLI::App& app, graph_options& given, const std::string& rows,
                         const std::string& plot) {
  add_engine(app, given.engine);
  add_runs(app, given.runs);
  add_outputs(app, given,
              {.check = "Compare with Boost.Graph, and check the certificate where there is one; "
                        "exit 1 on any difference",
               .out = "Write a line for each vertex: " + rows + ". " + escapes,
               .plot = plot});
}

}  // namespace

void add_common(CLI::App& app, common_options& common) {
  add_number(app, "--threads", common.threads, 0, 4096, "Threads of the CPU; 0 is all of them");
  add_flag(app, "--quiet", common.quiet, "Print nothing but errors");
}

void add_input(CLI::App& app, input_options& input) {
  add_positional(app, "INPUT", input.text,
                 "A graph file, or a generator: " + std::string(generator_forms));
  add_flag(app, "--directed", input.directed, "Take each stored edge one way, as it is written");
  add_flag(app, "--undirected", input.undirected, "Take each stored edge both ways");
  exclude(app, "--undirected", "--directed");
  add_choice<std::optional<vertex_id>>(
      app, "--base", input.index_base, {{"auto", std::nullopt}, {"0", 0}, {"1", 1}},
      "What the file calls its first vertex; auto is what its format prescribes, and in an edge "
      "list what it says");
  add_choice(app, "--format", input.format, format_choices(),
             "Format of the file; auto goes by its content, then its name");
}

void add_points(CLI::App& app, point_input& input, const std::string& columns_option,
                const std::string& columns_help) {
  add_positional(app, "POINTS", input.text,
                 "A text file of points (.csv, .tsv, .txt, .xy, .co; any of them .gz), or a "
                 "generator: uniform:N[:SEED=1], clusters:N:K[:SEED=1], plummer:N[:SEED=1]");
  add_list(app, columns_option, input.columns, "COLUMNS", columns_help);
}

void add_engine(CLI::App& app, engine_choice& engine) {
  add_choice<engine_choice>(app, "--engine", engine,
                            {{"auto", engine_choice::automatic},
                             {"host", engine_choice::host},
                             {"cuda", engine_choice::cuda}},
                            "What runs it: the CPU's threads (host) or a GPU; auto takes a GPU "
                            "where there is one, and says why where there is none");
}

void add_engine_and_device(CLI::App& app, engine_options& engine) {
  add_engine(app, engine.engine);
  add_number(app, "--device", engine.device,
             "Number of the GPU, as `tendril devices` lists it; else the one with most "
             "multiprocessors");
}

void add_engine(CLI::App& app, engine_options& engine) {
  add_engine_and_device(app, engine);
  add_choice<cuda_driver>(app, "--driver", engine.driver,
                          {{"auto", cuda_driver::automatic},
                           {"resident", cuda_driver::resident},
                           {"stepped", cuda_driver::stepped},
                           {"chained", cuda_driver::chained}},
                          "Who takes a search on a GPU from level to level: one kernel that "
                          "stays (resident), the host, a kernel a step (stepped), or each "
                          "kernel, which launches the next (chained); auto takes the one that "
                          "gets to the next level soonest, measured once per run of the program");
  add_choice<std::optional<schedule::any_way>>(
      app, "--schedule", engine.schedule,
      {{"auto", std::nullopt},
       {"per-block", schedule::per_block{}},
       {"fixed-grid", schedule::fixed_grid{}},
       {"ticket", schedule::ticket{}},
       {"launch-control", schedule::launch_control{}}},
      "Who runs the tiles of a level, stepped or chained: a block each (per-block), as many "
      "blocks as fit, in turn (fixed-grid) or from a counter (ticket), or a block each of which "
      "those that run steal (launch-control); auto is launch-control, chained: fixed-grid");
}

void add_runs(CLI::App& app, int& runs) {
  add_number(app, "--runs", runs, 1, 1'000'000,
             "Run it so often; times are the median and the least");
}

void add_store(CLI::App& app, store_options& store, const std::string& automatic_weights) {
  add_positional(app, "OUT", store.path,
                 "File to write: .tgr .mtx .el .wel .gr .sg .wsg, the text ones also with .gz");
  add_choice<weight_choice>(app, "--weights", store.weights,
                            {{"auto", weight_choice::automatic},
                             {"none", weight_choice::none},
                             {"int32", weight_choice::int32},
                             {"float", weight_choice::float32},
                             {"double", weight_choice::float64}},
                            "Weights to write; auto is " + automatic_weights);
}

void add_json(CLI::App& app, std::string& path) {
  add_text(app, "--json", path, "FILE|-", "Write the report as JSON; - is standard output, alone");
}

void add_outputs(CLI::App& app, run_options& given, const output_help& help) {
  add_common(app, given.common);
  add_flag(app, "--check", given.check, help.check);
  add_json(app, given.json);
  add_text(app, "--out", given.out, "FILE", help.out);
  if (!help.plot.empty()) {
    add_text(app, "--plot", given.plot, "FILE.svg", help.plot);
  }
}

void add_run(CLI::App& app, graph_options& given, const std::string& rows) {
  add_input(app, given.input);
  add_run_after_input(app, given, rows, "");
}

void add_search(CLI::App& app, search_options& search, const std::string& rows) {
  add_input(app, search.input);
  add_sources(app, search.sources);
  add_run_after_input(app, search, rows, "Draw the frontier of each level");
}

void add_run_footer(CLI::App& app, const std::string& about) {
  add_footer(
      app,
      "Vertices are named as in the file: from 1 in .mtx, METIS and DIMACS files, else as\n"
      "they are written. Direction is the file's: symmetric .mtx, METIS, .col, `p tw` in\n"
      ".gr and generators are undirected; .tgr, .sg and .wsg say it themselves; all else is\n"
      "directed as stored. Self-loops and duplicate edges are kept and change nothing.\n" +
          about +
          "Edges per second are the stored edges that leave the expanded vertices, by the\n"
          "median time. Times are those of whole calls; beside them stand, on a GPU, those\n"
          "of its kernels by its own clock, and what placing the graph took. The first of\n"
          "several runs also loads the kernels. Exit status: 0 done, 1 check failed, 2\n"
          "usage, 3 bad input, 4 no such GPU, memory or disk.");
}

void add_search_footer(CLI::App& app, const std::string& about) {
  add_run_footer(
      app, about +
               "A source that is not named is the first of a seeded random choice among vertices\n"
               "with edges. What is not reached has -1.\n");
}

}  // namespace tendril::app
