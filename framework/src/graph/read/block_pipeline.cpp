#include "graph/read/block_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

namespace tendril::detail {

input_error error_at(const text_reader& reader, const text_block& block,
                     const syntax_error& error) {
  const auto lines_before = std::count(block.begin(), error.where(), '\n');
  return input_error(
      line_prefix(reader.path(), block.first_line() + static_cast<std::uint64_t>(lines_before)) +
      error.what());
}

std::size_t num_block_slots() {
  constexpr std::size_t most_blocks_in_flight = 24;
  return std::min(2 * parallel::max_threads(), most_blocks_in_flight);
}

void run_blocks(text_reader& reader,
                parallel::function_ref<void(std::size_t, const text_block&)> start,
                parallel::function_ref<void(std::size_t, const text_block&)> parse,
                parallel::function_ref<bool(std::size_t)> append) {
  struct slot {
    text_block block;
    std::exception_ptr error;
  };
  std::vector<slot> slots(num_block_slots());
  std::atomic<bool> stopped = false;  // nothing more is read

  const auto read = [&](std::size_t number) {
    slot& next = slots[number];
    try {
      if (stopped || !reader.next_block(next.block)) {
        return false;
      }
      start(number, next.block);
    } catch (...) {
      next.error = std::current_exception();
      stopped = true;
    }
    return true;
  };
  const auto parse_slot = [&](std::size_t number) {
    slot& one = slots[number];
    if (one.error == nullptr) {
      try {
        parse(number, one.block);
      } catch (const syntax_error& error) {
        one.error = std::make_exception_ptr(error_at(reader, one.block, error));
      } catch (...) {
        one.error = std::current_exception();
      }
    }
  };
  bool wanted = true;
  const auto append_slot = [&](std::size_t number) {
    if (!wanted) {
      return;
    }
    if (slots[number].error != nullptr) {
      std::rethrow_exception(slots[number].error);
    }
    wanted = append(number);
    if (!wanted) {
      stopped = true;
    }
  };
  parallel::pipeline(slots.size(), read, parse_slot, append_slot);
}

}  // namespace tendril::detail
