// SPDX-License-Identifier: BSL-1.0
// Every synchronizer over every kind of group, in every function that measures: it works on all ranks, or is refused on
// all ranks, and no rank waits.
#include "../../support.hpp"

#include <sonde/group/pair.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/measure/stepwise_run.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/timeline/write.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

using namespace unit;

namespace {

/// A group of a user, without broadcast and gather.
struct group_of_user {
    sonde::sim::group all;

    int rank() const { return all.rank(); }
    int size() const { return all.size(); }
    void barrier() const { all.barrier(); }
    void all_reduce(std::span<double> values, sonde::reduction how) const { all.all_reduce(values, how); }
    auto control_channel() const { return all.control_channel(); }
    void exchange(int to, int from) const { all.exchange(to, from); }
};

/// A pattern of shift_map, and an operation of measure_overlap, without messages.
struct silent {
    void operator()() const {}
    void finish() const {}
    void start() const {}
    bool test() const { return true; }
    void wait() const {}
};

/// What happened on the ranks, by call: one text if it is the same on all ranks.
class outcomes {
public:
    void add(std::string const& call, std::string const& outcome) {
        std::lock_guard const lock{mutex_};
        of_call_[call].insert(outcome);
    }
    std::map<std::string, std::set<std::string>> const& of_call() const { return of_call_; }

private:
    std::mutex mutex_;
    std::map<std::string, std::set<std::string>> of_call_;
};

std::string outcome_of(auto f) {
    try {
        f();
    } catch (std::invalid_argument const& e) {
        std::string const text = e.what();
        return text.find("synchronizer") != std::string::npos || text.find("made for a group") != std::string::npos ||
                       text.find("differ: clock") != std::string::npos
                   ? "refused"
                   : text;
    }
    return "works";
}

/// Call each function that measures. `where` begins the names of the calls.
void measure_by_all(auto& group, auto const& plan, std::string const& where, outcomes& found) {
    auto const call = [&](std::string const& name, auto f) { found.add(where + name, outcome_of(f)); };
    call("run", [&] { static_cast<void>(sonde::run(group, plan, silent{})); });
    call("compare", [&] { static_cast<void>(sonde::compare(group, plan, silent{}, silent{})); });
    call("measure_overlap", [&] {
        silent operation, work;
        static_cast<void>(sonde::measure_overlap(group, plan, operation, work, {"overlap"}));
    });
    call("stepwise_run", [&] {
        auto clock = plan.clock;
        sonde::stepwise_run steps{group, plan.agree_on_errors(), "steps"};
        for (auto step = steps.next(); step.samples != 0; step = steps.next())
            for (std::size_t i = 0; i != step.samples; ++i) {
                steps.synchronize();
                auto const begin = clock.now();
                steps.add(begin, clock.now());
            }
        static_cast<void>(steps.finish());
    });
    call("shift_map", [&] { static_cast<void>(sonde::shift_map(group, plan, [](int, int) { return silent{}; })); });
    auto const make = [](int, role) { return silent{}; };
    sonde::map_options options;
    if constexpr (requires {
                      sonde::map(group, plan, make, options);
                  }) { // an any_synchronizer is for groups of one type
        call("map", [&] { static_cast<void>(sonde::map(group, plan, make, options)); });
        options.at_once = sonde::pairs_at_once::round;
        call("map of rounds", [&] { static_cast<void>(sonde::map(group, plan, make, options)); });
    }
}

/// Measure by each synchronizer, of which the start was made for the group.
void measure_by_each(auto& group, auto const& clock, std::string const& where, outcomes& found) {
    auto const prepare = [] {};
    auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{2}).timed_by(clock);
    auto const by = [&](std::string const& name, auto sync) {
        measure_by_all(group, plan.synchronized(std::move(sync)), where + name + ": ", found);
    };
    by("no_sync", sonde::no_sync{});
    by("barrier_once", sonde::barrier_once{});
    by("barrier_each", sonde::barrier_each{});
    by("dissemination_barrier", sonde::dissemination_barrier{});
    by("prepared barrier", sonde::prepared_sync{sonde::barrier_each{}, &prepare});
    by("prepared dissemination", sonde::prepared_sync{sonde::dissemination_barrier{}, &prepare});
    by("synchronized_start", sonde::synchronized_start{group, clock});
}

