#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "tendril/host/bitmap.hpp"
#include "tendril/host/buffer.hpp"

namespace tendril::detail {

/// Memory of one traversal at a time, kept for the next one.
struct workspace {
  buffer<bitmap_word> visited;     ///< [words]; first_visit: entered; relaxing: in the frontier
  buffer<bitmap_word> frontier;    ///< [words]; pull: the frontier; relaxing: in the next frontier
  buffer<bitmap_word> next;        ///< [words]; pull: the next frontier
  buffer<vertex_id> queue;         ///< [num_vertices]
  buffer<vertex_id> second_queue;  ///< [num_vertices]; relaxing only
  buffer<vertex_id> origin;        ///< [num_vertices]; wide pushes only
};

/// Makes room for a traversal of a graph with that many vertices.
void reserve_first_visit(workspace& space, vertex_id num_vertices);
void reserve_relaxing(workspace& space, vertex_id num_vertices);

/// Workspaces that nobody uses at the moment, so that traversals of one engine may overlap.
class workspace_pool {
 public:
  /// Puts the workspace back when it goes.
  class lease {
   public:
    lease(workspace_pool& pool, std::unique_ptr<workspace> space)
        : pool_(pool), space_(std::move(space)) {}
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() { pool_.put_back(std::move(space_)); }
    [[nodiscard]] workspace& operator*() const noexcept { return *space_; }

   private:
    workspace_pool& pool_;
    std::unique_ptr<workspace> space_;
  };

  [[nodiscard]] lease take();

 private:
  void put_back(std::unique_ptr<workspace> space) noexcept;

  std::mutex mutex_;
  std::vector<std::unique_ptr<workspace>> idle_;
};

}  // namespace tendril::detail
