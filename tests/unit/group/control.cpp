// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/map.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline/write.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace unit;

namespace {

constexpr sonde::clock_sync_options little{4, 2, 4};

/// A clock 100 s ahead of that of the rank before, which no other rank reads.
struct own_clock {
    int rank;
    sonde::seconds now() const {
        return sonde::since_epoch(sonde::steady_clock{}.now()) + sonde::seconds{100.0 * rank};
    }
};

/// A clock that says which ranks read it.
struct named_clock : sonde::sim::manual_clock {
    std::string name;
    std::string domain() const { return name; }
};

/// The number of names of ranks in the file, which rank 0 removes.
std::size_t ranks_in(std::string const& path) {
    std::ifstream file{path};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    std::remove(path.c_str());
    std::size_t n = 0;
    while (text.find("\"rank " + std::to_string(n) + '"') != std::string::npos) ++n;
    return n;
}

void check_timeline(auto& group, auto clock, char const* path) {
    sonde::global_clock global{group, clock, little};
    CHECK(global.shared() == (group.size() == 1));
    CHECK(global.measure_deviation(group).max < sonde::seconds{1});
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    auto const step = track.type_index({sonde::event_kind::scope, "step"});
    for (int i = 0; i != 3; ++i) track.add(step, sonde::reading(clock), sonde::reading(clock));
    auto const found = sonde::write_timeline(group, timeline, global, path);
    CHECK(found.events == 3u * static_cast<unsigned>(group.size()));
    if (group.rank() == 0) CHECK(ranks_in(path) == static_cast<std::size_t>(group.size()));
}

} // namespace

TEST_CASE("clocks of threads are compared, and a timeline and a map of threads are made, without a network") {
    sonde::single_rank single;
    for (int const n : {1, 2, 3}) {
        sonde::thread_team team{single, n};
        team.run([&](auto& me) {
            check_timeline(me, own_clock{me.rank()}, "threads_control.json");
            sonde::global_clock shared{me};
            CHECK(shared.shared());
            auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{3});
            auto const nothing = [](int, role) { return [] {}; };
            auto const found = sonde::map(me, plan, nothing);
            CHECK(found.median.ranks == n);
        });
    }
}

TEST_CASE("threads start their samples at one time") {
    sonde::single_rank single;
    sonde::thread_team team{single, 2};
    team.run([&](auto& me) {
        own_clock const clock{me.rank()};
        sonde::synchronized_start start{me, clock, little};
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5}).timed_by(clock).synchronized(start);
        auto const found = sonde::run(me, plan, [] {});
        REQUIRE(found.global.has_value());
        CHECK(found.global->deviation < sonde::seconds{1});
    });
}

TEST_CASE("a simulated group compares clocks by its own messages, of which those with one name are shared") {
    sonde::sim::world{4, {1us, 5us, 0us, 0ns}}.run([](process& self) {
        auto group = self.group();
        sonde::sim::skew const by{sonde::sim::picoseconds{std::chrono::seconds{self.rank() / 2}}};
        sonde::global_clock by_host{group, named_clock{self.clock(by), std::to_string(self.rank() / 2)}, little};
        CHECK_FALSE(by_host.shared());
        CHECK(by_host.measure_deviation(group).max < sonde::seconds{1e-5}); // the clocks are a second apart
        CHECK(sonde::global_clock{group, named_clock{self.clock(), "one"}, little}.shared());
        CHECK_FALSE(sonde::global_clock{group, self.clock(by), little}.shared()); // not known
        check_timeline(group, self.clock(by), "sim_control.json");
    });
}
