// SPDX-License-Identifier: BSL-1.0
// What throws on one rank throws on all: the envelope, and each hook of a user in each collective function.
#include "../../support.hpp"

#include <sonde/group/agreement.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/measure/stepwise_run.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline/write.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

using said = std::vector<std::string>;

constexpr auto waits = "waits";

/// A watchdog that counts the functions that this rank, a thread, has entered.
thread_local int entered = 0;
struct counting_watchdog : sonde::watchdog_base {
    void enter(char const*, char const*) override { ++entered; }
    void expect(std::size_t) override {}
    void work(std::size_t) override {}
    void keep_pace() override {}
    void wait_in(sonde::call_phase) override {}
    void leave() override {}
};

/// What each of three ranks catches in `f(self, group)`; "" for a rank without an exception, "waits" for a rank that
/// waits for a message that is never sent.
said caught_in(auto f) {
    said caught(3);
    auto const body = [&](process& self) {
        auto group = self.group();
        entered = 0;
        auto& mine = caught[static_cast<std::size_t>(self.rank())];
        try {
            f(self, group);
        } catch (sonde::sim::deadlock const&) {
            mine = waits;
        } catch (sonde::peer_failed const&) {
            mine = waits;
        } catch (std::exception const& e) {
            mine = e.what();
            if (mine == "sonde: members of a group are in different collectives") mine = waits;
        }
        if (mine == waits && entered == 0) mine = "waits, and no watchdog tells it";
    };
    try {
        sonde::sim::world{3, {}}.run(body);
    } catch (sonde::sim::deadlock const&) { // found as a rank ended; those that wait say so
    }
    return caught;
}

std::string const elsewhere = "sonde: an exception was thrown on rank ";

} // namespace

TEST_CASE("collectively: returns the result, and throws on all ranks if one or more throw") {
    for (int first = 0; first != 3; ++first)
        for (int other = first; other != 3; ++other) {
            auto const found = caught_in([&](process& self, auto& group) {
                auto const throws = self.rank() == first || self.rank() == other;
                sonde::collectively(group, [&] {
                    if (throws) throw std::domain_error{std::to_string(self.rank())};
                });
            });
            for (int rank = 0; rank != 3; ++rank)
                CHECK(found[static_cast<std::size_t>(rank)] ==
                      (rank == first || rank == other ? std::to_string(rank) : elsewhere + std::to_string(first)));
        }
    CHECK(on_ranks(2, {}, [](process& self) {
              auto group = self.group();
              return sonde::collectively(group, [&] { return self.rank() + 5; });
          }) == std::vector<int>{5, 6});
}

TEST_CASE("collectively: an exception of any type, and one reduction") {
    counting_group one;
    CHECK_THROWS_AS(sonde::collectively(one, [] { throw 7; }), int);
    sonde::collectively(one, [] {});
    CHECK(one.reductions == 2);
}

TEST_CASE("collectively: the other ranks throw what they are told to, by a message of the first rank that threw") {
    CHECK(caught_in([](process& self, auto& group) {
              std::string text = self.rank() == 0 ? "" : "no memory on rank " + std::to_string(self.rank());
              auto const f = [&] {
                  if (!text.empty()) throw std::domain_error{text};
              };
              sonde::collectively(group, f, [&](int first) {
                  sonde::broadcast(group, text, first);
                  return std::invalid_argument{"told: " + text};
              });
          }) == said{"told: no memory on rank 1", "no memory on rank 1", "no memory on rank 2"});
}

TEST_CASE("with_made: a pattern that cannot be moved is made in place, and f is not called if a rank has none") {
    struct immovable {
        explicit immovable(int n) : number{n} {}
        immovable(immovable&&) = delete;
        int number;
    };
    auto const found = caught_in([](process& self, auto& group) {
        CHECK(sonde::detail::with_made(
                  group, [] { return immovable{5}; }, [](auto& p) { return p.number; }) == 5);
        auto const make = [&] { return self.rank() == 1 ? throw std::domain_error{"no peer"} : immovable{5}; };
        sonde::detail::with_made(group, make, [](auto&) { FAIL("called"); });
    });
    CHECK(found == said{elsewhere + "1", "no peer", elsewhere + "1"});
}

