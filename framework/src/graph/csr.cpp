#include "tendril/graph/csr.hpp"

#include <string>

#include "tendril/core/error.hpp"

namespace tendril {

template <weight W>
csr<W>::csr(shared_array<edge_offset> offsets, shared_array<vertex_id> targets,
            shared_array<W> weights, orientation kind)
    : offsets_(std::move(offsets)),
      targets_(std::move(targets)),
      weights_(std::move(weights)),
      kind_(kind) {
  if (offsets_.empty()) {
    throw usage_error("csr: offsets must have num_vertices + 1 entries, found none");
  }
  if (offsets_.size() - 1 >= no_vertex) {
    throw usage_error("csr: at most " + std::to_string(no_vertex - 1) + " vertices, found " +
                      std::to_string(offsets_.size() - 1));
  }
  const edge_offset first = offsets_[0];
  const edge_offset last = offsets_[offsets_.size() - 1];
  if (first != 0 || last != targets_.size()) {
    throw usage_error("csr: offsets must run from 0 to " + std::to_string(targets_.size()) +
                      ", found " + std::to_string(first) + " to " + std::to_string(last));
  }
  const std::size_t num_weights = std::is_same_v<W, none> ? 0 : targets_.size();
  if (weights_.size() != num_weights) {
    throw usage_error("csr: expected " + std::to_string(num_weights) + " weights, found " +
                      std::to_string(weights_.size()));
  }
}

template class csr<none>;
template class csr<std::int32_t>;
template class csr<float>;
template class csr<double>;

}  // namespace tendril
