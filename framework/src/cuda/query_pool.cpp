#include <algorithm>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/cuda/connections.hpp"
#include "tendril/cuda/detail/pool_station.hpp"
#include "tendril/cuda/detail/workspace.hpp"

namespace tendril::cuda {

namespace {

/// Grids that a device runs at a time, but one for urgent queries.
constexpr std::size_t most_slots = 127;
/// Traversals that share a device well when each takes a part of every multiprocessor.
constexpr std::size_t usual_streams = 15;

int most_urgent_priority() {
  int least = 0;
  int most = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &most));
  return most;
}

/// The vertex with most edges; the first where the rows lie on the device alone.
vertex_id busiest_vertex(const lane_graph& graph) {
  vertex_id busiest = 0;
  edge_offset most = 0;
  for (vertex_id v = 0; graph.host_offsets != nullptr && v < graph.num_vertices; ++v) {
    const edge_offset degree = graph.host_offsets[v + std::size_t{1}] - graph.host_offsets[v];
    if (degree > most) {
      most = degree;
      busiest = v;
    }
  }
  return busiest;
}

/// Which way usual queries run, and why.
void choose_way(const cuda_engine& owner, const lane_graph& graph, const pool_options& options,
                pool_plan& plan) {
  plan.way = options.way;
  if (options.way != reach_way::automatic) {
    return;
  }
  if (graph.num_vertices == 0) {
    plan.way = reach_way::blocks;
    plan.reason = "the graph has no vertices";
    return;
  }
  const auto width = probe_on_device(owner.context(), graph, busiest_vertex(graph));
  const reach_report chosen = ::tendril::detail::choose_way(width, reach_way::blocks);
  plan.way = chosen.way == reach_way::blocks ? reach_way::blocks : reach_way::streams;
  plan.reason = chosen.reason;
}

/// Working memory of a station: of a block per query, or of any traversal alone.
std::size_t bytes_of_station(const lane_graph& graph, std::size_t blocks) {
  constexpr std::size_t usual_sources = 4096;
  const std::size_t position_bytes =
      graph.out.narrow != nullptr ? sizeof(std::uint32_t) : sizeof(edge_offset);
  layout of_blocks;
  static_cast<void>(of_blocks.add(blocks * bitmap_bytes(graph.num_vertices)));
  static_cast<void>(of_blocks.add(blocks * std::size_t{graph.num_vertices} * sizeof(vertex_id)));
  return std::max(
      {of_blocks.size(),
       first_visit_layout(graph.num_vertices, usual_sources, position_bytes, true).all.size(),
       relaxing_layout(graph.num_vertices, usual_sources, position_bytes).all.size()});
}

std::string warning_of(const cuda_connections& connections, std::size_t streams) {
  if (streams <= static_cast<std::size_t>(connections.count)) {
    return {};
  }
  const std::string numbers = std::to_string(streams) + " streams share " +
                              std::to_string(connections.count) + " connections to the GPU";
  return numbers + (connections.is_late ? ": CUDA was called before tendril could ask for 32, see "
                                          "tendril::connect_cuda()"
                                        : ": urgent queries may wait for usual ones");
}

/// @return with one station kept free, if there is memory for two
station_plan planned(const cuda_device& device, const lane_graph& graph, reach_way way,
                     std::size_t slots, std::size_t available) {
  station_plan plan;
  const auto multiprocessors = static_cast<std::size_t>(device.num_multiprocessors);
  plan.pool.gathered =
      way == reach_way::blocks ? std::max<std::size_t>(multiprocessors / (slots + 1), 1) : 1;
  plan.station_bytes = bytes_of_station(graph, plan.pool.gathered);
  // Half is left to the arrays of visitors.
  const std::size_t stations = std::max<std::size_t>(available / 2 / plan.station_bytes, 1);
  plan.pool.slots = std::clamp<std::size_t>(stations - 1, 1, slots);
  plan.pool.urgent_slot = stations > 1;
  return plan;
}

}  // namespace

