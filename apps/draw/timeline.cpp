#include "draw/timeline.hpp"

#include <algorithm>

#include "draw/axis.hpp"
#include "draw/svg.hpp"

namespace tendril::draw {

namespace {

// Pixels.
struct timeline_layout {
  static constexpr double left = 64;
  static constexpr double width = 900;
  static constexpr double right = 96;
  static constexpr double header = 76;       // title, note, legend
  static constexpr double legend = 58;       // its height
  static constexpr double panel_gap = 10;    // above each panel
  static constexpr double panel_title = 16;  // more, above one that has a title
  static constexpr double footer = 34;       // time axis
  static constexpr double panel_most = 300;  // rows are squeezed into this height
  static constexpr double row_most = 24;
  static constexpr double row_share = 0.92;  // of a row that a stroke fills
  static constexpr double joined = 0.3;      // strokes closer than this are one
  static constexpr double character = 6.6;   // width of one
  static constexpr double row_of_words = 14;
  static constexpr double two_lines = 28;  // height of text
};

constexpr const char* timeline_colours =
    ".idle { fill: #eee; }\n"
    ".end { fill: none; stroke: #d00000; stroke-width: 1.5; }\n"
    ".on { font-size: 11px; fill: #fff; }\n";

/// Nanoseconds in a unit of time that suits a length.
struct time_unit {
  double ns;
  const char* name;
};
time_unit unit_for(double length_ns) {
  return length_ns >= 1e7 ? time_unit{1e6, "ms"} : time_unit{1e3, "us"};
}

/// Path data of the strokes of one series.
class row_strokes {
 public:
  row_strokes(std::uint32_t num_rows, double first_y, double row_height)
      : open_(num_rows), first_y_(first_y), row_height_(row_height) {}

  /// @pre begin is not before that of the row's last stroke
  void add(std::uint32_t row, double begin, double end) {
    stretch& last = open_[row];
    if (last.end < 0 || begin - last.end > timeline_layout::joined) {
      flush(row);
      last.begin = begin;
    }
    last.end = std::max(last.end, end);
  }

  [[nodiscard]] std::string finish() && {
    for (std::uint32_t row = 0; row < open_.size(); ++row) {
      flush(row);
    }
    return std::move(data_);
  }

 private:
  struct stretch {
    double begin = 0;
    double end = -1;
  };

  void flush(std::uint32_t row) {
    stretch& last = open_[row];
    if (last.end >= 0) {
      data_ += 'M' + pixels(last.begin) + ' ' + pixels(first_y_ + row_height_ * (row + 0.5)) + 'h' +
               pixels(std::max(0.1, last.end - last.begin));
    }
    last = {};
  }

  std::vector<stretch> open_;
  double first_y_;
  double row_height_;
  std::string data_;
};

class timeline_painter {
 public:
  explicit timeline_painter(const timeline& what)
      : what_(what),
        picture_(width(), height(), what.title, what.note, {"#fff", timeline_colours}) {
    std::uint64_t longest = 1;
    for (const timeline_panel& panel : what.panels) {
      longest = std::max(longest, panel.length_ns);
    }
    time_ = {.lowest = 0,
             .highest = static_cast<double>(longest),
             .from = timeline_layout::left,
             .to = timeline_layout::left + timeline_layout::width};
  }

  [[nodiscard]] std::string paint() && {
    picture_.text(20, 22, what_.title, "title");
    picture_.text(20, 41, what_.note, "note");
    paint_legend();
    double y = timeline_layout::header;
    for (const timeline_panel& panel : what_.panels) {
      paint_panel(panel, y + above(panel));
      y += above(panel) + rows_height(panel);
    }
    paint_axis(y);
    return std::move(picture_).finish();
  }

 private:
  using layout = timeline_layout;

  [[nodiscard]] static double width() { return layout::left + layout::width + layout::right; }

  [[nodiscard]] static double above(const timeline_panel& panel) {
    return layout::panel_gap + (panel.title.empty() ? 0 : layout::panel_title);
  }

