#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "support/graph_facts.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"

namespace tendril::app {

action add_info(CLI::App& app) {
  struct options {
    input_options input;
    common_options common;
    std::string json;
  };
  auto given = std::make_shared<options>();
  add_input(app, given->input);
  add_json(app, given->json);
  add_common(app, given->common);
  add_footer(
      app,
      "Memory of the host engine, in bytes, for n vertices and m stored edges; [x] rounds up:\n"
      "the graph 8 (n + 1) + (4 + w) m, with w bytes of weight; bfs, which reads no weights,\n"
      "12 n + 24 [n / 64], and to pull on a directed graph 8 (n + 1) + 4 m + 8 [n / 64];\n"
      "sssp (8 + d) n + 16 [n / 64], with d bytes of distance: 4 for float weights, else 8.");
  return [given] {
    check_writable(given->json);
    const auto limit = limit_threads(given->common);
    const any_graph loaded = load_any(given->input, weight_choice::automatic, given->common);
    const graph_facts facts = examine(loaded, given->input);
    output_files files;
    if (!given->json.empty()) {
      files.add(given->json, to_json(facts));
    }
    if (!given->common.quiet && given->json != "-") {
      print(to_text(facts));
    }
    files.commit();
    return exit_status::done;
  };
}

}  // namespace tendril::app
