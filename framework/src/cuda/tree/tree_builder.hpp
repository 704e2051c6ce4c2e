#pragma once

#include "cuda/tree/key_sorter.hpp"
#include "tendril/cuda/tree.hpp"

namespace tendril::cuda {

/// Builds a tree of points in device memory, with a sorter of the caller's choice.
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_tree(cuda_engine& engine, const points_view<Real>& from,
                                             const quadtree_options& options, key_sorter& sorter);

/// The same for points in host memory, which are copied to the device.
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_tree(cuda_engine& engine, const points<Real>& from,
                                             const quadtree_options& options, key_sorter& sorter);

}  // namespace tendril::cuda
