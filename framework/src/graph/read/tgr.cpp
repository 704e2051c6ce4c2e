#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/mapped_file.hpp"
#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/counted.hpp"
#include "graph/number_text.hpp"
#include "graph/read/as_asked.hpp"
#include "graph/read/formats.hpp"
#include "graph/tgr_layout.hpp"
#include "graph/weight_as.hpp"
#include "tendril/core/error.hpp"

// .tgr: mapped, checked in full (checksums, then every offset and target), used where it lies.

namespace tendril::detail {

namespace {

class tgr_file {
 public:
  explicit tgr_file(const std::filesystem::path& path)
      : path_(path), file_(std::make_shared<const mapped_file>(path)) {
    read_header();
    check_layout();
    check_sums();
  }

  [[nodiscard]] const tgr::header& head() const noexcept { return head_; }

  template <class T>
  [[nodiscard]] std::span<const T> array(const tgr::section& where) const {
    return {reinterpret_cast<const T*>(bytes().data() + where.offset), where.bytes / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] shared_array<T> shared(const tgr::section& where) const {
    return {array<T>(where), file_};
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw input_error(path_.string() + ": " + what);
  }

 private:
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return file_->bytes(); }

  [[nodiscard]] static std::uint32_t checksum(std::span<const std::byte> part) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(part.data()), part.size()));
  }

  void read_header() {
    if (bytes().empty()) {
      refuse("expected a .tgr file, found an empty one");
    }
    const std::size_t known = std::min(bytes().size(), sizeof(head_));
    std::memcpy(&head_, bytes().data(), known);
    if (known < head_.signature.size() || head_.signature != tgr::magic) {
      refuse("expected a .tgr file, found other content");
    }
    if (known < sizeof(head_)) {
      refuse("expected a header of " + std::to_string(sizeof(head_)) + " bytes, found " +
             std::to_string(known));
    }
    if (head_.byte_order != tgr::native_order) {
      refuse("expected the byte order of this machine, found another");
    }
    if (head_.version != tgr::current_version) {
      refuse("expected .tgr version " + std::to_string(tgr::current_version) + ", found version " +
             std::to_string(head_.version));
    }
    if (checksum(bytes().first(sizeof(head_) - sizeof(head_.header_checksum))) !=
        head_.header_checksum) {
      refuse("expected the header's checksum to match, found damage");
    }
  }

  // Nothing in the header is believed but what follows from the counts and fits the file.
  void check_layout() const {
    const std::uint64_t size = bytes().size();
    if (head_.num_vertices >= no_vertex || head_.num_edges > size ||
        head_.where.names.bytes > size) {
      refuse("expected counts that fit a file of " + std::to_string(size) + " bytes, found " +
             counted(head_.num_vertices, "vertex", "vertices") + " and " +
             counted(head_.num_edges, "edge", "edges"));
    }
    if (head_.weights > tgr::weight_kind::float64 || head_.names > tgr::names_kind::texts ||
        head_.undirected > 1) {
      refuse("expected known kinds of weights, names and orientation, found others");
    }
    const tgr::sections expected =
        tgr::layout(head_.num_vertices, head_.num_edges, head_.weights, head_.where.names.bytes);
    if (head_.where != expected) {
      refuse("expected sections one after the other, found them elsewhere");
    }
    if (tgr::file_bytes(expected) != size) {
      refuse("expected " + std::to_string(tgr::file_bytes(expected)) + " bytes, found " +
             std::to_string(size));
    }
  }

  void check_sums() const {
    const auto table = array<std::uint32_t>(head_.where.checksums);
    const std::size_t num_blocks = table.size() - 1;
    if (checksum(std::as_bytes(table.first(num_blocks))) != table.back()) {
      refuse("expected the checksum of the checksums to match, found damage");
    }
    const std::uint64_t begin = head_.where.offsets.offset;
    const auto payload = bytes().subspan(begin, head_.where.checksums.offset - begin);
    std::atomic<std::size_t> damaged{num_blocks};
    parallel::for_each(num_blocks, [&](std::size_t block) {
      const std::size_t from = block * tgr::checksum_block_bytes;
      const std::size_t count = std::min(tgr::checksum_block_bytes, payload.size() - from);
      if (checksum(payload.subspan(from, count)) != table[block]) {
        std::size_t known = damaged.load();
        while (block < known && !damaged.compare_exchange_weak(known, block)) {
        }
      }
    });
    if (damaged < num_blocks) {
      const std::uint64_t from = begin + damaged * tgr::checksum_block_bytes;
      refuse("expected the checksum of the bytes from " + std::to_string(from) +
             " on to match, found damage");
    }
  }

  std::filesystem::path path_;
  std::shared_ptr<const mapped_file> file_;
  tgr::header head_;
};

