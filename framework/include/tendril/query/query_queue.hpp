#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/query/reach.hpp"

// Queries between their submission and their answer, whatever the engine: two bounded queues, and
// the order in which answers are given.

namespace tendril {

/// What a query ends with that was cancelled before it began.
class query_cancelled : public error {
 public:
  query_cancelled() : error("the query was cancelled before it began") {}
};

/// Who goes first.
enum class query_priority : std::uint8_t {
  usual,
  urgent  ///< overtakes the usual ones that have not begun
};

/// When answers are given.
enum class answer_order : std::uint8_t {
  completion,  ///< as queries end
  submission   ///< those that end early wait for the ones submitted before them
};

namespace detail {

/// A query in a pool; pools derive one per kind of visitor.
class queued_query {
 public:
  /// @param kind  queries of one kind may be taken together; null: this one goes alone
  explicit queued_query(const void* kind) : kind_(kind) {}
  queued_query(const queued_query&) = delete;
  queued_query& operator=(const queued_query&) = delete;
  virtual ~queued_query() = default;

  // What the query found, or why it did not: written by who runs it, before finish().
  reach_summary answer;
  std::exception_ptr failure;

  /// @pre called once
  [[nodiscard]] std::future<reach_summary> future() { return promise_.get_future(); }

 private:
  friend class query_queue;
  enum class stage : std::uint8_t { created, queued, running, ended };

  void give();

  const void* kind_;
  stage stage_ = stage::created;
  query_priority priority_ = query_priority::usual;
  std::list<std::shared_ptr<queued_query>>::iterator place_;  // while queued
  std::promise<reach_summary> promise_;
};

/// For several threads at once.
class query_queue {
 public:
  using query = std::shared_ptr<queued_query>;

  /// @param capacity   queries of each priority that may wait, with all whose answers are held back
  /// @param num_slots  threads that take usual queries: they leave each other a share
  query_queue(std::size_t capacity, std::size_t num_slots, answer_order order);

  /// Adds a query, or ends it at once where it has its answer or failure already.
  /// @param waits  for room; else false is returned where there is none
  [[nodiscard]] bool push(const query& added, query_priority priority, bool waits, bool has_ended);

  /// The next query, and with it queries of its kind that follow, up to `most` and not more than a
  /// slot's share. Waits. Nothing: the queue was closed.
  [[nodiscard]] std::vector<query> take(std::size_t most);
  /// The next urgent query, or one that was handed over. For one thread.
  [[nodiscard]] std::vector<query> take_urgent();

  /// Whether the thread of take_urgent() waits and nothing urgent comes first: then the caller
  /// begins this query in that thread's place, and hands it over.
  [[nodiscard]] bool claim_urgent(const query& added);
  void hand_over(const query& begun);

  /// Ends queries that were taken.
  void finish(std::span<const query> taken);

  /// @return whether it had not begun: it never will, and ends with query_cancelled
  bool cancel(const query& unwanted);

  /// Waits until every query has ended.
  void wait_idle();

  /// Cancels what has not begun, and sends those away that wait in take().
  void close();

  /// Queries that have not begun.
  [[nodiscard]] std::size_t size() const;

 private:
  using guard = std::unique_lock<std::mutex>;

  [[nodiscard]] std::list<query>& queue_of(query_priority priority) {
    return priority == query_priority::urgent ? urgent_ : usual_;
  }
  void open(const query& added);
  [[nodiscard]] query start_first(std::list<query>& queue);
  void end(const query& ended);
  void drop(std::list<query>& queue);

  std::size_t capacity_;
  std::size_t num_slots_;
  answer_order order_;
  mutable std::mutex mutex_;
  std::condition_variable usual_work_;
  std::condition_variable urgent_work_;
  std::condition_variable room_;
  std::condition_variable idle_;
  std::list<query> usual_;
  std::list<query> urgent_;
  std::deque<query> unanswered_;  // by submission: all that were pushed from the first unended one
  std::size_t num_open_ = 0;      // pushed and not ended
  std::size_t num_held_ = 0;      // ended, and waiting for their turn
  bool urgent_waits_ = false;     // a thread in take_urgent()
  bool urgent_claimed_ = false;
  query begun_;  // handed over
  bool closed_ = false;
};

}  // namespace detail

}  // namespace tendril
