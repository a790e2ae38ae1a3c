// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

using namespace unit;

namespace {

/// A rank's clock with the given properties.
struct timed_differently {
    sonde::sim::manual_clock clock;
    sonde::clock_properties says;

    auto now() const { return clock.now(); }
    sonde::clock_properties properties() const { return says; }
};

/// All fields of a record, in a form that can be compared.
auto fields(sonde::record const& r) {
    std::vector<std::string> at{r.point.name};
    for (auto const& p : r.point.parameters) at.insert(at.end(), {p.name, p.text, p.number ? "number" : "text"});
    return std::tuple{at,
                      r.total.bytes,
                      r.total.messages,
                      r.total.hops,
                      r.total.bus_factor,
                      r.ranks,
                      r.initiators,
                      r.batch,
                      r.series,
                      r.sample_means,
                      r.rank_means,
                      std::tuple{r.over_ranks.min, r.over_ranks.mean, r.over_ranks.max},
                      r.first,
                      r.stragglers,
                      r.clock_properties.cost,
                      r.clock_properties.resolution,
                      r.clock_properties.bias,
                      r.stop.reason,
                      r.stop.samples,
                      to_string(r.flags),
                      r.errors};
}

} // namespace

TEST_CASE("the record is equal on every rank, field by field") {
    auto const records = on_ranks(5, {1us, 2us, 0us, 0us}, [](process& self) {
        auto group = self.group();
        auto const rank = self.rank();
        timed_differently const clock{self.clock(), {10ns * rank, 1ns * (7 - rank), 3ns * rank}};
        auto const plan = sonde::plan<>{}
                              .warmup(2)
                              .batch(3)
                              .until(sonde::time_budget{100us} || sonde::samples{50})
                              .keep({.sample_means = true, .rank_means = true});
        auto const who = rank == 3 ? role::idle : rank == 4 ? role::responder : role::initiator;
        working pattern{&self,
                        who,
                        {1us * (rank + 1), 7us - 1us * rank},
                        {8 * static_cast<std::size_t>(rank), 1, 1.0 + rank, 0.1 * rank}};
        return sonde::run(group, plan.timed_by(clock), pattern, {"five", {{"ranks", 5}}});
    });
    for (auto const& r : records) CHECK(fields(r) == fields(records.front()));
    CHECK(records.front().sample_means.size() == records.front().series.size());
    CHECK(records.front().rank_means.size() == 5);
    for (auto const& r : records)
        CHECK((r.slowest_counts ? r.slowest_counts->size() : 0) == (&r == &records.front() ? 5 : 0));
    CHECK(records.front().stop.reason == sonde::stop_reason::time_budget);
}

TEST_CASE("clock_properties are the worst of all ranks, also of idle ones") {
    auto const records = on_ranks(3, {}, [](process& self) {
        std::vector<sonde::clock_properties> const timers{{30ns, 1ns, 5ns}, {10ns, 40ns, 6ns}, {20ns, 2ns, 70ns}};
        timed_differently const clock{self.clock(), timers[static_cast<std::size_t>(self.rank())]};
        auto group = self.group();
        auto const plan = sonde::plan<>{}.until(sonde::samples{1}).timed_by(clock);
        return sonde::run(group, plan, working{&self, self.rank() == 2 ? role::idle : role::initiator, {1us}});
    });
    for (auto const& r : records) {
        CHECK(ns(r.clock_properties.cost) == 30);
        CHECK(ns(r.clock_properties.resolution) == 40);
        CHECK(ns(r.clock_properties.bias) == 70);
    }
}
