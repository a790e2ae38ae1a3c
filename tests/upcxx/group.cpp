// SPDX-License-Identifier: BSL-1.0
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/group.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/upcxx/group.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace sonde::upcxx;
using sonde::reduction;

namespace {

/// The values of a rank: every third element is smaller than on the other ranks, or larger.
double value(int of, std::size_t i) { return static_cast<double>(i) + (i % 3 == 0 ? -of : of); }

void check_reductions(group& ranks, std::size_t n) {
    auto const last = ranks.size() - 1;
    auto const of = [&](reduction how) {
        std::vector<double> values(n);
        for (std::size_t i = 0; i != n; ++i) values[i] = value(ranks.rank(), i);
        ranks.all_reduce(values, how);
        return values;
    };
    auto const sums = of(reduction::sum), minima = of(reduction::min), maxima = of(reduction::max);
    auto correct = true;
    for (std::size_t i = 0; i != n; ++i) {
        double sum = 0;
        for (int one = 0; one <= last; ++one) sum += value(one, i);
        correct = correct && sums[i] == sum && minima[i] == std::min(value(0, i), value(last, i)) &&
                  maxima[i] == std::max(value(0, i), value(last, i));
    }
    CHECK(correct);
}

/// A number of microseconds that differs between ranks and calls.
void dawdle(int call) { std::this_thread::sleep_for(std::chrono::microseconds{(rank() * 37 + call * 11) % 97}); }

} // namespace

TEST_CASE("a group of all ranks") {
    static_assert(sonde::Group<group> && !std::is_constructible_v<group, ::upcxx::team&&>);
    on_ranks([] {
        group ranks;
        CHECK(ranks.rank() == rank());
        CHECK(ranks.size() == size());
        for (auto const n : {0UL, 1UL, 2UL, 1500UL}) check_reductions(ranks, n);
        for (int i = 0; i != 20; ++i) {
            dawdle(i);
            double values[2] = {static_cast<double>(i), static_cast<double>(rank())};
            ranks.all_reduce(values, reduction::max);
            CHECK(values[1] == size() - 1);
        }
        double first[1] = {rank() == 0 ? 5.0 : 6.0};
        sonde::broadcast(ranks, first);
        CHECK(first[0] == 5);
        auto const texts = sonde::all_gather(ranks, std::string(static_cast<std::size_t>(rank()), 'x'));
        CHECK(texts.back().size() == static_cast<std::size_t>(size()) - 1);
    });
}

TEST_CASE("a group of a team has the ranks of the team") {
    on_ranks([] {
        auto half = ::upcxx::world().split(rank() % 2, rank());
        {
            group ranks{half};
            CHECK(ranks.size() == (size() + 1 - rank() % 2) / 2);
            CHECK(ranks.rank() == rank() / 2);
            check_reductions(ranks, 3);
            ranks.barrier();
        }
        half.destroy();
    });
}

TEST_CASE("a group names its library, and each of several ranks has a watchdog") {
    on_ranks([] {
        group ranks;
        CHECK(ranks.library().rfind("UPC++ 20", 0) == 0);
        CHECK(ranks.library().find(", specification 20") != std::string::npos);
        CHECK((ranks.watchdog() != nullptr) == (size() > 1));
    });
}

TEST_CASE("a measurement has one record on all ranks") {
    on_ranks([] {
        group ranks;
        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{10}).keep({.rank_means = true});
        int calls = 0;
        auto const found = sonde::run(ranks, plan, [&] { dawdle(++calls); });
        CHECK(calls >= 12);
        CHECK(found.ranks == static_cast<std::size_t>(size()));
        CHECK(found.series.size() == 10);
        double sums[2] = {0, found.series.front().count()};
        for (auto const t : found.series) sums[0] += t.count();
        auto smallest = std::vector<double>(sums, sums + 2), largest = smallest;
        ranks.all_reduce(smallest, reduction::min);
        ranks.all_reduce(largest, reduction::max);
        CHECK(smallest == largest);
    });
}
