#include "tendril/graph/write.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include "graph/graph_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/graph/read.hpp"

namespace {

using tendril::build_csr;
using tendril::csr;
using tendril::edge;
using tendril::edge_offset;
using tendril::graph_file;
using tendril::none;
using tendril::orientation;
using tendril::read_graph;
using tendril::read_graph_file;
using tendril::vertex_id;
using tendril::vertex_names;
using tendril::write_graph;
using tendril::testing::edges_of;
using tendril::testing::expect_same;
using tendril::testing::in_chunks;

namespace fs = std::filesystem;

// A folder that goes with the test.
class scratch_folder {
 public:
  scratch_folder()
      : path_(fs::temp_directory_path() / ("tendril-write-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~scratch_folder() { fs::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t num_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {}));
  }

 private:
  fs::path path_;
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// Values that are hard to print and read back.
template <class W>
std::vector<W> awkward_weights() {
  using limits = std::numeric_limits<W>;
  if constexpr (std::is_same_v<W, none>) {
    return {{}};
  } else if constexpr (std::is_same_v<W, std::int32_t>) {
    return {0, 1, -1, limits::max(), limits::lowest()};
  } else {
    return {W(0.1),       W(1) / 3,          limits::max(), limits::lowest(), limits::min(),
            W(123456789), limits::epsilon(), W(1e-7),       W(2.5e10)};
  }
}

// Every vertex has an edge, so formats that list edges alone know them all.
template <class W>
csr<W> awkward_graph(orientation kind) {
  std::vector<edge<W>> edges{{0, 0, {}}, {3, 4, {}}, {4, 3, {}},
                             {3, 4, {}}, {2, 1, {}}, {1, 5, {}}};
  const auto weights = awkward_weights<W>();
  for (std::size_t i = 0; i < 2 * weights.size(); ++i) {
    edges.push_back({static_cast<vertex_id>(i % 6), static_cast<vertex_id>((i / 6 + i) % 6), {}});
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].weight = weights[i % weights.size()];
  }
  return build_csr(in_chunks(edges, 4), 6, {.kind = kind});
}

template <class W>
class round_trip : public ::testing::Test {};
using weight_types = ::testing::Types<none, std::int32_t, float, double>;
TYPED_TEST_SUITE(round_trip, weight_types);

void expect_same_names(const vertex_names& actual, const vertex_names& expected) {
  ASSERT_EQ(actual.num_vertices(), expected.num_vertices());
  EXPECT_EQ(actual.base(), expected.base());
  for (vertex_id v = 0; v < expected.num_vertices(); ++v) {
    EXPECT_EQ(actual.name(v), expected.name(v));
  }
}

const std::vector<vertex_names>& all_kinds_of_names() {
  static const std::vector<vertex_names> kinds{
      vertex_names(6, 0), vertex_names(6, 1),
      vertex_names(std::vector<std::uint64_t>{3, 5, 8, 13, 5'000'000'000, 1ULL << 63U}),
      vertex_names(
          std::vector<std::string>{"Bern", "Chur", "Genf", "La-Tour", "Zug", "\xc3\x9cri"})};
  return kinds;
}

TYPED_TEST(round_trip, through_tgr_keeps_everything) {
  const scratch_folder folder;
  for (const auto kind : {orientation::directed, orientation::undirected}) {
    for (const vertex_names& names : all_kinds_of_names()) {
      const csr<TypeParam> graph = awkward_graph<TypeParam>(kind);
      write_graph(folder / "a.tgr", graph, names);
      const graph_file<TypeParam> read = read_graph_file<TypeParam>(folder / "a.tgr");
      expect_same(read.graph, graph);
      expect_same_names(read.names, names);
      EXPECT_EQ(read.facts.has_weights, !(std::is_same_v<TypeParam, none>));
      EXPECT_EQ(read.facts.stored_entries, graph.num_edges());
    }
  }
}

TYPED_TEST(round_trip, through_matrix_market_keeps_weights_and_orientation) {
  const scratch_folder folder;
  for (const auto kind : {orientation::directed, orientation::undirected}) {
    for (const char* name : {"a.mtx", "a.mtx.gz"}) {
      const csr<TypeParam> graph = awkward_graph<TypeParam>(kind);
      write_graph(folder / name, graph);
      const graph_file<TypeParam> read = read_graph_file<TypeParam>(folder / name);
      expect_same(read.graph, graph);
      EXPECT_EQ(read.names.name(0), "1");
      EXPECT_EQ(read.facts.gzipped, std::string(name).ends_with(".gz"));
    }
  }
}

TYPED_TEST(round_trip, through_edge_lists_keeps_edges_and_names) {
  const scratch_folder folder;
  const std::string extension = std::is_same_v<TypeParam, none> ? ".el" : ".wel";
  for (const std::string& name : {"a" + extension, "a" + extension + ".gz"}) {
    for (const vertex_names& names : all_kinds_of_names()) {
      const csr<TypeParam> graph = awkward_graph<TypeParam>(orientation::directed);
      write_graph(folder / name, graph, names);
      const graph_file<TypeParam> read = read_graph_file<TypeParam>(folder / name);
      expect_same(read.graph, graph);
      for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
        EXPECT_EQ(read.names.name(v), names.name(v));
      }
    }
  }
}

TYPED_TEST(round_trip, through_dimacs_keeps_edges_and_weights) {
  const scratch_folder folder;
  const csr<TypeParam> graph = awkward_graph<TypeParam>(orientation::directed);
  for (const char* name : {"a.gr", "a.gr.gz"}) {
    write_graph(folder / name, graph);
    expect_same(read_graph<TypeParam>(folder / name), graph);
  }
}

TYPED_TEST(round_trip, of_large_graphs_keeps_the_order_of_blocks) {
  const scratch_folder folder;
  const csr<TypeParam> graph = tendril::generate<TypeParam>("rmat:12:16");
  for (const char* name : {"a.tgr", "a.mtx", "a.mtx.gz"}) {
    write_graph(folder / name, graph);
    expect_same(read_graph<TypeParam>(folder / name), graph);
  }
}

TYPED_TEST(round_trip, of_graphs_without_edges_or_vertices) {
  const scratch_folder folder;
  for (const vertex_id num_vertices : {0U, 1U, 1000U}) {
    const csr<TypeParam> graph = build_csr(tendril::edge_list<TypeParam>(), num_vertices);
    for (const char* name : {"a.tgr", "a.mtx"}) {
      write_graph(folder / name, graph);
      expect_same(read_graph<TypeParam>(folder / name), graph);
    }
  }
}

TEST(gap_round_trip, keeps_orientation_and_weights) {
  const scratch_folder folder;
  for (const auto kind : {orientation::directed, orientation::undirected}) {
    const csr<> plain = awkward_graph<none>(kind);
    write_graph(folder / "a.sg", plain);
    expect_same(read_graph(folder / "a.sg"), plain);
    const auto weighted = awkward_graph<std::int32_t>(kind);
    write_graph(folder / "a.wsg", weighted);
    expect_same(read_graph<std::int32_t>(folder / "a.wsg"), weighted);
    expect_same(read_graph(folder / "a.wsg"), tendril::without_weights(weighted));
  }
}

// 0 -> 1 (7), 2 -> 1 (-1): one byte, two counts, offsets, (target, weight) pairs, then the
// transpose.
TEST(gap_layout, is_the_one_that_the_reference_reads) {
  const scratch_folder folder;
  write_graph(folder / "a.wsg", build_csr(in_chunks<std::int32_t>({{0, 1, 7}, {2, 1, -1}}, 2), 3));
  std::string expected("\1", 1);
  const auto append = [&expected](const auto& values) {
    expected.append(reinterpret_cast<const char*>(values.data()), sizeof(values));
  };
  append(std::array<std::int64_t, 2>{2, 3});
  append(std::array<std::int64_t, 4>{0, 1, 1, 2});
  append(std::array<std::int32_t, 4>{1, 7, 1, -1});
  append(std::array<std::int64_t, 4>{0, 0, 2, 2});
  append(std::array<std::int32_t, 4>{0, 7, 2, -1});
  EXPECT_EQ(content_of(folder / "a.wsg"), expected);
}

TEST(text_layout, is_what_each_format_says) {
  const scratch_folder folder;
  const auto undirected = build_csr(in_chunks<float>({{0, 1, 0.5F}, {2, 2, 3.0F}}, 2), 3,
                                    {.kind = orientation::undirected});
  write_graph(folder / "a.mtx", undirected);
  EXPECT_EQ(content_of(folder / "a.mtx"),
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 3 3\n");
  write_graph(folder / "a.wel", undirected);
  EXPECT_EQ(content_of(folder / "a.wel"), "0 1 0.5\n1 0 0.5\n2 2 3\n");
  const csr<> directed = build_csr(in_chunks<none>({{1, 0, {}}}, 1), 2);
  write_graph(folder / "a.gr", directed);
  EXPECT_EQ(content_of(folder / "a.gr"), "p sp 2 1\na 2 1 1\n");
  write_graph(folder / "a.wel", directed);
  EXPECT_EQ(content_of(folder / "a.wel"), "1 0 1\n");
}

template <class Error>
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(write_graph, refuses_what_would_be_lost) {
  const scratch_folder folder;
  const auto refused = [&](const char* name, const auto& graph) {
    const fs::path path = folder / name;
    const std::string what = refusal<tendril::usage_error>([&] { write_graph(path, graph); });
    EXPECT_NE(what, "accepted") << name;
    return what;
  };
  const auto weighted = awkward_graph<double>(orientation::directed);
  refused("a.el", weighted);
  refused("a.sg", weighted);
  refused("a.wsg", weighted);  // fractions
  refused("a", weighted);
  refused("a.graph", weighted);
  refused("a.tgr.gz", weighted);
  EXPECT_THROW(write_graph(folder / "a.tgr", weighted, vertex_names(5)), tendril::usage_error);
  EXPECT_THROW(write_graph(folder / "a.wel", awkward_graph<none>(orientation::directed),
                           vertex_names(std::vector<std::string>{"a", "b b", "c", "d", "e", "f"})),
               tendril::usage_error);
  EXPECT_EQ(folder.num_files(), 0U);  // nothing half-written stays
}

TEST(write_graph, says_that_the_disk_refuses) {
  const scratch_folder folder;
  EXPECT_THROW(write_graph(folder / "absent/a.el", csr<>()), tendril::resource_error);
  if (fs::exists("/dev/full")) {
    fs::create_symlink("/dev/full", folder / ("a.mtx.partial-" + std::to_string(getpid())));
    EXPECT_THROW(write_graph(folder / "a.mtx", tendril::generate("path:100000")),
                 tendril::resource_error);
    EXPECT_EQ(folder.num_files(), 0U);
  }
}

TEST(tgr_weights, convert_only_without_loss) {
  const scratch_folder folder;
  const fs::path path = folder / "a.tgr";
  write_graph(path, build_csr(in_chunks<std::int32_t>({{0, 1, 16'777'216}, {1, 0, -3}}, 2), 2));
  EXPECT_EQ(read_graph<float>(path).weights()[0], 16'777'216.0F);
  EXPECT_EQ(read_graph<double>(path).weights()[1], -3.0);
  EXPECT_EQ(read_graph(path).num_edges(), 2U);
  write_graph(path, build_csr(in_chunks<std::int32_t>({{0, 1, 16'777'217}}, 1), 2));
  EXPECT_THROW((void)read_graph<float>(path), tendril::input_error);
  write_graph(path, build_csr(in_chunks<double>({{0, 1, 0.5}}, 1), 2));
  EXPECT_EQ(read_graph<float>(path).weights()[0], 0.5F);
  EXPECT_THROW((void)read_graph<std::int32_t>(path), tendril::input_error);
  write_graph(path, build_csr(in_chunks<double>({{0, 1, 0.1}}, 1), 2));
  EXPECT_THROW((void)read_graph<float>(path), tendril::input_error);
  write_graph(path, build_csr(in_chunks<none>({{0, 1, {}}}, 1), 2));
  EXPECT_EQ(read_graph<float>(path).weights()[0], 1.0F);
}

TEST(tgr_options, apply_to_stored_arrays) {
  const scratch_folder folder;
  const fs::path path = folder / "a.tgr";
  write_graph(path, build_csr(in_chunks<none>({{0, 1, {}}, {0, 1, {}}, {1, 1, {}}}, 2), 2));
  using options = tendril::build_options;
  tendril::read_options simplifying;
  simplifying.kind = orientation::undirected;
  simplifying.loops = options::self_loops::drop;
  simplifying.parallel_edges = options::duplicates::merge;
  const auto simple = read_graph(path, simplifying);
  EXPECT_TRUE(simple.is_undirected());
  EXPECT_EQ(edges_of(simple), (std::vector<edge<>>{{0, 1, {}}, {1, 0, {}}}));
  tendril::read_options based;
  based.index_base = 1;
  EXPECT_THROW((void)read_graph(path, based), tendril::usage_error);
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
    const std::string what = refusal<tendril::input_error>(
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
  const auto with = [&](std::size_t at, std::string bytes) {
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
