#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/query/query_queue.hpp"
#include "tendril/query/reach.hpp"
#include "tendril/traverse/options.hpp"
#include "tendril/traverse/visitor.hpp"

// Traversals that come one by one and do not wait for each other: a pool runs some of them side by
// side, each with a visitor of its own, and answers through futures. Where all sources are known
// beforehand and only numbers are wanted, reach() is faster.

namespace tendril {

/// Options of a pool.
struct pool_options {
  /// Slots: queries that run at a time, or launches of several on a GPU. None: as many as the
  /// engine has threads; on a GPU one fewer than there are connections, at most 15 where levels are
  /// broad, and as its multiprocessors and memory allow.
  std::optional<std::size_t> slots = {};
  /// Queries of each priority that may wait to begin, with all answers that the order holds back.
  std::size_t capacity = 1024;
  answer_order order = answer_order::completion;  ///< in which futures become ready
  /// How the usual queries run: streams, or blocks on a GPU; automatic: by the width of the first
  /// levels of one.
  reach_way way = reach_way::automatic;
};

/// How a pool runs its queries.
struct pool_plan {
  std::size_t slots = 0;               ///< for any query
  std::size_t gathered = 1;            ///< queries that a slot takes at a time, at most
  bool urgent_slot = false;            ///< one more is kept free for urgent queries
  reach_way way = reach_way::streams;  ///< of the usual queries
  std::string reason;                  ///< why that way; empty where it was asked for
  std::string warning;                 ///< what makes it slower than it need be; else empty
  std::size_t working_bytes = 0;       ///< of all slots, where they are reserved beforehand
};

/// A query that was submitted. Letting go of it cancels nothing.
class pending_query {
 public:
  /// What query_pool::submit calls.
  pending_query(std::shared_ptr<detail::query_queue> queue,
                std::shared_ptr<detail::queued_query> query)
      : queue_(std::move(queue)), query_(std::move(query)), future_(query_->future()) {}

  /// Waits for the answer; once. Vertices that a relaxing visitor let enter twice count twice.
  /// @throws what the query failed with: input_error naming a source outside the graph,
  ///         query_cancelled, resource_error, cuda_error
  [[nodiscard]] reach_summary get() { return future_.get(); }

  /// True once get() would not wait. @pre get() was not called
  [[nodiscard]] bool is_ready() const {
    return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  /// Waits until the query has ended. @pre get() was not called
  void wait() const { future_.wait(); }

  /// Cancels the query if it has not begun; one that runs goes on to its end.
  /// @return true: get() throws query_cancelled, and the visitor was never called
  bool cancel() { return queue_->cancel(query_); }

 private:
  std::shared_ptr<detail::query_queue> queue_;
  std::shared_ptr<detail::queued_query> query_;
  std::future<reach_summary> future_;
};

namespace detail {

/// A query that slots of one engine run.
template <class Slot>
class pool_query : public queued_query {
 public:
  using queued_query::queued_query;

  /// Begins in the slot that is kept free, where an engine can begin without waiting.
  virtual void begin(Slot& /*slot*/) {}
  /// Answers this query and those of its kind that were taken with it, itself among them: sets
  /// `answer` or `failure` of each, or throws what all of them failed with.
  virtual void run(Slot& slot, std::span<const std::shared_ptr<queued_query>> taken) = 0;
};

/// The slots of a pool.
template <class Slot>
struct pool_slots {
  pool_plan plan;
  std::vector<std::unique_ptr<Slot>> usual;
  std::unique_ptr<Slot> urgent;  ///< null: none is kept free
};

/// Refuses what no engine can do.
void check_pool(const pool_options& options, std::size_t most_slots, reach_way side_by_side);

}  // namespace detail

/// Runs independent traversals of one placed graph side by side. submit() may be called from
/// several threads at once.
///
/// A pool that ends cancels what has not begun and waits for what runs, so that what visitors point
/// to may end after it.
template <class Engine, class Graph>
class query_pool {
 public:
  /// Starts a thread for each slot.
  /// @param engine   outlives the pool; a GPU engine may be used beside it by one other thread, but
  ///                 prepare_pull() of this graph, or a traversal told to pull, comes before
  /// @param graph    what engine.place() returned
  /// @param options  slots, capacity, order and way
  /// @throws usage_error for no slots, more than the engine can have, no capacity or a way that it
  ///         does not have; resource_error with needed and free bytes where there is no room for
  ///         the working memory of one slot
  query_pool(Engine& engine, const Graph& graph, const pool_options& options = {})
      : engine_(engine),
        num_vertices_(graph.num_vertices()),
        slots_(make_pool_slots(engine, graph, options)),
        queue_(std::make_shared<detail::query_queue>(options.capacity, slots_.usual.size(),
                                                     options.order)) {
    try {
      for (const auto& slot : slots_.usual) {
        threads_.emplace_back([this, &slot = *slot] {
          serve(slot, [&] { return queue_->take(slots_.plan.gathered); });
        });
      }
      if (slots_.urgent != nullptr) {
        threads_.emplace_back(
            [this] { serve(*slots_.urgent, [&] { return queue_->take_urgent(); }); });
      }
    } catch (const std::exception& e) {
      queue_->close();
      throw resource_error("threads for " + std::to_string(slots_.usual.size()) +
                           " slots: " + e.what());
    }
  }
  query_pool(const query_pool&) = delete;
  query_pool& operator=(const query_pool&) = delete;
  ~query_pool() { queue_->close(); }

