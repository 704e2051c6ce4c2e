#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "graph/read/formats.hpp"
#include "tendril/graph/read.hpp"

// Reading text files: a million vertices and as many random edges as make about 64 MB, through the
// whole of read_graph, so that each rate (bytes of text per second) includes building the csr.
// Files are made in the folder for temporary files and removed at the end.

namespace {

using tendril::none;

constexpr std::uint64_t num_vertices = std::uint64_t{1} << 20U;
constexpr std::uint64_t file_bytes = std::uint64_t{64} << 20U;

/// Mixes bits (splitmix64): the same files on every run.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

struct random_edge {
  std::uint64_t source;
  std::uint64_t target;
  std::uint64_t weight;
};

random_edge edge_of(std::uint64_t number) {
  const std::uint64_t bits = mixed(number);
  return {bits % num_vertices, (bits >> 24U) % num_vertices, bits >> 56U};
}

void append_decimal(std::string& text, std::uint64_t weight) {
  text.append(" 0.").append(std::to_string(100000 + mixed(weight) % 900000));
}

class text_file {
 public:
  explicit text_file(std::string name)
      : path_(std::filesystem::temp_directory_path() /
              ("tendril_bench_" + std::to_string(::getpid()) + "_" + std::move(name))) {}
  ~text_file() { std::filesystem::remove(path_); }
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t text_bytes() const { return text_bytes_; }

  void write(const std::string& text) {
    text_bytes_ = text.size();
    if (path_.extension() == ".gz") {
      gzFile file = gzopen(path_.c_str(), "wb1");
      gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
      gzclose(file);
    } else {
      std::ofstream(path_, std::ios::binary) << text;
    }
  }

 private:
  std::filesystem::path path_;
  std::uint64_t text_bytes_ = 0;
};

/// A header and lines, as many as fill the file.
std::string lines_after(const std::function<std::string(std::uint64_t)>& header,
                        const std::function<void(std::string&, const random_edge&)>& append) {
  std::string body;
  body.reserve(file_bytes + 64);
  std::uint64_t count = 0;
  while (body.size() < file_bytes) {
    append(body, edge_of(count++));
  }
  return header(count) + body;
}

std::string edge_list_text(const char* prefix, std::uint64_t stride, bool weighted) {
  return lines_after([](std::uint64_t) { return std::string(); },
                     [&](std::string& text, const random_edge& one) {
                       text.append(prefix).append(std::to_string(one.source * stride)).append(" ");
                       text.append(prefix).append(std::to_string(one.target * stride));
                       if (weighted) {
                         append_decimal(text, one.weight);
                       }
                       text.append("\n");
                     });
}

std::string matrix_text(const char* field, bool weighted) {
  return lines_after(
      [&](std::uint64_t count) {
        const std::string size = std::to_string(num_vertices);
        return std::string("%%MatrixMarket matrix coordinate ").append(field) + " general\n" +
               size + ' ' + size + ' ' + std::to_string(count) + '\n';
      },
      [&](std::string& text, const random_edge& one) {
        text.append(std::to_string(one.source + 1)).append(" ");
        text.append(std::to_string(one.target + 1));
        if (weighted) {
          append_decimal(text, one.weight);
        }
        text.append("\n");
      });
}

std::string dimacs_text() {
  return lines_after(
      [](std::uint64_t count) {
        return "p sp " + std::to_string(num_vertices) + ' ' + std::to_string(count) + '\n';
      },
      [](std::string& text, const random_edge& one) {
        text.append("a ").append(std::to_string(one.source + 1)).append(" ");
        text.append(std::to_string(one.target + 1)).append(" ");
        text.append(std::to_string(one.weight)).append("\n");
      });
}

/// Neighbours v xor k for small k: symmetric without keeping the edges.
std::string metis_text() {
  constexpr std::uint64_t num_neighbours = 8;
  std::string text =
      std::to_string(num_vertices) + ' ' + std::to_string(num_vertices * num_neighbours / 2) + '\n';
  for (std::uint64_t v = 0; v < num_vertices; ++v) {
    for (std::uint64_t k = 1; k <= num_neighbours; ++k) {
      text += std::to_string((v ^ (mixed(k) % num_vertices)) + 1) + ' ';
    }
    text.back() = '\n';
  }
  return text;
}

std::string adjacency_text() {
  constexpr std::uint64_t num_neighbours = 8;
  std::string text = "AdjacencyGraph\n" + std::to_string(num_vertices) + '\n' +
                     std::to_string(num_vertices * num_neighbours) + '\n';
  for (std::uint64_t v = 0; v < num_vertices; ++v) {
    text += std::to_string(v * num_neighbours) + '\n';
  }
  for (std::uint64_t i = 0; i < num_vertices * num_neighbours; ++i) {
    text += std::to_string(edge_of(i).target) + '\n';
  }
  return text;
}

/// Times action(path) on a file of that text; the action gives the number of edges.
template <class Action>
void time_on_file(benchmark::State& state, const std::string& name, const std::string& text,
                  Action action) {
  text_file file(name);
  file.write(text);
  const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(state.range(0)));
  tendril::edge_offset num_edges = 0;
  for (auto _ : state) {
    num_edges = action(file.path());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.text_bytes()));
  state.counters["edges"] = static_cast<double>(num_edges);
}

