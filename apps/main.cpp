// The program `tendril`: picks the command, runs it, and turns what goes wrong into an exit status.

#include <csignal>
#include <iostream>

#include "commands/commands.hpp"
#include "support/exit_status.hpp"

namespace {

using namespace tendril::app;

// A new command is a row here, a declaration in commands.hpp and a file in commands/.
constexpr command commands[] = {
    {"bfs", "Breadth-first search: depths and parents", add_bfs},
    {"sssp", "Shortest paths over non-negative weights", add_sssp},
    {"components", "Connected components of the whole graph", add_components},
    {"voronoi", "The nearest of several sources for each vertex, and its steps", add_voronoi},
    {"reach", "Many searches at once: what each source reaches, and how far", add_reach},
    {"quadtree", "Quadtree over points: range, disc and nearest queries", add_quadtree},
    {"nbody", "Bodies that pull each other, by Barnes and Hut's method", add_nbody},
    {"devices", "The GPUs, and what each can do", add_devices},
    {"info", "What a graph is like, and the memory it needs", add_info},
    {"convert", "Rewrite a graph in another format", add_convert},
    {"generate", "Write a generated graph to a file", add_generate},
    {"schedule", "Compare the schedules on tiles of a given cost", add_schedule},
};

}  // namespace

int main(int argc, char** argv) {
  // A file that may not grow, a pipe that nobody reads: errors like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(run_program(commands, argc, argv));
  } catch (...) {
    return static_cast<int>(report_failure(std::current_exception(), std::cerr));
  }
}
