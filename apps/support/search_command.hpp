#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/options.hpp"
#include "support/with_engine.hpp"

// The way of a command that searches from sources over edges without weights, and gives each vertex
// one label. What takes options of its own, weights, or more arrays than one is written out:
// bfs.cpp, sssp.cpp.

namespace tendril::app {

/// What is particular about such a command, for labels of type T (voronoi.cpp is an example).
template <class T>
struct search_command {
  std::string name;                  ///< the command's: "bfs"
  std::string title;                 ///< of the picture: "Breadth-first search"
  std::vector<std::string> columns;  ///< of --out, after the vertex: {"depth", "parent"}
  std::string about = {};            ///< for the end of --help, with the line's end
  T none;                            ///< the label of a vertex that no source reaches
  /// From the sources to a vertex of that label; null: the report says only how many are reached.
  std::int64_t (*steps)(T label) = nullptr;
  /// The columns of a vertex that was reached; a vertex in them is field_text() of its name.
  std::string (*row)(T label, const vertex_names& names);
  /// The oracle: nothing, or what is wrong.
  std::optional<std::string> (*compare)(const csr<>& graph, std::span<const vertex_id> sources,
                                        std::span<const T> label);
};

/// Adds the command's options.
/// @param solve  solve(engine, graph, sources): the vertex_labels
template <class T, class Solve>
[[nodiscard]] action add_search_command(CLI::App& app, const search_command<T>& command,
                                        const Solve& solve) {
  auto given = std::make_shared<search_options>();
  add_search(app, *given, "its name, " + joined(command.columns, " and ") + "; -1 for none");
  add_search_footer(app, command.about);
  const auto run_on = [=](auto& engine, const engine_facts& facts) {
    const auto loaded = load<none>(given->input, given->common);
    search_report report;
    begin_search(report, command.name.c_str(), *given, facts, loaded);
    const auto& sources = report.sources.ids;
    const auto bytes = [&](const cuda_memory& memory) {
      return memory.sssp_work_bytes + sizeof(T) * report.num_vertices;
    };
    const auto graph = place(engine, loaded.graph, bytes, report);
    const auto result =
        timed_runs(engine, given->runs, report, [&] { return solve(engine, graph, sources); });
    const auto label = on_host(result.label);
    const auto is_reached = [&](vertex_id v) { return label[v] != command.none; };
    if (command.steps != nullptr) {
      note_search(report, result.report,
                  [&](vertex_id v) { return is_reached(v) ? command.steps(label[v]) : -1; });
    } else {
      note_reached(report, result.report, is_reached);
    }
    if (given->check) {
      report.check =
          first_failure({command.compare(loaded.graph, sources, label)},
                        "Boost.Graph finds the same " + joined(command.columns, " and "));
    }
    const std::string unreached =
        joined(std::vector<std::string>(command.columns.size(), "-1"), "\t");
    const auto row = [&](vertex_id v) {
      return is_reached(v) ? command.row(label[v], loaded.names) : unreached;
    };
    return finish_search(*given, report,
                         {.title = command.title,
                          .x_label = "level (steps from the source)",
                          .header = "vertex\t" + joined(command.columns, "\t"),
                          .row = row});
  };
  return [=] { return run_with_engine(*given, run_on); };
}

}  // namespace tendril::app
