#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/cuda/detail/context.hpp"
#include "tendril/tree/quadtree.hpp"

namespace tendril::cuda {

/// Keys and the rows that they belong to, in device memory.
template <class Key>
struct keyed_rows {
  Key* keys;       ///< [count], Morton keys at the largest depth
  point_id* rows;  ///< [count]
};

/// Brings keys into order: ascending, equal keys as they were. The ways of building a tree differ
/// in this. Keys have 32 bits up to a depth of 16, 64 below.
class key_sorter {
 public:
  key_sorter() = default;
  key_sorter(const key_sorter&) = delete;
  key_sorter& operator=(const key_sorter&) = delete;
  virtual ~key_sorter() = default;

  /// Bytes of scratch memory that sort() needs.
  [[nodiscard]] virtual std::size_t scratch_bytes(const engine_context& context, point_id count,
                                                  int max_depth) = 0;
  /// Bytes at the start of the scratch memory that are zero when sort() is called, and of those the
  /// ones that resume() is shown.
  [[nodiscard]] virtual std::size_t zeroed_bytes() const { return 0; }
  [[nodiscard]] virtual std::size_t shown_bytes() const { return 0; }
  /// Enqueues the work on the context's stream.
  /// @param from   overwritten
  /// @param other  working space of the same size
  /// @return       `from` or `other`, whichever holds the result
  virtual keyed_rows<std::uint32_t> sort(engine_context& context, keyed_rows<std::uint32_t> from,
                                         keyed_rows<std::uint32_t> other, point_id count,
                                         int max_depth, std::byte* scratch) = 0;
  virtual keyed_rows<std::uint64_t> sort(engine_context& context, keyed_rows<std::uint64_t> from,
                                         keyed_rows<std::uint64_t> other, point_id count,
                                         int max_depth, std::byte* scratch) = 0;
  /// A word in device memory that is not zero, when the stream has done what sort() enqueued, if
  /// that was not all; null: it always is. @pre sort() was called
  [[nodiscard]] virtual const std::uint32_t* stopped() const { return nullptr; }
  /// Called when the stream has done what sort() enqueued.
  /// @param shown  a copy of the start of the scratch memory
  /// @return true if that was not all: more is enqueued now, and what was shown may have changed
  virtual bool resume(const std::byte* /*shown*/) { return false; }
};

/// CUB's radix sort.
class radix_sorter final : public key_sorter {
 public:
  std::size_t scratch_bytes(const engine_context& context, point_id count, int max_depth) override;
  keyed_rows<std::uint32_t> sort(engine_context& context, keyed_rows<std::uint32_t> from,
                                 keyed_rows<std::uint32_t> other, point_id count, int max_depth,
                                 std::byte* scratch) override;
  keyed_rows<std::uint64_t> sort(engine_context& context, keyed_rows<std::uint64_t> from,
                                 keyed_rows<std::uint64_t> other, point_id count, int max_depth,
                                 std::byte* scratch) override;
};

}  // namespace tendril::cuda
