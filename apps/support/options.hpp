#pragma once

#include <string>

#include "support/arguments.hpp"
#include "support/point_input.hpp"
#include "support/search.hpp"
#include "support/store.hpp"

// The options that several commands share. Each function adds some to a command, which fills the
// struct when it is parsed.

namespace tendril::app {

/// --threads and --quiet.
void add_common(CLI::App& app, common_options& common);

/// INPUT, --directed, --undirected, --base and --format.
void add_input(CLI::App& app, input_options& input);

/// POINTS, and an option that picks its columns.
void add_points(CLI::App& app, point_input& input, const std::string& columns_option,
                const std::string& columns_help);

/// --engine.
void add_engine(CLI::App& app, engine_choice& engine);

/// --engine and --device.
void add_engine_and_device(CLI::App& app, engine_options& engine);

/// --engine, --device, --driver and --schedule.
void add_engine(CLI::App& app, engine_options& engine);

/// --runs.
void add_runs(CLI::App& app, int& runs);

/// OUT and --weights, with a sentence on what auto means.
void add_store(CLI::App& app, store_options& store, const std::string& automatic_weights);

/// --json.
void add_json(CLI::App& app, std::string& path);

/// What --check, --out and --plot do, for the help; no --plot without a text.
struct output_help {
  std::string check;
  std::string out;
  std::string plot = {};
};

/// --threads, --quiet, --check, --json, --out and --plot.
void add_outputs(CLI::App& app, run_options& given, const output_help& help);

/// All of graph_options but --plot; `rows` says what a row of --out holds.
void add_run(CLI::App& app, graph_options& given, const std::string& rows);

/// All of search_options.
void add_search(CLI::App& app, search_options& search, const std::string& rows);

/// The end of each algorithm's --help; `about` says what is particular about it, a line's end last.
void add_run_footer(CLI::App& app, const std::string& about);

/// The same for a search.
void add_search_footer(CLI::App& app, const std::string& about = {});

}  // namespace tendril::app
