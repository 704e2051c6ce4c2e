#include "support/tree_queries.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include "support/input.hpp"
#include "support/point_input.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/tree.hpp"

namespace tendril::app {

namespace {

tree_query range_query(const std::string& where, const std::string& numbers) {
  const auto n = numbers_in(where, "X0,Y0,X1,Y1", numbers, 4);
  return {.kind = tree_query::kinds::range,
          .text = "range " + numbers,
          .sides = {{n[0], n[1]}, {n[2], n[3]}}};
}

tree_query circle_query(const std::string& where, const std::string& numbers) {
  const auto n = numbers_in(where, "X,Y,RADIUS", numbers, 3);
  return {.kind = tree_query::kinds::circle,
          .text = "circle " + numbers,
          .centre = {n[0], n[1]},
          .radius = n[2]};
}

tree_query nearest_query(const std::string& where, const std::string& numbers) {
  const auto n = numbers_in(where, "X,Y,K", numbers, 3);
  if (n[2] < 0 || n[2] != std::floor(n[2]) || n[2] > 0x1p53) {
    throw usage_error(where + ": expected K to be a whole number of 0 or more, found " +
                      number(n[2]));
  }
  return {.kind = tree_query::kinds::nearest,
          .text = "knn " + numbers,
          .centre = {n[0], n[1]},
          .count = static_cast<std::int64_t>(n[2])};
}

/// A line of a query file: a word, then numbers between blanks or commas.
tree_query query_of(const std::string& where, const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  std::string numbers;
  for (std::string word; words >> word;) {
    numbers += (numbers.empty() || numbers.back() == ',' || word[0] == ',' ? "" : ",") + word;
  }
  if (kind == "range") {
    return range_query(where + kind, numbers);
  }
  if (kind == "circle") {
    return circle_query(where + kind, numbers);
  }
  if (kind == "knn") {
    return nearest_query(where + kind, numbers);
  }
  throw usage_error(where + "expected range, circle or knn, found " + kind);
}

void append_file(const std::string& path, std::vector<tree_query>& queries) {
  for_each_line(path, [&](const std::string& where, const std::string& line) {
    if (line.starts_with('#')) {
      return;
    }
    try {
      queries.push_back(query_of(where, line));
    } catch (const usage_error& error) {
      throw input_error(error.what());  // on the command line it is usage, in a file it is input
    }
  });
}

template <class Shape, class Engine, class Tree, class ToShape>
void answer_shapes(Engine& engine, const Tree& tree, const std::vector<tree_query>& queries,
                   tree_query::kinds kind, const ToShape& to_shape,
                   std::vector<query_answer>& answers) {
  std::vector<Shape> shapes;
  std::vector<std::size_t> which;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (queries[q].kind == kind) {
      shapes.push_back(to_shape(queries[q]));
      which.push_back(q);
    }
  }
  const auto placed = copy_to(engine, std::span<const Shape>(shapes));
  const auto found = report_in(engine, tree, std::span<const Shape>(placed.data(), placed.size()));
  const auto offsets = on_host(found.offsets);
  const auto rows = on_host(found.rows);
  for (std::size_t i = 0; i < which.size(); ++i) {
    for (std::uint64_t at = offsets[i]; at < offsets[i + 1]; ++at) {
      answers[which[i]].push_back({0, rows[at]});
    }
  }
}

template <class Engine, class Tree>
void answer_nearest(Engine& engine, const Tree& tree, const std::vector<tree_query>& queries,
                    std::vector<query_answer>& answers) {
  std::map<std::int64_t, std::vector<std::size_t>> by_count;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (queries[q].kind == tree_query::kinds::nearest) {
      by_count[queries[q].count].push_back(q);
    }
  }
  for (const auto& [count, which] : by_count) {
    std::vector<point<double>> positions;
    for (const std::size_t q : which) {
      positions.push_back(queries[q].centre);
    }
    const auto placed = copy_to(engine, std::span<const point<double>>(positions));
    const auto lists = find_nearest(
        engine, tree, std::span<const point<double>>(placed.data(), placed.size()), count);
    const auto offsets = on_host(lists.offsets);
    const auto found = on_host(lists.found);
    for (std::size_t i = 0; i < which.size(); ++i) {
      answers[which[i]].assign(found.data() + offsets[i], found.data() + offsets[i + 1]);
    }
  }
}

template <class Engine, class Tree>
std::vector<query_answer> answers_of(Engine& engine, const Tree& tree,
                                     const std::vector<tree_query>& queries) {
  std::vector<query_answer> answers(queries.size());
  answer_shapes<rectangle<double>>(
      engine, tree, queries, tree_query::kinds::range,
      [](const tree_query& q) { return rectangle<double>{q.sides}; }, answers);
  answer_shapes<circle<double>>(
      engine, tree, queries, tree_query::kinds::circle,
      [](const tree_query& q) {
        return circle<double>{q.centre, q.radius};
      },
      answers);
  answer_nearest(engine, tree, queries, answers);
  return answers;
}

}  // namespace

std::vector<tree_query> collect_queries(const query_options& options) {
  std::vector<tree_query> queries;
  for (const std::string& text : options.ranges) {
    queries.push_back(range_query("--range", text));
  }
  for (const std::string& text : options.circles) {
    queries.push_back(circle_query("--circle", text));
  }
  for (const std::string& text : options.nearest) {
    queries.push_back(nearest_query("--knn", text));
  }
  if (!options.file.empty()) {
    append_file(options.file, queries);
  }
  return queries;
}

std::vector<query_answer> answer(host_engine& engine, const quadtree<double>& tree,
                                 const std::vector<tree_query>& queries) {
  return answers_of(engine, tree, queries);
}

#if defined(TENDRIL_HAS_CUDA)
std::vector<query_answer> answer(cuda_engine& engine, const cuda_quadtree<double>& tree,
                                 const std::vector<tree_query>& queries) {
  return answers_of(engine, tree, queries);
}
#endif

}  // namespace tendril::app
