#pragma once

// The moves of model.hpp.

namespace tendril::schedule::testing {

template <class Rules>
std::vector<move> model<Rules>::enabled() const {
  std::vector<move> moves;
  if (running_.size() < options_.room && next_unit_ < options_.units()) {
    moves.push_back({move::kind::dispatch});
  }
  for (std::uint32_t a = 0; a < running_.size(); ++a) {
    const unit& of = running_[a];
    for (std::uint32_t b = 0; b < of.entries.size(); ++b) {
      if (of.entries[b] == entry::outside) {
        moves.push_back({move::kind::peek, a, b});
      }
    }
    if (!of.has_begun && of.entries[0] == entry::waits && !of.has_claimed) {
      moves.push_back({move::kind::claim_own, a});
    }
    for (std::uint32_t b = 0; b < of.threads.size(); ++b) {
      const step now = of.threads[b].loop.now();
      if (now == step::ask) {
        moves.push_back({move::kind::ask, a, b});
      } else if (now == step::wait && can_read(of, b)) {
        moves.push_back({move::kind::read, a, b});
      }
    }
    for (std::uint32_t b = 0; b < of.requests.size(); ++b) {
      const bool begun = of.requests[b].begun;
      if (!begun && options_.refusals != injection::never) {
        moves.push_back({move::kind::refuse, a, b});
      }
      if (begun || options_.refusals != injection::always) {
        moves.push_back({move::kind::advance, a, b});
      }
    }
    for (std::uint32_t b = 0; b < of.letters.size(); ++b) {
      moves.push_back({move::kind::deliver, a, b});
    }
  }
  if (options_.may_yield && !yield_ && !has_yielded_) {
    moves.push_back({move::kind::raise_yield});
  }
  if (yield_) {
    moves.push_back({move::kind::lower_yield});
  }
  return moves;
}

template <class Rules>
void model<Rules>::apply(const move& next) {
  switch (next.what) {
    case move::kind::dispatch: {
      unit& of = running_.emplace_back();
      of.id = next_unit_++;
      if (options_.hardware) {
        start(of);
      } else {  // a cluster asks its first block only
        of.entries.assign(options_.cluster == 1 ? options_.threads : 1,
                          options_.cluster == 1 ? entry::outside : entry::waits);
      }
      break;
    }
    case move::kind::peek: {
      unit& of = running_[next.a];
      const bool leaves =
          all_decided(decided_, options_.units()) || may_leave<Rules>(words_[of.id], epoch);
      of.entries[next.b] = leaves ? entry::left : entry::waits;
      enter(next.a);
      break;
    }
    case move::kind::claim_own: {
      unit& of = running_[next.a];
      of.may_run = may_start<Rules>(raise(words_[of.id], started_claim(epoch)), epoch);
      of.has_claimed = true;
      decided_ += of.may_run && !Rules::counts_starts_when_all_are_in ? 1u : 0u;
      enter(next.a);
      break;
    }
    case move::kind::ask:
      ask(running_[next.a], next.b);
      break;
    case move::kind::read: {
      unit& of = running_[next.a];
      thread& reader = of.threads[next.b];
      const slot& from = slot_of(of, next.b / options_.threads, reader.loop.read_slot());
      reader.loop.answered(from.message);
      settle(of);
      break;
    }
    case move::kind::refuse: {
      unit& of = running_[next.a];
      of.requests[next.b].logic.refuse(refusal::injected);
      post(of, next.b);
      break;
    }
    case move::kind::advance:
      advance(running_[next.a], next.b);
      break;
    case move::kind::deliver: {
      unit& of = running_[next.a];
      const letter arrived = of.letters[next.b];
      of.letters.erase(of.letters.begin() + next.b);
      deliver(of, arrived);
      break;
    }
    case move::kind::raise_yield:
      yield_ = true;
      has_yielded_ = true;
      break;
    case move::kind::lower_yield:
      yield_ = false;
      break;
  }
  for (std::uint32_t i = static_cast<std::uint32_t>(running_.size()); i-- > 0;) {
    retire(i);
  }
}

/// Opens the barrier at the entry of a unit once every thread has left or waits there.
template <class Rules>
void model<Rules>::enter(std::uint32_t position) {
  unit& of = running_[position];
  const auto has = [&of](entry what) {
    return std::find(of.entries.begin(), of.entries.end(), what) != of.entries.end();
  };
  if (has(entry::outside) || (of.entries[0] == entry::waits && !of.has_claimed)) {
    return;
  }
  if (of.may_run) {
    if (has(entry::left)) {
      fail("a thread left a unit that runs");
    }
    start(of);
  } else {
    ++cancelled_;
    running_.erase(running_.begin() + position);
  }
}

template <class Rules>
void model<Rules>::start(unit& started) {
  ++started_;
  decided_ += Rules::counts_starts_when_all_are_in ? 1u : 0u;
  started.has_begun = true;
  started.entries.clear();
  started.slots.resize(static_cast<std::size_t>(options_.cluster) * max_in_flight);
  for (std::uint32_t rank = 0; rank < options_.cluster; ++rank) {
    for (std::uint32_t i = 0; i < options_.threads; ++i) {
      started.threads.push_back(
          {steal_loop<Rules>(options_.how, started.id * options_.cluster + rank, rank)});
    }
  }
  settle(started);
}

/// Makes every step that concerns one thread alone, and opens the unit's barrier when all are
/// there.
template <class Rules>
void model<Rules>::settle(unit& of) {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t i = 0; i < of.threads.size(); ++i) {
      thread& one = of.threads[i];
      while (violation_.empty() && concerns_itself(one, i)) {
        if (one.loop.now() == step::run) {
          run_tile(of, i);
          one.loop.ran();
        } else {
          one.loop.asked();  // only the first thread of a block does anything about it
        }
        moved = true;
      }
      one.at_sync = one.loop.now() == step::sync;
      one.left = one.loop.now() == step::leave;
    }
    // Threads that left count as arrived, as they do for a hardware barrier.
    const bool any = std::any_of(of.threads.begin(), of.threads.end(),
                                 [](const thread& one) { return one.at_sync; });
    const bool all = std::all_of(of.threads.begin(), of.threads.end(),
                                 [](const thread& one) { return one.at_sync || one.left; });
    if (any && all) {
      for (thread& one : of.threads) {
        if (one.at_sync) {
          one.loop.synced();
        }
      }
      moved = true;
    }
  }
}

template <class Rules>
void model<Rules>::run_tile(unit& of, std::uint32_t index) {
  const std::uint32_t tile = of.threads[index].loop.block();
  const std::uint32_t block = index / options_.threads;
  if (tile % options_.cluster != block && tile < options_.num_tiles) {
    fail("block " + std::to_string(block) + " of a unit ran the tile of another block");
  }
  if (tile >= options_.units() * options_.cluster) {
    fail("a block ran a tile outside the launch");
  }
  if (tile < options_.num_tiles) {
    std::uint8_t& times =
        times_run_[static_cast<std::size_t>(tile) * options_.threads + index % options_.threads];
    if (++times > 1) {
      fail("tile " + std::to_string(tile) + " ran twice");
    }
  }
}

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
