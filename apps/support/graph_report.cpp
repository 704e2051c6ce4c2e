#include "support/graph_report.hpp"

#include "support/text.hpp"

namespace tendril::app {

namespace {

std::string in_brackets(const std::string& text) {
  return text.empty() ? "" : " (" + text + ')';
}

/// ", launch-control in software"
std::string schedule_text(const gpu_report& gpu) {
  return (gpu.schedule.empty() ? "" : ", " + gpu.schedule) +
         (gpu.schedule_form.empty() ? "" : " in " + gpu.schedule_form);
}

}  // namespace

std::string graph_line(const graph_report& report) {
  return report_line(
      "graph", report.input + ": " + counted(report.num_vertices, "vertex", "vertices") + ", " +
                   counted(report.num_edges, "edge", "edges") +
                   (report.kind == orientation::undirected ? ", undirected" : ", directed") +
                   (report.weights.empty() ? "" : ", weights " + report.weights) +
                   header_note(report.header_line));
}

std::string engine_line(const graph_report& report) {
  if (!report.gpu) {
    return report_line("engine", engine_text(report.engine, report.threads));
  }
  const gpu_report& gpu = *report.gpu;
  return report_line("engine", report.engine.name + ", " + report.engine.device +
                                   (gpu.driver.empty() ? "" : ", " + gpu.driver + " driver") +
                                   schedule_text(gpu) + in_brackets(gpu.driver_reason));
}

std::string place_line(const graph_report& report) {
  return report.gpu ? report_line("place", "copied in " + duration(report.gpu->copy_ms) +
                                               ", prepared in " + duration(report.gpu->prepare_ms))
                    : "";
}

}  // namespace tendril::app
