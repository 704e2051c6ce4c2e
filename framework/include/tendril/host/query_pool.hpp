#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/query/query_pool.hpp"
#include "tendril/query/traverse_each.hpp"

namespace tendril {

/// A slot of a pool on the CPU: an engine, whose threads are an arena of their own.
template <weight W>
class host_pool_slot {
 public:
  /// Shares the graph; makes an engine of so many threads.
  host_pool_slot(const host_graph<W>& graph, int threads)
      : graph_(graph), engine_({.threads = threads}) {}

  /// What a pool makes of a submission.
  template <class Visitor>
  [[nodiscard]] static std::shared_ptr<detail::pool_query<host_pool_slot>> make_query(
      const host_engine& /*engine*/, std::vector<vertex_id>&& sources, const Visitor& visitor) {
    return std::make_shared<query<Visitor>>(std::move(sources), visitor);
  }

 private:
  template <class Visitor>
  class query final : public detail::pool_query<host_pool_slot> {
   public:
    query(std::vector<vertex_id>&& sources, const Visitor& visitor)
        : detail::pool_query<host_pool_slot>(nullptr),
          sources_(std::move(sources)),
          visitor_(visitor) {}

    void run(host_pool_slot& slot,
             std::span<const std::shared_ptr<detail::queued_query>> /*taken*/) override {
      this->answer = detail::summarise(slot.engine_.traverse(slot.graph_, sources_, visitor_, {}),
                                       [](std::uint64_t /*size*/) {});
    }

   private:
    std::vector<vertex_id> sources_;
    Visitor visitor_;
  };

  host_graph<W> graph_;
  host_engine engine_;
};

/// What query_pool calls for a host engine: it shares out the engine's threads, one at least to a
/// slot. Memory beyond the graph: that of a traversal for each slot. Urgent queries overtake, but
/// wait for a slot.
/// @throws usage_error
template <weight W>
[[nodiscard]] detail::pool_slots<host_pool_slot<W>> make_pool_slots(const host_engine& engine,
                                                                    const host_graph<W>& graph,
                                                                    const pool_options& options) {
  constexpr std::size_t most_slots = 1024;
  detail::check_pool(options, most_slots, reach_way::streams);
  const auto threads = static_cast<std::size_t>(engine.threads());
  detail::pool_slots<host_pool_slot<W>> slots;
  slots.plan.slots = options.slots.value_or(std::min(threads, most_slots));
  for (std::size_t i = 0; i < slots.plan.slots; ++i) {
    const std::size_t share = (threads + slots.plan.slots - 1 - i) / slots.plan.slots;
    slots.usual.push_back(std::make_unique<host_pool_slot<W>>(
        graph, static_cast<int>(std::max<std::size_t>(share, 1))));
  }
  if (options.way == reach_way::automatic) {
    slots.plan.reason = "the CPU runs queries side by side";
  }
  return slots;
}

}  // namespace tendril
