#pragma once

// Requests and their answers in model.hpp, and how its units and launches end.

namespace tendril::schedule::testing {

template <class Rules>
void model<Rules>::ask(unit& of, std::uint32_t index) {
  thread& asker = of.threads[index];
  const std::uint32_t number = asker.loop.ask_slot();
  if (index % options_.threads == 0) {
    slot& armed = slot_of(of, index / options_.threads, number);
    ++armed.armed;
    complete(armed);
  }
  if (index == 0) {
    if (asker.loop.has_seen_refusal()) {
      fail("a unit asked after it had seen a refusal");
    }
    of.requests.push_back({{}, number, false});
  }
  asker.loop.asked();
  settle(of);
}

template <class Rules>
void model<Rules>::advance(unit& of, std::uint32_t index) {
  steal_request& logic = of.requests[index].logic;
  if (yield_ && !of.requests[index].begun) {
    logic.refuse(refusal::yielded);
  } else if (options_.hardware) {
    // The dispatcher takes the unit off its list in one go; the draw stands for its index.
    logic.drew({options_.units(), 0, steal_order::next_in_line}, next_unit_);
    if (logic.now() == steal_request::need::claim) {
      ++next_unit_;
      logic.claimed(0, epoch);
    }
  } else if (logic.now() == steal_request::need::draw) {
    const candidates from{options_.units(), std::min(options_.room, options_.units()),
                          options_.order};
    logic.drew(from, draws_);
    draws_ += from.has(draws_) ? 1u : 0u;  // the value past the end does not matter
  } else {
    logic.claimed(raise(words_[logic.unit()], stolen_claim(epoch)), epoch);
  }
  of.requests[index].begun = true;
  if (logic.now() == steal_request::need::none) {
    post(of, index);
  }
}

/// The answer is in the leader's own block at once, since a late reader sees the same as a late
/// answer; it travels to the other blocks of a cluster on its own.
template <class Rules>
void model<Rules>::post(unit& of, std::uint32_t index) {
  const request done = of.requests[index];
  of.requests.erase(of.requests.begin() + index);
  answer reply = done.logic.result(options_.cluster);
  if (options_.hardware || !options_.tells_end) {
    reply.near_end = 0;  // hardware does not say
  }
  stolen_ += reply.granted;
  decided_ += reply.granted;
  deliver(of, {reply, 0, done.slot});
  for (std::uint32_t block = 1; block < options_.cluster; ++block) {
    of.letters.push_back({reply, block, done.slot});
  }
}

template <class Rules>
void model<Rules>::deliver(unit& of, const letter& arrived) {
  slot& at = slot_of(of, arrived.block, arrived.slot);
  at.message = arrived.message;
  ++at.delivered;
  complete(at);
}

/// Takes a unit off when all its threads have left.
template <class Rules>
void model<Rules>::retire(std::uint32_t position) {
  const unit& of = running_[position];
  if (!of.has_begun || !std::all_of(of.threads.begin(), of.threads.end(),
                                    [](const thread& one) { return one.left; })) {
    return;
  }
  if (!of.requests.empty() || !of.letters.empty()) {
    fail("a unit left while an answer could still arrive");
  }
  running_.erase(running_.begin() + position);
}

template <class Rules>
void model<Rules>::check_end() {
  if (!running_.empty() || next_unit_ < options_.units()) {
    fail("the launch hangs");
  }
  for (std::size_t i = 0; i < times_run_.size(); ++i) {
    if (times_run_[i] != 1) {
      fail("tile " + std::to_string(i / options_.threads) + " did not run");
    }
  }
  if (!options_.hardware && cancelled_ != stolen_) {
    fail("cancelled units differ from stolen units");
  }
  if (started_ + stolen_ != options_.units()) {
    fail("started and stolen units do not add up");
  }
}

template <class Rules>
std::array<std::uint64_t, 2> model<Rules>::fingerprint() const {
  std::array<std::uint64_t, 2> hash = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};
  const auto add = [&hash](std::uint64_t value) {
    hash[0] = (hash[0] ^ value) * 0x100000001b3u;
    hash[1] = (hash[1] + value) * 0xff51afd7ed558ccdu;
    hash[1] ^= hash[1] >> 29;
  };
  const auto add_answer = [&add](const answer& a) {
    add(a.first_block);
    add(a.near_end * 32 + a.granted * 16 + static_cast<std::uint32_t>(a.why));
  };
  add(next_unit_);
  add(draws_);
  add(decided_);
  add(stolen_ * 4 + (yield_ ? 2u : 0u) + (has_yielded_ ? 1u : 0u));
  std::for_each(words_.begin(), words_.end(), add);
  std::for_each(times_run_.begin(), times_run_.end(), add);
  for (const unit& of : running_) {
    add(of.id * 8 + (of.has_begun ? 4u : 0u) + (of.has_claimed ? 2u : 0u) + (of.may_run ? 1u : 0u));
    for (const entry one : of.entries) {
      add(static_cast<std::uint64_t>(one));
    }
    for (const thread& one : of.threads) {
      const steal_loop<Rules>& loop = one.loop;
      add(loop.block());
      add(static_cast<std::uint64_t>(loop.now()) + 8 * loop.in_flight() + 64 * loop.ask_slot() +
          512 * loop.read_slot() + 4096 * loop.read_parity() +
          8192 * (loop.has_seen_refusal() ? 1u : 0u) + 16384 * (loop.is_stolen() ? 1u : 0u) +
          32768 * (loop.is_near_end() ? 1u : 0u));
    }
    for (const slot& one : of.slots) {
      add(one.armed + 16 * one.delivered + 256 * one.parity);
      add_answer(one.message);
    }
    for (const request& one : of.requests) {
      add(one.logic.unit());
      add(static_cast<std::uint64_t>(one.logic.now()) + 8 * one.slot + (one.begun ? 64u : 0u) +
          128 * one.logic.tries() + 1024 * (one.logic.is_near_end() ? 1u : 0u));
    }
    for (const letter& one : of.letters) {
      add(one.block * 8 + one.slot);
      add_answer(one.message);
    }
    add(~0u);
  }
  return hash;
}

}  // namespace tendril::schedule::testing
