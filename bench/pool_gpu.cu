#include "pool_gpu.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include "tendril/core/atomics.hpp"
#include "tendril/cuda/query_pool.cuh"

namespace tendril::bench {

namespace {

using bench_clock = std::chrono::steady_clock;

/// Searches some levels, and rings when it begins.
struct bell {
  using kind = first_visit;
  std::int32_t* rung;  ///< in page-locked memory, or null
  std::int32_t levels;
  TENDRIL_HD void arrive(vertex_id /*v*/, std::int32_t level) const {
    if (level == 0 && rung != nullptr) {
      store(*rung, 1);
    }
  }
  TENDRIL_HD bool stops(std::int32_t level) const { return level + 1 >= levels; }
};

constexpr bell silent{nullptr, std::numeric_limits<std::int32_t>::max()};

std::vector<pending_query> submit_all(query_pool<cuda_engine, cuda_graph<>>& pool,
                                      std::span<const vertex_id> sources) {
  std::vector<pending_query> queries;
  queries.reserve(sources.size());
  for (const vertex_id source : sources) {
    queries.push_back(pool.submit({source}, silent));
  }
  return queries;
}

}  // namespace

std::vector<double> pool_seconds(cuda_engine& engine, const cuda_graph<>& graph,
                                 std::span<const vertex_id> sources, std::size_t repetitions,
                                 std::string& wrong) {
  query_pool pool(engine, graph);
  static_cast<void>(submit_all(pool, sources.first(64)));
  pool.wait();
  std::vector<double> seconds;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const auto begin = bench_clock::now();
    std::vector<pending_query> queries = submit_all(pool, sources);
    pool.wait();
    seconds.push_back(std::chrono::duration<double>(bench_clock::now() - begin).count());
    const auto single = traverse(engine, graph, {sources.back()}, silent);
    if (queries.back().get().reached != single.entered) {
      wrong = "the pool and a single search disagree";
    }
  }
  return seconds;
}

urgent_waits urgent_among(cuda_engine& engine, const cuda_graph<>& graph,
                          std::span<const vertex_id> sources, std::size_t count) {
  constexpr std::size_t in_a_row = 5;
  query_pool pool(engine, graph, {.capacity = sources.size()});
  cuda::pinned_buffer<std::int32_t> rung(1);
  volatile std::int32_t& seen = *rung.data();
  urgent_waits waits;
  waits.way =
      std::string(to_string(pool.plan().way)) + ", " + std::to_string(pool.plan().slots) + " slots";
  const auto ask = [&] {
    seen = 0;
    const auto begin = bench_clock::now();
    pending_query query = pool.submit({sources[0]}, bell{rung.data(), 1}, query_priority::urgent);
    while (seen == 0) {
    }
    const std::chrono::duration<double, std::micro> passed = bench_clock::now() - begin;
    static_cast<void>(query.get());
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // its slot waits again
    return passed.count();
  };
  static_cast<void>(ask());  // loads the kernel
  while (waits.us.size() < count) {
    const auto usual = submit_all(pool, sources);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    std::size_t asked = 0;
    do {
      waits.us.push_back(ask());
    } while (++asked < in_a_row && pool.num_waiting() != 0);
    pool.wait();
  }
  return waits;
}

}  // namespace tendril::bench
