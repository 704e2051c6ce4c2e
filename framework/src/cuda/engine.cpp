#include "tendril/cuda/engine.hpp"

#include <algorithm>
#include <atomic>

#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/placed_graph.hpp"
#include "tendril/cuda/detail/workspace.hpp"

namespace tendril {

std::string_view to_string(cuda_driver driver) noexcept {
  switch (driver) {
    case cuda_driver::automatic:
      return "auto";
    case cuda_driver::resident:
      return "resident";
    case cuda_driver::stepped:
      return "stepped";
    case cuda_driver::chained:
      return "chained";
  }
  return "";
}

namespace cuda {

namespace {

cuda_device chosen(const cuda_options& options) {
  check_driver(options.driver, options.schedule);
  cuda_device device = choose_cuda_device(options.device);
  TENDRIL_CUDA_CHECK(cudaSetDevice(device.id));
  return device;
}

std::shared_ptr<memory_resource> memory_of(const cuda_options& options, int device) {
  auto memory = options.memory != nullptr ? options.memory : std::make_shared<pool_memory>(device);
  if (options.budget_bytes != 0) {
    memory = std::make_shared<limited_memory>(std::move(memory), options.budget_bytes);
  }
  return memory;
}

/// @param otherwise  where none was asked for
schedule::told_way schedule_of(const cuda_options& options, const schedule::any_way& otherwise) {
  schedule::told_way told = schedule::tell(options.schedule.value_or(otherwise));
  told.policy.hardware = told.policy.hardware && options.tuning.use_launch_control;
  return told;
}

}  // namespace

engine_context::engine_context(const cuda_options& options, level_probe chaining)
    : device_(chosen(options)),
      own_stream_(options.stream ? std::nullopt : std::optional<cuda::stream>(std::in_place)),
      stream_(options.stream ? *options.stream : own_stream_->get()),
      memory_(memory_of(options, device_.id)),
      driver_(options.driver),
      tuning_(options.tuning),
      has_wanted_schedule_(options.schedule.has_value()),
      schedule_(schedule_of(options, schedule::launch_control{})),
      chain_schedule_(schedule_of(options, schedule::fixed_grid{})),
      status_(status_bytes + news_bytes),
      chain_probe_(chaining) {
  std::fill_n(news(), news_bytes, std::byte{0});
  device_.cooperative = device_.cooperative && tuning_.use_cooperative;
  device_.clusters = device_.clusters && tuning_.use_clusters;
  device_.launch_control = device_.launch_control && tuning_.use_launch_control;
  device_.child_grids = device_.child_grids && tuning_.use_device_launch;
}

schedule::workspace& engine_context::schedules() {
  if (!schedules_) {
    schedules_.emplace(stream_, 0, memory_);
  }
  return *schedules_;
}

void engine_context::wait_for_look(const volatile std::uint32_t& number) const {
  constexpr unsigned spins_per_query = 4096;
  for (unsigned spins = 1; number != last_look_; ++spins) {
    if (spins % spins_per_query == 0) {
      const cudaError_t code = cudaStreamQuery(stream_);
      if (code != cudaErrorNotReady) {
        TENDRIL_CUDA_CHECK(code);
        break;  // the kernel is done, so the number is there
      }
    }
  }
  std::atomic_thread_fence(std::memory_order_acquire);
}

std::byte* engine_context::workspace(std::size_t bytes) {
  return grown(workspace_, bytes);
}

std::byte* engine_context::chain_memory(std::size_t bytes) {
  return grown(chain_memory_, bytes);
}

std::byte* engine_context::grown(device_buffer<std::byte>& buffer, std::size_t bytes) {
  if (bytes > buffer.size()) {
    buffer = {};
    require_memory(*memory_, bytes, "GPU working memory");
    buffer = device_buffer<std::byte>(bytes, stream_, memory_);
  }
  return buffer.data();
}

}  // namespace cuda

cuda_engine::cuda_engine(const cuda_options& options) {
  if (options.driver == cuda_driver::chained) {
    throw usage_error("the chained driver launches from the device: it needs dynamic_cuda_engine");
  }
  context_ = std::make_shared<cuda::engine_context>(options);
}

const cuda_device& cuda_engine::device() const noexcept {
  return context_->device();
}

const driver_choice& cuda_engine::last_driver() const noexcept {
  return context_->last_driver();
}

float cuda_engine::device_ms() const {
  return cuda::elapsed_ms(context_->begun(), context_->ended());
}

cudaStream_t cuda_engine::stream() const noexcept {
  return context_->stream();
}

template <weight W>
std::size_t cuda_engine::working_bytes(const cuda_graph<W>& graph, bool reads_edges) const {
  return cuda::first_visit_layout(
             graph.num_vertices(), 1,
             graph.has_narrow_positions() ? sizeof(std::uint32_t) : sizeof(edge_offset),
             reads_edges || graph.placed().short_rows.size() != 0)
      .all.size();
}

template <weight W>
vertex_id cuda_graph<W>::num_vertices() const noexcept {
  return placed_->num_vertices;
}

template <weight W>
edge_offset cuda_graph<W>::num_edges() const noexcept {
  return placed_->num_edges;
}

template <weight W>
bool cuda_graph<W>::can_pull() const noexcept {
  return placed_->can_pull;
}

template <weight W>
double cuda_graph<W>::copy_ms() const noexcept {
  return placed_->copy_ms;
}

template <weight W>
double cuda_graph<W>::prepare_ms() const noexcept {
  return placed_->prepare_ms;
}

template <weight W>
std::size_t cuda_graph<W>::row_bytes() const noexcept {
  return placed_->own_out.size_bytes();
}

template <weight W>
std::size_t cuda_graph<W>::added_bytes() const noexcept {
  return placed_->own_in.size_bytes() + placed_->isolated.size_bytes() +
         placed_->degrees.size_bytes() + placed_->first_in.size_bytes() +
         placed_->hub_parts.size_bytes() + placed_->short_rows.size_bytes();
}

template <weight W>
const csr<W>& cuda_graph<W>::host() const {
  if (!placed_->host) {
    throw usage_error("this graph was placed from device memory: there is no host copy");
  }
  return *placed_->host;
}

template <weight W>
bool cuda_graph<W>::has_narrow_positions() const noexcept {
  return placed_->narrow;
}

#define TENDRIL_ENGINE_FOR(W)   \
  template class cuda_graph<W>; \
  template std::size_t cuda_engine::working_bytes(const cuda_graph<W>&, bool) const;
TENDRIL_ENGINE_FOR(none)
TENDRIL_ENGINE_FOR(std::int32_t)
TENDRIL_ENGINE_FOR(float)
TENDRIL_ENGINE_FOR(double)
#undef TENDRIL_ENGINE_FOR

}  // namespace tendril
