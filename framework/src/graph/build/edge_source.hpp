#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/edge_list.hpp"

// Where the edges of a graph under construction come from.

namespace tendril::build {

/// Small enough that a piece stays in the second-level cache between being counted and scattered.
inline constexpr std::size_t piece_edges = std::size_t{1} << 15U;

/// Edges in pieces of at most piece_edges, handed out in parallel.
template <weight W>
class edge_source {
 public:
  /// Called with a piece and the number of its first edge.
  using visitor = parallel::function_ref<void(std::span<const edge<W>>, edge_offset)>;

  edge_source() = default;
  edge_source(const edge_source&) = delete;
  edge_source& operator=(const edge_source&) = delete;
  virtual ~edge_source() = default;

  [[nodiscard]] virtual edge_offset size() const noexcept = 0;
  /// The edge of that number. @cost a binary search
  [[nodiscard]] virtual edge<W> operator[](edge_offset number) const = 0;
  virtual void scan(visitor visit) const = 0;
  /// The last scan; may free what it has passed.
  virtual void consume(visitor visit) = 0;
};

/// The edges of an edge list.
template <weight W>
class list_source final : public edge_source<W> {
 public:
  using typename edge_source<W>::visitor;

  explicit list_source(edge_list<W>&& edges) : chunks_(std::move(edges.chunks())) {
    first_edges_.reserve(chunks_.size());
    for (const auto& chunk : chunks_) {
      first_edges_.push_back(size_);
      size_ += chunk.size();
    }
  }

  [[nodiscard]] edge_offset size() const noexcept override { return size_; }

  [[nodiscard]] edge<W> operator[](edge_offset number) const override {
    const auto after = std::upper_bound(first_edges_.begin(), first_edges_.end(), number);
    const auto chunk = static_cast<std::size_t>(after - first_edges_.begin()) - 1;
    return chunks_[chunk][number - first_edges_[chunk]];
  }

  void scan(visitor visit) const override {
    parallel::for_each(chunks_.size(), [&](std::size_t chunk) { scan_chunk(chunk, visit); });
  }

  void consume(visitor visit) override {
    parallel::for_each(chunks_.size(), [&](std::size_t chunk) {
      scan_chunk(chunk, visit);
      chunks_[chunk] = typename edge_list<W>::chunk();  // assigning {} would keep the memory
    });
  }

 private:
  void scan_chunk(std::size_t chunk, visitor visit) const {
    const std::span<const edge<W>> edges(chunks_[chunk]);
    const std::size_t num_pieces = (edges.size() + piece_edges - 1) / piece_edges;
    parallel::for_each(num_pieces, [&](std::size_t piece) {
      const std::size_t begin = piece * piece_edges;
      visit(edges.subspan(begin, std::min(piece_edges, edges.size() - begin)),
            first_edges_[chunk] + begin);
    });
  }

  std::vector<typename edge_list<W>::chunk> chunks_;
  std::vector<edge_offset> first_edges_;
  edge_offset size_ = 0;
};

/// The edges of a graph, as they are or turned round.
template <weight W>
class csr_source final : public edge_source<W> {
 public:
  using typename edge_source<W>::visitor;
  enum class direction : std::uint8_t { kept, reversed };

  csr_source(const csr<W>& graph, direction way) : graph_(graph), way_(way) {}

  [[nodiscard]] edge_offset size() const noexcept override { return graph_.num_edges(); }

  [[nodiscard]] edge<W> operator[](edge_offset number) const override {
    const csr_view<W> view = graph_.view();
    return turned({source_of(number), view.target(number), view.weight(number)});
  }

  void scan(visitor visit) const override {
    const csr_view<W> view = graph_.view();
    const edge_offset num_pieces = (view.num_edges() + piece_edges - 1) / piece_edges;
    parallel::per_thread<std::vector<edge<W>>> buffers;
    parallel::for_each(num_pieces, [&](edge_offset piece) {
      std::vector<edge<W>>& buffer = buffers.local();
      buffer.clear();
      const edge_offset begin = piece * piece_edges;
      const edge_offset end = std::min<edge_offset>(begin + piece_edges, view.num_edges());
      vertex_id source = source_of(begin);
      for (edge_offset position = begin; position < end; ++position) {
        while (view.last_edge(source) <= position) {
          ++source;
        }
        buffer.push_back(turned({source, view.target(position), view.weight(position)}));
      }
      visit(std::span<const edge<W>>(buffer), begin);
    });
  }

  void consume(visitor visit) override { scan(visit); }

 private:
  [[nodiscard]] edge<W> turned(const edge<W>& e) const {
    return way_ == direction::kept ? e : edge<W>{e.target, e.source, e.weight};
  }
  [[nodiscard]] vertex_id source_of(edge_offset position) const {
    const auto& offsets = graph_.offsets();
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), position);
    return static_cast<vertex_id>(after - offsets.begin() - 1);
  }

  const csr<W>& graph_;
  direction way_;
};

}  // namespace tendril::build