namespace {

/// The hook that throws on a rank, and the hooks that were called on this rank.
struct fault {
    process* self;
    std::string hook;
    int rank;
    std::set<std::string>* called;

    void operator()(char const* in) const {
        called->insert(in);
        if (self->rank() == rank && hook == in) throw std::domain_error{in};
    }
};

/// Each concept with all of its hooks.
struct throwing_group : sonde::sim::group {
    fault fail;

    bool oversubscribed() const { return fail("group.oversubscribed"), false; }
    bool allows_threads() const { return fail("group.allows_threads"), true; }
    std::string library() const { return fail("group.library"), "library"; }
    std::string host_name() const { return fail("group.host_name"), "host"; }
    auto hold() const { return fail("group.hold"), 0; }
    counting_watchdog* watchdog() const {
        static counting_watchdog dog;
        return &dog;
    }
    auto control_channel() const { return fail("group.control_channel"), sonde::sim::group::control_channel(); }
};
struct throwing_clock {
    sonde::sim::manual_clock time;
    fault fail;

    auto now() const { return fail("clock.now"), time.now(); }
    sonde::clock_properties properties() const { return fail("clock.properties"), sonde::clock_properties{}; }
    std::string domain() const { return fail("clock.domain"), "one"; }
};
struct throwing_synchronizer {
    fault fail;

    void operator()(auto& group, std::size_t) const {
        fail("sync()");
        group.barrier();
    }
    throwing_synchronizer* global_clock() { return fail("sync.global_clock"), this; }
    bool allows_batches() const { return fail("sync.allows_batches"), true; }
    std::array<double, 1> parameters() const { return fail("sync.parameters"), std::array{1.0}; }
    void describe(sonde::point&) const { fail("sync.describe"); }
    void synchronize(auto&) const { fail("sync.synchronize"); }
    bool on_time() const { return fail("sync.on_time"), true; }
    sonde::seconds to_global(sonde::seconds t) const { return fail("sync.to_global"), t; }
    sonde::clock_deviation measure_deviation(auto&) const {
        return fail("sync.measure_deviation"), sonde::clock_deviation{};
    }
    sonde::clock_model model() const { return {}; }
};
struct throwing_rule {
    fault fail;
    bool uniform;

    std::size_t next(std::size_t) const { return fail("rule.next"), std::size_t{1}; }
    sonde::decision operator()(sonde::progress const& seen) const {
        fail("rule()");
        return {seen.samples >= 2, sonde::stop_reason::other};
    }
    std::array<double, 1> parameters() const { return fail("rule.parameters"), std::array{1.0}; }
};
struct throwing_pattern {
    fault fail;
    bool exchanges = true; // with all ranks

    void operator()() {
        sonde::sim::group all{*fail.self};
        if (exchanges) all.barrier();
        fail("pattern()"); // after its messages: a rank that has not sent them leaves the others waiting in any case
    }
    sonde::role role() const { return fail("pattern.role"), sonde::role::initiator; }
    sonde::traffic traffic() const { return fail("pattern.traffic"), sonde::traffic{}; }
    sonde::point point() const { return fail("pattern.point"), sonde::point{"faulty"}; }
    void complete() { fail("pattern.complete"); }
    void after_warmup() { fail("pattern.after_warmup"); }
    void before_sample() { fail("pattern.before_sample"); }
    void after_sample(auto const&, auto const&) { fail("pattern.after_sample"); }
    void in_role(auto f) {
        f(*this);
        fail("pattern.in_role");
    }
    void start() { fail("operation.start"); }
    bool test() { return fail("operation.test"), true; }
    void wait() { fail("operation.wait"); }
    void finish() { fail("pattern.finish"); }
};
struct throwing_work {
    fault fail;

