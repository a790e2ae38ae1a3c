// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/group/threads.hpp>
#include <sonde/probe.hpp>
#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static_assert(sonde::Group<sonde::thread_team<sonde::single_rank>::member>);
static_assert(sonde::Group<sonde::thread_team<sonde::sim::group>::member>);

namespace {

constexpr sonde::sim::network_parameters network{1us, 5us, 0us, 0us};

/// A parent group of one process that detects two of its threads at once.
struct watched {
    std::atomic<int> inside{0};
    std::atomic<bool> overlapped{false};
    int barriers = 0;
    int reductions = 0;

    int rank() const { return 0; }
    int size() const { return 1; }
    void barrier() { visit(barriers); }
    void all_reduce(std::span<double>, sonde::reduction) { visit(reductions); }

private:
    void visit(int& count) {
        if (++inside != 1) overlapped = true;
        ++count;
        --inside;
    }
};

/// A parent group whose barrier fails.
struct broken : sonde::single_rank {
    void barrier() const { throw std::runtime_error{"the parent's barrier"}; }
};

double sum_over(auto& group, double value) {
    std::array<double, 1> all{value};
    group.all_reduce(all, sonde::reduction::sum);
    return all[0];
}

} // namespace

TEST_CASE("members are numbered by process, then by thread") {
    constexpr std::array threads{2, 1, 3};
    constexpr std::array before{0, 2, 3};
    sonde::sim::world{3, network}.run([&](auto& self) {
        auto ranks = self.group();
        auto const process = static_cast<std::size_t>(self.rank());
        sonde::thread_team team{ranks, threads[process]};
        std::vector<int> seen(6, -1);
        team.run([&](auto& me) { seen[static_cast<std::size_t>(me.thread())] = 10 * me.size() + me.rank(); });
        for (int t = 0; t != 6; ++t)
            CHECK(seen[static_cast<std::size_t>(t)] == (t < threads[process] ? 60 + before[process] + t : -1));
    });
}

TEST_CASE("one thread of a process calls the parent group, once a collective") {
    watched parent;
    sonde::thread_team team{parent, 4};
    CHECK(parent.reductions == 1);
    team.run([](auto& me) {
        for (int i = 0; i != 50; ++i) me.barrier();
        for (int i = 0; i != 50; ++i) sum_over(me, 1);
    });
    CHECK(parent.barriers == 50);
    CHECK(parent.reductions == 51);
    CHECK_FALSE(parent.overlapped);
}

TEST_CASE("thread 0 is the caller's") {
    sonde::single_rank single_rank;
    sonde::thread_team team{single_rank, 2};
    std::array<std::thread::id, 2> ids;
    team.run([&](auto& me) { ids[static_cast<std::size_t>(me.thread())] = std::this_thread::get_id(); });
    CHECK(ids[0] == std::this_thread::get_id());
    CHECK(ids[1] != ids[0]);
}

TEST_CASE("an exception on one thread ends the waiting of the others and is rethrown") {
    sonde::single_rank single_rank;
    sonde::thread_team team{single_rank, 4};
    std::atomic<int> released{0};
    auto const body = [&](auto& me) {
        if (me.thread() == 2) throw std::domain_error{"thread 2"};
        try {
            me.barrier();
        } catch (sonde::peer_failed const&) {
            ++released;
            CHECK_THROWS_AS(me.barrier(), sonde::peer_failed);
            throw;
        }
    };
    CHECK_THROWS_AS(team.run(body), std::domain_error);
    CHECK(released == 3);

    std::array<double, 4> sums{};
    team.run([&](auto& me) { sums[static_cast<std::size_t>(me.thread())] = sum_over(me, me.rank()); });
    CHECK(sums == std::array{6.0, 6.0, 6.0, 6.0}); // the next run is independent
}

TEST_CASE("the parent's exception is rethrown, and no thread waits forever") {
    broken parent;
    sonde::thread_team team{parent, 3};
    CHECK_THROWS_WITH(team.run([](auto& me) { me.barrier(); }), "the parent's barrier");
}

TEST_CASE("the cause is rethrown, whichever thread throws first") {
    sonde::single_rank process;
    sonde::thread_team team{process, 3};
    for (int trial = 0; trial != 20; ++trial)
        CHECK_THROWS_WITH(team.run([](auto& me) {
            auto const exchange = [&] {
                if (me.rank() == 1) throw std::runtime_error{"disk full"};
            };
            static_cast<void>(
                sonde::run(me, sonde::plan<>{}.until(sonde::samples{5}).agree_on_errors(), exchange, "x"));
        }),
                          "disk full");
}
TEST_CASE("threads in different collectives are refused instead of waiting") {
    sonde::single_rank single_rank;
    sonde::thread_team team{single_rank, 3};
    auto const differ = [](auto& me) {
        if (me.thread() == 1) me.barrier();
        else sum_over(me, 1);
    };
    CHECK_THROWS_AS(team.run(differ), std::logic_error);
}

TEST_CASE("a process without threads is refused on all processes") {
    sonde::sim::world{2, network}.run([](auto& self) {
        auto ranks = self.group();
        CHECK_THROWS_AS((sonde::thread_team{ranks, self.rank()}), std::invalid_argument);
    });
}

namespace {

/// Ranks in virtual time, of which all but rank 0 may be called by one thread only.
struct single_threaded {
    sonde::sim::group ranks;
    int rank() const { return ranks.rank(); }
    int size() const { return ranks.size(); }
    void barrier() { ranks.barrier(); }
    void all_reduce(std::span<double> values, sonde::reduction how) { ranks.all_reduce(values, how); }
    bool allows_threads() const { return ranks.rank() == 0; }
};

} // namespace

TEST_CASE("several threads are refused on all processes if one parent group is not thread-safe") {
    sonde::sim::world{2, network}.run([](auto& self) {
        single_threaded ranks{self.group()};
        CHECK_THROWS_AS((sonde::thread_team{ranks, 2}), std::logic_error);
        CHECK_NOTHROW((sonde::thread_team{ranks, 2 - self.rank()})); // two threads on rank 0 alone
        CHECK_NOTHROW((sonde::thread_team{ranks, 1}));
    });
}

namespace {

struct crowded : sonde::single_rank {
    bool oversubscribed() const { return true; }
};

bool is_flagged(auto& group) {
    auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{1});
    return sonde::run(group, plan, [] {}).flags.oversubscribed;
}

bool is_flagged_in_team(auto& parent, int threads) {
    sonde::thread_team team{parent, threads};
    std::atomic<int> flagged{0};
    team.run([&](auto& me) { flagged += is_flagged(me); });
    CHECK((flagged == 0 || flagged == threads));
    return flagged != 0;
}

} // namespace

TEST_CASE("a team is oversubscribed with more threads than processors, or as its parent is") {
    sonde::single_rank alone;
    crowded full;
    CHECK_FALSE(is_flagged_in_team(alone, 1));
    CHECK(is_flagged_in_team(full, 1));
    auto const processors = static_cast<int>(sonde::detail::number_of(sonde::detail::allowed_processors()));
    if (processors > 0 && processors < 64) CHECK(is_flagged_in_team(alone, processors + 1));
}

TEST_CASE("a reference to any group knows that threads are forbidden") {
    struct one_thread : sonde::single_rank {
        bool allows_threads() const { return false; }
    } single;
    sonde::group_ref any{single};
    CHECK(!any.allows_threads());
    CHECK_THROWS_AS((sonde::thread_team{any, 2}), std::logic_error);
}
