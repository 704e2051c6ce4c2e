#pragma once

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/build/partition.hpp"
#include "graph/build/row_key.hpp"
#include "tendril/graph/csr.hpp"

// Second half of building: each bucket becomes its rows. Its edges are counted, scattered by source
// into scratch memory, sorted row by row and written to their place in the finished arrays; then
// the bucket's pages go back to the system. A bucket that holds more than a thread's share of all
// edges (one vertex with all of them, say) is sorted by all threads together instead. Merging
// leaves gaps between buckets, which are closed at the end.

namespace tendril::build {

template <weight W>
class row_builder {
 public:
  row_builder(partition<W>&& parts, vertex_id num_vertices, const build_options& options)
      : parts_(std::move(parts)),
        num_vertices_(num_vertices),
        merges_(options.parallel_edges == build_options::duplicates::merge),
        kind_(options.kind),
        offsets_(std::size_t{num_vertices} + 1),
        targets_(parts_.edges.size()),
        ends_(parts_.num_buckets()) {
    if constexpr (has_weights) {
      weights_.resize(parts_.edges.size());
    }
    prefer_huge_pages(offsets_.data(), offsets_.size() * sizeof(edge_offset));
    prefer_huge_pages(targets_.data(), targets_.size() * sizeof(vertex_id));
    prefer_huge_pages(weights_.data(), weights_.size() * sizeof(W));
    offsets_[0] = 0;
  }

  [[nodiscard]] csr<W> run() {
    const edge_offset share = std::max<edge_offset>(
        min_shared_edges, parts_.edges.size() / (8 * parallel::max_threads()));
    std::vector<std::size_t> own;
    for (std::size_t bucket = 0; bucket < parts_.num_buckets(); ++bucket) {
      if (parts_.begins[bucket + 1] - parts_.begins[bucket] > share) {
        sort_bucket(bucket);
      } else {
        own.push_back(bucket);
      }
    }
    parallel::per_thread<page_vector<key>> scratch;
    parallel::for_each(own.size(), [&](std::size_t i) { scatter_bucket(own[i], scratch.local()); });
    parts_.edges = page_vector<edge<W>>();
    if (merges_) {
      close_gaps();
    }
    return finish();
  }

 private:
  static constexpr bool has_weights = !std::same_as<W, none>;
  static constexpr edge_offset min_shared_edges = edge_offset{1} << 20U;
  static constexpr std::size_t release_edges = std::size_t{1} << 16U;
  using key = row_key<W>;

  [[nodiscard]] std::size_t first_vertex(std::size_t bucket) const {
    return std::min<std::size_t>(bucket << parts_.shift, num_vertices_);
  }
  [[nodiscard]] std::span<edge<W>> edges_of(std::size_t bucket) {
    return {parts_.edges.data() + parts_.begins[bucket],
            parts_.begins[bucket + 1] - parts_.begins[bucket]};
  }

  void store(edge_offset position, const key& k) {
    targets_[position] = k.target();
    if constexpr (has_weights) {
      weights_[position] = k.weight();
    }
  }

  // One thread: offsets_[v + 1] counts v's edges, then is the cursor of its row in scratch
  // (relative to the bucket), and at last the end of its row in the finished arrays.
  void scatter_bucket(std::size_t bucket, page_vector<key>& scratch) {
    const std::span<edge<W>> edges = edges_of(bucket);
    edge_offset* const cursor = offsets_.data() + 1;
    const std::size_t first = first_vertex(bucket);
    const std::size_t last = first_vertex(bucket + 1);
    std::fill(cursor + first, cursor + last, 0);
    for (const edge<W>& e : edges) {
      ++cursor[e.source];
    }
    std::exclusive_scan(cursor + first, cursor + last, cursor + first, edge_offset{0});

    if (scratch.size() < edges.size()) {
      scratch = page_vector<key>(edges.size());
    }
    for (std::size_t begin = 0; begin < edges.size(); begin += release_edges) {
      const auto part = edges.subspan(begin, std::min(release_edges, edges.size() - begin));
      for (const edge<W>& e : part) {
        scratch[cursor[e.source]++] = key(e.target, e.weight);
      }
      release_pages(part.data(), part.size_bytes());
    }

    edge_offset row = 0;
    edge_offset position = parts_.begins[bucket];
    for (std::size_t v = first; v < last; ++v) {
      const std::span<key> keys(scratch.data() + row, cursor[v] - row);
      row = cursor[v];
      position = write_row(keys, position);
      cursor[v] = position;
    }
    ends_[bucket] = position;
  }

