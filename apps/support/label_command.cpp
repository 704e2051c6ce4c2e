#include "support/label_command.hpp"

#include <algorithm>
#include <vector>

#include "support/text.hpp"

namespace tendril::app {

void describe(const label_command& command, std::span<const vertex_id> label,
              search_report& report) {
  std::vector<std::uint64_t> size(label.size());  // of the class called by a vertex
  for (const vertex_id each : label) {
    ++size[each];
  }
  const auto empty = std::count(size.begin(), size.end(), 0U);
  const std::uint64_t classes = size.size() - static_cast<std::uint64_t>(empty);
  const std::uint64_t largest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  report.counts = {{command.name, classes}, {"largest", largest}};
  report.result = counted(classes, command.one, command.name) + "; the largest has " +
                  counted(largest, "vertex", "vertices");
}

}  // namespace tendril::app
