#pragma once

// The moves of model.hpp: what its units do.

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

}  // namespace tendril::schedule::testing
