#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "tendril/cuda/engine.hpp"
#include "tendril/cuda/reach.hpp"
#include "tendril/query/query_pool.hpp"

// What the slots of a pool on a GPU are made of, whatever the graph's weights and the visitors.

namespace tendril::cuda {

/// A piece of an arena, given out whole, once at a time; what does not fit comes from elsewhere.
class arena_slice final : public memory_resource {
 public:
  arena_slice(std::shared_ptr<device_buffer<std::byte>> arena, std::size_t offset, std::size_t size,
              std::shared_ptr<memory_resource> elsewhere)
      : arena_(std::move(arena)),
        begin_(arena_->data() + offset),
        size_(size),
        elsewhere_(std::move(elsewhere)) {}

  [[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream) override;
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override;
  [[nodiscard]] std::size_t available_bytes() override;

 private:
  std::shared_ptr<device_buffer<std::byte>> arena_;
  std::byte* begin_;
  std::size_t size_;
  std::shared_ptr<memory_resource> elsewhere_;
  bool is_taken_ = false;
};

/// A stream, an engine whose work is ordered on it and whose working memory is a piece of the
/// pool's, and page-locked memory for what kernels are told and answer. For one thread at a time.
class pool_station {
 public:
  /// @param is_urgent  its kernels go first, and who waits for them spins
  pool_station(const cuda_engine& owner, std::shared_ptr<memory_resource> memory, unsigned share,
               bool is_urgent);

  [[nodiscard]] cuda_engine& engine() noexcept { return engine_; }
  [[nodiscard]] engine_context& context() const noexcept { return engine_.context(); }
  /// Page-locked memory, the device's address too; what was there before is lost when it grows.
  [[nodiscard]] std::byte* staging(std::size_t bytes);
  /// Waits for the stream.
  void wait() const;

 private:
  stream stream_;
  cuda_engine engine_;
  waiting_event ended_;
  std::optional<pinned_buffer<std::byte>> staging_;
  bool is_urgent_;
};

/// How many slots there are, of what.
struct station_plan {
  pool_plan pool;
  std::size_t station_bytes = 0;  ///< working memory of one
  unsigned share = 1;             ///< a station has one part in so many of the device
};

[[nodiscard]] station_plan plan_stations(const cuda_engine& owner, const lane_graph& graph,
                                         const pool_options& options);

/// @return [plan.share], the one that is kept free last. @sync waits
[[nodiscard]] std::vector<std::unique_ptr<pool_station>> make_stations(const cuda_engine& owner,
                                                                       const station_plan& plan);

}  // namespace tendril::cuda
