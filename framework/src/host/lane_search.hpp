#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/lane_mask.hpp"
#include "tendril/host/bitmap.hpp"
#include "tendril/host/buffer.hpp"
#include "tendril/host/frontier.hpp"
#include "tendril/host/reach.hpp"

// Breadth-first search from up to 64 x Words sources at once. A mask per vertex says which searches
// have seen it. A vertex whose mask grew is in the next frontier, once, whatever number of searches
// came there. Levels push or pull whole masks: what a neighbour has seen in earlier levels the
// vertex has seen too, so that no mask of the frontier itself is needed.

namespace tendril::detail {

struct lane_tuning {
  /// A level with more than num_edges / pull_share frontier edges pulls.
  static constexpr edge_offset pull_share = 16;
  static constexpr std::size_t push_grain = 64;          ///< vertices of a task
  static constexpr std::size_t sweep_grain = 1024;       ///< vertices of a task that goes over all
  static constexpr edge_offset heavy_degree = 1U << 14;  ///< such a row is cut into tasks
};

/// Calls body(begin, end) for parts of 0 .. size - 1, in parallel where it is worth it.
template <class Size, class Body>
void for_parts(Size size, Size grain, const Body& body) {
  if (size <= grain) {
    body(Size{0}, size);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<Size>(0, size, grain),
                    [&](const auto& part) { body(part.begin(), part.end()); });
}

/// @pre runs inside host_engine::run
template <std::size_t Words>
class lane_search {
 public:
  using mask = lane_mask<Words>;
  using counts = std::array<vertex_id, 64 * Words>;

  /// @param engine  makes the planes of depths
  lane_search(host_engine& engine, const lane_rows& rows)
      : engine_(engine),
        rows_(rows),
        num_vertices_(rows.out.num_vertices()),
        seen_(num_vertices_),
        found_(num_vertices_),
        queued_words_(words_for(num_vertices_)),
        queue_memory_{buffer<vertex_id>(num_vertices_), buffer<vertex_id>(num_vertices_)},
        queued_(queued_words_.data()),
        queues_{vertex_queue(queue_memory_[0].data()), vertex_queue(queue_memory_[1].data())},
        lanes_(engine.threads()),
        counters_(static_cast<std::size_t>(engine.threads())) {
    clear(found_);
    std::fill_n(queued_words_.data(), queued_words_.size(), bitmap_word{0});
  }

  /// Searches from the sources; calls each_level(level, counts) for each level that finds
  /// something, 0 included.
  /// @param planes  null, or where bits of depths go: a plane is added when a depth first needs it
  template <class EachLevel>
  void run(std::span<const vertex_id> sources, const EachLevel& each_level,
           std::vector<host_array<std::uint64_t>>* planes) {
    start(sources);
    for (std::int32_t level = 0; frontier().size() != 0; ++level) {
      if (level != 0) {
        fold(level, planes);
      }
      each_level(level, level_counts_);
      rows_.in.offsets != nullptr&& edges_ > rows_.out.num_edges() / lane_tuning::pull_share
          ? pull()
          : push();
      frontier().clear();
      now_ = 1 - now_;
      lanes_.take(frontier());
    }
  }

  /// The masks of all vertices: [num_vertices][Words].
  [[nodiscard]] const std::uint64_t* seen() const noexcept { return seen_.data()->words.data(); }

 private:
  [[nodiscard]] vertex_queue& frontier() noexcept { return queues_[now_]; }
  [[nodiscard]] vertex_queue& next() noexcept { return queues_[1 - now_]; }

  [[nodiscard]] static std::size_t thread() noexcept {
    return static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
  }

  void clear(buffer<mask>& masks) {
    for_parts(masks.size(), lane_tuning::sweep_grain, [&](std::size_t begin, std::size_t end) {
      std::fill(masks.data() + begin, masks.data() + end, mask{});
    });
  }

  void start(std::span<const vertex_id> sources) {
    clear(seen_);
    level_counts_ = {};
    alive_ = {};
    edges_ = 0;
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const vertex_id source = sources[lane];
      seen_.data()[source].set(lane);
      alive_.set(lane);
      level_counts_[lane] = 1;
      if (queued_.claim<sharing::alone>(source)) {
        lanes_[0].push(frontier(), source);
        edges_ += rows_.out.degree(source);
      }
    }
    lanes_.take(frontier());
    forget_queued();
  }

