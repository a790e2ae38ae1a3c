// SPDX-License-Identifier: BSL-1.0
// Groups whose ranks are threads, and simulated ranks.
#include "../../control_conformance.hpp"
#include "../../support.hpp"

#include <sonde/group/pair.hpp>
#include <sonde/group/threads.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace unit;

namespace {

/// A clock that says which ranks read it.
struct named_clock : sonde::sim::manual_clock {
    std::string name;
    std::string domain() const { return name; }
};

} // namespace

TEST_CASE("teams of threads conform, and so do the two threads of a pair") {
    sonde::single_rank single;
    for (int const n : {1, 2, 3}) {
        sonde::thread_team team{single, n};
        team.run([&](auto& me) {
            conformance::check_group(me);
            conformance::check_control(me, "threads_control.json");
        });
    }
    sonde::thread_team pair{single, 2};
    pair.run([](auto& me) {
        sonde::pair_group both{sonde::control_channel_of(me), me.rank(), 1 - me.rank()};
        conformance::check_group(both);
    });
}

TEST_CASE("threads of several processes conform, and so do simulated ranks and a single rank") {
    for (int const n : {1, 2, 3, 5})
        sonde::sim::world{n, {}}.run([](process& self) {
            auto group = self.group();
            conformance::check_group(group);
            conformance::check_ring(group, sonde::control_channel_of(group));
        });
    sonde::sim::world{2, {}}.run([](process& self) {
        auto parent = self.group();
        sonde::thread_team team{parent, 1 + 2 * self.rank()};
        team.run([](auto& me) { conformance::check_group(me); });
    });
    sonde::single_rank single;
    conformance::check_group(single);
}

TEST_CASE("a simulated group compares clocks by its own messages, of which those with one name are shared") {
    sonde::sim::world{4, {1us, 5us, 0us, 0ns}}.run([](process& self) {
        auto group = self.group();
        sonde::sim::skew const by{sonde::sim::picoseconds{std::chrono::seconds{self.rank() / 2}}};
        sonde::global_clock by_host{group, named_clock{self.clock(by), std::to_string(self.rank() / 2)},
                                    conformance::few_exchanges};
        CHECK_FALSE(by_host.shared());
        CHECK(by_host.measure_deviation(group).max < sonde::seconds{1e-5}); // the clocks are a second apart
        CHECK(sonde::global_clock{group, named_clock{self.clock(), "one"}, conformance::few_exchanges}.shared());
        CHECK_FALSE(sonde::global_clock{group, self.clock(by), conformance::few_exchanges}.shared()); // not known
        conformance::check_timeline(group, self.clock(by), "sim_control.json");
    });
}
