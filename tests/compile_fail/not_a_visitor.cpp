// Each case is a visitor that lacks something; the compiler must say so in the sentence that
// CMakeLists.txt expects. Case `complete` compiles, which shows that the others fail for their own
// reason.

#include <string>
#include <vector>

#include "tendril/traverse/traverse.hpp"

struct visitor {
#if !defined(NO_KIND) && !defined(RELAXES)
  using kind = tendril::first_visit;
#elif defined(RELAXES)
  using kind = tendril::relaxing;
#endif
#if defined(HOLDS_A_CONTAINER)
  std::vector<int> depth;
#endif
#if !defined(NO_ARRIVE) && !defined(RELAXES)
  void arrive(tendril::vertex_id /*v*/, std::int32_t /*level*/) const {}
#endif
#if defined(RELAXES) && !defined(NO_START)
  void start(tendril::vertex_id /*v*/) const {}
#endif
#if defined(RELAXES) && defined(WRONG_WEIGHT)
  bool visit(tendril::edge<float> /*e*/) const {
    return false;
  }
#elif defined(RELAXES) && !defined(NO_VISIT)
  bool visit(tendril::edge<> /*e*/) const {
    return false;
  }
#endif
};

// traverse() refuses a visitor before it asks anything of the engine.
struct any_graph {
  using weight_type = tendril::none;
};
struct any_engine {
  tendril::traverse_report traverse(const any_graph& /*graph*/,
                                    const tendril::source_list& /*sources*/,
                                    const visitor& /*visitor*/,
                                    const tendril::traverse_options& /*options*/) {
    return {};
  }
};

int main() {
  any_engine engine;
  tendril::traverse(engine, any_graph(), std::vector<tendril::vertex_id>{}, visitor{});
}
