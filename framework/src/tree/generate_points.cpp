#include "tendril/tree/generate_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/generate/generator_fields.hpp"
#include "graph/generate/hash.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

namespace {

using generate_detail::default_seed;
using generate_detail::generator_form;
using generate_detail::random_stream;
using fields = generate_detail::generator_fields;

// Positions in the unit square are whole numbers of these.
constexpr int fraction_bits = 24;
constexpr std::int64_t last_step = (std::int64_t{1} << fraction_bits) - 1;

template <coordinate Real>
Real in_unit_square(std::int64_t steps) {
  return static_cast<Real>(std::clamp<std::int64_t>(steps, 0, last_step)) *
         static_cast<Real>(0x1p-24);
}

/// Calls make(i) for every point, in parallel.
template <coordinate Real, class Make>
points<Real> generate_each(std::uint64_t num_points, const Make& make) {
  static_cast<void>(checked_point_count(num_points));
  require_memory(num_points * sizeof(point<Real>), "generated points");
  page_vector<point<Real>> positions(num_points);
  parallel::for_each(num_points, [&](std::size_t i) { positions[i] = make(i); });
  const std::size_t size = positions.size();
  return points<Real>(share(std::move(positions), size));
}

/// The whole part of the cube root.
std::uint64_t cube_root(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t step = std::uint64_t{1} << 20U; step != 0; step /= 2) {
    const std::uint64_t next = root + step;
    root = next * next * next <= x ? next : root;
  }
  return root;
}

// Four 16-bit draws, about normal: mean 131070, standard deviation 37837.
std::int64_t bell(std::uint64_t random) {
  return static_cast<std::int64_t>((random & 0xFFFFU) + ((random >> 16U) & 0xFFFFU) +
                                   ((random >> 32U) & 0xFFFFU) + (random >> 48U));
}

// -1 <= value < 1, from the upper half of a draw.
double symmetric(std::uint64_t random) {
  return static_cast<double>(static_cast<std::int64_t>(random >> 32U) - (std::int64_t{1} << 31U)) *
         0x1p-31;
}

constexpr std::uint64_t most_tries = 64;

/// The unit direction of point i: two of the three components of a uniform unit vector.
/// @source Marsaglia 1972
point<double> unit_direction(const random_stream& random, std::uint64_t i) {
  for (std::uint64_t t = 0; t < most_tries; ++t) {
    const double a = symmetric(random[2 * (most_tries * i + t)]);
    const double b = symmetric(random[2 * (most_tries * i + t) + 1]);
    const double square = std::fma(a, a, b * b);
    if (square < 1) {
      const double factor = 2 * std::sqrt(1 - square);
      return {a * factor, b * factor};
    }
  }
  return {1, 0};  // once in 10^42 points
}

}  // namespace

template <coordinate Real>
points<Real> generate_uniform(std::uint64_t num_points, std::uint64_t seed) {
  const random_stream random(seed);
  return generate_each<Real>(num_points, [&](std::uint64_t i) {
    const auto x = static_cast<std::int64_t>(random[2 * i] >> (64U - fraction_bits));
    const auto y = static_cast<std::int64_t>(random[2 * i + 1] >> (64U - fraction_bits));
    return point<Real>{in_unit_square<Real>(x), in_unit_square<Real>(y)};
  });
}

template <coordinate Real>
points<Real> generate_clusters(std::uint64_t num_points, std::uint64_t num_clusters,
                               std::uint64_t seed) {
  if (num_points > 0 && num_clusters == 0) {
    throw usage_error("clusters: expected at least 1 cluster, found 0");
  }
  const random_stream centres(seed);
  const random_stream members(generate_detail::mix(seed));
  return generate_each<Real>(num_points, [&](std::uint64_t i) {
    const std::uint64_t cluster = members[3 * i] % num_clusters;
    const auto coordinate_of = [&](std::uint64_t axis) {
      const auto centre =
          static_cast<std::int64_t>(centres[2 * cluster + axis] >> (64U - fraction_bits));
      const std::int64_t offset = (bell(members[3 * i + 1 + axis]) - 131070) / 4;
      return in_unit_square<Real>(centre + offset);
    };
    return point<Real>{coordinate_of(0), coordinate_of(1)};
  });
}

template <coordinate Real>
points<Real> generate_plummer(std::uint64_t num_points, std::uint64_t seed) {
  const random_stream masses(seed);
  const random_stream directions(generate_detail::mix(seed));
  constexpr double largest_radius = 64;
  return generate_each<Real>(num_points, [&](std::uint64_t i) {
    // The mass within r is r^3 / (1 + r^2)^1.5, so with c its cube root r = c / sqrt(1 - c^2).
    const double c = static_cast<double>(cube_root(masses[i] >> 1U)) * 0x1p-21;
    const double r = std::min(c / std::sqrt(std::fma(-c, c, 1.0)), largest_radius);
    const point<double> d = unit_direction(directions, i);
    // Whole numbers of 2^-17 up to 64 fit the 24 bits of float.
    const auto rounded = [](double x) {
      return static_cast<Real>(std::round(x * 0x1p17) * 0x1p-17);
    };
    return point<Real>{rounded(r * d.x), rounded(r * d.y)};
  });
}

namespace {

constexpr std::array point_forms{
    generator_form{"uniform", "uniform:N[:SEED]"},
    generator_form{"clusters", "clusters:N:K[:SEED]"},
    generator_form{"plummer", "plummer:N[:SEED]"},
};

/// Which field is the seed.
std::size_t seed_field(const fields& f) {
  return f.name() == "clusters" ? 2 : 1;
}

fields point_fields(std::string_view text) {
  fields f(point_forms, text);
  const std::size_t most = seed_field(f) + 1;
  f.expect_size(most - 1, most);
  return f;
}

}  // namespace

bool names_point_generator(std::string_view text) noexcept {
  return generate_detail::form_of(point_forms, text) != nullptr;
}

std::uint64_t point_generator_seed(std::string_view text) {
  const fields f = point_fields(text);
  return f.number_or<std::uint64_t>(seed_field(f), default_seed);
}

template <coordinate Real>
points<Real> generate_points(std::string_view text) {
  const fields f = point_fields(text);
  const auto num_points = f.number<std::uint64_t>(0);
  const auto seed = f.number_or<std::uint64_t>(seed_field(f), default_seed);
  if (f.name() == "uniform") {
    return generate_uniform<Real>(num_points, seed);
  }
  if (f.name() == "clusters") {
    return generate_clusters<Real>(num_points, f.number<std::uint64_t>(1), seed);
  }
  return generate_plummer<Real>(num_points, seed);
}

#define TENDRIL_INSTANTIATE(Real)                                                       \
  template points<Real> generate_uniform(std::uint64_t, std::uint64_t);                 \
  template points<Real> generate_clusters(std::uint64_t, std::uint64_t, std::uint64_t); \
  template points<Real> generate_plummer(std::uint64_t, std::uint64_t);                 \
  template points<Real> generate_points(std::string_view);
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
