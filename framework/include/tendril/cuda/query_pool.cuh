#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tendril/cuda/detail/block_launch.cuh"
#include "tendril/cuda/detail/pool_station.hpp"
#include "tendril/cuda/traverse.cuh"
#include "tendril/query/query_pool.hpp"
#include "tendril/query/traverse_each.hpp"

// tendril::query_pool on a GPU, for nvcc. The pool looks at the first levels of one query:
//   blocks   narrow levels. A slot takes a few queries with visitors of one type and runs them in
//            one launch, a block each, that reads sources and visitors from page-locked memory and
//            writes answers there. Relaxing visitors, and queries of several sources, run as:
//   streams  broad levels. A slot runs one query at a time in a resident grid of its share of the
//            device.
// Slots have a stream each; unless told otherwise there is one fewer than there are connections,
// and at most 15 where levels are broad. One more slot, whose stream goes first, is kept free for
// urgent queries, with its share of the device: the others never fill it. The thread that submits
// such a query launches it; waking the slot's would take longer.

// CUDA loads a kernel at its first launch, and waits for all kernels that run before it does: an
// urgent query would wait for those that hold the usual slots. A pool loads, when it is made, the
// kernels of all visitors that the program submits anywhere.

namespace tendril {

template <weight W>
class cuda_pool_slot;

namespace cuda {

/// A type of visitor that the program submits to pools, known before main.
template <weight W>
class pool_visitor {
 public:
  /// Loads the kernels of one.
  using loader = void (*)(cuda_pool_slot<W>& slot);

  /// Before main.
  explicit pool_visitor(loader load) : load_(load), before_(std::exchange(last, this)) {}

  /// Loads the kernels of all of them, for the graph and the device of a slot, and makes room for
  /// what they are told: the slot asks for no page-locked memory later, which may wait for all that
  /// runs, too.
  static void load_all(cuda_pool_slot<W>& slot) {
    for (const pool_visitor* visitor = last; visitor != nullptr; visitor = visitor->before_) {
      visitor->load_(slot);
    }
  }

 private:
  inline static constinit const pool_visitor* last = nullptr;

  loader load_;
  const pool_visitor* before_;
};

}  // namespace cuda

/// A slot of a pool on a GPU.
template <weight W>
class cuda_pool_slot {
 public:
  /// Shares the graph; takes the station over.
  cuda_pool_slot(const cuda_graph<W>& graph, std::unique_ptr<cuda::pool_station>&& station,
                 const pool_plan& plan)
      : graph_(graph), station_(std::move(station)), plan_(plan) {}

  /// What a pool makes of a submission. @sync waits for the engine's stream, on which the visitor's
  /// arrays may still be filled: slots have streams of their own
  template <class Visitor>
  [[nodiscard]] static std::shared_ptr<detail::pool_query<cuda_pool_slot>> make_query(
      const cuda_engine& engine, std::vector<vertex_id>&& sources, const Visitor& visitor) {
    engine.context().use();
    engine.context().synchronize();
    return std::make_shared<query<Visitor>>(std::move(sources), visitor);
  }

 private:
  using pool_query = detail::pool_query<cuda_pool_slot>;
  using queries = std::span<const std::shared_ptr<detail::queued_query>>;

  template <class Visitor>
  class query final : public pool_query {
   public:
    query(std::vector<vertex_id>&& sources, const Visitor& visitor)
        : pool_query(goes_in_block(sources) ? &kind : nullptr),
          sources_(std::move(sources)),
          visitor_(visitor) {}

    void begin(cuda_pool_slot& slot) override {
      slot.use();
      if (in_block(slot)) {
        launch(slot, {});
      } else {
        start(slot);
      }
    }

    void run(cuda_pool_slot& slot, queries taken) override {
      slot.use();
      if (!in_block(slot)) {
        if (!traverse_) {
          start(slot);
        }
        this->answer = detail::summarise(traverse_(), [](std::uint64_t /*size*/) {});
        return;
      }
      if (!has_begun_) {
        launch(slot, taken.subspan(1));
      }
      slot.station_->wait();
      for (std::size_t i = 0; i < taken.size(); ++i) {
        taken[i]->answer = staged_on(slot).answers[i];
      }
    }

   private:
    static void load_kernels(cuda_pool_slot& slot) {
      slot.use();
      if (slot.graph_.has_narrow_positions()) {
        load_kernels_for<std::uint32_t>(slot);
      } else {
        load_kernels_for<edge_offset>(slot);
      }
    }
    template <class Position>
    static void load_kernels_for(cuda_pool_slot& slot) {
      cuda::driver_of<Position, W, Visitor>::load();
      if constexpr (detail::names_first_visit<Visitor>) {
        static_cast<void>(block_launch<Position>(slot));  // sets the kernel up
        static_cast<void>(staged_on(slot));
      }
    }

    inline static const cuda::pool_visitor<W> kind{&load_kernels};

    /// What a launch reads and writes in page-locked memory: [plan.gathered] each.
    struct staged {
      reach_summary* answers;
      Visitor* visitors;
      vertex_id* sources;
    };

    [[nodiscard]] static bool goes_in_block(const std::vector<vertex_id>& sources) {
      return detail::names_first_visit<Visitor> && sources.size() == 1;
    }
    [[nodiscard]] bool in_block(const cuda_pool_slot& slot) const {
      return slot.plan_.way == reach_way::blocks && goes_in_block(sources_);
    }

