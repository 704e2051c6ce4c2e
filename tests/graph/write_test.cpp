#include "tendril/graph/write.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "graph/file_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/graph/read.hpp"

namespace {

using tendril::build_csr;
using tendril::csr;
using tendril::edge;
using tendril::graph_file;
using tendril::none;
using tendril::orientation;
using tendril::read_graph;
using tendril::read_graph_file;
using tendril::vertex_id;
using tendril::vertex_names;
using tendril::write_graph;
using tendril::testing::awkward_graph;
using tendril::testing::content_of;
using tendril::testing::edges_of;
using tendril::testing::expect_same;
using tendril::testing::in_chunks;
using tendril::testing::refusal;
using tendril::testing::scratch_folder;

namespace fs = std::filesystem;

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
    std::filesystem::rename(folder / "a.wsg", folder / "A.WSG.GZ");
    expect_same(read_graph<std::int32_t>(folder / "A.WSG.GZ"), weighted);
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

TEST(write_graph, refuses_what_would_be_lost) {
  const scratch_folder folder;
  const auto refused = [&](const char* name, const auto& graph) {
    const fs::path path = folder / name;
    std::string what = refusal<tendril::usage_error>([&] { write_graph(path, graph); });
    EXPECT_NE(what, "accepted") << name;
    return what;
  };
  const auto weighted = awkward_graph<double>(orientation::directed);
  refused("a.el", weighted);
  refused("a.sg", weighted);
  const auto tiny = build_csr(in_chunks<double>({{0, 1, 1e-7}}, 1), 2);
  EXPECT_EQ(refused("a.wsg", tiny), "GAP's format holds 32-bit whole weights, found 1e-07");
  refused("a", weighted);
  refused("a.graph", weighted);
  refused("a.tgr.gz", weighted);
  EXPECT_THROW(write_graph(folder / "a.tgr", weighted, vertex_names(5)), tendril::usage_error);
  EXPECT_THROW(write_graph(folder / "a.wel", awkward_graph<none>(orientation::directed),
                           vertex_names(std::vector<std::string>{"a", "b b", "c", "d", "e", "f"})),
               tendril::usage_error);
  EXPECT_EQ(folder.num_files(), 0U);  // nothing half-written stays
}

// Names that an edge list holds in a later row, but reads otherwise in one of the first two.
TEST(write_graph, refuses_rows_that_edge_lists_read_otherwise) {
  const scratch_folder folder;
  using names = std::vector<std::string>;
  const csr<> path = build_csr(in_chunks<none>({{0, 1, {}}, {1, 2, {}}, {2, 2, {}}}, 3), 3);
  const auto outcome = [&](const char* name, const names& given) {
    return refusal<tendril::usage_error>([&] {
      write_graph(folder / name, path, vertex_names(given));
      const auto read = read_graph_file(folder / name);
      expect_same(read.graph, path);
      expect_same_names(read.names, vertex_names(given));
    });
  };
  const auto refused_row = [](const std::string& row) {
    return "an edge list that starts with the row '" + row +
           "' would be read otherwise: expected vertex names that are neither numbers nor a "
           "heading; write .tgr instead";
  };
  for (const char* name : {"a.el", "a.wel"}) {
    const std::string weight = name == std::string("a.wel") ? " 1" : "";
    EXPECT_EQ(outcome(name, {"007", "1.5", "a"}), refused_row("007 1.5" + weight));
    EXPECT_EQ(outcome(name, {"p", "sp", "x"}), refused_row("p sp" + weight));
    EXPECT_EQ(outcome(name, {"0", "x", "y"}), "accepted");
    EXPECT_EQ(outcome(name, {"/bin", "/etc", "x"}), "accepted");
    EXPECT_NE(outcome(name, {"//bin", "a", "b"}), "accepted");
    EXPECT_NE(outcome(name, {"a\fb", "c", "d"}), "accepted");
    EXPECT_NE(outcome(name, {std::string("a\0b", 3), "c", "d"}), "accepted");
  }
  EXPECT_EQ(outcome("a.el", {"Source", "target", "x"}), refused_row("Source target"));
  EXPECT_EQ(outcome("a.wel", {"Source", "target", "x"}), "accepted");
  // The second row has numbers: the first would be its heading.
  const csr<> apart = build_csr(in_chunks<none>({{0, 1, {}}, {2, 3, {}}}, 2), 4);
  EXPECT_THROW(write_graph(folder / "b.el", apart, vertex_names(names{"a", "b", "1", "2"})),
               tendril::usage_error);
}

// Over a file, and where the link leads to nothing yet.
TEST(write_graph, writes_through_links) {
  const scratch_folder folder;
  fs::create_symlink("a.el", folder / "link.el");
  for (const vertex_id n : {3U, 4U}) {
    write_graph(folder / "link.el", tendril::generate_path(n));
    EXPECT_EQ(read_graph(folder / "a.el").num_vertices(), n);
    EXPECT_TRUE(fs::is_symlink(folder / "link.el"));
  }
  fs::create_symlink("round.el", folder / "round.el");
  EXPECT_EQ(
      refusal<tendril::resource_error>(
          [&] { write_graph(folder / "round.el", tendril::generate_path(3)); }),
      (folder / "round.el").string() + ": cannot be written: Too many levels of symbolic links");
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
  write_graph(path, build_csr(in_chunks<double>({{0, 1, 1e-7}}, 1), 2));
  const std::string told = refusal<tendril::input_error>([&] { (void)read_graph<float>(path); });
  EXPECT_NE(told.find(", found 1e-07 at edge 0"), std::string::npos) << told;
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

}  // namespace
