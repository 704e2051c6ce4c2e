#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "tendril/core/types.hpp"
#include "tendril/traverse/call.hpp"
#include "tendril/traverse/options.hpp"

// The loop over levels, the same for both kinds of visitor, and how a level is cut into chunks.

namespace tendril::detail {

/// How the host engine cuts a level. Work is counted in edges looked at plus vertices expanded.
struct host_tuning {
  /// Levels below this are done by the caller alone, without atomics: waking the others costs more.
  static constexpr std::size_t alone_work = 1024;
  static constexpr std::size_t chunk_work = 512;         ///< at least, per chunk of a push
  static constexpr std::size_t chunks_per_thread = 64;   ///< at most, of a push
  static constexpr std::size_t pull_chunk_words = 64;    ///< bitmap words per chunk of a pull
  static constexpr edge_offset heavy_degree = 1U << 15;  ///< such a vertex is cut by its edges
  static constexpr edge_offset heavy_chunk_edges = 1U << 12;
  static constexpr std::size_t prefetch_distance = 4;  ///< vertices ahead in the queue
  /// A push over more than num_vertices / wide_share edges finds so many vertices that they are
  /// told to the visitor in the order of their ids, afterwards.
  static constexpr std::size_t wide_share = 8;
};

/// Fetches a cache line that is needed soon. Inlined always: GCC 12 takes a function that does
/// nothing but fetch for one without effect, and drops the calls.
template <class T>
[[gnu::always_inline]] inline void fetch(const T& there) noexcept {
  __builtin_prefetch(&there);
}

/// Part number `part` of `size` things in `num_parts` parts that differ by one at most.
struct part_range {
  part_range(std::size_t size, std::uint32_t num_parts, std::uint32_t part)
      : begin(size * part / num_parts), end(size * (part + std::size_t{1}) / num_parts) {}
  std::size_t begin;
  std::size_t end;
};

/// Runs levels until the frontier is empty, the depth limit is met or the visitor stops.
/// @param stepper  frontier() and frontier_edges() say what is to be expanded; step(level) expands
///                 it and returns which way it went
template <class Stepper, class Visitor>
void run_levels(Stepper& stepper, const Visitor& visitor, const traverse_options& options,
                traverse_report& report) {
  using clock = std::chrono::steady_clock;
  auto started = clock::now();
  for (std::int32_t level = 0; stepper.frontier() != 0; ++level) {
    if (level == options.depth_limit) {
      report.end = ending::depth_limit;
      return;
    }
    level_report done{.level = level,
                      .frontier = static_cast<vertex_id>(stepper.frontier()),
                      .frontier_edges = stepper.frontier_edges()};
    level_begins(visitor, level);
    done.way = stepper.step(level);
    level_ends(visitor, level);
    const auto ended = clock::now();
    done.ms = std::chrono::duration<double, std::milli>(ended - started).count();
    started = ended;
    report.levels.push_back(done);
    if (options.each_level) {
      options.each_level(done);
      started = clock::now();
    }
    if (stops(visitor, level)) {
      report.end = ending::stopped_by_visitor;
      return;
    }
  }
}

}  // namespace tendril::detail
