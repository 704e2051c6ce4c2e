// Two tasks write one plain variable. Built only under the thread sanitizer, which must report it:
// tests/sanitize.sh fails when this program exits 0.

#include <oneapi/tbb/parallel_invoke.h>

#include <atomic>
#include <cstdio>

int main() {
  int shared = 0;
  std::atomic<int> arrived{0};
  const auto write = [&] {
    arrived.fetch_add(1, std::memory_order_relaxed);
    // Wait, briefly, for the other task, so that the two really run at once.
    for (int i = 0; i < 100'000'000 && arrived.load(std::memory_order_relaxed) < 2; ++i) {
    }
    for (int i = 0; i < 1000; ++i) {
      ++shared;
    }
  };
  oneapi::tbb::parallel_invoke(write, write);
  std::printf("%d\n", shared);
}
