// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/group/threads.hpp>
#include <sonde/group/watchdog.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/stepwise_run.hpp>
#include <sonde/probe/collect.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace unit;
using sonde::seconds;
using sonde::detail::wait_watch;

namespace {

using lines = std::vector<std::string>;

std::string const none;

/// The line for a wait that is overdue at this time and after the pause.
std::string told(wait_watch& watch, double at) {
    auto const due = watch.deadline();
    if (watch.tell(seconds{at})) return "told at the first look";
    if (!due || seconds{at} < *due) return none;
    return watch.tell(*watch.deadline()).value_or(none);
}

/// The calls that the library makes of a watchdog, and a group that has it.
struct told_watchdog : sonde::watchdog_base {
    lines calls;
    std::vector<sonde::call_phase> phases;
    void enter(char const* function, char const* name) override {
        calls.push_back(std::string{"enter "} + function + (*name == '\0' ? "" : " ") + name);
    }
    void expect(std::size_t n) override { calls.push_back("expect " + std::to_string(n)); }
    void work(std::size_t n) override { calls.push_back("work " + std::to_string(n)); }
    void wait_in(sonde::call_phase phase) override { phases.push_back(phase); }
    void keep_pace() override { calls.emplace_back("keep pace"); }
    void leave() override { calls.emplace_back("leave"); }
};
struct watched_group : counting_group {
    told_watchdog dog;
    lines& calls = dog.calls;
    told_watchdog* watchdog() { return &dog; }

    lines taken() { return std::exchange(calls, {}); }
};

} // namespace

TEST_CASE("watchdog: a wait is told after the limit, once, with the function and the name") {
    wait_watch watch{seconds{30}};
    CHECK(!watch.deadline());
    watch.enter("run", "halo", seconds{100});
    CHECK(watch.deadline() == seconds{130});
    CHECK(told(watch, 129.9) == none);
    CHECK(told(watch, 130) == "rank 0 has waited 30 s in sonde::run (halo) for the others\n");
    CHECK(told(watch, 130) == none);
    CHECK(!watch.deadline());
    watch.expect(1, seconds{200}); // the others came, and then one of them no more
    CHECK(told(watch, 1000) == none);
    watch.leave(seconds{1001});
    CHECK(!watch.deadline());
    watch.enter("compare", "", seconds{2000});
    CHECK(told(watch, 2030) == "rank 0 has waited 30 s in sonde::compare for the others\n");
}

TEST_CASE("watchdog: rank 0 says in what it waits") {
    using sonde::call_phase;
    auto const in = [](call_phase phase) {
        wait_watch watch{seconds{30}};
        watch.enter("run", "halo", seconds{0});
        watch.wait_in(phase);
        return told(watch, 30);
    };
    std::string const waits = "rank 0 has waited 30 s in sonde::run (halo) for the others";
    CHECK(in(call_phase::begin) == waits + '\n');
    CHECK(in(call_phase::comparison) == waits + ": in the comparison of calls and plans\n");
    CHECK(in(call_phase::clocks) == waits + ": in the comparison of clocks\n");
    CHECK(in(call_phase::synchronization) == waits + ": in the synchronization before a sample\n");
    CHECK(in(call_phase::combination) == waits + ": in the combination of results\n");
    CHECK(in(call_phase::iterations) ==
          "rank 0 has not come out of the exchange that it measures for 30 s, in sonde::run (halo)\n");
}

TEST_CASE("watchdog: another rank says that it stays in its exchange, and not that it waits for others") {
    wait_watch watch{seconds{30}, 2};
    watch.enter("run", "halo", seconds{0});
    watch.wait_in(sonde::call_phase::synchronization);
    CHECK(!watch.tell(seconds{30}));
    CHECK(watch.deadline() == seconds{60}); // to look again
    watch.wait_in(sonde::call_phase::iterations);
    CHECK(told(watch, 60) ==
          "rank 2 has not come out of the exchange that it measures for 30 s, in sonde::run (halo)\n");
    CHECK(!watch.deadline());
}

