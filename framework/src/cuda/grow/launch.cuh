#pragma once

#include "cuda/grow/finish.cuh"
#include "cuda/grow/growth.cuh"

// What the last block of a kernel launches. Each kernel has one successor, and only that block
// launches it, when all others are done: it sees, and passes on, what they wrote.

namespace tendril::cuda {

/// Dynamic shared memory of part_kernel.
template <class Key>
struct part_storage {
  std::uint32_t counts[growth_shape::warps][growth_shape::bins];
  std::uint32_t totals[growth_shape::bins];  ///< of the tile, by bin
  std::uint32_t starts[growth_shape::bins];  ///< in the tile, by bin
  std::uint32_t shift[growth_shape::bins];   ///< from a place in the tile to one in the buffer
  Key keys[growth_shape::tile];
  point_id rows[growth_shape::tile];
};

template <class Key>
inline constexpr std::size_t part_bytes = sizeof(part_storage<Key>);

template <class Key>
__global__ void count_kernel(growth<Key> g, std::uint32_t round);
template <class Key>
__global__ void part_kernel(growth<Key> g, std::uint32_t round);

/// True, in every thread, if this block is the last of its grid to be done. @pre called by all
/// threads of all blocks; the writes of the others are visible then
template <class Key>
[[nodiscard]] __device__ bool is_last_block(const growth<Key>& g) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(&g.state->blocks_done, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

/// Launches what comes next. If it is refused, the state says where the host is to go on.
/// @param start  launches into the stream that it is given
template <class Key, class Start>
__device__ void launch_next(const growth<Key>& g, growth_stop next, const Start& start) {
  growth_state& state = *g.state;
  if (g.refuse_every == 0 || ++state.attempts % g.refuse_every != 0) {
    start(g.by_tail ? cudaStreamTailLaunch : cudaStreamFireAndForget);
    if (cudaGetLastError() == cudaSuccess) {
      ++(g.by_tail ? state.tail_launches : state.child_grids);
      return;
    }
  }
  state.stopped = next;
  ++state.refused;
}

template <class Key>
__device__ void launch_parting(const growth<Key>& g, std::uint32_t round) {
  launch_next(g, growth_stop::part, [&](cudaStream_t stream) {
    part_kernel<<<gridDim.x, growth_shape::threads, part_bytes<Key>, stream>>>(g, round);
  });
}

/// After a round: the next one if large cells are left, else the end.
template <class Key>
__device__ void launch_after_round(const growth<Key>& g, std::uint32_t round) {
  const std::uint32_t next_tiles = __ldcg(&g.state->num_tiles[(round + 1) % 2]);
  if (next_tiles != 0) {
    launch_next(g, growth_stop::count, [&](cudaStream_t stream) {
      count_kernel<<<next_tiles, growth_shape::threads, 0, stream>>>(g, round + 1);
    });
  } else {
    launch_next(g, growth_stop::finish, [&](cudaStream_t stream) {
      finish_kernel<<<__ldcg(&g.state->num_jobs), growth_shape::threads, finish_bytes<Key>,
                      stream>>>(g);
    });
  }
}

}  // namespace tendril::cuda