  [[nodiscard]] static double row_height(const timeline_panel& panel) {
    return std::min(layout::row_most, layout::panel_most / std::max(1.0, double(panel.num_rows)));
  }

  [[nodiscard]] static double rows_height(const timeline_panel& panel) {
    return row_height(panel) * panel.num_rows;
  }

  [[nodiscard]] double height() const {
    double sum = layout::header + layout::footer;
    for (const timeline_panel& panel : what_.panels) {
      sum += above(panel) + rows_height(panel);
    }
    return sum;
  }

  [[nodiscard]] double x_of(std::uint64_t ns) const {
    return time_.position(static_cast<double>(ns));
  }

  void paint_legend() {
    double x = layout::left;
    const auto entry = [&](const std::string& label, const std::string& look) {
      picture_.path('M' + pixels(x) + ' ' + pixels(layout::legend) + "h12v12h-12z", look);
      picture_.text(x + 17, layout::legend + 11, label, "label");
      x += 34 + layout::character * static_cast<double>(label.size());
    };
    for (const timeline_series& series : what_.series) {
      if (!series.label.empty()) {
        entry(series.label, "fill=\"" + series.colour + '"');
      }
    }
    entry("idle", "class=\"idle\"");
  }

  void paint_panel(const timeline_panel& panel, double top) {
    const double bottom = top + rows_height(panel);
    picture_.text(layout::left, top - 6, panel.title, "label");
    picture_.rectangle(layout::left, top, layout::width, bottom - top, "idle");
    for (std::uint32_t series = 0; series < what_.series.size(); ++series) {
      paint_series(panel, series, top);
    }
    for (const timeline_words& words : panel.words) {
      paint_words(words, top, row_height(panel));
    }
    const double end = x_of(panel.length_ns);
    picture_.path('M' + pixels(end) + ' ' + pixels(top - 4) + 'V' + pixels(bottom),
                  "class=\"end\"");
    picture_.text(end + 5, top + 12, panel.at_end, "label");
    if (rows_height(panel) > layout::two_lines) {
      picture_.text(end + 5, top + 27, panel.below_end, "label");
    }
    if (panel.num_rows > 0) {
      picture_.text(layout::left - 5, top + 10, panel.first_row, "tick", anchor::end);
    }
    if (rows_height(panel) > layout::two_lines) {
      picture_.text(layout::left - 5, bottom - 2, panel.last_row, "tick", anchor::end);
    }
  }

  void paint_series(const timeline_panel& panel, std::uint32_t series, double top) {
    row_strokes strokes(panel.num_rows, top, row_height(panel));
    for (const timeline_stroke& each : panel.strokes) {
      if (each.series == series) {
        strokes.add(each.row, x_of(each.begin_ns), x_of(each.end_ns));
      }
    }
    picture_.path(std::move(strokes).finish(),
                  "stroke=\"" + what_.series[series].colour + "\" stroke-width=\"" +
                      pixels(row_height(panel) * layout::row_share) + '"');
  }

  void paint_words(const timeline_words& words, double top, double height) {
    const double begin = x_of(words.on.begin_ns);
    const double room = x_of(words.on.end_ns) - begin;
    if (height >= layout::row_of_words &&
        layout::character * static_cast<double>(words.text.size()) < room) {
      picture_.text(begin + room / 2, top + height * (words.on.row + 0.5) + 4, words.text, "on",
                    anchor::middle);
    }
  }

  void paint_axis(double y) {
    const time_unit unit = unit_for(time_.highest);
    axis in_units = time_;
    in_units.highest /= unit.ns;
    for (const double at : ticks(in_units, 10, false)) {
      picture_.line(in_units.position(at), y, in_units.position(at), y + 5, "axis");
      picture_.text(in_units.position(at), y + 18, pixels(at), "tick", anchor::middle);
    }
    picture_.text(layout::left + layout::width + 12, y + 18, unit.name, "tick");
  }

  const timeline& what_;
  svg picture_;
  axis time_;
};

}  // namespace

std::string to_svg(const timeline& picture) {
  return timeline_painter(picture).paint();
}

}  // namespace tendril::draw
