#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"

// Making graphs: the generators, the builder on edges already in memory, and the transpose. Rates
// are edges per second of the kind named; all on every thread that oneTBB uses.

namespace {

using tendril::build_csr;
using tendril::csr;
using tendril::edge_list;
using tendril::none;
using tendril::vertex_id;

void generate(benchmark::State& state, const std::string& text) {
  tendril::edge_offset stored = 0;
  for (auto _ : state) {
    const csr<> graph = tendril::generate(text);
    stored = graph.num_edges();
    benchmark::DoNotOptimize(graph.targets().data());
  }
  state.counters["stored_edges"] = static_cast<double>(stored);
  state.counters["stored_edges_per_second"] = benchmark::Counter(
      static_cast<double>(stored), benchmark::Counter::kIsIterationInvariantRate);
}

// The edges of a graph, in the order of their targets so that the builder has work to do.
template <class W>
edge_list<W> unsorted_edges(const csr<W>& graph) {
  constexpr std::size_t chunk_edges = std::size_t{1} << 17U;
  edge_list<W> edges;
  typename edge_list<W>::chunk chunk;
  const auto view = graph.view();
  for (vertex_id v = 0; v < view.num_vertices(); ++v) {
    for (auto i = view.first_edge(v); i < view.last_edge(v); ++i) {
      chunk.push_back({view.target(i), v, view.weight(i)});
    }
    if (chunk.size() >= chunk_edges) {
      edges.append(std::exchange(chunk, {}));
    }
  }
  edges.append(std::move(chunk));
  return edges;
}

template <class W>
void build(benchmark::State& state, const std::string& text,
           const tendril::build_options& options) {
  const csr<W> graph = tendril::generate<W>(text);
  for (auto _ : state) {
    state.PauseTiming();
    edge_list<W> edges = unsorted_edges(graph);
    state.ResumeTiming();
    const csr<W> built = build_csr(std::move(edges), graph.num_vertices(), options);
    benchmark::DoNotOptimize(built.targets().data());
  }
  state.counters["edges_per_second"] = benchmark::Counter(
      static_cast<double>(graph.num_edges()), benchmark::Counter::kIsIterationInvariantRate);
}

template <class W>
void transpose(benchmark::State& state, const std::string& text) {
  const csr<W> graph = with_kind(tendril::generate<W>(text), tendril::orientation::directed);
  for (auto _ : state) {
    const csr<W> turned = tendril::transpose(graph);
    benchmark::DoNotOptimize(turned.targets().data());
  }
  state.counters["edges_per_second"] = benchmark::Counter(
      static_cast<double>(graph.num_edges()), benchmark::Counter::kIsIterationInvariantRate);
}

constexpr tendril::build_options as_stored{};
constexpr tendril::build_options mirrored_and_merged{
    .kind = tendril::orientation::undirected,
    .parallel_edges = tendril::build_options::duplicates::merge};

template <class Function, class... Arguments>
void add(const char* name, Function function, Arguments... arguments) {
  benchmark::RegisterBenchmark(name, function, arguments...)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string rmat = "rmat:20:16";
  const std::string grid = "grid:2048x2048:30";
  add("graph/generate/rmat:20:16", generate, rmat);
  add("graph/generate/urand:20:16", generate, "urand:20:16");
  add("graph/generate/grid:2048x2048:30", generate, grid);
  add("graph/build/rmat:20:16/none", build<none>, rmat, as_stored);
  add("graph/build/rmat:20:16/int32", build<std::int32_t>, rmat, as_stored);
  add("graph/build/rmat:20:16/double", build<double>, rmat, as_stored);
  add("graph/build/rmat:20:16/none/mirrored-merged", build<none>, rmat, mirrored_and_merged);
  add("graph/build/grid:2048x2048:30/none", build<none>, grid, as_stored);
  add("graph/build/star:16777216/none", build<none>, "star:16777216", as_stored);
  add("graph/transpose/rmat:20:16/none", transpose<none>, rmat);
  add("graph/transpose/rmat:20:16/int32", transpose<std::int32_t>, rmat);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
}
