#include "tendril/host/workspace.hpp"

#include <utility>

namespace tendril::detail {

void reserve_first_visit(workspace& space, vertex_id num_vertices) {
  const std::size_t num_words = words_for(num_vertices);
  space.visited.reserve(num_words);
  space.frontier.reserve(num_words);
  space.next.reserve(num_words);
  space.queue.reserve(num_vertices);
  space.origin.reserve(num_vertices);
}

void reserve_relaxing(workspace& space, vertex_id num_vertices) {
  const std::size_t num_words = words_for(num_vertices);
  space.visited.reserve(num_words);
  space.frontier.reserve(num_words);
  space.queue.reserve(num_vertices);
  space.second_queue.reserve(num_vertices);
}

workspace_pool::lease workspace_pool::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(idle_.capacity() + 1);  // so that put_back() never allocates
    return {*this, std::make_unique<workspace>()};
  }
  std::unique_ptr<workspace> space = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(space)};
}

void workspace_pool::put_back(std::unique_ptr<workspace> space) noexcept {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(space));
}

}  // namespace tendril::detail
