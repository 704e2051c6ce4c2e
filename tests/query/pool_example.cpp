#include <gtest/gtest.h>

#include <tendril/tendril.hpp>

// The pool of the README, word for word: the nearest shop to each of many customers.

namespace {

struct nearest_shop {
  using kind = tendril::first_visit;
  const bool* is_shop;   // [num_vertices]
  std::uint64_t* found;  // steps << 32 | vertex, the lowest of equally near ones; or all ones
  TENDRIL_HD void arrive(tendril::vertex_id v, std::int32_t level) const {
    if (is_shop[v]) {
      tendril::lower(*found, static_cast<std::uint64_t>(level) << 32 | v);
    }
  }
  TENDRIL_HD bool stops(std::int32_t /*level*/) const { return tendril::load(*found) != ~0ULL; }
};

TEST(query_pool, of_the_introduction) {
  tendril::host_engine engine;
  auto streets = engine.place(tendril::generate_grid(300, 200));
  auto is_shop = engine.array(streets.num_vertices(), false);
  is_shop.data()[0] = is_shop.data()[299] = true;  // two corners
  const std::vector<tendril::vertex_id> customers = {150, 0, 149, 59999};
  auto found = engine.array(customers.size(), ~std::uint64_t{0});

  tendril::query_pool pool(engine, streets, {.slots = 2});
  std::vector<tendril::pending_query> queries;
  for (std::size_t i = 0; i < customers.size(); ++i) {
    queries.push_back(pool.submit({customers[i]}, nearest_shop{is_shop.data(), &found.data()[i]}));
  }
  for (tendril::pending_query& query : queries) {
    static_cast<void>(query.get());  // how many vertices it saw; throws what it failed with
  }

  const auto at = [](std::uint64_t steps, std::uint64_t shop) { return steps << 32 | shop; };
  EXPECT_EQ(found.to_host(),
            (std::vector<std::uint64_t>{at(149, 299), at(0, 0), at(149, 0), at(199, 299)}));
}

}  // namespace
