#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tendril/tree/generate_points.hpp"
#include "tendril/tree/points.hpp"

// The named awkward point sets that every tree test runs over.

namespace tendril::testing {

template <coordinate Real>
struct named_points {
  std::string name;
  points<Real> set;
};

template <coordinate Real>
points<Real> lattice(int side) {
  std::vector<point<Real>> all;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      all.push_back({static_cast<Real>(x), static_cast<Real>(y)});
    }
  }
  return points<Real>(std::move(all));
}

/// Pairs of points ever closer to (1/3, 1/3): a chain of cells down to the finest.
template <coordinate Real>
points<Real> nested_clusters(int num_levels) {
  std::vector<point<Real>> all;
  double size = 1;
  for (int level = 0; level < num_levels; ++level) {
    for (int i = 0; i < 5; ++i) {
      all.push_back({static_cast<Real>(1.0 / 3 + size * (i - 2) / 5),
                     static_cast<Real>(1.0 / 3 + size * ((i * 2) % 5 - 2) / 5)});
    }
    size /= 8;
  }
  return points<Real>(std::move(all));
}

template <coordinate Real>
std::vector<named_points<Real>> point_battery() {
  using list = std::vector<point<Real>>;
  const auto make = [](list&& positions) { return points<Real>(std::move(positions)); };
  const auto ramp = [&](Real dx, Real dy) {
    list all;
    for (int i = 0; i < 300; ++i) {
      all.push_back({static_cast<Real>((i * 7) % 300) * dx, static_cast<Real>((i * 7) % 300) * dy});
    }
    return make(std::move(all));
  };
  const Real large = static_cast<Real>(sizeof(Real) == 8 ? 1e300 : 1e38);
  const Real small = static_cast<Real>(sizeof(Real) == 8 ? 1e-300 : 1e-38);
  const Real tiny = std::numeric_limits<Real>::denorm_min();
  const Real beside_one = std::nextafter(Real{1}, Real{2});
  return {
      {"none", {}},
      {"one", make({{3, 4}})},
      {"two", make({{3, 4}, {-1, 2}})},
      {"identical", make(list(100, {static_cast<Real>(0.1), static_cast<Real>(0.7)}))},
      {"two places", make([] {
         list all(70, {1, 1});
         all.insert(all.end(), 50, {2, 1});
         all.insert(all.end(), 30, {1, 1});
         return all;
       }())},
      {"horizontal line", ramp(1, 0)},
      {"vertical line", ramp(0, 1)},
      {"diagonal line", ramp(1, 1)},
      {"lattice 5", lattice<Real>(5)},
      {"lattice 17", lattice<Real>(17)},
      {"nested clusters", nested_clusters<Real>(12)},
      {"large and small", make({{large, large},
                                {small, small},
                                {-large, small},
                                {0, 0},
                                {small, -large},
                                {2 * small, small},
                                {large, small}})},
      {"largest", make({{std::numeric_limits<Real>::max(), 0},
                        {-std::numeric_limits<Real>::max(), 1},
                        {0, std::numeric_limits<Real>::max()},
                        {0, -std::numeric_limits<Real>::max()},
                        {1, 1},
                        {-1, 1}})},
      {"smallest", make({{tiny, 0}, {0, tiny}, {0, 0}, {tiny, tiny}, {-tiny, 0}, {0, -tiny}})},
      {"cells narrower than doubles",
       make({{1, 1}, {beside_one, 1}, {1, beside_one}, {beside_one, beside_one}, {1, 1}})},
      {"signed zeros", make({{Real{0}, -Real{0}}, {-Real{0}, Real{0}}, {Real{0}, Real{0}}})},
      {"uniform", generate_uniform<Real>(3000, 7)},
      {"clusters", generate_clusters<Real>(3000, 5, 3)},
      {"plummer", generate_plummer<Real>(2000, 2)},
  };
}

}  // namespace tendril::testing
