#pragma once

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/traverse/options.hpp"

// When a first-visit traversal pushes and when it pulls: the rule of Beamer, Asanovic and Patterson
// (Direction-Optimizing Breadth-First Search, SC 2012, section 5), with one condition more for
// graphs of many narrow levels, where their rule pulls at the very end.

namespace tendril {

/// Constants of the rule.
struct direction_tuning {
  edge_offset to_pull = 15;   ///< pull when the frontier's edges exceed unexplored edges / to_pull
  vertex_id pull_floor = 64;  ///< ... and num_vertices / pull_floor: a pull reads every bitmap word
  vertex_id to_push = 18;     ///< push again when the frontier shrinks below num_vertices / to_push
};

/// Chooses the way of one level after the other, as the host engine does. Trivially copyable.
class direction_chooser {
 public:
  /// For one traversal.
  /// @param wanted        push and pull are obeyed
  /// @param can_pull      false: automatic always pushes
  /// @param num_vertices  of the graph
  /// @param num_edges     stored edges of the graph: all unexplored at first
  /// @param tuning        the constants of the rule
  TENDRIL_HD direction_chooser(direction wanted, bool can_pull, vertex_id num_vertices,
                               edge_offset num_edges, direction_tuning tuning = {})
      : wanted_(wanted),
        can_pull_(can_pull),
        num_vertices_(num_vertices),
        unexplored_(num_edges),
        tuning_(tuning) {}

  /// The way of the next level. Called once per level, in order.
  /// @param frontier        vertices of the level
  /// @param frontier_edges  stored edges that leave them
  /// @return push or pull
  TENDRIL_HD direction next(vertex_id frontier, edge_offset frontier_edges) {
    const bool grows = frontier >= last_frontier_;
    last_frontier_ = frontier;
    if (wanted_ != direction::automatic) {
      return wanted_;
    }
    if (pulling_) {
      pulling_ = grows || frontier > num_vertices_ / tuning_.to_push;
    } else {
      pulling_ = can_pull_ && grows && frontier_edges > unexplored_ / tuning_.to_pull &&
                 frontier_edges > num_vertices_ / tuning_.pull_floor;
    }
    unexplored_ -= frontier_edges < unexplored_ ? frontier_edges : unexplored_;
    return pulling_ ? direction::pull : direction::push;
  }

 private:
  direction wanted_;
  bool can_pull_;
  bool pulling_ = false;
  vertex_id num_vertices_;
  vertex_id last_frontier_ = 0;
  edge_offset unexplored_;
  direction_tuning tuning_;
};

}  // namespace tendril