void* arena_slice::allocate(std::size_t bytes, cudaStream_t stream) {
  if (is_taken_ || bytes > size_) {
    return elsewhere_->allocate(bytes, stream);
  }
  is_taken_ = true;
  return begin_;
}

void arena_slice::deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept {
  if (pointer == begin_) {
    is_taken_ = false;
  } else {
    elsewhere_->deallocate(pointer, bytes, stream);
  }
}

std::size_t arena_slice::available_bytes() {
  return std::max(is_taken_ ? 0 : size_, elsewhere_->available_bytes());
}

station_plan plan_stations(const cuda_engine& owner, const lane_graph& graph,
                           const pool_options& options) {
  ::tendril::detail::check_pool(options, most_slots, reach_way::blocks);
  const engine_context& context = owner.context();
  context.use();
  pool_plan chosen;
  choose_way(owner, graph, options, chosen);
  // One connection, and on the device one station's share, are left to urgent queries.
  const cuda_connections connections = connect_cuda();
  const auto usual = std::min<std::size_t>(
      {static_cast<std::size_t>(std::max(connections.count - 1, 1)),
       static_cast<std::size_t>(std::max(context.device().num_multiprocessors - 1, 1)),
       chosen.way == reach_way::blocks ? most_slots : usual_streams});
  const std::size_t available = context.memory()->available_bytes();
  station_plan plan =
      planned(context.device(), graph, chosen.way, options.slots.value_or(usual), available);
  require_memory(*context.memory(), plan.station_bytes, "GPU working memory of a slot");
  plan.pool.way = chosen.way;
  plan.pool.reason = chosen.reason;
  const std::size_t stations = plan.pool.slots + (plan.pool.urgent_slot ? 1 : 0);
  plan.share = static_cast<unsigned>(stations);
  plan.pool.working_bytes = stations * plan.station_bytes;
  plan.pool.warning = warning_of(connections, stations);
  return plan;
}

pool_station::pool_station(const cuda_engine& owner, std::shared_ptr<memory_resource> memory,
                           unsigned share, bool is_urgent)
    : stream_(is_urgent ? most_urgent_priority() : 0),
      engine_([&] {
        cuda_options options;
        options.device = owner.device().id;
        options.stream = stream_.get();
        options.memory = std::move(memory);
        options.tuning = owner.context().tuning();
        options.tuning.resident_share = share;
        options.driver = owner.context().driver() == cuda_driver::stepped ? cuda_driver::stepped
                                                                          : cuda_driver::resident;
        return options;
      }()),
      is_urgent_(is_urgent) {}

std::byte* pool_station::staging(std::size_t bytes) {
  if (!staging_ || staging_->size() < bytes) {
    staging_.reset();
    staging_.emplace(bytes);
  }
  return staging_->data();
}

void pool_station::wait() const {
  if (is_urgent_) {
    stream_.synchronize();
  } else {
    ended_.record(stream_.get());
    ended_.synchronize();
  }
}

std::vector<std::unique_ptr<pool_station>> make_stations(const cuda_engine& owner,
                                                         const station_plan& plan) {
  const engine_context& context = owner.context();
  const auto arena = std::make_shared<device_buffer<std::byte>>(plan.pool.working_bytes,
                                                                context.stream(), context.memory());
  context.synchronize();
  std::vector<std::unique_ptr<pool_station>> stations;
  for (std::size_t i = 0; i < plan.share; ++i) {
    auto slice = std::make_shared<arena_slice>(arena, i * plan.station_bytes, plan.station_bytes,
                                               context.memory());
    stations.push_back(
        std::make_unique<pool_station>(owner, std::move(slice), plan.share, i == plan.pool.slots));
    // All of it now: no query asks how much memory is free.
    static_cast<void>(stations.back()->context().workspace(plan.station_bytes));
  }
  return stations;
}

}  // namespace tendril::cuda
