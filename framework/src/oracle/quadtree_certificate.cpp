#include "tendril/oracle/quadtree_certificate.hpp"

#include <cstdint>
#include <vector>

namespace tendril::oracle {

namespace {

/// True if x lies in finest cells first .. first + side - 1 of an axis.
[[nodiscard]] bool lies_in(const axis_cells& axis, std::uint32_t first, std::uint32_t side,
                           double x) {
  const bool is_last = first + side - 1 == axis_cells::last;
  return axis.border(first) <= x && (is_last || x < axis.border(first + side));
}

template <coordinate Real>
class tree_certificate {
 public:
  tree_certificate(const quadtree<Real>& tree, const points<Real>& from)
      : tree_(tree.view()), options_(tree.options()), from_(from) {}

  [[nodiscard]] std::optional<std::string> fault() {
    check_rows();
    if (!fault_ && tree_.num_nodes() > 0) {
      check_cells();
      const quadtree_node<Real>& root = tree_.node(0);
      if (root.first != 0 || root.end != tree_.num_points() || root.depth != 0 ||
          root.next != tree_.num_nodes()) {
        refuse("the root does not hold every point and every node");
      }
    }
    for (node_id n = 0; n < tree_.num_nodes() && !fault_; ++n) {
      check_node(n);
    }
    return fault_;
  }

 private:
  void refuse(const std::string& what) {
    if (!fault_) {
      fault_ = what;
    }
  }
  void refuse_node(node_id n, const std::string& what) {
    refuse("node " + std::to_string(n) + ": " + what);
  }

  void check_rows() {
    std::vector<bool> seen(from_.num_points(), false);
    for (point_id i = 0; i < tree_.num_points() && !fault_; ++i) {
      const point_id row = tree_.rows[i];
      if (row >= from_.num_points() || seen[row]) {
        return refuse("position " + std::to_string(i) + ": row " + std::to_string(row) +
                      " does not exist or was there before");
      }
      seen[row] = true;
      if (!(tree_.positions[i] == from_[row])) {
        return refuse("position " + std::to_string(i) + " is not where its row is");
      }
      if (is_clipped(from_[row])) {
        return refuse("row " + std::to_string(row) + " lies outside and is to be clipped");
      }
    }
    for (point_id row = 0; row < from_.num_points() && !fault_; ++row) {
      if (!seen[row] && !is_clipped(from_[row])) {
        refuse("row " + std::to_string(row) + " is missing");
      }
    }
  }

  [[nodiscard]] bool is_clipped(const point<Real>& p) const {
    return options_.bounds && options_.outside == quadtree_options::outside_points::clip &&
           !contains(*options_.bounds,
                     point<double>{static_cast<double>(p.x), static_cast<double>(p.y)});
  }

  /// The root's cell is what the options say.
  void check_cells() {
    box<Real> bounds = empty_box<Real>();
    for (const point<Real>& p : from_.positions()) {
      extend(bounds, p);
    }
    const cell_grid asked =
        options_.bounds ? grid_over(*options_.bounds) : square_grid_over(bounds);
    const auto same = [](const axis_cells& a, const axis_cells& b) {
      return a.low == b.low && a.width == b.width;
    };
    if (!same(tree_.cells.x, asked.x) || !same(tree_.cells.y, asked.y)) {
      refuse("the root's cell is not the one that was asked for");
    }
  }

