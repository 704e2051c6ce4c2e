#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cstdint>
#include <string>

#include "io/io_support.hpp"
#include "io/readers.hpp"

// What must not make a difference, for every text reader: line ends, blanks, comments, a byte order
// mark, compression, and the number of threads.

namespace {

using io_test::gzip;
using io_test::listing_of;
using io_test::text_format;

class every_text_reader : public testing::TestWithParam<text_format> {
 protected:
  [[nodiscard]] static std::string text() { return GetParam().text; }

  /// The text with `end` for each end of a line.
  [[nodiscard]] static std::string with_line_ends(const std::string& end) {
    std::string changed;
    for (const char c : text()) {
      changed += c == '\n' ? end : std::string(1, c);
    }
    return changed;
  }

  static void expect_same(const std::string& changed, const std::string& suffix = "") {
    EXPECT_EQ(listing_of<std::int32_t>(GetParam().file + suffix, changed), GetParam().listing)
        << changed;
  }
};

TEST_P(every_text_reader, reads_the_plain_text) {
  expect_same(text());
}

TEST_P(every_text_reader, reads_crlf) {
  expect_same(with_line_ends("\r\n"));
}

TEST_P(every_text_reader, reads_blanks_at_line_ends) {
  expect_same(with_line_ends(" \t \n"));
}

TEST_P(every_text_reader, reads_indented_lines) {
  expect_same(" \t" + with_line_ends("\n  "));
}

TEST_P(every_text_reader, reads_tabs) {
  std::string changed = text();
  for (char& c : changed) {
    c = c == ' ' ? '\t' : c;
  }
  expect_same(changed);
}

TEST_P(every_text_reader, reads_a_last_line_without_end) {
  std::string changed = text();
  changed.pop_back();
  expect_same(changed);
  expect_same(changed + '\r');
}

TEST_P(every_text_reader, skips_a_byte_order_mark) {
  expect_same("\xEF\xBB\xBF" + text());
}

TEST_P(every_text_reader, skips_blank_lines) {
  // In METIS a blank line is a vertex: only those before the header and after the last vertex are
  // none.
  expect_same(GetParam().blank_lines ? "\n\n" + with_line_ends("\n \t\n\r\n")
                                     : "\n\n" + text() + "\n\n");
}

TEST_P(every_text_reader, skips_comment_lines) {
  const std::string comment = std::string(1, GetParam().comment) + " 1 2 3 a 1 2\n";
  const std::string bare = std::string(1, GetParam().comment) + "\n";
  std::string changed = with_line_ends("\n  " + comment + bare);
  if (std::string(GetParam().file).find(".mtx") == std::string::npos) {
    changed = comment + changed;  // nothing may stand before the banner
  }
  expect_same(changed);
}

TEST_P(every_text_reader, skips_a_comment_longer_than_a_block) {
  const std::string comment =
      std::string(1, GetParam().comment) + ' ' + std::string(std::size_t{3} << 20, '1') + '\n';
  expect_same(text() + comment);
  const auto first_line = text().find('\n') + 1;
  expect_same(text().substr(0, first_line) + comment + text().substr(first_line));
}

TEST_P(every_text_reader, reads_gzip) {
  expect_same(gzip(text()), ".gz");
  expect_same(gzip(text()));  // by content, whatever the name
}

TEST_P(every_text_reader, reads_gzip_of_several_members) {
  // Cut inside a line, with an empty member between.
  const std::size_t cut = text().size() / 2;
  expect_same(gzip(text().substr(0, cut)) + gzip("") + gzip(text().substr(cut)), ".gz");
}

TEST_P(every_text_reader, knows_the_format_it_is_told) {
  tendril::read_options options;
  const io_test::temp_file file(GetParam().file, text());
  options.format = tendril::read_graph_file<>(file.path()).facts.format;
  EXPECT_EQ(listing_of<std::int32_t>("a.unknown", text(), options), GetParam().listing);
}

TEST_P(every_text_reader, reports_progress_up_to_the_whole_file) {
  std::uint64_t last = 0;
  std::uint64_t total = 0;
  tendril::read_options options;
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    EXPECT_GE(done, last);
    last = done;
    total = all;
  };
  (void)listing_of<std::int32_t>(GetParam().file, text(), options);
  EXPECT_EQ(total, text().size());
  EXPECT_EQ(last, total);
}

INSTANTIATE_TEST_SUITE_P(io, every_text_reader, testing::ValuesIn(io_test::text_formats),
                         [](const auto& param) { return std::string(param.param.name); });

/// Twenty thousand edges of a ring with long steps, 30 bytes a line: several blocks.
std::string long_edge_list(std::uint64_t first_id, const std::string& prefix) {
  std::string text;
  for (std::uint64_t i = 0; i < 150000; ++i) {
    for (const std::uint64_t id : {i, (i * 7919 + 1) % 150000}) {
      text.append(prefix).append(std::to_string(first_id + id)) += ' ';
    }
    text += std::to_string(i % 9 + 1) += '\n';
  }
  return text;
}

TEST(threads, do_not_change_what_is_read) {
  // Small numbers, numbers that need a table, and texts.
  for (const auto& [first_id, prefix] :
       {std::pair<std::uint64_t, const char*>{3, ""}, {std::uint64_t{1} << 60, ""}, {0, "v"}}) {
    const io_test::temp_file file("a.wel", long_edge_list(first_id, prefix));
    std::string serial;
    for (const std::size_t num_threads : {1U, 2U, 4U}) {
      const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                              num_threads);
      const std::string found = io_test::listing<float>(file.path());
      if (serial.empty()) {
        serial = found;
        EXPECT_NE(serial.find("150000 directed:"), std::string::npos);
      }
      EXPECT_TRUE(found == serial) << num_threads << " threads";
    }
  }
}

TEST(threads, do_not_change_which_error_is_reported) {
  std::string text = long_edge_list(0, "");
  const std::size_t early = text.find('\n', text.size() / 3) + 1;
  const std::size_t late = text.find('\n', text.size() / 2) + 1;
  text.replace(late, 1, "x");
  text.replace(early, 1, "y");
  const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(early), '\n');
  const io_test::temp_file file("a.wel", text);
  for (const std::size_t num_threads : {1U, 2U, 4U}) {
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                            num_threads);
    const std::string found = io_test::refusal<float>(file.path());
    EXPECT_TRUE(found.starts_with("a.wel:" + std::to_string(line) + ": expected a source id"))
        << found;
  }
}

}  // namespace
