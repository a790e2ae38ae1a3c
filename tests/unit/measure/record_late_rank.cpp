// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

using namespace unit;

namespace {

constexpr int ranks = 4;
constexpr network_parameters network{500ns, 2us, 0us, 0us};
constexpr auto everything = sonde::keep_options{.sample_means = true, .rank_means = true};

/// A collective, preceded on some ranks by a delay: `late(rank, sample)`.
template <class Collective, class Late>
sonde::record with_late_ranks(Collective collective, Late late) {
    return on_ranks(ranks, network,
                    [&](process& self) {
                        auto group = self.group();
                        auto const plan = sonde::plan<>{}
                                              .warmup(0)
                                              .until(sonde::samples{8})
                                              .synchronized(sonde::barrier_each{})
                                              .timed_by(self.clock())
                                              .keep(everything);
                        int i = 0;
                        return sonde::run(group, plan, [&] {
                            if (late(self.rank(), i++)) self.work(10us);
                            collective(self);
                        });
                    })
        .front();
}

/// Independent work of each rank: 5 us.
void local(process& self) { self.work(5us); }

/// The root receives from rank after rank; a rank is done after its send.
void gather(process& self) {
    std::array<std::byte, 1> message{};
    if (self.rank() != 0) self.link(0).send(message);
    for (int from = 1; self.rank() == 0 && from != self.size(); ++from) self.link(from).recv(message);
}

/// Rank after rank adds its part, as a scan does: only later ranks wait.
void chain(process& self) {
    std::array<std::byte, 1> partial{};
    if (self.rank() != 0) self.link(self.rank() - 1).recv(partial);
    if (self.rank() + 1 != self.size()) self.link(self.rank() + 1).send(partial);
}

/// Every rank needs data of every other: dissemination, in two rounds of 3 us.
void all_to_all(process& self) {
    auto group = self.group();
    sonde::dissemination_barrier{}(group, 0);
}

auto const no_late_rank = [](int, int) { return false; };
auto const rank_1 = [](int rank, int) { return rank == 1; };
auto const rank_2 = [](int rank, int) { return rank == 2; };
auto const another_each_time = [](int rank, int sample) { return rank == sample % ranks; };

std::vector<long long> eight(long long each) { return std::vector<long long>(8, each); }

} // namespace

TEST_CASE("a gather with one rank late by 10 us: the series of maxima has exactly that, the mean of means half of it") {
    auto const base = with_late_ranks(gather, no_late_rank);
    CHECK(ns(base.series) == eight(500 + 2000 + 3 * 500));
    CHECK(ns(base.over_ranks.mean) == (4000 + 3 * 500) / ranks);

    auto const late = with_late_ranks(gather, rank_1);
    CHECK(ns(late.series) == eight(4000 + 10'000));
    CHECK(ns(late.rank_means) == std::vector<long long>{14'000, 10'500, 500, 500}); // the root waits, the others do not
    CHECK(ns(late.over_ranks.mean) == ns(base.over_ranks.mean) + 10'000 * 2 / ranks);
    CHECK(ns(late.sample_means) == eight(1375 + 5000));
}

TEST_CASE("one rank late by 10 us without others that wait for it: the mean of means has a P-th of it") {
    auto const late = with_late_ranks(local, rank_2);
    CHECK(ns(late.series) == eight(5000 + 10'000));
    CHECK(ns(late.over_ranks.mean) == 5000 + 10'000 / ranks);
    CHECK(ns(late.sample_means) == eight(5000 + 10'000 / ranks));
    CHECK(ns(late.rank_means) == std::vector<long long>{5000, 5000, 15'000, 5000}); // the late rank
}

TEST_CASE("another rank late by 10 us each time: each rank's mean has a fraction of it, the series all of it") {
    auto const late = with_late_ranks(local, another_each_time);
    CHECK(ns(late.series) == eight(5000 + 10'000));
    CHECK(ns(late.over_ranks.max) == 5000 + 10'000 / ranks);
    CHECK(ns(late.over_ranks.mean) == 5000 + 10'000 / ranks);
    CHECK(ns(late.rank_means) == std::vector<long long>(ranks, 7500));
}

TEST_CASE("one rank of a chain late by 10 us: the series is the last rank's time, which grows by its wait") {
    auto const base = with_late_ranks(chain, no_late_rank);
    CHECK(ns(base.rank_means) == std::vector<long long>{500, 3500, 6500, 9000});
    CHECK(ns(base.series) == eight(9000));

    auto const late = with_late_ranks(chain, [](int rank, int) { return rank == 0; });
    CHECK(ns(late.series) == eight(9000 + 10'000)); // all wait for rank 0
    auto const last = with_late_ranks(chain, [](int rank, int) { return rank == 3; });
    CHECK(ns(last.rank_means) == std::vector<long long>{500, 3500, 6500, 10'500}); // it would have waited until 8.5 us
}

TEST_CASE("an all-to-all operation waits for the late rank on all ranks: the series has exactly its delay") {
    auto const base = with_late_ranks(all_to_all, no_late_rank);
    CHECK(ns(base.series) == eight(2 * 3000));
    auto const late = with_late_ranks(all_to_all, rank_2);
    for (std::size_t i = 0; i != 8; ++i) CHECK(ns(late.series[i]) == ns(base.series[i]) + 10'000);
    CHECK(ns(late.rank_means) == std::vector<long long>{14'000, 16'000, 12'000, 14'000});
    CHECK(ns(late.over_ranks.mean) == 6000 + 8000); // most of it, since no rank can finish earlier
    auto const in_turn = with_late_ranks(all_to_all, another_each_time);
    CHECK(ns(in_turn.series) == ns(late.series));
}
