#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tendril/core/types.hpp"

// The layout of a .tgr file, shared by its reader and its writer:
//
//   header      192 bytes, below
//   offsets     num_vertices + 1 of 64 bits
//   targets     num_edges of 32 bits
//   weights     num_edges of the weight's size, absent without weights
//   names       numbers: num_vertices of 64 bits; texts: num_vertices + 1 positions of 64 bits,
//   then the
//               bytes; absent where names are dense
//   checksums   the CRC-32 of each MiB from the first section to here, 32 bits each; then the
//   CRC-32 of
//               those numbers
//
// Each section starts at the next multiple of 64 after the one before; what lies between is zero.
// Numbers are in the byte order of the machine that wrote them; byte_order tells.

namespace tendril::tgr {

inline constexpr std::array<char, 8> magic{'\x89', 'T', 'G', 'R', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint32_t current_version = 1;
inline constexpr std::uint32_t native_order = 0x01020304;
inline constexpr std::uint64_t alignment = 64;
inline constexpr std::uint64_t checksum_block_bytes = std::uint64_t{1} << 20U;

enum class weight_kind : std::uint32_t { none, int32, float32, float64 };
enum class names_kind : std::uint32_t { dense, numbers, texts };

struct section {
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::uint64_t bytes = 0;

  friend bool operator==(const section&, const section&) = default;
};

struct sections {
  section offsets, targets, weights, names, checksums;

  friend bool operator==(const sections&, const sections&) = default;
};

struct header {
  std::array<char, 8> signature = magic;
  std::uint32_t version = current_version;
  std::uint32_t byte_order = native_order;
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  weight_kind weights = weight_kind::none;
  std::uint32_t undirected = 0;  ///< 0 or 1
  names_kind names = names_kind::dense;
  std::uint32_t names_base = 0;  ///< name of vertex 0 where names are dense
  sections where;
  std::array<std::uint32_t, 15> reserved{};
  std::uint32_t header_checksum = 0;  ///< CRC-32 of the header up to here
};
static_assert(sizeof(header) == 192 && std::is_trivially_copyable_v<header>);

template <weight W>
[[nodiscard]] constexpr weight_kind kind_of_weight() {
  if constexpr (std::same_as<W, none>) {
    return weight_kind::none;
  } else if constexpr (std::same_as<W, std::int32_t>) {
    return weight_kind::int32;
  } else if constexpr (std::same_as<W, float>) {
    return weight_kind::float32;
  } else {
    return weight_kind::float64;
  }
}

[[nodiscard]] constexpr std::uint64_t bytes_of(weight_kind kind) {
  switch (kind) {
    case weight_kind::none:
      return 0;
    case weight_kind::int32:
    case weight_kind::float32:
      return 4;
    case weight_kind::float64:
      return 8;
  }
  return 0;
}

/// Where the sections of such a file lie. @pre counts and names_bytes below 2^59: nothing overflows
[[nodiscard]] constexpr sections layout(std::uint64_t num_vertices, std::uint64_t num_edges,
                                        weight_kind weights, std::uint64_t names_bytes) {
  std::uint64_t end = sizeof(header);
  const auto place = [&end](std::uint64_t bytes) {
    const section placed{(end + alignment - 1) / alignment * alignment, bytes};
    end = placed.offset + bytes;
    return placed;
  };
  sections where;
  where.offsets = place((num_vertices + 1) * sizeof(edge_offset));
  where.targets = place(num_edges * sizeof(vertex_id));
  where.weights = place(num_edges * bytes_of(weights));
  where.names = place(names_bytes);
  where.checksums = place(0);
  const std::uint64_t payload = where.checksums.offset - where.offsets.offset;
  const std::uint64_t num_blocks = (payload + checksum_block_bytes - 1) / checksum_block_bytes;
  where.checksums.bytes = (num_blocks + 1) * sizeof(std::uint32_t);
  return where;
}

[[nodiscard]] constexpr std::uint64_t file_bytes(const sections& where) {
  return where.checksums.offset + where.checksums.bytes;
}

}  // namespace tendril::tgr
