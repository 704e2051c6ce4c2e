#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include "io/io_support.hpp"

// Reading takes at most the finished graph + 12 bytes for each entry in the file + 64 MiB. The
// files have eight million entries, so that one more copy of the edges, or of the text, breaks the
// bound.

namespace {

constexpr std::uint64_t num_entries = 8'000'000;
constexpr std::uint64_t num_vertices = std::uint64_t{1} << 20U;

void append(std::string& text, std::uint64_t number, char end) {
  std::array<char, 20> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), written.ptr).push_back(end);
}

/// Rows of two ids from 1 on, scattered by a multiplicative hash, and maybe a weight.
std::string rows(bool weighted) {
  std::string text;
  text.reserve(num_entries * 20);
  for (std::uint64_t i = 0; i < num_entries; ++i) {
    const std::uint64_t bits = i * 0x9E3779B97F4A7C15U;
    append(text, (bits >> 20U) % num_vertices + 1, ' ');
    append(text, (bits >> 40U) % num_vertices + 1, weighted ? ' ' : '\n');
    if (weighted) {
      append(text, bits % 100, '\n');
    }
  }
  return text;
}

struct peak {
  std::uint64_t bytes = 0;
  std::uint64_t graph_bytes = 0;
  std::uint64_t entries = 0;
};

peak read_in_child(const std::filesystem::path& path, const char* weight) {
  std::string command = TENDRIL_READ_PEAK " '";
  command.append(path.string()).append("' ").append(weight);
  const std::unique_ptr<FILE, int (*)(FILE*)> child(popen(command.c_str(), "r"), pclose);
  std::array<char, 128> line{};
  peak found;
  if (child != nullptr && std::fgets(line.data(), line.size(), child.get()) != nullptr) {
    std::istringstream(line.data()) >> found.bytes >> found.graph_bytes >> found.entries;
  }
  return found;
}

void expect_within_bound(const std::string& name, const std::string& text, const char* weight) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory is counted too";
#endif
  const io_test::temp_file file(name, text);
  const peak found = read_in_child(file.path(), weight);
  ASSERT_EQ(found.entries, num_entries);
  const std::uint64_t bound = found.graph_bytes + 12 * found.entries + (std::uint64_t{64} << 20U);
  EXPECT_LE(found.bytes, bound);
  EXPECT_GT(found.bytes, found.graph_bytes);
  testing::Test::RecordProperty("peak_mib", static_cast<int>(found.bytes >> 20U));
  testing::Test::RecordProperty("bound_mib", static_cast<int>(bound >> 20U));
}

TEST(peak_memory, of_an_edge_list_is_bounded) {
  expect_within_bound("a.el", rows(false), "none");
}

TEST(peak_memory, of_weights_of_eight_bytes_is_bounded) {
  expect_within_bound("a.wel", rows(true), "double");
}

TEST(peak_memory, of_a_matrix_that_is_mirrored_is_bounded) {
  std::string text = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  append(text, num_vertices, ' ');
  append(text, num_vertices, ' ');
  append(text, num_entries, '\n');
  expect_within_bound("a.mtx", text + rows(false), "none");
}

}  // namespace
