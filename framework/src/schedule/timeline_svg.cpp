#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

#include "lanes.hpp"
#include "tendril/core/error.hpp"
#include "tendril/schedule/record.hpp"

namespace tendril::schedule {

namespace {

struct layout {
  static constexpr double left = 64;
  static constexpr double width = 900;
  static constexpr double right = 96;
  static constexpr double header = 44;       // legend
  static constexpr double title = 26;        // above each panel
  static constexpr double footer = 34;       // time axis
  static constexpr double panel_most = 300;  // lanes are squeezed into this height
  static constexpr double lane_most = 12;
  static constexpr double joined = 0.3;  // stretches of one colour closer than this are one
};

struct series {
  doing what;
  std::string_view label;
  std::string_view colour;
};
constexpr std::array<series, 3> all_series = {{{doing::prologue, "prologue", "#e69f00"},
                                               {doing::own_tile, "own tile", "#0072b2"},
                                               {doing::stolen_tile, "stolen tile", "#009e73"}}};

std::string number(double value, int digits = 1) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void write_text(std::ostream& out, double x, double y, std::string_view anchor,
                const std::string& text) {
  out << "<text x=\"" << number(x) << "\" y=\"" << number(y) << "\" text-anchor=\"" << anchor
      << "\">" << escaped(text) << "</text>\n";
}

class panel {
 public:
  panel(const launch_record& launch, double pixels_per_ns)
      : launch_(launch),
        lanes_(detail::pack_lanes(launch)),
        scale_(pixels_per_ns),
        lane_(std::min(layout::lane_most,
                       layout::panel_most / std::max(1.0, double(lanes_.num_lanes())))) {}

  [[nodiscard]] double height() const { return layout::title + lane_ * lanes_.num_lanes(); }

  void write(std::ostream& out, double top) const {
    const double bottom = top + height();
    const double first = top + layout::title;
    const double end = x_of(launch_.length_ns());
    out << "<rect x=\"" << layout::left << "\" y=\"" << number(first) << "\" width=\""
        << layout::width << "\" height=\"" << number(bottom - first) << "\" fill=\"#eeeeee\"/>\n";
    for (const series& one : all_series) {
      write_series(out, one, first);
    }
    out << "<path d=\"M" << number(end) << ' ' << number(first - 4) << 'V' << number(bottom)
        << "\" stroke=\"#d00000\" stroke-width=\"1.5\"/>\n";
    write_text(out, layout::left, top + 17, "start", launch_.name);
    const double length_ns = static_cast<double>(launch_.length_ns());
    write_text(out, end + 5, first + 12, "start", number(length_ns / 1e6, 3) + " ms");
    write_text(out, end + 5, first + 27, "start",
               "tail " + number(launch_.mean_tail_ns() / 1e3, 0) + " us");
    if (lanes_.num_lanes() > 0) {
      write_text(out, layout::left - 5, first + 10, "end", std::to_string(lanes_.processor[0]));
      write_text(out, layout::left - 5, bottom - 2, "end", std::to_string(lanes_.processor.back()));
    }
  }

 private:
  [[nodiscard]] double x_of(std::uint64_t ns) const {
    return layout::left + static_cast<double>(ns) * scale_;
  }

  /// One path per colour: a horizontal stroke per stretch of time.
  void write_series(std::ostream& out, const series& one, double first) const {
    struct stroke {
      double begin = 0;
      double end = -1;
    };
    std::vector<stroke> open(lanes_.num_lanes());
    const auto flush = [&](std::uint32_t lane) {
      if (open[lane].end >= 0) {
        out << 'M' << number(open[lane].begin) << ' ' << number(first + lane_ * (lane + 0.5), 2)
            << 'h' << number(std::max(0.1, open[lane].end - open[lane].begin));
      }
    };
    out << "<path stroke=\"" << one.colour << "\" stroke-width=\"" << number(lane_ * 0.92, 2)
        << "\" d=\"";
    for (std::size_t i = 0; i < launch_.timeline.size(); ++i) {
      const interval& entry = launch_.timeline[i];
      if (entry.what != one.what) {
        continue;
      }
      const std::uint32_t lane = lanes_.lane_of[i];
      const std::uint64_t start = launch_.timeline.front().begin_ns;
      const double begin = x_of(entry.begin_ns - start);
      const double end = x_of(entry.end_ns - start);
      if (open[lane].end < 0 || begin - open[lane].end > layout::joined) {
        flush(lane);
        open[lane].begin = begin;
      }
      open[lane].end = end;
    }
    for (std::uint32_t lane = 0; lane < lanes_.num_lanes(); ++lane) {
      flush(lane);
    }
    out << "\"/>\n";
  }

  const launch_record& launch_;
  detail::lanes lanes_;
  double scale_;
  double lane_;
};

/// The largest of 1, 2, 5 times a power of ten that gives at least four steps.
double axis_step(double length) {
  double step = 1e-9;
  for (const double power : {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11}) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (power * factor * 4 <= length) {
        step = power * factor;
      }
    }
  }
  return step;
}

void write_legend(std::ostream& out) {
  double x = layout::left;
  for (const series& one : all_series) {
    out << "<rect x=\"" << x << "\" y=\"14\" width=\"12\" height=\"12\" fill=\"" << one.colour
        << "\"/>\n";
    write_text(out, x + 17, 25, "start", std::string(one.label));
    x += 110;
  }
  out << "<rect x=\"" << x << "\" y=\"14\" width=\"12\" height=\"12\" fill=\"#eeeeee\"/>\n";
  write_text(out, x + 17, 25, "start", "idle");
  write_text(out, x + 70, 25, "start", "processors down (one row per resident block), time across");
}

void write_axis(std::ostream& out, double y, double length_ns, double scale) {
  const double step = std::max(axis_step(length_ns), 1.0);
  for (double at = 0; at <= length_ns; at += step) {
    const double x = layout::left + at * scale;
    out << "<path d=\"M" << number(x) << ' ' << number(y) << "v5\" stroke=\"#444\"/>\n";
    write_text(out, x, y + 18, "middle", number(at / 1e3, 0));
  }
  write_text(out, layout::left + layout::width + 12, y + 18, "start", "us");
}

}  // namespace

void write_timeline_svg(std::ostream& out, std::span<const launch_record> launches) {
  if (launches.empty()) {
    throw usage_error("a timeline needs at least one recorded launch");
  }
  std::uint64_t longest = 1;
  for (const launch_record& launch : launches) {
    longest = std::max(longest, launch.length_ns());
  }
  const double scale = layout::width / static_cast<double>(longest);
  std::vector<panel> panels;
  double height = layout::header + layout::footer;
  for (const launch_record& launch : launches) {
    height += panels.emplace_back(launch, scale).height();
  }

  const double width = layout::left + layout::width + layout::right;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\""
      << number(height, 0) << "\" viewBox=\"0 0 " << width << ' ' << number(height, 0)
      << "\" font-family=\"sans-serif\" font-size=\"13\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  write_legend(out);
  double y = layout::header;
  for (const panel& one : panels) {
    one.write(out, y);
    y += one.height();
  }
  write_axis(out, y, static_cast<double>(longest), scale);
  out << "</svg>\n";
}

}  // namespace tendril::schedule
