#pragma once

#include <string>
#include <string_view>

namespace tendril::app {

/// How a line of text stands to its point.
enum class anchor { start, middle, end };

/// A drawing as text of SVG, in units of CSS pixels, y downwards.
class svg {
 public:
  /// @param title, description  for readers that do not see the drawing
  svg(double width, double height, std::string_view title, std::string_view description);

  void rectangle(double x, double y, double width, double height, std::string_view style);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// @param style  a class of the style sheet: "title", "note", "tick" or "label"
  void text(double x, double y, std::string_view content, std::string_view style,
            anchor where = anchor::start);
  /// Text that reads upwards, centred on the point.
  void upright_text(double x, double y, std::string_view content, std::string_view style);

  /// The whole file.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace tendril::app
