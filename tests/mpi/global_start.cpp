// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "clock_options.hpp"
#include "same_record.hpp"

#include <sonde/clock.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t count = 5;

seconds now() {
    steady_clock clock;
    return reading(clock);
}

/// One rank's observations of a run: readings in this order around each sample, including repeated ones.
struct seen {
    std::vector<seconds> before, entry, exit, after;
    std::vector<double> late;
    bool waits = false; // delays the next start until this sample is over
};

/// A group in which one rank may be notified of a finished start.
class listeners : public mpi::group {
public:
    listeners(MPI_Comm comm, seen& all) : group{comm}, seen_{&all} {}
    void all_reduce(std::span<double> values, reduction how) const {
        group::all_reduce(values, how);
        if (std::exchange(seen_->waits, false))
            while (now().count() <= values[0]) {
            }
    }

private:
    seen* seen_;
};

/// An observed synchronized start; the last rank is late for the given samples.
template <class Start>
struct watched {
    Start* from;
    seen* into;
    std::vector<std::size_t> late_for{};
    std::size_t starts = 0;

    void operator()(listeners& ranks, std::size_t i) {
        if (i == 0) *into = {}; // drops those of the warm-up
        if (!into->before.empty()) into->after.push_back(now());
        for (auto const late : late_for) into->waits = into->waits || (late == i && ranks.rank() == ranks.size() - 1);
        (*from)(ranks, i);
        into->late.push_back(from->on_time() ? 0 : 1);
        into->before.push_back(now());
    }
    Start* global_clock() { return from; }
};

/// Runs a pattern with synchronized starts; returns this rank's observations.
template <class Start, class P>
record run_watched(listeners& ranks, Start& start, seen& all, P& pattern, std::vector<std::size_t> late_for = {}) {
    auto const stamped = [&] {
        all.entry.push_back(now());
        pattern();
        all.exit.push_back(now());
    };
    auto const how = plan<>{}.warmup(1).until(samples{count});
    auto found = run(ranks, how.synchronized(watched<Start>{&start, &all, std::move(late_for)}), stamped);
    all.after.push_back(now());
    return found;
}

/// The maximum over ranks of each sample's times, or with sign -1 of their negatives.
std::vector<double> largest(mpi::group& ranks, std::vector<seconds> const& times, double sign) {
    std::vector<double> values;
    for (auto const t : times) values.push_back(sign * t.count());
    ranks.all_reduce(values, reduction::max);
    return values;
}

/// True if each sample that counts lasts at least from the first rank's entry to the last one's exit, and at most from
/// before to after, by readings of one clock, in their order.
bool is_enclosed(mpi::group& ranks, record const& r, seen const& all) {
    auto const first_before = largest(ranks, all.before, -1), first_entry = largest(ranks, all.entry, -1);
    auto const last_exit = largest(ranks, all.exit, 1), last_after = largest(ranks, all.after, 1);
    auto late = all.late;
    ranks.all_reduce(late, reduction::max);
    std::size_t counted = 0, redone = 0;
    bool good = true;
    for (std::size_t i = 0; i != late.size(); ++i) {
        redone += late[i] == 1;
        if (late[i] == 1 || counted == r.global->series.size()) continue;
        auto const t = r.global->series[counted++].count();
        good = good && last_exit[i] + first_entry[i] <= t && t <= last_after[i] + first_before[i];
    }
    return good && counted == count && redone == r.global->late_samples && late.size() == count + redone;
}

void check_whole(mpi::group& ranks, record const& r) {
    REQUIRE(r.global.has_value());
    CHECK(r.stop.samples == count);
    CHECK(r.series.size() == count);
    CHECK(r.global->series.size() == count);
    CHECK(r.global->entry_skews.size() == count);
    CHECK(r.global->exit_skews.size() == count);
    seconds const rounding{1e-8}; // readings that are years after the clock's epoch
    for (std::size_t i = 0; i != count; ++i) {
        CHECK(r.global->series[i] >= r.series[i] - rounding); // the slowest rank's is part of it
        CHECK(r.global->entry_skews[i] >= seconds{});
        CHECK(r.global->exit_skews[i] >= seconds{});
    }
    CHECK(same::everywhere(same::numbers(r), ranks.comm()));
}

} // namespace

TEST_CASE("a sample by the global clock lasts from the first rank's entry to the last one's exit") {
    seen all;
    listeners ranks{application::comm(), all};
    auto start = synchronized_start{ranks};
    auto const check = [&](auto pattern) {
        auto const r = run_watched(ranks, start, all, pattern);
        check_whole(ranks, r);
        CHECK(is_enclosed(ranks, r, all));
        CHECK(r.global->error_bound == seconds{}); // one clock for all ranks
        CHECK(r.global->deviation == seconds{});
    };
    std::array<double, 4> out{}, in{};
    check(mpi::blocking{mpi::barrier{ranks}});
    check(mpi::blocking{mpi::allreduce{ranks, {MPI_DOUBLE, 4}, MPI_SUM}, slice{std::as_writable_bytes(std::span{out})},
                        slice{std::as_writable_bytes(std::span{in})}});
    check([] {});
}

TEST_CASE("a sample that a rank begins too late is repeated until the number of samples is complete") {
    seen all;
    listeners ranks{application::comm(), all};
    auto start = synchronized_start{ranks};
    mpi::blocking pattern{mpi::barrier{ranks}};
    auto const r = run_watched(ranks, start, all, pattern, {0, 2, 3, count + 1});
    check_whole(ranks, r);
    CHECK(is_enclosed(ranks, r, all));
    CHECK(r.global->late_samples >= 4); // others may have been late by themselves
}

TEST_CASE("disjoint groups start their own samples, each any number of times") {
    MPI_Comm part = MPI_COMM_NULL;
    auto const color = application::rank() % 2;
    PMPI_Comm_split(application::comm(), color, application::rank(), &part);
    for (int times = 0; times <= color; ++times) {
        seen all;
        listeners ranks{part, all};
        auto const alone = std::to_string(ranks.rank()); // pretends that each rank has its own clock
        synchronized_start start{ranks, steady_clock{}, mpi::control_channel{ranks}, alone, little};
        mpi::blocking pattern{mpi::barrier{ranks}};
        auto const r = run_watched(ranks, start, all, pattern);
        CHECK(r.stop.samples == count);
        CHECK(r.global->series.size() == count);
        for (auto const t : r.global->series) CHECK(t >= seconds{});
        CHECK((r.global->error_bound > seconds{}) == (ranks.size() > 1));
        CHECK(same::everywhere(same::numbers(r), ranks.comm()));
    }
    PMPI_Comm_free(&part);
}
