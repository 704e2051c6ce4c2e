#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

/// Blocks in memory at once are at most this many, about a MiB each, on however many threads.
inline constexpr std::size_t most_blocks_in_flight = 24;

/// The error of a line in a block, as readers report it.
[[nodiscard]] inline input_error error_at(const text_reader& reader, const text_block& block,
                                          const syntax_error& error) {
  const auto lines_before = std::count(block.begin(), error.where(), '\n');
  return input_error(
      line_prefix(reader.path(), block.first_line() + static_cast<std::uint64_t>(lines_before)) +
      error.what());
}

/// Hands out the rest of the file in blocks: start(block) and append(result) run one at a time in
/// the order of the file, parse(block, context) in parallel in between. Of several errors the one
/// that comes first in the file is thrown, as if the file were read serially.
/// @param start   Context(const text_block&): what parse has to know of the blocks before
/// @param parse   Result(const text_block&, const Context&); may throw syntax_error
/// @param append  bool(Result&&): false ends reading
template <class Start, class Parse, class Append>
void for_each_block(text_reader& reader, Start start, Parse parse, Append append) {
  using context = std::invoke_result_t<Start, const text_block&>;
  using result = std::invoke_result_t<Parse, const text_block&, const context&>;
  struct slot {
    text_block block;
    context before{};
    std::optional<result> parsed;
    std::exception_ptr error;
  };
  std::vector<slot> slots(std::min(2 * parallel::max_threads(), most_blocks_in_flight));
  std::atomic<bool> stopped = false;  // nothing more is read

  const auto read = [&](std::size_t number) {
    slot& next = slots[number];
    try {
      if (stopped || !reader.next_block(next.block)) {
        return false;
      }
      next.before = start(std::as_const(next.block));
    } catch (...) {
      next.error = std::current_exception();
    }
    if (next.error != nullptr) {
      stopped = true;
    }
    return true;
  };
  const auto parse_slot = [&](std::size_t number) {
    slot& one = slots[number];
    if (one.error == nullptr) {
      try {
        one.parsed.emplace(parse(std::as_const(one.block), std::as_const(one.before)));
      } catch (const syntax_error& error) {
        one.error = std::make_exception_ptr(error_at(reader, one.block, error));
      } catch (...) {
        one.error = std::current_exception();
      }
    }
  };
  bool wanted = true;
  const auto append_slot = [&](std::size_t number) {
    slot& one = slots[number];
    if (wanted && one.error != nullptr) {
      std::rethrow_exception(one.error);
    }
    wanted = wanted && append(std::move(*one.parsed));
    if (!wanted) {
      stopped = true;
    }
    one.parsed.reset();
  };
  parallel::pipeline(slots.size(), read, parse_slot, append_slot);
}

/// As above, for bodies whose blocks are independent: parse(block).
template <class Parse, class Append>
void for_each_block(text_reader& reader, Parse parse, Append append) {
  struct nothing {};
  for_each_block(
      reader, [](const text_block&) { return nothing{}; },
      [&](const text_block& block, const nothing&) { return parse(block); }, std::move(append));
}

}  // namespace tendril::detail