TEST_CASE(
    "watchdog: rank 1 tells a wait after four times the limit, because rank 0 may be the one that does not come") {
    wait_watch watch{seconds{30}, 1};
    watch.enter("run", "halo", seconds{0});
    watch.wait_in(sonde::call_phase::comparison);
    for (int const at : {30, 60, 90}) {
        CHECK(!watch.tell(seconds{at}));
        CHECK(watch.deadline() == seconds{at + 30});
    }
    CHECK(told(watch, 120) ==
          "rank 1 has waited 120 s in sonde::run (halo) for the others: in the comparison of calls and plans; rank 0 "
          "says so earlier, unless it is rank 0 that does not come\n");
    watch.leave(seconds{200});
    watch.enter("run", "halo", seconds{200});
    CHECK(!watch.tell(seconds{231}));
    watch.expect(1, seconds{240}); // the others have come
    watch.wait_in(sonde::call_phase::iterations);
    CHECK(told(watch, 270) ==
          "rank 1 has not come out of the exchange that it measures for 30 s, in sonde::run (halo)\n");
}

TEST_CASE("watchdog: a rank that works with another one alone says with which, after four times the limit") {
    wait_watch watch{seconds{30}, 2};
    watch.enter("map", "", seconds{0});
    watch.work_with(5, seconds{0});
    CHECK(watch.deadline() == seconds{120});
    CHECK(told(watch, 120) == "rank 2 has not come out of its exchanges with rank 5 for 120 s, in sonde::map\n");
    watch.leave(seconds{150});
    watch.enter("map", "", seconds{200});
    watch.work_with(5, seconds{200});
    watch.work_with(6, seconds{240}); // the pair before took 40 s
    CHECK(watch.deadline() == seconds{240 + 120 + 80});
    watch.expect(0, seconds{250}); // a rank that waits for all others says nothing again
    CHECK(!watch.tell(seconds{280}));
    CHECK(!watch.tell(seconds{1000}));
}

TEST_CASE("watchdog: a run tells its phases, and each sample's synchronization and exchange") {
    watched_group group;
    using enum sonde::call_phase;
    static_cast<void>(sonde::run(group, sonde::plan<>{}.warmup(1).until(sonde::samples{2}), [] {}));
    CHECK(group.dog.phases == std::vector{comparison, begin, synchronization, iterations, synchronization, iterations,
                                          synchronization, iterations, combination, clocks, combination});
}

TEST_CASE("watchdog: a wait that ends soon after its limit is not told, as after a stop of the whole machine") {
    wait_watch watch{seconds{30}};
    watch.enter("run", "", seconds{100});
    CHECK(!watch.tell(seconds{131.5}));
    CHECK(watch.deadline() == seconds{132.5});
    CHECK(!watch.tell(seconds{132.4}));
    watch.expect(0, seconds{132.4}); // the others have arrived
    CHECK(watch.deadline() == seconds{162.4});
    CHECK(!watch.tell(seconds{162.4}));
    CHECK(watch.tell(seconds{163.4}));
}

TEST_CASE("watchdog: a block is given twice its time at the pace of the iterations before") {
    wait_watch watch{seconds{30}};
    watch.enter("run", "", seconds{0});
    watch.expect(1, seconds{1}); // an iteration of unknown duration
    CHECK(watch.deadline() == seconds{31});
    watch.expect(1, seconds{21}); // it took 20 s
    CHECK(watch.deadline() == seconds{21 + 30 + 40});
    watch.expect(10, seconds{31}); // the next one 10 s
    CHECK(watch.deadline() == seconds{31 + 30 + 200});
    watch.expect(0, seconds{81}); // ten of 5 s; nothing follows but the reductions
    CHECK(watch.deadline() == seconds{81 + 30});
    watch.expect(4, seconds{90}); // the pace is that of the last iterations
    CHECK(watch.deadline() == seconds{90 + 30 + 40});
}