  /// How it runs its queries, and why so.
  [[nodiscard]] const pool_plan& plan() const noexcept { return slots_.plan; }

  /// Submits a traversal, and waits while there is no room in the queue.
  /// @param sources   of one traversal: duplicates count once; none: it ends at once. One outside
  ///                  the graph fails this query alone
  /// @param visitor   see traverse/visitor.hpp; its arrays live until the query has ended, and no
  ///                  other query in flight writes them
  /// @param priority  urgent ones overtake all usual ones that have not begun
  /// @sync   waits until the engine has filled such arrays
  template <class Visitor>
  pending_query submit(const source_list& sources, const Visitor& visitor,
                       query_priority priority = query_priority::usual) {
    return *add(sources, visitor, priority, true);
  }

  /// The same, or nothing where there is no room.
  template <class Visitor>
  [[nodiscard]] std::optional<pending_query> try_submit(
      const source_list& sources, const Visitor& visitor,
      query_priority priority = query_priority::usual) {
    return add(sources, visitor, priority, false);
  }

  /// Waits until all that was submitted has ended.
  void wait() { queue_->wait_idle(); }

  /// Queries that have not begun.
  [[nodiscard]] std::size_t num_waiting() const { return queue_->size(); }

 private:
  using slots_type = decltype(make_pool_slots(std::declval<Engine&>(), std::declval<const Graph&>(),
                                              std::declval<const pool_options&>()));
  using slot_type = typename decltype(slots_type::urgent)::element_type;
  using query_type = detail::pool_query<slot_type>;

  template <class Visitor>
  std::optional<pending_query> add(const source_list& sources, const Visitor& visitor,
                                   query_priority priority, bool waits) {
    check_visitor<Visitor, typename Graph::weight_type>();
    std::vector<vertex_id> distinct;
    std::exception_ptr failure;
    try {
      distinct = distinct_sources(sources, num_vertices_);
    } catch (const input_error&) {
      failure = std::current_exception();
    }
    const bool has_ended = distinct.empty();
    const std::shared_ptr<query_type> query =
        slot_type::make_query(engine_, std::move(distinct), visitor);
    query->failure = failure;
    pending_query pending(queue_, query);
    if (!has_ended && priority == query_priority::urgent && slots_.urgent != nullptr &&
        queue_->claim_urgent(query)) {
      try {
        query->begin(*slots_.urgent);
      } catch (...) {
        query->failure = std::current_exception();
      }
      queue_->hand_over(query);
      return pending;
    }
    if (!queue_->push(query, priority, waits, has_ended)) {
      return std::nullopt;
    }
    return pending;
  }

  template <class Take>
  void serve(slot_type& slot, const Take& take) {
    for (auto taken = take(); !taken.empty(); taken = take()) {
      auto& first = static_cast<query_type&>(*taken.front());
      if (first.failure == nullptr) {  // else it could not begin
        try {
          first.run(slot, taken);
        } catch (...) {
          for (const auto& each : taken) {
            each->failure = std::current_exception();
          }
        }
      }
      queue_->finish(taken);
    }
  }

  Engine& engine_;
  vertex_id num_vertices_;
  slots_type slots_;
  std::shared_ptr<detail::query_queue> queue_;
  std::vector<std::jthread> threads_;  // last: they end first
};

}  // namespace tendril