using make_text = std::function<std::string()>;

template <class Action>
void add(const std::string& name, const std::string& file, const make_text& text, Action action) {
  auto* const bench = benchmark::RegisterBenchmark(
      name.c_str(),
      [file, text, action](benchmark::State& state) { time_on_file(state, file, text(), action); });
  bench->ArgName("threads")->Arg(1)->Arg(2);
  bench->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
}

template <tendril::weight W>
void add_read(const std::string& what, const std::string& file, const make_text& text) {
  add("read/" + what, file, text,
      [](const std::filesystem::path& path) { return tendril::read_graph<W>(path).num_edges(); });
}

template <class Parse>
void add_parse(const std::string& what, const std::string& file, const make_text& text,
               Parse parse) {
  add("parse/" + what, file, text,
      [parse](const std::filesystem::path& path) { return parse(path, {}).edges.size(); });
}

}  // namespace

int main(int argc, char** argv) {
  namespace detail = tendril::detail;
  const make_text pattern = [] { return matrix_text("pattern", false); };
  const make_text real = [] { return matrix_text("real", true); };
  const make_text pairs = [] { return edge_list_text("", 1, false); };
  const make_text weighted = [] { return edge_list_text("", 1, true); };
  add_parse("mtx/pattern", "a.mtx", pattern, detail::parse_matrix_market<none>);
  add_parse("mtx/real", "a.mtx", real, detail::parse_matrix_market<float>);
  add_parse("el", "a.el", pairs, detail::parse_edge_list<none>);
  add_parse("wel/float", "a.wel", weighted, detail::parse_edge_list<float>);
  add_parse("wel/double", "a.wel", weighted, detail::parse_edge_list<double>);
  add_parse("gr/int32", "a.gr", dimacs_text, detail::parse_dimacs<std::int32_t>);
  add("parse/metis", "a.graph", metis_text, [](const std::filesystem::path& path) {
    return detail::parse_metis<none>(path, {}).parsed.edges.size();
  });
  add_parse("adjacency", "a.adj", adjacency_text, detail::parse_adjacency<none>);
  add_read<none>("mtx/pattern", "a.mtx", pattern);
  add_read<float>("mtx/real", "a.mtx", real);
  add_read<none>("el", "a.el", pairs);
  add_read<none>("el/sparse_ids", "a.el", [] { return edge_list_text("", 100, false); });
  add_read<none>("el/large_ids", "a.el", [] { return edge_list_text("", 10000, false); });
  add_read<none>("el/texts", "a.el", [] { return edge_list_text("v", 1, false); });
  add_read<none>("el/gzip", "a.el.gz", pairs);
  add_read<float>("wel/float", "a.wel", weighted);
  add_read<double>("wel/double", "a.wel", weighted);
  add_read<std::int32_t>("gr/int32", "a.gr", dimacs_text);
  add_read<none>("metis", "a.graph", metis_text);
  add_read<none>("adjacency", "a.adj", adjacency_text);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
