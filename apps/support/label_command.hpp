#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "support/command.hpp"
#include "support/options.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"

// The way of every command that puts the vertices of a whole graph into classes, each called by one
// of its vertices.

namespace tendril::app {

/// What is particular about such a command.
struct label_command {
  std::string name;        ///< the command's, which is that of its classes: "components"
  std::string one;         ///< a class: "component"
  std::string about = {};  ///< for the end of --help, with the line's end
  std::optional<std::string> (*compare)(const csr<>& graph, std::span<const vertex_id> label);
};

/// Counts the classes.
void describe(const label_command& command, std::span<const vertex_id> label,
              search_report& report);

/// Adds the command's options.
/// @param solve  solve(engine, graph): the vertex_labels
template <class Solve>
[[nodiscard]] action add_labels(CLI::App& app, const label_command& command, const Solve& solve) {
  auto given = std::make_shared<graph_options>();
  add_run(app, *given,
          "its name, and that of the vertex that its " + command.one + " is called by");
  add_run_footer(app, command.about);
  const auto run_on = [=](auto& engine, const engine_facts& facts) {
    const auto loaded = load<none>(given->input, given->common);
    search_report report;
    begin_report(report, command.name.c_str(), *given, facts, loaded);
    const auto graph = place(engine, loaded.graph, &cuda_memory::components_bytes, report);
    const auto result =
        timed_runs(engine, given->runs, report, [&] { return solve(engine, graph); });
    if (report.gpu) {
      report.gpu->kernels = {};  // the device's clock tells of the last traversal only
    }
    report.traversal = result.report;
    const auto label = on_host(result.label);
    describe(command, label, report);
    if (given->check) {
      report.check = first_failure({command.compare(loaded.graph, label)},
                                   command.name + " are Boost.Graph's");
    }
    const auto row = [&](vertex_id v) { return field_text(loaded.names.name(label[v])); };
    return finish_search(*given, report, {.header = "vertex\t" + command.one, .row = row});
  };
  return [=] { return run_with_engine(*given, {given->input.text}, run_on); };
}

}  // namespace tendril::app
