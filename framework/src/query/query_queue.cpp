#include "tendril/query/query_queue.hpp"

#include <algorithm>
#include <utility>

namespace tendril::detail {

void queued_query::give() {
  if (failure != nullptr) {
    promise_.set_exception(failure);
  } else {
    promise_.set_value(answer);
  }
}

query_queue::query_queue(std::size_t capacity, std::size_t num_slots, answer_order order)
    : capacity_(capacity), num_slots_(num_slots), order_(order) {}

bool query_queue::push(const query& added, query_priority priority, bool waits, bool has_ended) {
  guard lock(mutex_);
  std::list<query>& queue = queue_of(priority);
  const auto has_room = [&] { return queue.size() + num_held_ < capacity_; };
  if (!has_room()) {
    if (!waits) {
      return false;
    }
    room_.wait(lock, has_room);
  }
  if (has_ended) {
    open(added);
    end(added);
    return true;
  }
  added->priority_ = priority;
  std::list<query> alone(1, added);
  open(added);  // from here on nothing throws
  added->place_ = alone.begin();
  queue.splice(queue.end(), alone);
  added->stage_ = queued_query::stage::queued;
  // One thread waits for urgent queries alone; where that has one, any other will do.
  const bool is_for_urgent = urgent_waits_ && !urgent_claimed_ &&
                             priority == query_priority::urgent && urgent_.size() == 1;
  lock.unlock();
  (is_for_urgent ? urgent_work_ : usual_work_).notify_one();
  return true;
}

query_queue::query query_queue::start_first(std::list<query>& queue) {
  query first = std::move(queue.front());
  queue.pop_front();
  first->stage_ = queued_query::stage::running;
  return first;
}

std::vector<query_queue::query> query_queue::take(std::size_t most) {
  guard lock(mutex_);
  usual_work_.wait(lock, [&] { return closed_ || !usual_.empty() || !urgent_.empty(); });
  std::vector<query> taken;
  if (closed_) {
    return taken;
  }
  std::list<query>& queue = urgent_.empty() ? usual_ : urgent_;
  const std::size_t share = std::min(most, (queue.size() + num_slots_ - 1) / num_slots_);
  do {
    taken.push_back(start_first(queue));
  } while (taken.size() < share && taken.front()->kind_ != nullptr &&
           queue.front()->kind_ == taken.front()->kind_);
  room_.notify_all();
  return taken;
}

std::vector<query_queue::query> query_queue::take_urgent() {
  guard lock(mutex_);
  urgent_waits_ = true;
  urgent_work_.wait(
      lock, [&] { return urgent_claimed_ ? begun_ != nullptr : closed_ || !urgent_.empty(); });
  urgent_waits_ = false;
  std::vector<query> taken;
  if (urgent_claimed_) {
    urgent_claimed_ = false;
    taken.push_back(std::move(begun_));
  } else if (!closed_) {
    taken.push_back(start_first(urgent_));
    room_.notify_all();
  }
  return taken;
}

bool query_queue::claim_urgent(const query& added) {
  const guard lock(mutex_);
  if (!urgent_waits_ || urgent_claimed_ || !urgent_.empty() || num_held_ >= capacity_) {
    return false;
  }
  open(added);
  urgent_claimed_ = true;
  return true;
}

void query_queue::hand_over(const query& begun) {
  {
    const guard lock(mutex_);
    begun->stage_ = queued_query::stage::running;
    begun_ = begun;
  }
  urgent_work_.notify_one();
}

void query_queue::open(const query& added) {
  if (order_ == answer_order::submission) {
    unanswered_.push_back(added);
  }
  ++num_open_;
}

void query_queue::finish(std::span<const query> taken) {
  const guard lock(mutex_);
  for (const query& each : taken) {
    end(each);
  }
}

// Answers are given under the lock, so that those of two threads keep their order.
void query_queue::end(const query& ended) {
  ended->stage_ = queued_query::stage::ended;
  --num_open_;
  if (order_ == answer_order::completion) {
    ended->give();
  } else {
    ++num_held_;
    for (; !unanswered_.empty() && unanswered_.front()->stage_ == queued_query::stage::ended;
         --num_held_) {
      unanswered_.front()->give();
      unanswered_.pop_front();
    }
    room_.notify_all();
  }
  if (num_open_ == 0) {
    idle_.notify_all();
  }
}

bool query_queue::cancel(const query& unwanted) {
  const guard lock(mutex_);
  if (unwanted->stage_ != queued_query::stage::queued) {
    return false;
  }
  queue_of(unwanted->priority_).erase(unwanted->place_);
  unwanted->failure = std::make_exception_ptr(query_cancelled());
  end(unwanted);
  room_.notify_all();
  return true;
}

void query_queue::wait_idle() {
  guard lock(mutex_);
  idle_.wait(lock, [&] { return num_open_ == 0; });
}

void query_queue::drop(std::list<query>& queue) {
  while (!queue.empty()) {
    const query dropped = start_first(queue);
    dropped->failure = std::make_exception_ptr(query_cancelled());
    end(dropped);
  }
}

void query_queue::close() {
  const guard lock(mutex_);
  closed_ = true;
  drop(urgent_);
  drop(usual_);
  usual_work_.notify_all();
  urgent_work_.notify_all();
}

std::size_t query_queue::size() const {
  const guard lock(mutex_);
  return usual_.size() + urgent_.size();
}

}  // namespace tendril::detail