// Weights of another type, each converted if nothing is lost.
template <weight From, weight To>
shared_array<To> converted(const tgr_file& file) {
  const auto from = file.array<From>(file.head().where.weights);
  page_vector<To> weights(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::optional<To> same = exact_weight<To>(from[i]);
    if (!same) {
      file.refuse("expected weights that the type asked for holds exactly, found " +
                  number_text(from[i]) + " at edge " + std::to_string(i));
    }
    weights[i] = *same;
  }
  const std::size_t size = weights.size();
  return share(std::move(weights), size);
}

template <weight From, weight To>
shared_array<To> shared_or_converted(const tgr_file& file) {
  if constexpr (std::is_same_v<From, To>) {
    return file.shared<To>(file.head().where.weights);
  } else {
    return converted<From, To>(file);
  }
}

template <weight W>
shared_array<W> weights_of(const tgr_file& file) {
  if constexpr (std::is_same_v<W, none>) {
    return {};
  } else {
    switch (file.head().weights) {
      case tgr::weight_kind::none:
        return std::vector<W>(file.head().num_edges, W{1});
      case tgr::weight_kind::int32:
        return shared_or_converted<std::int32_t, W>(file);
      case tgr::weight_kind::float32:
        return shared_or_converted<float, W>(file);
      case tgr::weight_kind::float64:
        return shared_or_converted<double, W>(file);
    }
    return {};
  }
}

std::vector<std::string> texts_of(const tgr_file& file) {
  const tgr::section& where = file.head().where.names;
  const std::uint64_t num_vertices = file.head().num_vertices;
  const std::uint64_t table_bytes = (num_vertices + 1) * sizeof(std::uint64_t);
  if (where.bytes < table_bytes) {
    file.refuse("expected " + counted(num_vertices, "name", "names") + ", found fewer");
  }
  const auto ends = file.array<std::uint64_t>({where.offset, table_bytes});
  const auto characters = file.array<char>({where.offset + table_bytes, where.bytes - table_bytes});
  if (ends.front() != 0 || ends.back() != characters.size() ||
      !std::is_sorted(ends.begin(), ends.end())) {
    file.refuse("expected names one after the other, found positions out of order");
  }
  std::vector<std::string> texts(num_vertices);
  for (std::uint64_t v = 0; v < num_vertices; ++v) {
    texts[v].assign(characters.data() + ends[v], ends[v + 1] - ends[v]);
  }
  return texts;
}

vertex_names names_of(const tgr_file& file) {
  const tgr::header& head = file.head();
  const auto num_vertices = static_cast<vertex_id>(head.num_vertices);
  try {
    switch (head.names) {
      case tgr::names_kind::dense:
        return vertex_names(num_vertices, head.names_base);
      case tgr::names_kind::numbers: {
        const auto numbers = file.array<std::uint64_t>(head.where.names);
        if (numbers.size() != num_vertices) {
          file.refuse("expected " + counted(num_vertices, "name", "names") + ", found " +
                      std::to_string(numbers.size()));
        }
        return vertex_names(std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
      }
      case tgr::names_kind::texts:
        return vertex_names(texts_of(file));
    }
  } catch (const usage_error& error) {
    file.refuse(error.what());
  }
  return vertex_names();
}

}  // namespace

bool is_tgr(std::string_view first_bytes) noexcept {
  return first_bytes.starts_with(std::string_view(tgr::magic.data(), tgr::magic.size()));
}

template <weight W>
graph_file<W> read_tgr(const std::filesystem::path& path, const read_options& options) {
  const tgr_file file(path);
  const tgr::header& head = file.head();
  const std::string fault = fault_in(file.array<edge_offset>(head.where.offsets),
                                     file.array<vertex_id>(head.where.targets));
  if (!fault.empty()) {
    file.refuse(fault);
  }
  const csr<W> stored(file.shared<edge_offset>(head.where.offsets),
                      file.shared<vertex_id>(head.where.targets), weights_of<W>(file),
                      head.undirected != 0 ? orientation::undirected : orientation::directed);
  return {as_asked(path, stored, options),
          names_of(file),
          {.format = file_format::tgr,
           .gzipped = false,
           .has_weights = head.weights != tgr::weight_kind::none,
           .stored_entries = head.num_edges}};
}

template graph_file<none> read_tgr(const std::filesystem::path&, const read_options&);
template graph_file<std::int32_t> read_tgr(const std::filesystem::path&, const read_options&);
template graph_file<float> read_tgr(const std::filesystem::path&, const read_options&);
template graph_file<double> read_tgr(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
