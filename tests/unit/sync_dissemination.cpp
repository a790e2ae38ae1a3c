// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

using namespace unit;
using namespace std::chrono;

namespace {

constexpr log_gp network{1us, 5us, 0us, 0ns};

struct passage {
    long long left; // ns
    int rounds;
};

/// When ranks that are busy for so long leave the barrier, and after how many exchanges.
std::vector<passage> passages(std::vector<microseconds> const& busy) {
    return on_ranks(static_cast<int>(busy.size()), network, [&](process& self) {
        auto group = self.group();
        int rounds = 0;
        sonde::dissemination_barrier barrier{[&](int to, int from) {
            ++rounds;
            self.link(to).send({});
            self.link(from).recv({});
        }};
        self.work(busy[static_cast<std::size_t>(self.rank())]);
        barrier(group, 0);
        return passage{ns(self.clock().now()), rounds};
    });
}

} // namespace

TEST_CASE("dissemination: log2 of the ranks, rounded up, rounds of one message") {
    auto const rounds = std::vector<int>{0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
    for (std::size_t ranks = 1; ranks != rounds.size(); ++ranks) {
        CAPTURE(ranks);
        for (auto const& one : passages(std::vector<microseconds>(ranks))) {
            CHECK(one.rounds == rounds[ranks]);
            CHECK(one.left == rounds[ranks] * (1000 + 5000 + 1000));
        }
    }
}

TEST_CASE("dissemination: nobody leaves before the last has come, whoever that is") {
    for (std::size_t const ranks : {2u, 3u, 4u, 5u, 8u})
        for (std::size_t late = 0; late != ranks; ++late) {
            CAPTURE(ranks);
            CAPTURE(late);
            std::vector<microseconds> busy(ranks);
            busy[late] = 1000us;
            auto const all = passages(busy);
            for (std::size_t rank = 0; rank != ranks; ++rank)
                if (rank != late) CHECK(all[rank].left >= 1'000'000 + 7000); // a message from the late one, at least
        }
}

TEST_CASE("dissemination: synchronizes samples, outside the clock") {
    auto const records = on_ranks(3, network, [](process& self) {
        auto group = self.group();
        auto const exchange = [&](int to, int from) {
            self.link(to).send({});
            self.link(from).recv({});
        };
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{4}).timed_by(self.clock());
        return sonde::run(group, plan.synchronized(sonde::dissemination_barrier{exchange}), [&] { self.work(2us); });
    });
    for (auto const& r : records) CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000, 2000});
}
