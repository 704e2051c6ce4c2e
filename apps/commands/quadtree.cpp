#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "support/text.hpp"
#include "support/tree_plot.hpp"
#include "support/tree_queries.hpp"
#include "support/tree_report.hpp"
#include "support/with_engine.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"

namespace tendril::app {

namespace {

struct quadtree_command : point_options {
  quadtree_options tree;
  std::string bounds;
  bool clip = false;
  query_options queries;
  build_choice build = build_choice::automatic;
};

quadtree_options options_of(const quadtree_command& given) {
  quadtree_options options = given.tree;
  if (!given.bounds.empty()) {
    const auto n = numbers_in("--bounds", "X0,Y0,X1,Y1", given.bounds, 4);
    options.bounds = box<double>{{n[0], n[1]}, {n[2], n[3]}};
  }
  options.outside = given.clip ? quadtree_options::outside_points::clip
                               : quadtree_options::outside_points::refuse;
  return options;
}

check_outcome check(const points<double>& set, const quadtree<double>& tree,
                    const tree_report& report) {
  std::optional<std::string> wrong_answer;
  if (!report.queries.empty()) {
    wrong_answer = first_wrong_answer(tree, report.queries, report.answers);
  }
  return first_failure(
      {oracle::quadtree_fault(tree, set), wrong_answer},
      "the tree has its certificate" +
          std::string(report.queries.empty() ? "" : "; the answers are Boost.Geometry's"));
}

/// A line for each point, or, where there are queries, for each point that answers one.
std::string rows_text(const points<double>& set, const quadtree<double>& tree,
                      const tree_report& report) {
  const auto place = [&](point_id row) {
    return std::to_string(row) + '\t' + number(set[row].x) + '\t' + number(set[row].y);
  };
  if (report.queries.empty()) {
    std::string text = "# row\tx\ty\tleaf\tdepth\n";
    const auto view = tree.view();
    for (node_id n = 0; n < view.num_nodes(); ++n) {
      for (point_id i = view.node(n).first; view.is_leaf(n) && i < view.node(n).end; ++i) {
        text += place(view.rows[i]) + '\t' + std::to_string(n) + '\t' +
                std::to_string(view.node(n).depth) + '\n';
      }
    }
    return text;
  }
  std::string text = "# query\trow\tx\ty\tdistance (of knn)\n";
  for (std::size_t q = 0; q < report.answers.size(); ++q) {
    const bool has_distance = report.queries[q].kind == tree_query::kinds::nearest;
    for (const neighbour& n : report.answers[q]) {
      text += std::to_string(q) + '\t' + place(n.row) +
              (has_distance ? '\t' + number(n.distance) : std::string()) + '\n';
    }
  }
  return text;
}

std::string plot_text(const quadtree<double>& tree, const tree_report& report) {
  return plot_tree(tree.view(), {.title = std::filesystem::path(report.input).filename(),
                                 .note = report.outcome() + "; a leaf holds at most " +
                                         grouped(report.options.leaf_size)});
}

template <class Engine>
exit_status run_with(Engine& engine, const engine_facts& facts, const quadtree_command& given) {
  refuse_growth_without_gpu(given.build, facts);
  tree_report report;
  report.options = options_of(given);
  report.queries = collect_queries(given.queries);
  const points<double> set = load_points(given.input, given.common);
  report.num_rows = set.num_points();
  begin_report(report, "quadtree", given, facts, threads_of(engine));

  auto built = build_times(engine, set, report.options, given.build, given.runs);
  report.build = std::move(built.facts);
  const quadtree<double> tree = on_host(built.tree);
  describe(tree, report);
  run_times query_times;
  report.answers =
      repeat(1, query_times, [&] { return answer(engine, built.tree, report.queries); });
  report.queries_ms = query_times.median();
  if (given.check) {
    report.check = check(set, tree, report);
  }
  return finish_run(
      given, report, [&] { return rows_text(set, tree, report); },
      [&] { return plot_text(tree, report); });
}

exit_status run(const quadtree_command& given) {
  refuse_growth_on_host(given.build, given.engine);
  return naming_lines(given.input, [&] {
    return run_with_engine(
        given, {given.input.text, given.queries.file},
        [&](auto& engine, const engine_facts& facts) { return run_with(engine, facts, given); });
  });
}

void add_queries(CLI::App& app, query_options& queries) {
  add_texts(app, "--range", queries.ranges, "X0,Y0,X1,Y1",
            "Find the points in a rectangle; repeatable");
  add_texts(app, "--circle", queries.circles, "X,Y,RADIUS",
            "Find the points in a disc; repeatable");
  add_texts(app, "--knn", queries.nearest, "X,Y,K", "Find the K nearest points; repeatable");
  add_text(
      app, "--queries", queries.file, "FILE",
      "A file of queries, one a line: range X0,Y0,X1,Y1, circle X,Y,RADIUS or knn X,Y,K; blanks "
      "do for commas, # begins a comment");
}

}  // namespace

action add_quadtree(CLI::App& app) {
  auto given = std::make_shared<quadtree_command>();
  add_points(app, given->input, "--xy",
             "Columns of x and y, by name or counted from 1; else x,y or longitude,latitude where "
             "the header has them, else the first two");
  add_number(app, "--leaf-size", given->tree.leaf_size, 1U, no_point - 1,
             "Split what holds more points");
  add_number(app, "--max-depth", given->tree.max_depth, 0, finest_level, "Levels below the root");
  add_text(app, "--bounds", given->bounds, "X0,Y0,X1,Y1",
           "The root's cell; else the smallest square from the points' low corner");
  add_flag(app, "--clip", given->clip, "Leave out points outside --bounds; else they are refused");
  require(app, "--clip", "--bounds");
  add_queries(app, given->queries);
  add_engine_and_device(app, given->engine);
  add_choice<build_choice>(
      app, "--build", given->build,
      {{"auto", build_choice::automatic},
       {"sort", build_choice::sort},
       {"child-grid", build_choice::child_grid},
       {"level", build_choice::level}},
      "How the tree is built; the same tree in each way: all points sorted "
      "(sort), or on a GPU grown from the root by kernels that launch kernels, "
      "three levels at a time (child-grid) or one (level); auto sorts");
  add_runs(app, given->runs);
  add_outputs(app, *given,
              {.check = "Check the tree's certificate, and answers against Boost.Geometry's "
                        "R-tree; exit 1 on any difference",
               .out = "Write a line for each point and its leaf, or for each answer of a query",
               .plot = "Draw the tree over its points"});
  add_footer(
      app,
      "Rows are counted from 0. Cells are half-open, so a point on a border belongs to the cell\n"
      "above or to the right of it; the root's upper borders are its own. Rectangles and discs\n"
      "are closed: what lies on their border is in. Of equally near points the lower row comes\n"
      "first. What built the tree answers the queries. A GPU's times include the copy of points "
      "and\n"
      "queries to it and of answers back, not that of the tree.\n"
      "Exit status: 0 done, 1 check failed, 2 usage, 3 bad input, 4 no such GPU, memory or disk.");
  return [given] { return run(*given); };
}

}  // namespace tendril::app
