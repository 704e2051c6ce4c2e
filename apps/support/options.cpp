#include "support/options.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "support/command.hpp"

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
  CLI::Option* names =
      app.add_option("--source", sources.names,
                     "Start here, by the name the file uses; repeat it to start from several")
          ->type_name("V")
          ->allow_extra_args(false);
  app.add_option("--sources", sources.list,
                 "Start from all vertices that a file names, one a line; or from K random ones")
      ->type_name("FILE|random:K")
      ->excludes(names);
  app.add_option("--seed", sources.random_seed, "Seed of a random source")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{0xFFFF'FFFF}))
      ->capture_default_str();
}

}  // namespace

void add_common(CLI::App& app, common_options& common) {
  app.add_option("--threads", common.threads, "Threads of the CPU; all of them when not given")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  app.add_flag("--quiet", common.quiet, "Print nothing but errors");
}

void add_input(CLI::App& app, input_options& input) {
  app.add_option("INPUT", input.text,
                 "A graph file, or a generator: " + std::string(generator_forms))
      ->required()
      ->type_name("");
  CLI::Option* directed =
      app.add_flag("--directed", input.directed, "Take each stored edge one way, as it is written");
  app.add_flag("--undirected", input.undirected, "Take each stored edge both ways")
      ->excludes(directed);
  add_choice<std::optional<vertex_id>>(
      app, "--base", input.index_base, {{"auto", std::nullopt}, {"0", 0}, {"1", 1}},
      "What the file calls its first vertex; auto is what its format prescribes");
  add_choice(app, "--format", input.format, format_choices(),
             "Format of the file; auto goes by its content, then its name");
}

void add_points(CLI::App& app, point_input& input, const std::string& columns_option,
                const std::string& columns_help) {
  app.add_option("POINTS", input.text,
                 "A text file of points (.csv, .tsv, .txt, .xy, .co; any of them .gz), or a "
                 "generator: uniform:N[:SEED], clusters:N:K[:SEED], plummer:N[:SEED]")
      ->required()
      ->type_name("");
  app.add_option(columns_option, input.columns, columns_help)
      ->type_name("COLUMNS")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_engine(CLI::App& app, engine_choice& engine) {
  add_choice<engine_choice>(
      app, "--engine", engine,
      {{"auto", engine_choice::automatic},
       {"host", engine_choice::host},
       {"cuda", engine_choice::cuda}},
      "What runs it: the CPU's threads (host) or a GPU; auto takes a GPU where "
      "there is one, and says why where there is none");
}

void add_runs(CLI::App& app, int& runs) {
  app.add_option("--runs", runs, "Run it so often; times are the median and the least")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
}

void add_store(CLI::App& app, store_options& store, const std::string& automatic_weights) {
  app.add_option("OUT", store.path,
                 "File to write: .tgr .mtx .el .wel .gr .sg .wsg, the text ones also with .gz")
      ->required()
      ->type_name("");
  add_choice<weight_choice>(app, "--weights", store.weights,
                            {{"auto", weight_choice::automatic},
                             {"none", weight_choice::none},
                             {"int32", weight_choice::int32},
                             {"float", weight_choice::float32},
                             {"double", weight_choice::float64}},
                            "Weights to write; auto is " + automatic_weights);
}

void add_json(CLI::App& app, std::string& path) {
  app.add_option("--json", path, "Write the report as JSON; - is standard output, alone")
      ->type_name("FILE|-");
}

void add_search(CLI::App& app, search_options& search, const std::string& rows) {
  add_input(app, search.input);
  add_sources(app, search.sources);
  add_engine(app, search.engine);
  add_common(app, search.common);
  add_runs(app, search.runs);
  app.add_flag("--check", search.check,
               "Compare with Boost.Graph and check the certificate; exit 1 on any difference");
  add_json(app, search.json);
  app.add_option("--out", search.out, "Write a line for each vertex: " + rows)->type_name("FILE");
  app.add_option("--plot", search.plot, "Draw the frontier of each level")->type_name("FILE.svg");
}

}  // namespace tendril::app
