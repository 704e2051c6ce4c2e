#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// oneTBB's loops behind functions that are compiled once: what is called many times for many types
// (readers, builder, generators) would otherwise be compiled as often. A loop body is called once
// per range, so the detour costs nothing that can be measured.

namespace tendril::parallel {

template <class Signature>
class function_ref;

/// A callable that outlives the call it is passed to.
template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<Callable, function_ref>) function_ref(const Callable& callable)
      : object_(std::addressof(callable)), call_([](const void* object, Arguments... arguments) {
          return (*static_cast<const Callable*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(object_, std::forward<Arguments>(arguments)...);
  }

 private:
  const void* object_;
  Result (*call_)(const void*, Arguments...);
};

/// Calls body(begin, end) for ranges that cover 0 .. size - 1, from many threads.
void for_ranges(std::size_t size, function_ref<void(std::size_t, std::size_t)> body);

/// Calls body(i) for i in 0 .. size - 1, from many threads.
template <class Body>
void for_each(std::size_t size, const Body& body) {
  for_ranges(size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      body(i);
    }
  });
}

inline constexpr std::uint64_t nowhere = ~std::uint64_t{0};

/// The lowest of what find(begin, end) returns for ranges that cover 0 .. size - 1.
[[nodiscard]] std::uint64_t lowest(std::size_t size,
                                   function_ref<std::uint64_t(std::size_t, std::size_t)> find);

/// The lowest i < size for which test(i); nowhere if there is none.
template <class Test>
[[nodiscard]] std::uint64_t first_where(std::size_t size, const Test& test) {
  return lowest(size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (test(i)) {
        return std::uint64_t{i};
      }
    }
    return nowhere;
  });
}

/// Calls take(slot) until it returns false, work(slot) and finish(slot) for each slot taken: take
/// and finish one at a time and in order, work in parallel. Slots 0 .. num_slots - 1 come in turn,
/// each again once it is finished.
void pipeline(std::size_t num_slots, function_ref<bool(std::size_t)> take,
              function_ref<void(std::size_t)> work, function_ref<void(std::size_t)> finish);

/// Threads that the loops of the caller use at most.
[[nodiscard]] std::size_t max_threads();
/// Number of the calling thread inside a loop body, below max_threads(). A body that waits for an
/// inner loop may run another body of the outer one meanwhile, under the same number.
[[nodiscard]] std::size_t this_thread();

/// A value per thread.
template <class Value>
class per_thread {
 public:
  explicit per_thread(const Value& initial = {}) : values_(max_threads(), padded{initial}) {}

  [[nodiscard]] Value& local() { return values_[this_thread()].value; }
  /// Calls visit(value) for the value of each thread, of those too that did nothing.
  template <class Visit>
  void for_all(const Visit& visit) const {
    for (const padded& one : values_) {
      visit(one.value);
    }
  }

 private:
  struct alignas(64) padded {
    Value value;
  };
  std::vector<padded> values_;
};

}  // namespace tendril::parallel