  // Sorts a row, merges it if asked, writes it from `position` on; returns where it ends.
  edge_offset write_row(std::span<key> keys, edge_offset position) {
    if (!std::is_sorted(keys.begin(), keys.end())) {
      std::sort(keys.begin(), keys.end());
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!merges_ || i == 0 || keys[i].target() != keys[i - 1].target()) {
        store(position++, keys[i]);
      }
    }
    return position;
  }

  // All threads on one bucket: sorted in place.
  void sort_bucket(std::size_t bucket) {
    std::span<edge<W>> edges = edges_of(bucket);
    tbb::parallel_sort(edges.begin(), edges.end(), [](const edge<W>& a, const edge<W>& b) {
      return a.source != b.source ? a.source < b.source
                                  : key(a.target, a.weight) < key(b.target, b.weight);
    });
    if (merges_) {
      const auto end =
          std::unique(edges.begin(), edges.end(), [](const edge<W>& a, const edge<W>& b) {
            return a.source == b.source && a.target == b.target;
          });
      edges = edges.first(static_cast<std::size_t>(end - edges.begin()));
    }
    const edge_offset begin = parts_.begins[bucket];
    const std::size_t first = first_vertex(bucket);
    parallel::for_each(first_vertex(bucket + 1) - first, [&](std::size_t i) {
      const std::size_t v = first + i;
      const auto end = std::partition_point(edges.begin(), edges.end(),
                                            [v](const edge<W>& e) { return e.source <= v; });
      offsets_[v + 1] = begin + static_cast<edge_offset>(end - edges.begin());
    });
    const std::size_t num_parts = (edges.size() + release_edges - 1) / release_edges;
    parallel::for_each(num_parts, [&](std::size_t i) {
      const std::size_t from = i * release_edges;
      const auto part = edges.subspan(from, std::min(release_edges, edges.size() - from));
      for (std::size_t j = 0; j < part.size(); ++j) {
        store(begin + from + j, key(part[j].target, part[j].weight));
      }
      release_pages(part.data(), part.size_bytes());
    });
    release_pages(edges_of(bucket).data(), edges_of(bucket).size_bytes());
    ends_[bucket] = begin + edges.size();
  }

  // Moves each bucket's rows down to the end of the ones before. In order: a bucket's new place may
  // reach into the old place of those before it.
  void close_gaps() {
    edge_offset end = 0;
    std::vector<edge_offset> moved_by(parts_.num_buckets());
    for (std::size_t bucket = 0; bucket < parts_.num_buckets(); ++bucket) {
      const edge_offset begin = parts_.begins[bucket];
      const edge_offset count = ends_[bucket] - begin;
      moved_by[bucket] = begin - end;
      if (moved_by[bucket] > 0 && count > 0) {
        std::memmove(targets_.data() + end, targets_.data() + begin, count * sizeof(vertex_id));
        if constexpr (has_weights) {
          std::memmove(weights_.data() + end, weights_.data() + begin, count * sizeof(W));
        }
      }
      end += count;
    }
    parallel::for_each(parts_.num_buckets(), [&](std::size_t bucket) {
      for (std::size_t v = first_vertex(bucket); v < first_vertex(bucket + 1); ++v) {
        offsets_[v + 1] -= moved_by[bucket];
      }
    });
    release_pages(targets_.data() + end, (targets_.size() - end) * sizeof(vertex_id));
    if constexpr (has_weights) {
      release_pages(weights_.data() + end, (weights_.size() - end) * sizeof(W));
    }
  }

  csr<W> finish() {
    const std::size_t num_edges = offsets_[num_vertices_];
    shared_array<W> weights;
    if constexpr (has_weights) {
      weights = share(std::move(weights_), num_edges);
    }
    return {share(std::move(offsets_), std::size_t{num_vertices_} + 1),
            share(std::move(targets_), num_edges), std::move(weights), kind_};
  }

  partition<W> parts_;
  vertex_id num_vertices_;
  bool merges_;
  orientation kind_;
  page_vector<edge_offset> offsets_;
  page_vector<vertex_id> targets_;
  page_vector<W> weights_;
  std::vector<edge_offset>
      ends_;  // [num_buckets], where the rows of each end in the finished arrays
};

}  // namespace tendril::build
