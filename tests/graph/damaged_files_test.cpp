#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "graph/file_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/read.hpp"
#include "tendril/graph/write.hpp"

// Binary files that cannot be trusted: every change of a byte and every length.

namespace {

using tendril::csr;
using tendril::edge_offset;
using tendril::none;
using tendril::orientation;
using tendril::read_graph;
using tendril::vertex_id;
using tendril::vertex_names;
using tendril::write_graph;
using tendril::testing::awkward_graph;
using tendril::testing::content_of;
using tendril::testing::put;
using tendril::testing::refusal;
using tendril::testing::scratch_folder;

namespace fs = std::filesystem;

tendril::read_options read_as(orientation kind) {
  tendril::read_options options;
  options.kind = kind;
  return options;
}

tendril::read_options as(tendril::file_format format) {
  tendril::read_options options;
  options.format = format;
  return options;
}

// Recomputes the checksum of the header after a change to it.
std::string with_header(std::string content, std::size_t at, const std::string& bytes) {
  content.replace(at, bytes.size(), bytes);
  const auto sum =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), 188));
  std::memcpy(content.data() + 188, &sum, sizeof(sum));
  return content;
}

TEST(tgr_damage, is_found) {
  const scratch_folder folder;
  const fs::path good = folder / "good.tgr";
  const fs::path bad = folder / "bad.tgr";
  write_graph(good, awkward_graph<float>(orientation::directed),
              vertex_names(std::vector<std::string>{"a", "b", "c", "d", "e", "f"}));
  const std::string content = content_of(good);
  const auto fault = [&](const std::string& changed) {
    put(bad, changed);
    std::string what = refusal<tendril::input_error>(
        [&] { (void)tendril::read_graph<float>(bad, as(tendril::file_format::tgr)); });
    EXPECT_NE(what, "accepted");
    return what;
  };
  // Any byte changed, and any length cut, is an input_error.
  for (std::size_t at = 0; at < content.size(); ++at) {
    std::string changed = content;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    SCOPED_TRACE(at);
    (void)fault(changed);
    (void)fault(content.substr(0, at));
  }
  (void)fault(content + '\0');
  EXPECT_NE(fault(with_header(content, 8, {'\7', '\0', '\0', '\0'})).find("found version 7"),
            std::string::npos);
  EXPECT_NE(fault(with_header(content, 12, {'\1', '\2', '\3', '\4'})).find("byte order"),
            std::string::npos);
  // Counts that overflow or claim more than there is.
  for (const std::size_t at : {16U, 24U}) {
    EXPECT_NE(fault(with_header(content, at, std::string(8, '\xff'))).find("expected counts"),
              std::string::npos);
  }
  for (std::size_t at = 16; at < 188; ++at) {
    SCOPED_TRACE(at);
    std::string one(1, static_cast<char>(content[at] ^ 0x40));
    if (at < 44 || (at >= 48 && at < 128)) {  // all but base and reserved bytes matter
      (void)fault(with_header(content, at, one));
    }
  }
}

// 0 - 1 - 2 with a loop at 2, said to be undirected: each edge in both rows, with one weight.
template <class W>
std::string one_sidedness(const fs::path& path, std::vector<vertex_id> targets,
                          std::vector<W> weights) {
  const std::size_t size = targets.size();
  const csr<W> graph(std::vector<edge_offset>{0, 1, 3, 5}, std::move(targets), std::move(weights),
                     orientation::undirected);
  write_graph(path, graph);
  const std::string what =
      refusal<tendril::input_error>([&] { (void)tendril::read_graph<W>(path); });
  // Its arcs as they stand can be had all the same.
  EXPECT_EQ(read_graph(path, read_as(orientation::directed)).num_edges(), size);
  const std::string prefix = path.string() + ": ";
  return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
}

TEST(undirected_files, hold_both_directions_of_each_edge) {
  const scratch_folder folder;
  const std::string lacks =
      "expected both directions of each edge of an undirected graph, found one only at vertex ";
  for (const char* name : {"a.tgr", "a.sg"}) {
    const fs::path path = folder / name;
    EXPECT_EQ(one_sidedness<none>(path, {1, 0, 2, 1, 2}, {}), "accepted");
    EXPECT_EQ(one_sidedness<none>(path, {1, 0, 2, 2, 2}, {}), lacks + "1");
  }
  const std::string differs =
      "expected both directions of each edge of an undirected graph with the same weight, found "
      "one only at vertex ";
  for (const char* name : {"a.tgr", "a.wsg"}) {
    const fs::path path = folder / name;
    EXPECT_EQ(one_sidedness<std::int32_t>(path, {1, 0, 2, 1, 2}, {7, 7, 3, 3, 0}), "accepted");
    EXPECT_EQ(one_sidedness<std::int32_t>(path, {1, 0, 2, 1, 2}, {7, 7, 3, 4, 0}), differs + "1");
    EXPECT_EQ(one_sidedness<std::int32_t>(path, {1, 0, 2, 2, 2}, {7, 7, 3, 3, 3}), differs + "1");
  }
  EXPECT_EQ(one_sidedness<double>(folder / "a.tgr", {1, 0, 2, 1, 2}, {0.0, -0.0, 3, 3, 1}),
            "accepted");
  EXPECT_EQ(one_sidedness<double>(folder / "a.tgr", {1, 0, 2, 1, 2}, {7, 7.5, 3, 3, 1}),
            differs + "0");
}

TEST(gap_damage, is_found) {
  const scratch_folder folder;
  const fs::path path = folder / "a.sg";
  write_graph(path, awkward_graph<none>(orientation::directed));
  const std::string content = content_of(path);
  const auto expect_fault = [&](const std::string& changed) {
    put(path, changed);
    EXPECT_THROW((void)read_graph(path, as(tendril::file_format::gap_serial)),
                 tendril::input_error);
  };
  for (std::size_t length = 0; length < content.size(); length += 5) {
    expect_fault(content.substr(0, length));
  }
  expect_fault(content + '\0');
  const auto with = [&](std::size_t at, const std::string& bytes) {
    std::string changed = content;
    changed.replace(at, bytes.size(), bytes);
    return changed;
  };
  expect_fault(with(0, "\2"));                    // no such flag
  expect_fault(with(1, std::string(8, '\xff')));  // edges
  expect_fault(with(9, std::string(8, '\xff')));  // vertices
  expect_fault(with(17, "\1"));                   // first offset
  expect_fault(with(25, "\x7f"));                 // an offset beyond the next
  expect_fault(with(17 + 7 * 8, "\6"));           // a target beyond the last vertex
  expect_fault(with(17 + 7 * 8, "\xff\xff\xff\xff"));
}

}  // namespace
