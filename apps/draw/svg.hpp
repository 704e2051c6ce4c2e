#pragma once

#include <string>
#include <string_view>

// Drawings as text of SVG, for timelines and charts.

/// Pictures as text of SVG.
namespace tendril::draw {

/// How a line of text stands to its point.
enum class anchor { start, middle, end };

/// A number of pixels with at most two decimals: "3", "0.25".
[[nodiscard]] std::string pixels(double value);

/// A drawing as text of SVG, in units of CSS pixels, y downwards.
class svg {
 public:
  /// Colours of a drawing that is not a chart on white.
  struct look {
    std::string_view background = "#fff";  ///< of CSS
    std::string_view style_sheet;          ///< added to the one that charts have
  };

  /// An empty drawing.
  /// @param width               pixels
  /// @param height              pixels
  /// @param title, description  for readers that do not see the drawing
  /// @param colours             of background and text
  svg(double width, double height, std::string_view title, std::string_view description,
      const look& colours = {"#fff", ""});

  /// @{
  /// Draws; `style` is a class of the style sheet.
  void rectangle(double x, double y, double width, double height, std::string_view style);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// @}
  /// A line of text at a point; `style` is a class of the style sheet: "title", "note", "label",
  /// "tick" or "value".
  void text(double x, double y, std::string_view content, std::string_view style,
            anchor where = anchor::start);
  /// Text that reads upwards, centred on the point.
  void upright_text(double x, double y, std::string_view content, std::string_view style);

  /// Draws a path.
  /// @param data        path data, see pixels()
  /// @param attributes  of the element: `class="border"`
  void path(std::string_view data, std::string_view attributes);

  /// The whole file.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace tendril::draw
