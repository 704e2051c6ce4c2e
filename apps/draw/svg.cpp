#include "draw/svg.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace tendril::draw {

namespace {

constexpr const char* style_sheet =
    "text { font-family: 'Inter', 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif; "
    "fill: #333; }\n"
    ".title { font-size: 15px; font-weight: 600; fill: #111; }\n"
    ".note { font-size: 12px; fill: #555; }\n"
    ".label { font-size: 12px; }\n"
    ".value { font-size: 12px; paint-order: stroke; stroke: #fff; stroke-width: 4px; }\n"
    ".tick { font-size: 11px; fill: #555; }\n"
    ".grid { stroke: #e4e4e4; stroke-width: 1; }\n"
    ".axis { stroke: #555; stroke-width: 1; }\n"
    "rect { shape-rendering: crispEdges; }\n";

/// The text with U+FFFD in place of what is no UTF-8, as JSON has it.
std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  const std::string quoted =
      json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

// What XML cannot hold (control characters) becomes a space.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
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
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + std::string(value) + '"';
}

std::string attribute(std::string_view name, double value) {
  return attribute(name, pixels(value));
}

std::string_view anchor_name(anchor where) {
  switch (where) {
    case anchor::start:
      return "start";
    case anchor::middle:
      return "middle";
    case anchor::end:
      break;
  }
  return "end";
}

std::string element(std::string_view name, std::string_view content) {
  return '<' + std::string(name) + '>' + escaped(content) + "</" + std::string(name) + ">\n";
}

}  // namespace

std::string pixels(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, 2)
                       .ptr;
  std::string text(buffer.data(), end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text;
}

svg::svg(double width, double height, std::string_view title, std::string_view description,
         const look& colours) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
         attribute("height", height) +
         attribute("viewBox", "0 0 " + pixels(width) + ' ' + pixels(height)) +
         attribute("role", "img") + ">\n" + element("title", title) + element("desc", description) +
         "<style>\n" + style_sheet + std::string(colours.style_sheet) + "</style>\n";
  out_ += "<rect" + attribute("width", width) + attribute("height", height) +
          attribute("fill", colours.background) + "/>\n";
}

void svg::rectangle(double x, double y, double width, double height, std::string_view style) {
  out_ += "<rect" + attribute("class", style) + attribute("x", x) + attribute("y", y) +
          attribute("width", width) + attribute("height", height) + "/>\n";
}

void svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  out_ += "<line" + attribute("class", style) + attribute("x1", x1) + attribute("y1", y1) +
          attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

void svg::text(double x, double y, std::string_view content, std::string_view style, anchor where) {
  out_ += "<text" + attribute("class", style) + attribute("x", x) + attribute("y", y) +
          attribute("text-anchor", anchor_name(where)) + '>' + escaped(content) + "</text>\n";
}

void svg::upright_text(double x, double y, std::string_view content, std::string_view style) {
  out_ += "<text" + attribute("class", style) +
          attribute("transform", "translate(" + pixels(x) + ' ' + pixels(y) + ") rotate(-90)") +
          attribute("text-anchor", "middle") + '>' + escaped(content) + "</text>\n";
}

void svg::path(std::string_view data, std::string_view attributes) {
  out_ += "<path " + std::string(attributes) + attribute("d", data) + "/>\n";
}

std::string svg::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace tendril::draw
