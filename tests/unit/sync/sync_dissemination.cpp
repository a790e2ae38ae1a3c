// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

using namespace unit;
using namespace std::chrono;

namespace {

struct departure {
    long long left; // ns
    int rounds;
};

/// Counts its exchanges.
struct exchanging : sonde::sim::group {
    int rounds = 0;
    void exchange(int to, int from) {
        ++rounds;
        sonde::sim::group::exchange(to, from);
    }
};

/// The times at which ranks leave the barrier after work of these durations, and their numbers of exchanges.
std::vector<departure> departures(std::vector<microseconds> const& busy) {
    return on_ranks(static_cast<int>(busy.size()), latency_network, [&](process& self) {
        exchanging group{self.group()};
        self.work(busy[static_cast<std::size_t>(self.rank())]);
        sonde::dissemination_barrier{}(group, 0);
        return departure{ns(self.clock().now()), group.rounds};
    });
}

} // namespace

TEST_CASE("dissemination_barrier: log2 of the ranks, rounded up, rounds of one message") {
    auto const rounds = std::vector<int>{0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
    for (std::size_t ranks = 1; ranks != rounds.size(); ++ranks) {
        CAPTURE(ranks);
        for (auto const& one : departures(std::vector<microseconds>(ranks))) {
            CHECK(one.rounds == rounds[ranks]);
            CHECK(one.left == rounds[ranks] * (1000 + 5000 + 1000));
        }
    }
}

TEST_CASE("dissemination_barrier: no rank leaves before the last has entered, whichever it is") {
    for (std::size_t const ranks : {2u, 3u, 4u, 5u, 8u})
        for (std::size_t late = 0; late != ranks; ++late) {
            CAPTURE(ranks);
            CAPTURE(late);
            std::vector<microseconds> busy(ranks);
            busy[late] = 1000us;
            auto const all = departures(busy);
            for (std::size_t rank = 0; rank != ranks; ++rank)
                if (rank != late) CHECK(all[rank].left >= 1'000'000 + 7000); // at least a message from the late one
        }
}

TEST_CASE("dissemination_barrier: synchronizes samples, outside the clock") {
    auto const records = on_ranks(3, latency_network, [](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{4}).timed_by(self.clock());
        return sonde::run(group, plan.synchronized(sonde::dissemination_barrier{}), [&] { self.work(2us); });
    });
    for (auto const& r : records) CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000, 2000});
}
