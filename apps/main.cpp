// The program `tendril`: picks the command, runs it, and turns what goes wrong into an exit status.

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "support/exit_status.hpp"

namespace {

using namespace tendril::app;

// A new command is a row here, a declaration in commands.hpp and a file in commands/.
constexpr command commands[] = {
    {"bfs", "Breadth-first search: depths and parents", add_bfs},
    {"sssp", "Shortest paths over non-negative weights", add_sssp},
    {"quadtree", "Quadtree over points: range, disc and nearest queries", add_quadtree},
    {"nbody", "Bodies that pull each other, by Barnes and Hut's method", add_nbody},
    {"info", "What a graph is like, and the memory it needs", add_info},
    {"convert", "Rewrite a graph in another format", add_convert},
    {"generate", "Write a generated graph to a file", add_generate},
    {"schedule", "Compare the schedules on tiles of a given cost", add_schedule},
};

struct installed_command {
  CLI::App* app;
  action run;
};

std::vector<installed_command> install_commands(CLI::App& app) {
  std::vector<installed_command> installed;
  for (const command& each : commands) {
    CLI::App* command_app = app.add_subcommand(each.name, each.description);
    installed.push_back({command_app, each.add(*command_app)});
  }
  return installed;
}

std::string usage_line(const CLI::App* chosen) {
  if (chosen == nullptr) {
    std::string names;
    for (const command& each : commands) {
      names += std::string(names.empty() ? "" : "|") + each.name;
    }
    return "usage: tendril " + names + " [INPUT] [options], see tendril --help";
  }
  std::string line = "usage: tendril " + chosen->get_name();
  for (const CLI::Option* option : chosen->get_options()) {
    if (option->get_positional()) {
      line += ' ' + option->get_name();
    }
  }
  return line + " [options], see tendril " + chosen->get_name() + " --help";
}

exit_status refuse_usage(const CLI::App& program, const CLI::ParseError& error) {
  const auto chosen = program.get_subcommands();
  const auto unknown = program.remaining();
  const bool is_unknown_command = chosen.empty() && !unknown.empty();
  std::cerr << "tendril: "
            << (is_unknown_command ? "unknown command " + unknown.front() : error.what()) << '\n'
            << usage_line(chosen.empty() ? nullptr : chosen.front()) << '\n';
  return exit_status::usage;
}

exit_status run(int argc, char** argv) {
  CLI::App app("Irregular traversals on graphs and trees, on GPUs and CPUs", "tendril");
  app.set_version_flag("--version", "tendril " TENDRIL_VERSION);
  app.require_subcommand(1);
  const std::vector<installed_command> installed = install_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return exit_status::done;
    }
    return refuse_usage(app, error);
  }
  for (const installed_command& each : installed) {
    if (each.app->parsed()) {
      return each.run();
    }
  }
  return exit_status::usage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(run(argc, argv));
  } catch (...) {
    return static_cast<int>(report_failure(std::current_exception(), std::cerr));
  }
}
