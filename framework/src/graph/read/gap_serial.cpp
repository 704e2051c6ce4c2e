#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "graph/counted.hpp"
#include "graph/file_name.hpp"
#include "graph/read/as_asked.hpp"
#include "graph/read/byte_source.hpp"
#include "graph/read/formats.hpp"
#include "graph/weight_as.hpp"
#include "tendril/core/error.hpp"

// GAP's serialised graph (its layout is described in write/gap_serial.cpp). Read piece by piece
// into arrays, since its own lie unaligned; the transpose behind a directed graph is not needed.

namespace tendril::detail {

namespace {

struct gap_header {
  bool directed = false;
  std::uint64_t num_edges = 0;
  std::uint64_t num_vertices = 0;
};

constexpr std::size_t header_bytes = 1 + 2 * sizeof(std::uint64_t);

class gap_reader {
 public:
  gap_reader(const std::filesystem::path& path, bool weighted, const read_options& options)
      : source_(path), weighted_(weighted), options_(options) {
    char bytes[header_bytes];
    read({bytes, header_bytes});
    head_.directed = bytes[0] != 0;
    std::memcpy(&head_.num_edges, bytes + 1, sizeof(head_.num_edges));
    std::memcpy(&head_.num_vertices, bytes + 1 + sizeof(head_.num_edges),
                sizeof(head_.num_vertices));
    check_header(static_cast<unsigned char>(bytes[0]));
  }

  [[nodiscard]] const gap_header& head() const noexcept { return head_; }
  [[nodiscard]] bool gzipped() const noexcept { return source_.gzipped(); }

  [[noreturn]] void refuse(const std::string& what) const {
    throw input_error(source_.path().string() + ": " + what);
  }

  [[nodiscard]] page_vector<edge_offset> offsets() {
    page_vector<edge_offset> values(head_.num_vertices + 1);
    read_array(std::span<edge_offset>(values));
    return values;
  }

  /// Targets and weights alternate in .wsg. Weights the file lacks are 1.
  template <numeric_weight W>
  void targets_and_weights(std::span<vertex_id> targets, std::span<W> weights) {
    if (!weighted_) {
      read_array(targets);
      std::fill(weights.begin(), weights.end(), W{1});
      return;
    }
    each_pair([&](std::uint64_t i, vertex_id target, std::int32_t weight) {
      const std::optional<W> same = exact_weight<W>(weight);
      if (!same) {
        refuse("expected weights that the type asked for holds exactly, found " +
               std::to_string(weight) + " at edge " + std::to_string(i));
      }
      targets[i] = target;
      weights[i] = *same;
    });
  }

  void targets(std::span<vertex_id> values) {
    if (!weighted_) {
      read_array(values);
      return;
    }
    each_pair(
        [&](std::uint64_t i, vertex_id target, std::int32_t /*weight*/) { values[i] = target; });
  }

