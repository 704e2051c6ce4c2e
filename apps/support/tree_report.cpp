#include "support/tree_report.hpp"

#include <algorithm>
#include <utility>

#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_answers = 20;
constexpr std::size_t most_neighbours = 8;

std::string time_text(const tree_report& report) {
  std::string text = "built by " + std::string(to_string(report.build.way)) + " in " +
                     times_text(report.build.times);
  if (report.points_per_second() > 0) {
    text += "; " + metric(report.points_per_second()) + " points/s";
  }
  if (!report.queries.empty()) {
    text += "; queries " + duration(report.queries_ms);
  }
  return text;
}

/// What the device launched; nothing where it launched nothing.
std::string growth_line(const std::optional<growth_facts>& growth) {
  if (!growth) {
    return "";
  }
  return report_line("launches",
                     counted(growth->child_grids, "child grid", "child grids") + ", " +
                         counted(growth->tail_launches, "tail launch", "tail launches") + ", " +
                         grouped(growth->refused) + " refused");
}

json growth_json(const std::optional<growth_facts>& growth) {
  return growth ? json{{"child_grids", growth->child_grids},
                       {"tail_launches", growth->tail_launches},
                       {"refused", growth->refused}}
                : json();
}

std::string answer_text(const tree_query& query, const query_answer& answer) {
  std::string text = query.text + ": " + counted(answer.size(), "point", "points");
  if (query.kind == tree_query::kinds::nearest && !answer.empty()) {
    text += ':';
    for (std::size_t i = 0; i < std::min(answer.size(), most_neighbours); ++i) {
      text += " row " + std::to_string(answer[i].row) + " at " + rounded(answer[i].distance) + ',';
    }
    text.back() = answer.size() > most_neighbours ? ' ' : '\n';
    text += answer.size() > most_neighbours ? "...\n" : "";
    return text;
  }
  return text + '\n';
}

const char* kind_name(tree_query::kinds kind) {
  switch (kind) {
    case tree_query::kinds::range:
      return "range";
    case tree_query::kinds::circle:
      return "circle";
    case tree_query::kinds::nearest:
      break;
  }
  return "knn";
}

json queries_json(const tree_report& report) {
  json all = json::array();
  for (std::size_t q = 0; q < report.queries.size(); ++q) {
    all.push_back({{"kind", kind_name(report.queries[q].kind)},
                   {"text", report.queries[q].text},
                   {"found", report.answers[q].size()}});
  }
  return all;
}

}  // namespace

double tree_report::points_per_second() const {
  const double seconds = build.times.median() / 1000;
  return seconds > 0 ? num_points / seconds : 0;
}

std::string tree_report::outcome() const {
  return counted(num_points, "point", "points") + " in " + counted(num_leaves, "leaf", "leaves") +
         ", " + counted(depth, "level", "levels") + " below the root";
}

void describe(const quadtree<double>& tree, tree_report& report) {
  const quadtree_view<double> view = tree.view();
  report.num_points = view.num_points();
  report.num_nodes = view.num_nodes();
  for (node_id n = 0; n < view.num_nodes(); ++n) {
    report.depth = std::max(report.depth, view.node(n).depth);
    if (view.is_leaf(n)) {
      ++report.num_leaves;
      report.largest_leaf = std::max(report.largest_leaf, view.node(n).num_points());
    }
  }
  if (view.num_nodes() > 0) {
    report.root = view.cell(0);
  }
}

std::string to_text(const tree_report& report) {
  std::string text = report_line(
      "points", report.input + ": " + counted(report.num_rows, "row", "rows") +
                    (report.num_points < report.num_rows
                         ? ", " + grouped(report.num_rows - report.num_points) + " clipped"
                         : ""));
  text += report_line("engine", engine_text(report.engine, report.threads));
  text += report_line("tree", report.outcome() + "; " + counted(report.num_nodes, "node", "nodes") +
                                  ", the fullest leaf holds " + grouped(report.largest_leaf));
  text += report_line("time", time_text(report));
  text += growth_line(report.build.growth);
  for (std::size_t q = 0; q < std::min(report.queries.size(), most_answers); ++q) {
    text += align_left(q == 0 ? "queries" : "", heading_width) +
            answer_text(report.queries[q], report.answers[q]);
  }
  if (report.queries.size() > most_answers) {
    text += report_line("", "... and " + grouped(report.queries.size() - most_answers) + " more");
  }
  return text + check_line(report.check);
}

std::string to_json(const tree_report& report) {
  json fields = head_json(report);
  fields.update({
      {"build", to_string(report.build.way)},
      {"launches", growth_json(report.build.growth)},
      {"num_rows", report.num_rows},
      {"num_points", report.num_points},
      {"leaf_size", report.options.leaf_size},
      {"max_depth", report.options.max_depth},
      {"bounds", {report.root.low.x, report.root.low.y, report.root.high.x, report.root.high.y}},
      {"num_nodes", report.num_nodes},
      {"num_leaves", report.num_leaves},
      {"depth", report.depth},
      {"largest_leaf", report.largest_leaf},
      {"points_per_second", report.points_per_second()},
      {"queries", queries_json(report)},
      {"queries_ms", report.queries_ms},
  });
  add_times(fields, report.build.times);
  return finished_json(std::move(fields), report);
}

}  // namespace tendril::app
