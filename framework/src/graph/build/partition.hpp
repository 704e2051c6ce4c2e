#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/build/edge_source.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"

// First half of building: edges grouped into buckets by ranges of sources, so that the second half
// (rows.hpp) works on one cache-sized bucket at a time. Two passes over the edges: one checks the
// ids and counts each bucket, one scatters. The order inside a bucket depends on the threads; the
// rows, which are sorted, do not.

namespace tendril::build {

/// The edges that will be stored, 0-based, grouped into buckets.
template <weight W>
struct partition {
  page_vector<edge<W>> edges;       ///< [begins.back()]
  std::vector<edge_offset> begins;  ///< [num_buckets + 1], positions in edges, non-decreasing
  unsigned shift = 0;  ///< bucket b has the sources b << shift .. ((b + 1) << shift) - 1

  [[nodiscard]] std::size_t num_buckets() const noexcept { return begins.size() - 1; }
};

struct partition_tuning {
  /// As many places as can be written at once without missing the second-level TLB.
  static constexpr std::uint64_t max_buckets = 1024;
  /// Edges, or vertices, that make a bucket worth its own task.
  static constexpr std::uint64_t bucket_size = std::uint64_t{1} << 15U;
};

/// Vertex ranges of 2^shift give at most max_buckets buckets, fewer for small graphs.
inline unsigned bucket_shift(std::uint64_t num_vertices, edge_offset num_edges) {
  const std::uint64_t wanted = std::clamp<std::uint64_t>(
      std::max<std::uint64_t>(num_vertices, num_edges) / partition_tuning::bucket_size, 1,
      partition_tuning::max_buckets);
  const std::uint64_t range = (num_vertices + wanted - 1) / wanted;
  return range <= 1 ? 0 : static_cast<unsigned>(std::bit_width(range - 1));
}

/// Partitions the edges of a source under the builder's options.
template <weight W>
class partitioner {
 public:
  partitioner(vertex_id num_vertices, edge_offset num_edges, const build_options& options)
      : num_vertices_(num_vertices),
        base_(options.index_base),
        mirrors_(options.kind == orientation::undirected),
        drops_loops_(options.loops == build_options::self_loops::drop),
        shift_(bucket_shift(num_vertices, num_edges)),
        num_buckets_((num_vertices >> shift_) + std::size_t{1}) {}

  [[nodiscard]] partition<W> run(edge_source<W>& source) const {
    partition<W> result;
    result.shift = shift_;
    result.begins = bucket_begins(source);
    const edge_offset size = result.begins.back();
    // The edges leave their source as they arrive here: only what is beyond them must be found.
    require_memory((size - std::min(size, source.size())) * sizeof(edge<W>) +
                       (std::uint64_t{num_vertices_} + 1) * sizeof(edge_offset),
                   "building the graph");
    result.edges.resize(size);
    prefer_small_pages(result.edges.data(), size * sizeof(edge<W>));
    scatter(source, result);
    return result;
  }

 private:
  using counts = std::vector<edge_offset>;

  // Calls emit(edge) for each edge to store that comes of the one given.
  template <class Emit>
  void expand(edge<W> e, const Emit& emit) const {
    e.source -= base_;
    e.target -= base_;
    if (e.source == e.target) {
      if (!drops_loops_) {
        emit(e);
      }
      return;
    }
    emit(e);
    if (mirrors_) {
      emit(edge<W>{e.target, e.source, e.weight});
    }
  }

  [[nodiscard]] bool in_range(const edge<W>& e) const {
    // Ids below the base wrap round to the far end.
    return e.source - base_ < num_vertices_ && e.target - base_ < num_vertices_;
  }

  // Phase 1: checks ids, counts buckets.
  [[nodiscard]] counts bucket_begins(const edge_source<W>& source) const {
    parallel::per_thread<counts> local_counts(counts(num_buckets_ + 1));
    std::atomic<edge_offset> first_bad{source.size()};
    source.scan([&](std::span<const edge<W>> piece, edge_offset number) {
      counts& count = local_counts.local();
      for (const edge<W>& e : piece) {
        if (!in_range(e)) {
          edge_offset known = first_bad.load();
          while (number < known && !first_bad.compare_exchange_weak(known, number)) {
          }
          return;
        }
        expand(e,
               [&](const edge<W>& stored) { ++count[(stored.source >> shift_) + std::size_t{1}]; });
        ++number;
      }
    });
    if (first_bad < source.size()) {
      refuse(first_bad, source[first_bad]);
    }
    counts begins(num_buckets_ + 1);
    local_counts.for_all([&](const counts& count) {
      std::transform(begins.begin(), begins.end(), count.begin(), begins.begin(), std::plus<>());
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
  }

  // Phase 2: each piece reserves a run in every bucket, then copies its edges there.
  void scatter(edge_source<W>& source, partition<W>& result) const {
    std::vector<std::atomic<edge_offset>> ends(num_buckets_);
    for (std::size_t bucket = 0; bucket < num_buckets_; ++bucket) {
      ends[bucket].store(result.begins[bucket], std::memory_order_relaxed);
    }
    parallel::per_thread<counts> local_cursors(counts{});
    edge<W>* const out = result.edges.data();
    source.consume([&](std::span<const edge<W>> piece, edge_offset /*number*/) {
      counts& cursor = local_cursors.local();
      cursor.assign(num_buckets_, 0);
      for (const edge<W>& e : piece) {
        expand(e, [&](const edge<W>& stored) { ++cursor[stored.source >> shift_]; });
      }
      for (std::size_t bucket = 0; bucket < num_buckets_; ++bucket) {
        if (cursor[bucket] > 0) {
          cursor[bucket] = ends[bucket].fetch_add(cursor[bucket], std::memory_order_relaxed);
        }
      }
      for (const edge<W>& e : piece) {
        expand(e, [&](const edge<W>& stored) { out[cursor[stored.source >> shift_]++] = stored; });
      }
    });
  }

  [[noreturn]] void refuse(edge_offset number, const edge<W>& e) const {
    const bool source_is_bad = e.source - base_ >= num_vertices_;
    const std::string valid = num_vertices_ == 0
                                  ? "no vertex at all"
                                  : "ids in " + std::to_string(base_) + " .. " +
                                        std::to_string(std::uint64_t{base_} + num_vertices_ - 1);
    throw input_error("edge " + std::to_string(number + 1) + ", " + std::to_string(e.source) +
                      " -> " + std::to_string(e.target) + ": expected " + valid + ", found " +
                      std::to_string(source_is_bad ? e.source : e.target));
  }

  vertex_id num_vertices_;
  vertex_id base_;
  bool mirrors_;
  bool drops_loops_;
  unsigned shift_;
  std::size_t num_buckets_;
};

}  // namespace tendril::build