  void forget_queued() {
    const vertex_queue& queue = frontier();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      queued_.set_word(queue.data()[i] / bits_per_word, 0);
    }
  }

  /// Adds what was found to what is seen, counts it, and notes its depth.
  void fold(std::int32_t level, std::vector<host_array<std::uint64_t>>* planes) {
    const auto depth = static_cast<std::uint32_t>(level);
    while (planes != nullptr && planes->size() < static_cast<std::size_t>(std::bit_width(depth))) {
      planes->push_back(engine_.array(std::size_t{num_vertices_} * Words, std::uint64_t{0}));
    }
    const vertex_queue& queue = frontier();
    std::atomic<edge_offset> edges{0};
    for_parts(queue.size(), lane_tuning::sweep_grain, [&](std::size_t begin, std::size_t end) {
      lane_counter<Words>& counter = counters_[thread()];
      edge_offset part_edges = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const vertex_id v = queue.data()[i];
        const mask found = std::exchange(found_.data()[v], mask{});
        seen_.data()[v] |= found;
        queued_.set_word(v / bits_per_word, 0);
        counter.add(found);
        part_edges += rows_.out.degree(v);
        if (planes != nullptr) {
          note_depth(depth, v, found, *planes);
        }
      }
      edges.fetch_add(part_edges, std::memory_order_relaxed);
    });
    edges_ = edges.load(std::memory_order_relaxed);
    level_counts_ = {};
    for (lane_counter<Words>& counter : counters_) {
      counter.take(level_counts_);
    }
    alive_ = {};
    for (std::size_t lane = 0; lane < level_counts_.size(); ++lane) {
      if (level_counts_[lane] != 0) {
        alive_.set(lane);
      }
    }
  }

  static void note_depth(std::uint32_t depth, vertex_id v, const mask& found,
                         std::vector<host_array<std::uint64_t>>& planes) {
    for (std::size_t k = 0; k < planes.size(); ++k) {
      if ((depth >> k & 1U) != 0) {
        for (std::size_t w = 0; w < Words; ++w) {
          planes[k].data()[v * Words + w] |= found.words[w];
        }
      }
    }
  }

  void push() {
    const vertex_queue& queue = frontier();
    for_parts(queue.size(), lane_tuning::push_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const vertex_id u = queue.data()[i];
        const edge_offset first = rows_.out.first_edge(u);
        const edge_offset degree = rows_.out.degree(u);
        if (degree < lane_tuning::heavy_degree) {
          push_row(seen_.data()[u], first, first + degree);
        } else {
          for_parts(degree, lane_tuning::heavy_degree / 4, [&](edge_offset from, edge_offset to) {
            push_row(seen_.data()[u], first + from, first + to);
          });
        }
      }
    });
  }

  void push_row(const mask& from, edge_offset first, edge_offset last) {
    for (edge_offset position = first; position < last; ++position) {
      const vertex_id v = rows_.out.target(position);
      const mask fresh = without(from, seen_.data()[v]);
      if (!fresh.any()) {
        continue;
      }
      if (!queued_.test(v) && queued_.claim<sharing::shared>(v)) {
        lanes_[static_cast<std::uint32_t>(thread())].push(next(), v);
      }
      for (std::size_t w = 0; w < Words; ++w) {
        std::atomic_ref<std::uint64_t> word(found_.data()[v].words[w]);
        if ((fresh.words[w] & ~word.load(std::memory_order_relaxed)) != 0) {
          word.fetch_or(fresh.words[w], std::memory_order_relaxed);
        }
      }
    }
  }

  void pull() {
    for_parts(std::size_t{num_vertices_}, lane_tuning::sweep_grain,
              [&](std::size_t begin, std::size_t end) {
                lane& into = lanes_[static_cast<std::uint32_t>(thread())];
                for (auto v = static_cast<vertex_id>(begin); v < end; ++v) {
                  const mask found = pull_vertex(v);
                  if (found.any()) {
                    found_.data()[v] = found;
                    into.push(next(), v);
                  }
                }
              });
  }

  /// Searches that come to v in this level: looks at in-neighbours until all that could have come.
  [[nodiscard]] mask pull_vertex(vertex_id v) const {
    const mask wanted = without(alive_, seen_.data()[v]);
    if (!wanted.any()) {
      return mask{};
    }
    mask around{};
    const edge_offset last = rows_.in.last_edge(v);
    for (edge_offset position = rows_.in.first_edge(v); position < last; ++position) {
      around |= seen_.data()[rows_.in.target(position)];
      if (!without(wanted, around).any()) {
        break;
      }
    }
    return around & wanted;
  }

  host_engine& engine_;
  lane_rows rows_;
  vertex_id num_vertices_;
  buffer<mask> seen_;   // [num_vertices], lanes that have come there before this level
  buffer<mask> found_;  // [num_vertices], lanes that came in this level; zero between levels
  buffer<bitmap_word> queued_words_;
  std::array<buffer<vertex_id>, 2> queue_memory_;
  bitmap_view queued_;  // vertices that are in the next frontier, while a level pushes
  std::array<vertex_queue, 2> queues_;
  std::size_t now_ = 0;
  lanes lanes_;
  std::vector<lane_counter<Words>> counters_;  // of each thread
  counts level_counts_{};
  mask alive_{};           // lanes that found something in the last level
  edge_offset edges_ = 0;  // that leave the frontier
};

}  // namespace tendril::detail
