#pragma once

#include <cstdint>
#include <string_view>

#include "tendril/tree/points.hpp"

// Seeded points, made in parallel: the same points for a seed on any number of threads and on any
// machine. float holds every coordinate exactly, so both types give the same points.

namespace tendril {

/// Independent and uniform in the unit square.
template <coordinate Real = double>
[[nodiscard]] points<Real> generate_uniform(std::uint64_t num_points, std::uint64_t seed = 1);

/// Round clusters of equal weight, their centres uniform in the unit square, the standard deviation
/// on each axis about 1 / 1800. What would fall outside the square is put on its border.
/// @throws usage_error for points without a cluster
template <coordinate Real = double>
[[nodiscard]] points<Real> generate_clusters(std::uint64_t num_points, std::uint64_t num_clusters,
                                             std::uint64_t seed = 1);

/// A Plummer sphere of scale radius 1 seen from above: a dense core and a wide halo around (0, 0),
/// cut at radius 64.
/// @source Aarseth, Henon, Wielen 1974
template <coordinate Real = double>
[[nodiscard]] points<Real> generate_plummer(std::uint64_t num_points, std::uint64_t seed = 1);

/// True if the text names a generator of points: `uniform:`, `clusters:` or `plummer:`.
[[nodiscard]] bool names_point_generator(std::string_view text) noexcept;

/// Makes the points that the text names: uniform:N[:SEED], clusters:N:K[:SEED], plummer:N[:SEED].
/// @throws usage_error with the form that was expected
template <coordinate Real = double>
[[nodiscard]] points<Real> generate_points(std::string_view text);

/// The seed that generate_points uses for the text.
[[nodiscard]] std::uint64_t point_generator_seed(std::string_view text);

}  // namespace tendril