  /// The transpose must be there, and nothing behind it.
  void skip_rest() {
    std::uint64_t left = head_.directed ? arrays_bytes() : 0;
    std::vector<char> buffer(block_bytes);
    for (;;) {
      const std::size_t got = source_.read(buffer);
      if (got > left) {
        refuse("expected the end of the file, found more bytes");
      }
      left -= got;
      if (got == 0) {
        break;
      }
    }
    if (left > 0) {
      refuse("expected " + std::to_string(left) + " more bytes, found the end of the file");
    }
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20U;

  [[nodiscard]] std::uint64_t arrays_bytes() const {
    return (head_.num_vertices + 1) * sizeof(edge_offset) +
           head_.num_edges * (weighted_ ? 2 : 1) * sizeof(std::int32_t);
  }

  void check_header(unsigned char flag) {
    constexpr std::uint64_t most_vertices = std::uint64_t{1} << 31U;  // ids are signed there
    constexpr std::uint64_t most_edges = std::uint64_t{1} << 48U;
    if (flag > 1 || head_.num_vertices > most_vertices || head_.num_edges > most_edges) {
      refuse("expected a GAP graph of at most 2^31 vertices, found a flag of " +
             std::to_string(flag) + ", " + counted(head_.num_vertices, "vertex", "vertices") +
             " and " + counted(head_.num_edges, "edge", "edges"));
    }
    const std::uint64_t expected = header_bytes + arrays_bytes() * (head_.directed ? 2 : 1);
    if (!source_.gzipped() && source_.file_bytes() != expected) {
      refuse("expected " + std::to_string(expected) + " bytes for " +
             counted(head_.num_vertices, "vertex", "vertices") + " and " +
             counted(head_.num_edges, "edge", "edges") +
             (head_.directed ? ", directed" : ", undirected") + ", found " +
             std::to_string(source_.file_bytes()));
    }
    require_memory(arrays_bytes(), source_.path().string());
  }

  void read(std::span<char> bytes) {
    const std::size_t got = source_.read(bytes);
    if (got < bytes.size()) {
      refuse("expected " + std::to_string(bytes.size() - got) +
             " more bytes, found the end of the file");
    }
    if (options_.progress) {
      options_.progress(source_.bytes_read(), source_.file_bytes());
    }
  }

  template <class T>
  void read_array(std::span<T> values) {
    const std::span<char> bytes(reinterpret_cast<char*>(values.data()), values.size_bytes());
    for (std::size_t at = 0; at < bytes.size(); at += block_bytes) {
      read(bytes.subspan(at, std::min(block_bytes, bytes.size() - at)));
    }
  }

  template <class Take>
  void each_pair(const Take& take) {
    constexpr std::size_t block_pairs = block_bytes / (2 * sizeof(std::int32_t));
    std::vector<std::int32_t> pairs(2 * block_pairs);
    for (std::uint64_t begin = 0; begin < head_.num_edges; begin += block_pairs) {
      const std::size_t count = std::min<std::uint64_t>(block_pairs, head_.num_edges - begin);
      read_array(std::span(pairs).first(2 * count));
      for (std::size_t i = 0; i < count; ++i) {
        take(begin + i, static_cast<vertex_id>(pairs[2 * i]), pairs[2 * i + 1]);
      }
    }
  }

  byte_source source_;
  bool weighted_;
  const read_options& options_;
  gap_header head_;
};

}  // namespace

template <weight W>
graph_file<W> read_gap_serial(const std::filesystem::path& path, const read_options& options) {
  const bool weighted = graph_extension(path) == ".wsg";
  gap_reader reader(path, weighted, options);
  const gap_header& head = reader.head();
  page_vector<edge_offset> offsets = reader.offsets();
  page_vector<vertex_id> targets(head.num_edges);
  shared_array<W> shared_weights;
  if constexpr (std::is_same_v<W, none>) {
    reader.targets(targets);
  } else {
    page_vector<W> weights(head.num_edges);
    reader.targets_and_weights(std::span<vertex_id>(targets), std::span<W>(weights));
    shared_weights = share(std::move(weights), head.num_edges);
  }
  reader.skip_rest();
  const std::string fault = fault_in(offsets, targets);
  if (!fault.empty()) {
    reader.refuse(fault);
  }
  const csr<W> stored(share(std::move(offsets), head.num_vertices + 1),
                      share(std::move(targets), head.num_edges), std::move(shared_weights),
                      head.directed ? orientation::directed : orientation::undirected);
  return {as_asked(path, stored, options),
          vertex_names(static_cast<vertex_id>(head.num_vertices)),
          {.format = file_format::gap_serial,
           .gzipped = reader.gzipped(),
           .has_weights = weighted,
           .stored_entries = head.num_edges}};
}

template graph_file<none> read_gap_serial(const std::filesystem::path&, const read_options&);
template graph_file<std::int32_t> read_gap_serial(const std::filesystem::path&,
                                                  const read_options&);
template graph_file<float> read_gap_serial(const std::filesystem::path&, const read_options&);
template graph_file<double> read_gap_serial(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
