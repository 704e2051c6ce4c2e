#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schedule/model.hpp"

namespace tendril::schedule::testing {

/// What an exploration found.
struct exploration {
  std::string violation;  ///< the first one, or empty
  std::uint64_t states = 0;
  std::uint64_t ends = 0;  ///< states in which everything was over
  bool complete = true;    ///< false if it gave up at the limit
};

/// Visits every state that some interleaving reaches, depth first.
template <class Rules = rules>
exploration explore(const model_options& options, std::uint64_t most_states = 20'000'000) {
  struct hash_of {
    std::size_t operator()(const std::array<std::uint64_t, 2>& key) const { return key[0]; }
  };
  exploration found;
  std::unordered_set<std::array<std::uint64_t, 2>, hash_of> seen;
  std::vector<model<Rules>> open = {model<Rules>(options)};
  while (!open.empty() && found.violation.empty()) {
    model<Rules> state = std::move(open.back());
    open.pop_back();
    if (!seen.insert(state.fingerprint()).second) {
      continue;
    }
    if (seen.size() > most_states) {
      found.complete = false;
      break;
    }
    const std::vector<move> moves = state.enabled();
    if (moves.empty()) {
      state.check_end();
      ++found.ends;
    }
    for (const move& next : moves) {
      open.push_back(state);
      open.back().apply(next);
      if (!open.back().violation().empty()) {
        found.violation = open.back().violation();
      }
    }
    if (!state.violation().empty()) {
      found.violation = state.violation();
    }
  }
  found.states = seen.size();
  return found;
}

/// Follows one random interleaving to its end.
template <class Rules = rules>
exploration walk(const model_options& options, std::uint32_t seed) {
  exploration found;
  std::mt19937 random(seed);
  model<Rules> state(options);
  while (state.violation().empty()) {
    const std::vector<move> moves = state.enabled();
    ++found.states;
    if (moves.empty()) {
      state.check_end();
      ++found.ends;
      break;
    }
    state.apply(moves[random() % moves.size()]);
  }
  found.violation = state.violation();
  return found;
}

}  // namespace tendril::schedule::testing