TEST_CASE("watchdog: a block of several alternatives has the time of the slowest, though the latest was fast") {
    wait_watch watch{seconds{30}};
    watch.enter("compare", "", seconds{0});
    watch.expect(1, seconds{0}); // the first alternative takes 20 s, after a cold start
    watch.expect(1, seconds{100});
    watch.keep_pace(seconds{120});
    watch.expect(1, seconds{120}); // the second 1 s
    watch.keep_pace(seconds{121});
    watch.expect(10, seconds{121});
    CHECK(watch.deadline() == seconds{121 + 30 + 400});
    watch.expect(10, seconds{1121}); // the pace of the block was slower than all that was kept
    CHECK(watch.deadline() == seconds{1121 + 30 + 2000});
    watch.leave(seconds{1122});
    watch.enter("run", "", seconds{1122}); // another call
    watch.expect(1, seconds{1122});
    CHECK(watch.deadline() == seconds{1122 + 30});
}

TEST_CASE("watchdog: while rank 0 works without the others it does not wait, and its pace counts") {
    wait_watch watch{seconds{30}};
    watch.enter("map", "", seconds{0});
    watch.work(1, seconds{1}); // its own pair
    CHECK(!watch.deadline());
    CHECK(told(watch, 1000) == none);
    watch.expect(0, seconds{41});
    CHECK(watch.deadline() == seconds{41 + 30});
    watch.expect(1, seconds{42}); // another pair
    CHECK(watch.deadline() == seconds{42 + 30 + 80});
}

TEST_CASE("watchdog: a first block of unknown pace has the limit for each iteration") {
    wait_watch watch{seconds{30}};
    watch.enter("run", "", seconds{0});
    watch.expect(100, seconds{0});
    CHECK(watch.deadline() == seconds{100 * 30});
}

TEST_CASE("watchdog: a slow pattern is no wait, however many iterations a block has") {
    wait_watch watch{seconds{30}};
    watch.enter("run", "", seconds{0});
    double now = 0;
    for (std::size_t const n : {1U, 1U, 1U, 100U, 200U, 1U}) { // 29 s each
        watch.expect(n, seconds{now});
        now += 29.0 * static_cast<double>(n);
        CHECK(told(watch, now) == none);
    }
}

TEST_CASE("watchdog: a call within another one is named, and told for itself; then the outer one is waited for") {
    wait_watch watch{seconds{30}};
    watch.enter("shift_map", "", seconds{0});
    watch.enter("run", "", seconds{10});
    CHECK(told(watch, 40) == "rank 0 has waited 30 s in sonde::run for the others\n");
    watch.leave(seconds{50});
    CHECK(watch.deadline() == seconds{80});
    CHECK(told(watch, 80) == "rank 0 has waited 30 s in sonde::shift_map for the others\n");
}

TEST_CASE("watchdog: a limit of its own, in seconds; none for 0") {
    wait_watch watch{seconds{0.5}};
    watch.enter("map", "", seconds{0});
    CHECK(told(watch, 0.5) == "rank 0 has waited 0.5 s in sonde::map for the others\n");
    wait_watch off{seconds{0}};
    off.enter("map", "", seconds{0});
    CHECK(!off.deadline());
    CHECK(told(off, 1e9) == none);
}

TEST_CASE("watchdog: the environment has its limit") {
    auto const limit_of = [](char const* text) {
        setenv("SONDE_WATCHDOG", text, 1);
        auto const found = sonde::watchdog_limit();
        unsetenv("SONDE_WATCHDOG");
        return found;
    };
    unsetenv("SONDE_WATCHDOG");
    CHECK(sonde::watchdog_limit() == seconds{30});
    CHECK(limit_of("") == seconds{30});
    CHECK(limit_of("0") == seconds{0});
    CHECK(limit_of("2.5") == seconds{2.5});
    for (auto const* const text : {"-1", "1e9", "1e300"}) CHECK(limit_of(text) == seconds{0});
    for (auto const* const text : {"off", "2s", "3 s", " ", "1,5", "inf", "-inf", "nan", "1e999"})
        CHECK(limit_of(text) == seconds{30});
}

