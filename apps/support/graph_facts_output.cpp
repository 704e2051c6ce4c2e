// How graph_facts are printed.

#include <algorithm>
#include <cmath>

#include "support/graph_facts.hpp"
#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

constexpr std::size_t fact_width = 13;

std::string line(std::string_view heading, const std::string& content) {
  return align_left(heading, fact_width) + content + '\n';
}

std::string weight_text(const std::optional<weight_facts>& weights) {
  if (!weights) {
    return "none";
  }
  std::string text =
      weights->type + ", from " + number(weights->lowest) + " to " + number(weights->highest);
  if (weights->num_negative > 0) {
    text += ", " + grouped(weights->num_negative) + " of them negative";
  }
  return text;
}

std::uint64_t first_degree(std::size_t bucket) {
  return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
}

std::string degree_range(std::size_t bucket) {
  if (bucket <= 1) {
    return std::to_string(bucket);
  }
  return grouped(first_degree(bucket)) + " - " + grouped(2 * first_degree(bucket) - 1);
}

std::string histogram_text(const std::vector<vertex_id>& histogram) {
  constexpr double longest_bar = 40;
  if (histogram.empty()) {
    return {};
  }
  const double largest = *std::max_element(histogram.begin(), histogram.end());
  std::string text = '\n' + align_right("degree", 19) + align_right("vertices", 15) + '\n';
  for (std::size_t bucket = 0; bucket < histogram.size(); ++bucket) {
    const double bar = std::ceil(histogram[bucket] / largest * longest_bar);
    text += align_right(degree_range(bucket), 19) + align_right(grouped(histogram[bucket]), 15) +
            (bar > 0 ? "  " : "") + std::string(static_cast<std::size_t>(bar), '#') + '\n';
  }
  return text;
}

/// "1.2 GiB for bfs (+ 3.4 GiB to pull), 5.6 GiB for sssp, 2.3 GiB for components"
template <class Memory>
std::string searches_text(const Memory& memory) {
  return binary_bytes(memory.bfs_bytes) + " for bfs" +
         (memory.transpose_bytes > 0 ? " (+ " + binary_bytes(memory.transpose_bytes) + " to pull)"
                                     : "") +
         ", " + binary_bytes(memory.sssp_bytes) + " for sssp, " +
         binary_bytes(memory.components_bytes) + " for components";
}

std::string memory_lines(const graph_facts& facts) {
  const std::uint64_t p = facts.cuda.position_bytes;
  return line("memory", "host: " + binary_bytes(facts.host.graph_bytes) + " for the graph; + " +
                            searches_text(facts.host)) +
         line("", "cuda: " + binary_bytes(facts.cuda.graph_bytes) + " for the graph, " +
                      binary_bytes(facts.cuda.added_bytes) + " that place() adds; + " +
                      searches_text(facts.cuda)) +
         line("", "cuda work, positions of " + std::to_string(8 * p) + " bits: bfs " +
                      number(static_cast<double>(2 * p + 4) + 0.25) + " bytes per vertex, sssp " +
                      number(static_cast<double>(4 * p + 8) + 0.25)) +
         line("", "cuda reach: " + binary_bytes(facts.cuda.reach_batch_bytes) +
                      " for 64 queries together, " + binary_bytes(facts.cuda.reach_block_bytes) +
                      " for a block");
}

