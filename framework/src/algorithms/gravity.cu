#include "tendril/algorithms/gravity.hpp"

#include "tendril/algorithms/nbody.hpp"
#include "tendril/cuda/tree.cuh"

// What gravity and moving bodies run on a GPU, compiled once: plain C++ calls them with a
// cuda_engine and needs no nvcc.

namespace tendril {

#define TENDRIL_GRAVITY_OF(Real)                                                               \
  template cuda_array<mass_sum> run_aggregate(cuda_engine&, const cuda_quadtree<Real>&,        \
                                              const centre_of_mass<Real>&);                    \
  template void run_for_each(cuda_engine&, std::size_t, const detail::write_attractor<Real>&); \
  template void run_traverse_tree(cuda_engine&, const cuda_quadtree<Real>&, std::uint32_t,     \
                                  const point<Real>*, const gravity_visitor<Real>&, query_order);
TENDRIL_GRAVITY_OF(float)
TENDRIL_GRAVITY_OF(double)
#undef TENDRIL_GRAVITY_OF

template void run_for_each(cuda_engine&, std::size_t, const detail::kick_bodies&);
template void run_for_each(cuda_engine&, std::size_t, const detail::move_bodies&);

}  // namespace tendril