TEST_CASE("watchdog: a run tells of each iteration of its warm-up, and of blocks of samples, not of samples") {
    watched_group group;
    auto const plan = sonde::plan<>{}.warmup(2).batch(3);
    static_cast<void>(sonde::run(group, plan.until(sonde::samples{5}), [] {}, {"halo", {}}));
    CHECK(group.taken() == lines{"enter run halo", "expect 1", "expect 1", "expect 15", "expect 0", "leave"});
    static_cast<void>(sonde::compare(group, plan.until(sonde::samples{4}), sonde::named{"a", [] {}}, [] {}));
    CHECK(group.taken() == lines{"enter compare a and others", "expect 1", "expect 1", "keep pace", "expect 1",
                                 "expect 1", "keep pace", "expect 24", "expect 0", "leave"});
    static_cast<void>(sonde::run(group, plan.batch(sonde::by_timer).warmup(sonde::until_stable{0.99, {}}), [] {}));
    CHECK(group.calls.at(0).starts_with("enter run watchdog.cpp:"));
    CHECK(group.calls.at(1) == "expect 1");
    CHECK(group.taken().back() == "leave");
}

TEST_CASE("watchdog: a stepwise run waits for the others in its own functions alone, and else the caller works") {
    watched_group group;
    using enum sonde::call_phase;
    auto const plan = sonde::plan<>{}.warmup(0).batch(3).until(sonde::samples{2}).agree_on_errors();
    sonde::stepwise_run steps{group, plan, {"halo"}};
    CHECK(group.taken() == lines{"enter stepwise_run halo", "work 0"});
    for (auto step = steps.next(); step.samples != 0; step = steps.next()) {
        CHECK(group.dog.phases.back() == iterations);
        CHECK(group.taken() == lines{"expect 0", "expect 6"});
        for (std::size_t i = 0; i != step.samples; ++i) {
            steps.synchronize();
            CHECK(group.dog.phases.back() == iterations);
            auto const now = plan.clock.now();
            steps.add(now, plan.clock.now());
        }
    }
    CHECK(group.taken() == lines{"expect 0", "work 0"});
    static_cast<void>(steps.finish());
    CHECK(group.taken() == lines{"expect 0", "leave"});
}

TEST_CASE("watchdog: a call that throws has ended") {
    watched_group group;
    CHECK_THROWS(sonde::run(
        group, sonde::plan<>{}.batch(0), [] {}, ""));
    CHECK(group.taken() == lines{"enter run", "leave"});
}

TEST_CASE("watchdog: every other collective function is watched, also by a reference to a group, and of threads") {
    watched_group group;
    auto const nothing = [](std::size_t) { return std::size_t{0}; };
    auto const idle = [] {};
    static_cast<void>(sonde::validate(group, idle, nothing, nothing, 2));
    CHECK(group.taken() == lines{"enter validate", "expect 1", "expect 1", "leave"});
    sonde::group_ref any{group};
    auto const one = sonde::plan<>{}.warmup(0).until(sonde::samples{1});
    static_cast<void>(sonde::run(
        any, one, [] {}, ""));
    CHECK(group.taken() == lines{"enter run", "expect 1", "expect 0", "leave"});
    sonde::probe probe;
    auto& scope = probe.scope("s");
    scope.set_reference([] { return [] {}; });
    auto found = sonde::collect(group, probe);
    CHECK(group.taken() == lines{"enter collect", "leave"});
    sonde::measure_references(group, probe, found, one.until(sonde::samples{1} || sonde::time_budget{seconds{}}));
    CHECK(group.taken() == lines{"enter measure_references", "enter run", "expect 1", "expect 0", "leave", "leave"});
    sonde::thread_team team{group, 2};
    team.run([&](auto& member) {
        CHECK((member.watchdog() != nullptr) == (member.rank() == 0));
        static_cast<void>(sonde::run(
            member, one, [] {}, ""));
    });
    CHECK(group.taken() == lines{"enter run", "expect 1", "expect 0", "leave"});
}

TEST_CASE("watchdog: the thread takes calls of several groups at once, within each other, and ends with the process") {
    sonde::watchdog first{seconds{1000}}, second{seconds{1000}};
    for (int i = 0; i != 100; ++i) {
        first.enter("run", "");
        second.enter("compare", "");
        first.enter("run", "inner");
        first.expect(10);
        second.leave();
        first.leave();
        first.leave();
    }
    CHECK(first.limit() == seconds{1000});
}
