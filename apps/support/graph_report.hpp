#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/report.hpp"
#include "support/sources.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/vertex_names.hpp"

// What the reports of all commands that run over a graph from sources have in common.

namespace tendril::app {

/// What a run on a GPU tells beside the rest.
struct gpu_report {
  std::string driver;         ///< "resident", ...; empty where nothing was traversed level by level
  std::string driver_reason;  ///< why auto picked it, or it is not the one that was asked for
  std::string schedule;       ///< "launch-control", ...; empty where a grid was resident
  std::string schedule_form;  ///< of launch control: "hardware" or "software"
  double copy_ms = 0;         ///< of place(): rows to the device
  double prepare_ms = 0;      ///< of place(): rows sorted, vertices marked
  run_times kernels;          ///< device clock; none where there was no source
};

/// What a command was asked, where it ran, and how long that took.
struct graph_report : run_report {
  vertex_id num_vertices = 0;
  edge_offset num_edges = 0;
  orientation kind = orientation::directed;
  std::uint64_t header_line = 0;  ///< see file_facts
  std::string weights;            ///< "int32", ...; empty where none are read
  std::optional<gpu_report> gpu;  ///< of the GPU engine
  chosen_sources sources;
  vertex_names names;
  run_times times;
};

/// "graph    rmat:10:8: 1,024 vertices, 10,000 edges, undirected", with its end.
[[nodiscard]] std::string graph_line(const graph_report& report);
/// Which engine ran it, and how.
[[nodiscard]] std::string engine_line(const graph_report& report);
/// What placing the graph took on a GPU; nothing on the CPU.
[[nodiscard]] std::string place_line(const graph_report& report);

}  // namespace tendril::app