nlohmann::ordered_json memory_json(const graph_facts& facts) {
  return {{"host",
           {{"graph_bytes", facts.host.graph_bytes},
            {"bfs_bytes", facts.host.bfs_bytes},
            {"transpose_bytes", facts.host.transpose_bytes},
            {"sssp_bytes", facts.host.sssp_bytes},
            {"components_bytes", facts.host.components_bytes}}},
          {"cuda",
           {{"position_bytes", facts.cuda.position_bytes},
            {"graph_bytes", facts.cuda.graph_bytes},
            {"added_bytes", facts.cuda.added_bytes},
            {"bfs_bytes", facts.cuda.bfs_bytes},
            {"bfs_work_bytes", facts.cuda.bfs_work_bytes},
            {"transpose_bytes", facts.cuda.transpose_bytes},
            {"sssp_bytes", facts.cuda.sssp_bytes},
            {"sssp_work_bytes", facts.cuda.sssp_work_bytes},
            {"components_bytes", facts.cuda.components_bytes},
            {"reach_batch_bytes", facts.cuda.reach_batch_bytes},
            {"reach_block_bytes", facts.cuda.reach_block_bytes}}}};
}

std::string degree_text(const graph_facts& facts) {
  std::string text = number(std::round(facts.counts.mean_degree * 100) / 100) +
                     " edges on average; at most " +
                     counted(facts.counts.max_degree, "neighbour", "neighbours");
  if (!facts.max_degree_name.empty()) {
    text += " (vertex " + facts.max_degree_name + ')';
  }
  return text;
}

std::string_view kind_name(orientation kind) {
  return kind == orientation::undirected ? "undirected" : "directed";
}

}  // namespace

std::string to_text(const graph_facts& facts) {
  const graph_counts& counts = facts.counts;
  return line("graph", facts.input + " (" + facts.format + (facts.gzipped ? ", gzipped" : "") +
                           ')' + header_note(facts.header_line)) +
         line("vertices", grouped(counts.num_vertices) + " (" + facts.names + "), " +
                              grouped(counts.num_isolated) + " without neighbours") +
         line("edges",
              grouped(counts.num_edges) + " stored, " + std::string(kind_name(facts.kind)) + "; " +
                  counted(counts.num_simple_edges, "pair", "pairs") + " of different vertices") +
         line("self-loops", grouped(counts.num_self_loops)) +
         line("duplicates", grouped(counts.num_duplicates)) +
         line("weights", weight_text(facts.weights)) + line("degree", degree_text(facts)) +
         line("components", grouped(counts.num_components) + ", the largest of " +
                                counted(counts.largest_component, "vertex", "vertices")) +
         memory_lines(facts) + histogram_text(facts.degree_histogram);
}

std::string to_json(const graph_facts& facts) {
  const graph_counts& counts = facts.counts;
  nlohmann::ordered_json weights = nullptr;
  if (facts.weights) {
    weights = {{"type", facts.weights->type},
               {"lowest", facts.weights->lowest},
               {"highest", facts.weights->highest},
               {"num_negative", facts.weights->num_negative}};
  }
  auto histogram = nlohmann::ordered_json::array();
  for (std::size_t bucket = 0; bucket < facts.degree_histogram.size(); ++bucket) {
    histogram.push_back(
        {{"degree_from", first_degree(bucket)}, {"vertices", facts.degree_histogram[bucket]}});
  }
  const nlohmann::ordered_json fields = {{"command", "info"},
                                         {"version", TENDRIL_VERSION},
                                         {"input", facts.input},
                                         {"format", facts.format},
                                         {"gzipped", facts.gzipped},
                                         {"header_line", facts.header_line},
                                         {"directed", facts.kind == orientation::directed},
                                         {"index_base", facts.index_base},
                                         {"names", facts.names},
                                         {"num_vertices", counts.num_vertices},
                                         {"num_edges", counts.num_edges},
                                         {"num_simple_edges", counts.num_simple_edges},
                                         {"num_self_loops", counts.num_self_loops},
                                         {"num_duplicates", counts.num_duplicates},
                                         {"num_isolated", counts.num_isolated},
                                         {"num_components", counts.num_components},
                                         {"largest_component", counts.largest_component},
                                         {"mean_degree", counts.mean_degree},
                                         {"max_degree", counts.max_degree},
                                         {"degree_histogram", histogram},
                                         {"weights", weights},
                                         {"memory", memory_json(facts)}};
  return json_text(fields);
}

}  // namespace tendril::app
