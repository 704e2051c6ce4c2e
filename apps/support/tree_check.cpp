#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "support/text.hpp"
#include "support/tree_queries.hpp"
#include "tendril/oracle/rtree.hpp"

namespace tendril::app {

namespace {

std::vector<point_id> rows_of(const query_answer& answer) {
  std::vector<point_id> rows;
  for (const neighbour& n : answer) {
    rows.push_back(n.row);
  }
  return rows;
}

/// Boost's distances are rounded differently.
bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-14 * std::max(a, b);
}

/// True where the squares that Boost compares neither overflow nor vanish.
bool has_a_square(double distance) {
  return distance == 0 || (distance >= 1e-150 && distance <= 1e150);
}

/// Distances to the nearest points, ascending: Boost's; each point's where its squares do not do.
std::vector<double> nearest_distances(const oracle::rtree& tree,
                                      const std::map<point_id, point<double>>& places,
                                      const tree_query& query, const query_answer& answer) {
  const auto count = std::min(query.count, static_cast<std::int64_t>(places.size()));
  if (std::all_of(answer.begin(), answer.end(),
                  [](const neighbour& n) { return has_a_square(n.distance); })) {
    return tree.nearest_distances(query.centre, static_cast<unsigned>(count));
  }
  std::vector<double> distances;
  distances.reserve(places.size());
  for (const auto& [row, place] : places) {
    distances.push_back(std::hypot(place.x - query.centre.x, place.y - query.centre.y));
  }
  std::sort(distances.begin(), distances.end());
  distances.resize(static_cast<std::size_t>(count));
  return distances;
}

/// @param places  the tree's points, by row
bool is_right(const oracle::rtree& tree, const std::map<point_id, point<double>>& places,
              const tree_query& query, const query_answer& answer) {
  switch (query.kind) {
    case tree_query::kinds::range:
      return rows_of(answer) == tree.rows_in(query.sides);
    case tree_query::kinds::circle: {
      const std::vector<point_id> found = rows_of(answer);
      std::vector<point_id> expected;
      const point<double> c = query.centre;
      const double reach = query.radius + 1e-14 * (query.radius + std::abs(c.x) + std::abs(c.y));
      for (const point_id row :
           tree.rows_in(box<double>{{c.x - reach, c.y - reach}, {c.x + reach, c.y + reach}})) {
        const point<double> p = places.at(row);
        const double distance = std::hypot(p.x - c.x, p.y - c.y);
        // On the border either is right.
        if (nearly_equal(distance, query.radius)
                ? std::find(found.begin(), found.end(), row) != found.end()
                : distance < query.radius) {
          expected.push_back(row);
        }
      }
      return found == expected;
    }
    case tree_query::kinds::nearest:
      break;
  }
  const auto expected = nearest_distances(tree, places, query, answer);
  return std::equal(answer.begin(), answer.end(), expected.begin(), expected.end(),
                    [](const neighbour& n, double d) { return nearly_equal(n.distance, d); });
}

}  // namespace

std::optional<std::string> first_wrong_answer(const quadtree<double>& built,
                                              const std::vector<tree_query>& queries,
                                              const std::vector<query_answer>& answers) {
  const std::span<const point<double>> positions(built.positions().data(), built.num_points());
  const std::span<const point_id> rows(built.rows().data(), built.num_points());
  const oracle::rtree tree(positions, rows);
  std::map<point_id, point<double>> places;
  for (point_id i = 0; i < built.num_points(); ++i) {
    places.emplace(rows[i], positions[i]);
  }
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (!is_right(tree, places, queries[q], answers[q])) {
      return queries[q].text + ": the " + counted(answers[q].size(), "point", "points") +
             " found are not Boost.Geometry's";
    }
  }
  return std::nullopt;
}

}  // namespace tendril::app