/// The calls whose outcome was another than `expected` on a rank, with the outcomes.
std::string unlike(outcomes const& found, std::string const& expected) {
    std::string all;
    for (auto const& [call, of_ranks] : found.of_call()) {
        if (of_ranks == std::set{expected}) continue;
        all += call + ":";
        for (auto const& one : of_ranks) all += " [" + one + "]";
        all += "\n";
    }
    return all;
}

auto clock_of(process& self) { return self.clock({.offset = self.rank() * 1s, .cost = 50ns}); }

/// Two ranks of a world as a group with a control channel.
struct pair_of_world : sonde::pair_group<sonde::sim::control_channel> {
    struct channel {
        sonde::sim::control_channel all;
        int peer;
        void send(int, std::span<std::byte const> b) const { all.send(peer, b); }
        void receive(int, std::span<std::byte> b) const { all.receive(peer, b); }
    };
    channel messages;

    pair_of_world(process& self, int peer)
        : pair_group{self.group().control_channel(), self.rank(), peer},
          messages{self.group().control_channel(), peer} {}
    channel control_channel() const { return messages; }
};

/// Ranks 0 and 1, and 2 and 3; shifted, 1 and 2, and 3 and 0.
pair_of_world pair_of(process& self, bool shifted) {
    auto const shift = shifted ? 1 : 0, size = self.size();
    auto const place = (self.rank() - shift + size) % size;
    return {self, ((place % 2 == 0 ? place + 1 : place - 1) + shift) % size};
}

sonde::sim::network_parameters const network{1us, 5us, 0us, 0ns};

} // namespace

TEST_CASE("synchronizers: each of them, over each kind of group, in each function that measures") {
    outcomes found;
    sonde::sim::world{4, network}.run([&](process& self) {
        auto all = self.group();
        measure_by_each(all, clock_of(self), "a world, ", found);
        group_of_user own{all};
        measure_by_each(own, clock_of(self), "a group of a user, ", found);
        auto pair = pair_of(self, false);
        measure_by_each(pair, clock_of(self), "a pair, ", found);
    });
    sonde::single_rank alone;
    measure_by_each(alone, sonde::steady_clock{}, "one rank, ", found);
    sonde::thread_team team{alone, 3};
    team.run([&](auto& me) { measure_by_each(me, sonde::steady_clock{}, "threads, ", found); });
    CHECK(unlike(found, "works") == "");
    CHECK(found.of_call().size() > 100);
}

TEST_CASE("synchronizers: a start or a clock that was made for another group is refused on all ranks") {
    outcomes found;
    sonde::sim::world{4, network}.run([&](process& self) {
        auto all = self.group();
        auto const clock = clock_of(self);
        auto pair = pair_of(self, false), other_pair = pair_of(self, true);
        sonde::synchronized_start of_world{all, clock};
        sonde::synchronized_start of_pair{pair, clock};
        auto const measure = [&](auto& group, auto& start, std::string const& where) {
            using group_type = std::remove_reference_t<decltype(group)>;
            auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{2}).timed_by(clock);
            measure_by_all(group, plan.synchronized(start), where, found);
            measure_by_all(group, plan.synchronized(sonde::any_synchronizer<group_type>{start}), where + "any, ",
                           found);
            auto const prepare = [] {};
            measure_by_all(group, plan.synchronized(sonde::prepared_sync{start, &prepare}), where + "prepared, ",
                           found);
            found.add(where + "write_timeline", outcome_of([&] {
                          sonde::timeline const events;
                          static_cast<void>(sonde::write_timeline(group, events, start, "/dev/null"));
                      }));
        };
        measure(all, of_pair, "pair's start over the world: ");
        measure(other_pair, of_pair, "pair's start over another pair: ");
        measure(pair, of_world, "world's start over a pair: ");
    });
    // shift_map does not call the synchronizer.
    CHECK(unlike(found, "refused") == "world's start over a pair: any, shift_map: [works]\n"
                                      "world's start over a pair: prepared, shift_map: [works]\n"
                                      "world's start over a pair: shift_map: [works]\n");
}
