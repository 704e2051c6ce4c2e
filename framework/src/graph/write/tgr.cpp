#include <zlib.h>

#include <string>
#include <vector>

#include "graph/tgr_layout.hpp"
#include "graph/write/formats.hpp"

namespace tendril::write {

namespace {

std::uint32_t checksum(std::uint32_t so_far, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string_view raw_bytes(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

// Passes bytes on to the file and sums each block of them.
class summed_payload {
 public:
  summed_payload(output_file& file, std::uint64_t begin) : file_(file), begin_(begin), at_(begin) {}

  void write(std::string_view bytes) {
    file_.write(bytes);
    while (!bytes.empty()) {
      const std::uint64_t room =
          tgr::checksum_block_bytes - (at_ - begin_) % tgr::checksum_block_bytes;
      if (room == tgr::checksum_block_bytes) {
        sums_.push_back(0);
      }
      const std::string_view part = bytes.substr(0, room);
      sums_.back() = checksum(sums_.back(), part);
      at_ += part.size();
      bytes.remove_prefix(part.size());
    }
  }

  void pad_to(std::uint64_t offset) { write(std::string(offset - at_, '\0')); }

  [[nodiscard]] const std::vector<std::uint32_t>& sums() const { return sums_; }

 private:
  output_file& file_;
  std::uint64_t begin_;
  std::uint64_t at_;
  std::vector<std::uint32_t> sums_;
};

tgr::names_kind kind_of(const vertex_names& names) {
  if (!names.texts().empty()) {
    return tgr::names_kind::texts;
  }
  return names.numbers().empty() ? tgr::names_kind::dense : tgr::names_kind::numbers;
}

std::uint64_t bytes_of(const vertex_names& names) {
  if (kind_of(names) == tgr::names_kind::texts) {
    std::uint64_t bytes = (std::uint64_t{names.num_vertices()} + 1) * sizeof(std::uint64_t);
    for (const std::string& text : names.texts()) {
      bytes += text.size();
    }
    return bytes;
  }
  return names.numbers().size_bytes();
}

void write_names(summed_payload& payload, const vertex_names& names) {
  payload.write(raw_bytes(names.numbers()));
  if (names.texts().empty()) {
    return;
  }
  std::vector<std::uint64_t> ends{0};
  for (const std::string& text : names.texts()) {
    ends.push_back(ends.back() + text.size());
  }
  payload.write(raw_bytes(ends));
  for (const std::string& text : names.texts()) {
    payload.write(text);
  }
}

}  // namespace

template <weight W>
void write_tgr(output_file& file, const csr<W>& graph, const vertex_names& names) {
  tgr::header head;
  head.num_vertices = graph.num_vertices();
  head.num_edges = graph.num_edges();
  head.weights = tgr::kind_of_weight<W>();
  head.undirected = graph.is_undirected() ? 1 : 0;
  head.names = kind_of(names);
  head.names_base = names.base();
  head.where = tgr::layout(head.num_vertices, head.num_edges, head.weights, bytes_of(names));
  const std::string_view bytes(reinterpret_cast<const char*>(&head), sizeof(head));
  head.header_checksum = checksum(0, bytes.substr(0, sizeof(head) - sizeof(head.header_checksum)));
  file.write(bytes);

  summed_payload payload(file, head.where.offsets.offset);
  payload.write(raw_bytes(graph.offsets()));
  payload.pad_to(head.where.targets.offset);
  payload.write(raw_bytes(graph.targets()));
  payload.pad_to(head.where.weights.offset);
  if constexpr (!std::same_as<W, none>) {
    payload.write(raw_bytes(graph.weights()));
  }
  payload.pad_to(head.where.names.offset);
  write_names(payload, names);
  payload.pad_to(head.where.checksums.offset);

  std::vector<std::uint32_t> table = payload.sums();
  table.push_back(checksum(0, raw_bytes(table)));
  file.write(raw_bytes(table));
}

template void write_tgr(output_file&, const csr<none>&, const vertex_names&);
template void write_tgr(output_file&, const csr<std::int32_t>&, const vertex_names&);
template void write_tgr(output_file&, const csr<float>&, const vertex_names&);
template void write_tgr(output_file&, const csr<double>&, const vertex_names&);

}  // namespace tendril::write
