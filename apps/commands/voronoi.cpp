#include "tendril/algorithms/voronoi.hpp"

#include "commands/commands.hpp"
#include "support/search_command.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace tendril::app {

action add_voronoi(CLI::App& app) {
  return add_search_command<std::uint64_t>(
      app,
      {.name = "voronoi",
       .title = "Voronoi cells",
       .columns = {"steps", "source"},
       .about = "Of equally near sources the first in the order of the vertices counts.\n",
       .none = no_cell,
       .steps = [](std::uint64_t label) { return std::int64_t{voronoi_steps(label)}; },
       .row =
           [](std::uint64_t label, const vertex_names& names) {
             return std::to_string(voronoi_steps(label)) + '\t' +
                    field_text(names.name(voronoi_source(label)));
           },
       .compare = oracle::compare_voronoi},
      [](auto&... with) { return voronoi(with...); });
}

}  // namespace tendril::app
