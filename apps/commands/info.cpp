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
      "Memory in bytes, for n vertices, m stored edges, w bytes of weight (bfs reads none) and d\n"
      "of distance (4 for float weights, else 8); [x] rounds up.\n"
      "host: the graph 8 (n + 1) + (4 + w) m; bfs 16 n + 24 [n / 64], and to pull on a directed\n"
      "graph 8 (n + 1) + 4 m + 8 [n / 64]; sssp (8 + d) n + 16 [n / 64];\n"
      "components 20 n + 16 [n / 64].\n"
      "cuda, with p bytes of edge position (4 below 2^32 edges, else 8): the graph\n"
      "p (n + 1) + (4 + w) m; place() adds n + 4 [n / 32], on an undirected graph at most\n"
      "4 n + m / 512 more, and 16 n more where m is at most 8 n and no vertex has more than 64\n"
      "edges; bfs 8 n of results and (2 p + 4) n + 8 [n / 32] of work, and to pull on a directed\n"
      "graph at most p (n + 1) + 4 m + 4 n + m / 512; sssp d n of results and\n"
      "(4 p + 8) n + 8 [n / 32] of work; components 8 n and the work of sssp.\n"
      "Work starts at 393,728 bytes; its arrays are multiples of 256. reach from k sources takes\n"
      "45 n + 12 [n / 32] + 4 k + 69,120 bytes to carry 64 queries together, n / 4 + 1,024 more\n"
      "for each further one up to 512, and up to 3 n; side by side at most 4 n + 4 [n / 32] for\n"
      "each block, and 29 k. While place() sorts it needs more,\n"
      "and says how much where that is not there.");
  return [given] {
    check_outputs({given->json}, {given->input.text});
    const auto limit = limit_threads(given->common);
    const any_graph loaded = load_any(given->input, weight_choice::automatic, given->common);
    const graph_facts facts = examine(loaded, given->input);
    output_files files;
    finish_report(files, {[&] { return to_json(facts); }, [&] { return to_text(facts); }},
                  given->json, given->common.quiet);
    return exit_status::done;
  };
}

}  // namespace tendril::app
