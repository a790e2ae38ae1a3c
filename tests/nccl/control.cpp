// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>

#include <cstdio>
#include <string>

using namespace sonde;

namespace {

/// A clock that shows another time on each rank, and that no other rank reads.
struct own_clock {
    int rank;
    seconds now() const { return since_epoch(steady_clock{}.now()) + seconds{100.0 * rank}; }
};

constexpr std::size_t bytes = 64;

/// A rank's part in a round trip over NCCL.
auto round_trip(ranks::connected& on, ranks::device_allocation& out, ranks::device_allocation& in, int peer, role who) {
    return ping_pong{nccl::link<ranks::waits>{on.on, peer}, who, out.first(bytes), in.first(bytes)};
}

} // namespace

TEST_CASE("a map of devices has the time of each pair, on all ranks") {
    ranks::connected t;
    ranks::device_allocation out{bytes}, in{bytes};
    auto const make = [&](int peer, role who) { return round_trip(t, out, in, peer, who); };
    auto const plan = sonde::plan<>{}.warmup(1).until(samples{6});
    auto const found = map(t.all, plan, make);
    REQUIRE(found.median.ranks == t.size());
    for (int from = 0; from != t.size(); ++from)
        for (int to = 0; to != t.size(); ++to)
            if (from != to) CHECK(found.median.at(from, to) > seconds{});
}

TEST_CASE("samples over NCCL are events in one time, and the environment has all ranks") {
    ranks::connected t;
    own_clock const clock{t.rank()};
    global_clock global{t.all, clock, clock_sync_options{4, 2, 4}};
    CHECK_FALSE(global.shared());
    CHECK(global.measure_deviation(t.all).max < seconds{1});
    ranks::device_allocation out{bytes}, in{bytes};
    auto const at = pair_of(t.rank(), t.size() / 2);
    timeline events;
    recorded pattern{events.add_track("device"), "round trip", round_trip(t, out, in, at.peer, at.role)};
    static_cast<void>(run(t.all, sonde::plan<>{}.until(samples{5}).timed_by(clock), pattern));
    std::string const path = "nccl_timeline.json";
    auto const found = write_timeline(t.all, events, global, path);
    CHECK(found.events == 5u * static_cast<unsigned>(t.size()));
    if (t.rank() == 0) CHECK(std::remove(path.c_str()) == 0);
    auto const environment = environment_of(t.all);
    CHECK(environment.bindings.size() == (t.rank() == 0 ? static_cast<std::size_t>(t.size()) : 0));
}
