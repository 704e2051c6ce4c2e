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

/// All of search_options; `rows` says what a row of --out holds.
void add_search(CLI::App& app, search_options& search, const std::string& rows);

/// For the end of each search's --help.
inline constexpr const char* search_footer =
    "Vertices are named as in the file: from 1 in .mtx, METIS and DIMACS files, else as they are\n"
    "written. Direction is the file's: symmetric .mtx, METIS and .col are undirected, all else is\n"
    "directed as stored. A source that is not named is the first of a seeded random choice among\n"
    "vertices with edges. What is not reached has -1. Self-loops and duplicate edges are kept and\n"
    "change nothing. Edges per second are the stored edges that leave the expanded vertices, by\n"
    "the median time. Times are those of whole calls; beside them stand, on a GPU, those of its\n"
    "kernels by its own clock, and what placing the graph took. The first of several runs also\n"
    "loads the kernels. Exit status: 0 done, 1 check failed, 2 usage, 3 bad input, 4 no such GPU,\n"
    "memory or disk.";

}  // namespace tendril::app
