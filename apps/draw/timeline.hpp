#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Pictures of what ran when: rows down (a processor, a thread, a block), time across.

namespace tendril::draw {

/// What strokes of one colour stand for.
struct timeline_series {
  std::string colour;  ///< of CSS
  std::string label;   ///< in the legend; empty: not there
};

/// A stretch of time in a row.
struct timeline_stroke {
  std::uint64_t begin_ns = 0;  ///< from the panel's start
  std::uint64_t end_ns = 0;    ///< from the panel's start
  std::uint32_t row = 0;       ///< of the panel, from the top
  std::uint32_t series = 0;    ///< of the picture
};

/// Words on a stroke; left out where they do not fit.
struct timeline_words {
  timeline_stroke on;  ///< whose middle they stand in
  std::string text;    ///< one line
};

/// Rows that share a beginning.
struct timeline_panel {
  std::string title;                     ///< above it, unless empty
  std::uint32_t num_rows = 0;            ///< squeezed where there are many
  std::string first_row;                 ///< name of the topmost
  std::string last_row;                  ///< of the lowest
  std::uint64_t length_ns = 0;           ///< where its end is marked
  std::string at_end;                    ///< beside that mark
  std::string below_end;                 ///< a line below, where the rows are that high
  std::vector<timeline_stroke> strokes;  ///< those of a row and series by begin_ns
  std::vector<timeline_words> words;     ///< on strokes, drawn last
};

/// Panels of one scale, one below the other.
struct timeline {
  std::string title;                    ///< above all panels
  std::string note;                     ///< below the title
  std::vector<timeline_series> series;  ///< in the order of the legend
  std::vector<timeline_panel> panels;   ///< from the top
};

/// The picture as text of SVG. Strokes of a row and series that lie closer to each other than a
/// pixel shows are drawn as one, so that a million of them make a file that opens.
[[nodiscard]] std::string to_svg(const timeline& picture);

}  // namespace tendril::draw
