#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

/// The error of a line in a block, as readers report it.
[[nodiscard]] input_error error_at(const text_reader& reader, const text_block& block,
                                   const syntax_error& error);

/// Blocks in memory at once: a few for each thread, and at most 24, about a MiB each.
[[nodiscard]] std::size_t num_block_slots();

/// The order and the errors of for_each_block(), for whatever the slots of a caller hold.
/// @param start   called with a slot and the block that is read into it
/// @param parse   the same, in parallel; may throw syntax_error
/// @param append  called with a slot; false ends reading
void run_blocks(text_reader& reader,
                parallel::function_ref<void(std::size_t, const text_block&)> start,
                parallel::function_ref<void(std::size_t, const text_block&)> parse,
                parallel::function_ref<bool(std::size_t)> append);

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
    context before{};
    std::optional<result> parsed;
  };
  std::vector<slot> slots(num_block_slots());
  run_blocks(
      reader,
      [&](std::size_t number, const text_block& block) { slots[number].before = start(block); },
      [&](std::size_t number, const text_block& block) {
        slot& one = slots[number];
        one.parsed.emplace(parse(block, std::as_const(one.before)));
      },
      [&](std::size_t number) {
        slot& one = slots[number];
        const bool goes_on = append(std::move(*one.parsed));
        one.parsed.reset();
        return goes_on;
      });
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