    void operator()(auto& test) const {
        fail("work()");
        test();
    }
    void set_duration(sonde::seconds) const { fail("work.set_duration"); }
};

/// Hooks for whose exceptions the other ranks wait, as the pages say: without `agree_on_errors` those of a pattern,
/// and in any case those that measure the time or synchronize.
bool may_wait(std::string const& hook, bool agrees) {
    if (hook == "group.hold" || hook == "clock.now" || hook == "sync()" || hook == "sync.synchronize" ||
        hook == "sync.on_time" || hook == "sync.to_global" || hook == "sync.measure_deviation" ||
        hook == "pattern.finish")
        return true;
    std::set<std::string> const of_iterations{
        "pattern()",       "pattern.complete", "pattern.after_warmup", "pattern.before_sample", "pattern.after_sample",
        "pattern.in_role", "operation.start",  "operation.test",       "operation.wait",        "work()"};
    return !agrees && of_iterations.contains(hook);
}

/// Calls a collective function with the hooks of a fault.
struct entry {
    std::string name;
    std::function<void(process&, throwing_group&, fault const&, bool agrees)> call;
    bool has_plan = true; // that may agree on errors
};

std::string join(said const& of_ranks) { return of_ranks[0] + " / " + of_ranks[1] + " / " + of_ranks[2]; }

/// What the ranks must throw: the hook's exception on its rank, and any other exception on the others, or a wait if
/// that is documented.
said judged(said const& found, std::string const& hook, int rank, bool may) {
    auto all = found;
    for (std::size_t i = 0; i != 3; ++i) {
        if (found[i] == waits && may) continue;
        auto const is_reason = !found[i].empty() && found[i] != hook && !found[i].starts_with(waits);
        if (static_cast<int>(i) == rank) all[i] = hook;
        else if (!is_reason) all[i] = "an exception";
    }
    return all;
}

auto plan_of(process& self, fault const& fail, bool uniform = false) {
    return sonde::plan<>{}
        .warmup(1)
        .until(throwing_rule{fail, uniform})
        .timed_by(throwing_clock{self.clock(), fail})
        .synchronized(throwing_synchronizer{fail});
}

/// `f(plan)` with a plan, or with one that agrees on errors.
void with_plan(auto plan, bool agrees, auto f) {
    if (agrees) f(plan.agree_on_errors());
    else f(plan);
}

auto measured(bool uniform, auto f) {
    return [=](process& self, throwing_group& group, fault const& fail, bool agrees) {
        with_plan(plan_of(self, fail, uniform), agrees, [&](auto const& plan) { f(self, group, fail, plan); });
    };
}

auto const no_exchange = [] {};

std::vector<entry> entries() {
    auto const run = [](process&, auto& group, fault const& fail, auto const& plan) {
        static_cast<void>(sonde::run(group, plan, throwing_pattern{fail}));
    };
    auto const map = [](sonde::pairs_at_once at_once) {
        return measured(false, [=](process&, auto& group, fault const& fail, auto const& plan) {
            auto const make = [&](int, role) { return fail("make"), throwing_pattern{fail, false}; };
            auto const after_round = [&](sonde::pair_map const&, int, int) { fail("after_round"); };
            static_cast<void>(sonde::map(group, plan, make, {.at_once = at_once, .after_round = after_round}));
        });
    };
    auto const overlap = [](sonde::overlap_timing timing) {
        return measured(false, [=](process&, auto& group, fault const& fail, auto const& plan) {
            throwing_pattern operation{fail};
            throwing_work work{fail};
            auto const target = [&](sonde::record const&, int) { return fail("target"), sonde::seconds{1e-6}; };
            static_cast<void>(sonde::measure_overlap(group, plan, operation, work, {"overlap"}, timing, target));
        });
    };
    return {
        {"run", measured(false, run)},
        {"run by a uniform rule", measured(true, run)},
        {"compare", measured(false,
                             [](process&, auto& group, fault const& fail, auto const& plan) {
                                 auto const visit = [&](std::size_t i, auto f) {
                                     fail("visit");
                                     if (i == 0) f(no_exchange);
                                     throwing_pattern other{fail};
                                     if (i == 1) f(other);
                                 };
                                 static_cast<void>(sonde::compare(group, plan, sonde::alternatives{2, visit}));
                             })},
        {"stepwise_run",
         [](process& self, throwing_group& group, fault const& fail, bool) {
             throwing_clock clock{self.clock(), fail};
             sonde::stepwise_run steps{group, plan_of(self, fail).agree_on_errors(), "steps"};
             for (auto step = steps.next(); step.samples != 0; step = steps.next())
                 for (std::size_t i = 0; i != step.samples; ++i) {
                     steps.synchronize();
                     auto const begin = clock.now();
                     steps.add(begin, clock.now());
                 }
             static_cast<void>(steps.finish());
         }},
        {"validate",
         [](process&, throwing_group& group, fault const& fail, bool) {
             throwing_pattern pattern{fail};
             static_cast<void>(sonde::validate(
                 group, pattern, [&](std::size_t) { fail("prepare"); },
                 [&](std::size_t) { return fail("verify"), std::size_t{0}; }, 2));
         },
         false},
        {"measure_overlap", overlap(sonde::overlap_timing::whole)},
        {"measure_overlap of phases", overlap(sonde::overlap_timing::phases)},
        {"map", map(sonde::pairs_at_once::one)},
        {"map of rounds", map(sonde::pairs_at_once::round)},
        {"shift_map", measured(false,
                               [](process&, auto& group, fault const& fail, auto const& plan) {
                                   auto const make = [&](int, int) { return fail("make"), throwing_pattern{fail}; };
                                   auto const after_round = [&](sonde::pair_map const&, int, int) {
                                       fail("after_round");
                                   };
                                   static_cast<void>(sonde::shift_map(group, plan, make, {.after_round = after_round}));
                               })},
        {"collect",
         [](process& self, throwing_group& group, fault const& fail, bool) {
             std::set<std::string> called;
             fault const none{&self, "", -1, &called};
             sonde::basic_probe probe{throwing_clock{self.clock(), none}};
             probe.scope("halo").set_reference([&] { return fail("make"), throwing_pattern{fail}; });
             auto found = sonde::collect(group, probe);
             sonde::measure_references(group, probe, found);
         },
         false},
        {"write_timeline",
         [](process&, throwing_group& group, fault const& fail, bool) {
             sonde::timeline const events;
             throwing_synchronizer clock{fail};
             static_cast<void>(sonde::write_timeline(group, events, clock, "/dev/null"));
         }},
        {"on_root",
         [](process&, throwing_group& group, fault const& fail, bool) {
             sonde::on_root const report{group, [&] { return fail("make"), [](sonde::record const&) {}; }};
         }},
        {"environment_of",
         [](process&, throwing_group& group, fault const&, bool) { static_cast<void>(sonde::environment_of(group)); },
         false},
        {"thread_team",
         [](process&, throwing_group& group, fault const&, bool) {
             sonde::thread_team team{group, 2};
         }},
        {"global_clock",
         [](process& self, throwing_group& group, fault const& fail, bool) {
             sonde::global_clock const clock{group, throwing_clock{self.clock(), fail}};
         }},
        {"synchronized_start", [](process& self, throwing_group& group, fault const& fail, bool) {
             sonde::synchronized_start const start{group, throwing_clock{self.clock(), fail}};
         }}};
}

} // namespace

TEST_CASE("each hook that throws on a rank throws on all ranks, in each collective function, or the ranks wait as "
          "documented") {
    for (auto const& one : entries())
        for (bool const agrees : {false, true}) {
            if (agrees && !one.has_plan) continue;
            std::vector<std::set<std::string>> called(3);
            auto const caught = [&](std::string const& hook, int rank) {
                return caught_in([&](process& self, auto& all) {
                    fault const fail{&self, hook, rank, &called[static_cast<std::size_t>(self.rank())]};
                    throwing_group group{all, fail};
                    one.call(self, group, fail, agrees);
                });
            };
            auto const where = one.name + (agrees ? ", agreeing: " : ": ");
            CHECK((where + join(caught("", 0))) == (where + join(said(3))));
            CHECK(!called[0].empty());
            auto const called_hooks = called;
            for (int rank = 0; rank != 3; ++rank)
                for (auto const& hook : called_hooks[static_cast<std::size_t>(rank)]) {
                    auto const found = caught(hook, rank);
                    auto const thrown = judged(found, hook, rank, may_wait(hook, agrees));
                    CHECK((where + hook + ": " + join(found)) == (where + hook + ": " + join(thrown)));
                }
        }
}
