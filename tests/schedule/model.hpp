#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tendril/schedule/protocol.hpp"

// A model of a launch under launch control: a dispatcher that starts units in order while there is
// room, threads that each drive the product's own steal_loop, requests that run beside them,
// answers that travel to each block on their own, barriers with phases. A move is the smallest
// thing that others can see; enabled() lists the moves that could come next, apply() makes one.
// Steps that only concern one thread are made at once, since their order changes nothing.

namespace tendril::schedule::testing {

/// What may be refused for no reason.
enum class injection : std::uint8_t { never, sometimes, always };

struct model_options {
  std::uint32_t num_tiles = 3;
  std::uint32_t cluster = 1;  ///< blocks per unit
  std::uint32_t room = 2;     ///< units that run at once
  std::uint32_t threads = 2;  ///< per block
  asking how = {};
  steal_order order = steal_order::far_end;
  bool tells_end = true;  ///< answers say when few units are left: of so few units, always
  bool hardware = false;  ///< the dispatcher cancels units itself, without claim words
  injection refusals = injection::never;
  bool may_yield = false;  ///< a host raises the flag, and lowers it, at any time

  [[nodiscard]] std::uint32_t units() const { return (num_tiles + cluster - 1) / cluster; }
};

/// One thing that can happen next. Numbers index what kind says.
struct move {
  enum class kind : std::uint8_t {
    dispatch,   ///< the next unit starts
    peek,       ///< thread b of unit a looks whether all units, or its own, are decided
    claim_own,  ///< the leader of unit a raises the unit's own claim word
    ask,        ///< thread b of unit a: arms its block's barrier, and the leader posts a request
    read,       ///< thread b of unit a reads an answer
    refuse,     ///< request b of unit a is refused for no reason
    advance,    ///< request b of unit a looks at the yield flag or makes its next memory operation
    deliver,    ///< answer b of unit a arrives at its block
    raise_yield,  ///< the host
    lower_yield
  } what;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

template <class Rules>
class model {
 public:
  explicit model(const model_options& options)
      : options_(options),
        words_(options.units(), 0),
        times_run_(static_cast<std::size_t>(options.num_tiles) * options.threads, 0) {}

  [[nodiscard]] std::vector<move> enabled() const;
  void apply(const move& next);

  /// What went wrong so far; empty if nothing did.
  [[nodiscard]] const std::string& violation() const { return violation_; }
  /// Checks a state in which nothing can happen any more.
  void check_end();
  /// Equal for equal states; different for different ones but for accidents of hashing.
  [[nodiscard]] std::array<std::uint64_t, 2> fingerprint() const;
  [[nodiscard]] std::uint32_t num_stolen() const { return stolen_; }

 private:
  static constexpr std::uint32_t epoch = 1;

  struct slot {
    std::uint32_t armed = 0;
    std::uint32_t delivered = 0;
    std::uint32_t parity = 0;  // of the phase that is not complete yet
    answer message;
  };
  struct thread {
    steal_loop<Rules> loop;
    bool at_sync = false;
    bool left = false;
  };
  struct request {
    steal_request logic;
    std::uint32_t slot = 0;
    bool begun = false;  // the flag is only looked at first
  };
  struct letter {
    answer message;
    std::uint32_t block = 0;
    std::uint32_t slot = 0;
  };
  enum class entry : std::uint8_t { outside, waits, left };
  struct unit {
    std::uint32_t id = 0;
    bool has_begun = false;
    bool has_claimed = false;
    bool may_run = false;
    std::vector<entry> entries;   // threads of a unit that has not begun
    std::vector<thread> threads;  // block by block
    std::vector<slot> slots;      // block by block, max_in_flight each
    std::vector<request> requests;
    std::vector<letter> letters;
  };

  [[nodiscard]] slot& slot_of(unit& of, std::uint32_t block, std::uint32_t number) {
    return of.slots[block * max_in_flight + number];
  }
  [[nodiscard]] bool can_read(const unit& of, std::uint32_t index) const {
    const thread& reader = of.threads[index];
    const slot& from = of.slots[index / options_.threads * max_in_flight + reader.loop.read_slot()];
    return from.parity != reader.loop.read_parity();
  }
  [[nodiscard]] bool concerns_itself(const thread& one, std::uint32_t index) const {
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a block has a thread
    return one.loop.now() == step::run ||
           (one.loop.now() == step::ask && index % options_.threads != 0);
  }
  /// Fetch-max.
  static std::uint32_t raise(std::uint32_t& word, std::uint32_t to) {
    return std::exchange(word, std::max(word, to));
  }
  static void complete(slot& at) {
    if (at.armed > 0 && at.delivered >= at.armed) {
      at.parity ^= 1u;
      at.armed = 0;
      at.delivered = 0;
    }
  }
  void fail(const std::string& what) {
    if (violation_.empty()) {
      violation_ = what;
    }
  }
  void enter(std::uint32_t position);
  void start(unit& started);
  void settle(unit& of);
  void run_tile(unit& of, std::uint32_t index);
  void ask(unit& of, std::uint32_t index);
  void advance(unit& of, std::uint32_t index);
  void post(unit& of, std::uint32_t index);
  void deliver(unit& of, const letter& arrived);
  void retire(std::uint32_t position);

  model_options options_;
  std::uint32_t next_unit_ = 0;
  std::uint32_t draws_ = 0;
  std::uint32_t decided_ = 0;
  std::uint32_t started_ = 0;
  std::uint32_t stolen_ = 0;
  std::uint32_t cancelled_ = 0;
  bool yield_ = false;
  bool has_yielded_ = false;
  std::vector<std::uint32_t> words_;
  std::vector<unit> running_;
  std::vector<std::uint8_t> times_run_;
  std::string violation_;
};

}  // namespace tendril::schedule::testing

#include "schedule/model_moves.hpp"
#include "schedule/model_requests.hpp"