    [[nodiscard]] static staged staged_on(cuda_pool_slot& slot) {
      const std::size_t count = slot.plan_.gathered;
      cuda::layout all;
      const std::size_t answers = all.add(count * sizeof(reach_summary));
      const std::size_t visitors = all.add(count * sizeof(Visitor));
      const std::size_t sources = all.add(count * sizeof(vertex_id));
      const cuda::workspace_carver carve{slot.station_->staging(all.size())};
      return {carve.at<reach_summary>(answers), carve.at<Visitor>(visitors),
              carve.at<vertex_id>(sources)};
    }

    void stage(const staged& at, std::size_t place) const {
      at.sources[place] = sources_.front();
      std::construct_at(at.visitors + place, visitor_);
    }

    /// Launches this query and others of its kind. @sync none
    void launch(cuda_pool_slot& slot, queries others) {
      const staged at = staged_on(slot);
      stage(at, 0);
      for (std::size_t i = 0; i < others.size(); ++i) {
        static_cast<const query&>(*others[i]).stage(at, i + 1);
      }
      if (slot.graph_.has_narrow_positions()) {
        launch_blocks<std::uint32_t>(slot, at, others.size() + 1);
      } else {
        launch_blocks<edge_offset>(slot, at, others.size() + 1);
      }
      has_begun_ = true;
    }

    template <class Position>
    [[nodiscard]] static cuda::block_launch<W, Position, Visitor> block_launch(
        cuda_pool_slot& slot) {
      return {slot.station_->context(), cuda::graph_for_kernels<W, Position>(slot.graph_.placed())};
    }

    template <class Position>
    static void launch_blocks(cuda_pool_slot& slot, const staged& at, std::size_t count) {
      if constexpr (detail::names_first_visit<Visitor>) {
        cuda::engine_context& context = slot.station_->context();
        auto launch = block_launch<Position>(slot);
        const auto blocks = static_cast<std::uint32_t>(count);
        cuda::layout all;
        const std::size_t bitmaps = all.add(launch.bitmap_memory(blocks));
        const std::size_t spilled = all.add(launch.spill_memory(blocks));
        const cuda::workspace_carver carve{context.workspace(all.size())};
        launch.job.bitmaps = carve.template at<cuda::bit_word>(bitmaps);
        launch.job.spilled = carve.template at<vertex_id>(spilled);
        launch.job.num_queries = blocks;
        launch.job.sources = at.sources;
        launch.job.answers = at.answers;
        launch.launch(blocks, at.visitors, context.stream());
      }
    }

    /// Launches a resident grid of the slot's share, where there are such grids. @sync none
    void start(cuda_pool_slot& slot) {
      if (slot.graph_.has_narrow_positions()) {
        start_driver<std::uint32_t>(slot);
      } else {
        start_driver<edge_offset>(slot);
      }
    }

    template <class Position>
    void start_driver(cuda_pool_slot& slot) {
      cuda::engine_context& context = slot.station_->context();
      context.note_driver(cuda::choose_driver(context, options, false));
      const bool begins = context.last_driver().used == cuda_driver::resident;
      auto driver =
          cuda::make_driver<Position>(context, slot.graph_.placed(), sources_, visitor_, options);
      traverse_ = [driver, begins]() mutable {
        const cuda::profile_range range("tendril: query");
        traverse_report report;
        driver.run(cuda::no_small_launcher{}, report, begins);
        return report;
      };
      if (begins) {
        driver.begin();
      }
    }

    inline static const traverse_options options{};

    std::vector<vertex_id> sources_;
    Visitor visitor_;
    bool has_begun_ = false;                     // in a block
    std::function<traverse_report()> traverse_;  // what is left to do for one in a grid
  };

  void use() const { station_->context().use(); }

  cuda_graph<W> graph_;
  std::unique_ptr<cuda::pool_station> station_;
  pool_plan plan_;
};

/// What query_pool calls for a GPU engine. Loads the kernels of all visitors that the program
/// submits to pools of such graphs. At most 127 slots. Memory beyond the graph, of which half of
/// what is free is taken at most, so that there may be fewer slots: for each slot that of a
/// relaxing traversal, 24 1/4 bytes per vertex with 32-bit positions of edges (40 1/4 with 64), or
/// where more 4 1/8 bytes per vertex and query that it takes at a time.
template <weight W>
[[nodiscard]] detail::pool_slots<cuda_pool_slot<W>> make_pool_slots(const cuda_engine& engine,
                                                                    const cuda_graph<W>& graph,
                                                                    const pool_options& options) {
  const cuda::station_plan plan =
      cuda::plan_stations(engine, cuda::graph_for_lanes(graph.placed()), options);
  detail::pool_slots<cuda_pool_slot<W>> slots;
  slots.plan = plan.pool;
  for (auto& station : cuda::make_stations(engine, plan)) {
    auto slot = std::make_unique<cuda_pool_slot<W>>(graph, std::move(station), plan.pool);
    cuda::pool_visitor<W>::load_all(*slot);
    if (slots.usual.size() < plan.pool.slots) {
      slots.usual.push_back(std::move(slot));
    } else {
      slots.urgent = std::move(slot);
    }
  }
  return slots;
}

}  // namespace tendril