  void check_node(node_id n) {
    const quadtree_node<Real>& node = tree_.node(n);
    if (node.first >= node.end || node.next <= n || node.next > tree_.num_nodes() ||
        static_cast<int>(node.depth) > options_.max_depth) {
      return refuse_node(n, "its range, next or depth cannot be");
    }
    box<Real> bounds = empty_box<Real>();
    for (point_id i = node.first; i < node.end; ++i) {
      extend(bounds, tree_.positions[i]);
    }
    if (!(bounds == node.bounds)) {
      return refuse_node(n, "its bounds are not the smallest box of its points");
    }
    if (!is_in_one_cell(node, static_cast<int>(node.depth))) {
      return refuse_node(n, "not all of its points lie in its cell");
    }
    const bool cannot_split = static_cast<int>(node.depth) == options_.max_depth ||
                              is_in_one_cell(node, options_.max_depth);
    const bool may_split = node.num_points() > options_.leaf_size && !cannot_split;
    if (tree_.is_leaf(n)) {
      if (may_split) {
        refuse_node(n, "a leaf of more points than leaf_size that could be split");
      }
      check_order(node);
    } else {
      if (!may_split) {
        refuse_node(n, "split, though it need or could not be");
      }
      check_children(n);
    }
  }

  /// True if one cell of that level holds all points of the node.
  [[nodiscard]] bool is_in_one_cell(const quadtree_node<Real>& node, int level) const {
    const morton_key key = tree_.cells.key(tree_.positions[node.first]);
    const std::uint32_t side = std::uint32_t{1} << (finest_level - level);
    const std::uint32_t column = detail::gather_bits(key) & ~(side - 1);
    const std::uint32_t row = detail::gather_bits(key >> 1) & ~(side - 1);
    for (point_id i = node.first; i < node.end; ++i) {
      const point<Real>& p = tree_.positions[i];
      if (!lies_in(tree_.cells.x, column, side, static_cast<double>(p.x)) ||
          !lies_in(tree_.cells.y, row, side, static_cast<double>(p.y))) {
        return false;
      }
    }
    return true;
  }

  /// Points of a leaf: by key at the largest depth, then by row.
  void check_order(const quadtree_node<Real>& leaf) {
    for (point_id i = leaf.first + 1; i < leaf.end; ++i) {
      const morton_key before = key_at(tree_.cells.key(tree_.positions[i - 1]), options_.max_depth);
      const morton_key key = key_at(tree_.cells.key(tree_.positions[i]), options_.max_depth);
      if (before > key || (before == key && tree_.rows[i - 1] >= tree_.rows[i])) {
        refuse("position " + std::to_string(i) + " is out of order");
        return;
      }
    }
  }

  /// The children partition the parent, each in a later quadrant than the one before.
  void check_children(node_id n) {
    const quadtree_node<Real>& parent = tree_.node(n);
    point_id next_position = parent.first;
    int last_quadrant = -1;
    for (node_id c = tree_.first_child(n); c != parent.next; c = tree_.node(c).next) {
      if (c >= parent.next || tree_.node(c).next <= c) {
        return refuse_node(n, "its children run past its end");
      }
      const quadtree_node<Real>& child = tree_.node(c);
      if (child.depth != parent.depth + 1 || child.first != next_position) {
        return refuse_node(c, "it does not continue its parent's points one level down");
      }
      const morton_key key = tree_.cells.key(tree_.positions[child.first]);
      const auto quadrant = static_cast<int>(key_at(key, static_cast<int>(child.depth)) & 3U);
      if (quadrant <= last_quadrant) {
        return refuse_node(c, "its quadrant does not follow its sibling's");
      }
      last_quadrant = quadrant;
      next_position = child.end;
    }
    if (next_position != parent.end) {
      refuse_node(n, "its children do not hold all of its points");
    }
  }

  quadtree_view<Real> tree_;
  quadtree_options options_;
  const points<Real>& from_;
  std::optional<std::string> fault_;
};

}  // namespace

template <coordinate Real>
std::optional<std::string> quadtree_fault(const quadtree<Real>& tree, const points<Real>& from) {
  return tree_certificate<Real>(tree, from).fault();
}

template std::optional<std::string> quadtree_fault(const quadtree<float>&, const points<float>&);
template std::optional<std::string> quadtree_fault(const quadtree<double>&, const points<double>&);

}  // namespace tendril::oracle
