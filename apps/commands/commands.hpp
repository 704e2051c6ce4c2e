#pragma once

#include "support/command.hpp"

// One function per command, one file per function.

namespace tendril::app {

action add_bfs(CLI::App& app);
action add_components(CLI::App& app);
action add_sssp(CLI::App& app);
action add_devices(CLI::App& app);
action add_info(CLI::App& app);
action add_nbody(CLI::App& app);
action add_quadtree(CLI::App& app);
action add_reach(CLI::App& app);
action add_voronoi(CLI::App& app);
action add_convert(CLI::App& app);
action add_generate(CLI::App& app);
action add_schedule(CLI::App& app);

}  // namespace tendril::app
