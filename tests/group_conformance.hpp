// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/measure/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

/// What every group promises, whatever its backend. Each function is collective over the group.
namespace conformance {

/// Waits for a number of microseconds that differs between ranks and calls.
inline void dawdle(int rank, int call) {
    std::this_thread::sleep_for(std::chrono::microseconds{(rank * 37 + call * 11) % 97});
}

/// The value of a rank in a reduction: every third element is smaller than on the other ranks, or larger.
inline double reduced_value(int rank, std::size_t i) { return static_cast<double>(i) + (i % 3 == 0 ? -rank : rank); }

/// Reductions of no element, of few, and of more than a piece of a message.
void check_reductions(auto& ranks) {
    auto const last = ranks.size() - 1;
    for (std::size_t const n : {0UL, 1UL, 2UL, 511UL, 512UL, 513UL, 1500UL}) {
        auto const of = [&](sonde::reduction how) {
            std::vector<double> values(n);
            for (std::size_t i = 0; i != n; ++i) values[i] = reduced_value(ranks.rank(), i);
            ranks.all_reduce(values, how);
            return values;
        };
        auto const sums = of(sonde::reduction::sum), minima = of(sonde::reduction::min),
                   maxima = of(sonde::reduction::max);
        auto correct = true;
        for (std::size_t i = 0; i != n; ++i) {
            double sum = 0;
            for (int rank = 0; rank <= last; ++rank) sum += reduced_value(rank, i);
            auto const first = reduced_value(0, i), other = reduced_value(last, i);
            correct =
                correct && sums[i] == sum && minima[i] == std::min(first, other) && maxima[i] == std::max(first, other);
        }
        CAPTURE(n);
        CHECK(correct);
    }
}

/// Reductions one after another, each rank with delays of its own: no rank reads the values of another reduction.
void check_reductions_in_disorder(auto& ranks) {
    auto correct = true;
    auto const size = static_cast<double>(ranks.size());
    for (int i = 0; i != 100; ++i) {
        dawdle(ranks.rank(), i);
        double values[] = {static_cast<double>(i), static_cast<double>(ranks.rank()), 1};
        ranks.all_reduce(values, i % 2 == 0 ? sonde::reduction::max : sonde::reduction::sum);
        correct = correct && values[1] == (i % 2 == 0 ? size - 1 : size * (size - 1) / 2);
    }
    CHECK(correct);
}

/// No rank leaves a barrier before the last has entered. The ranks share a steady clock.
void check_barrier(auto& ranks) {
    auto correct = true;
    for (int i = 0; i != 20; ++i) {
        dawdle(ranks.rank(), i);
        double entered[] = {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()};
        ranks.barrier();
        auto const left = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
        ranks.all_reduce(entered, sonde::reduction::max);
        correct = correct && left >= entered[0];
    }
    CHECK(correct);
}

/// Bytes of every value in every place of six, and more than one piece of a reduction; they differ between ranks.
inline std::vector<unsigned char> bytes_of(int rank, std::size_t n) {
    std::vector<unsigned char> all(n);
    for (std::size_t i = 0; i != n; ++i)
        all[i] = static_cast<unsigned char>(255 - i / 7 - i % 7 + 31 * static_cast<std::size_t>(rank));
    return all;
}

/// Broadcasts from each root, and gathers.
void check_bytes(auto& ranks) {
    auto const rank = ranks.rank(), size = ranks.size();
    for (std::size_t const n : {0UL, 1UL, 5UL, 6UL, 7UL, 100UL, 6143UL, 6144UL, 6145UL, 20'000UL}) {
        CAPTURE(n);
        for (int root = 0; root != size; ++root) {
            auto mine = bytes_of(rank, n);
            sonde::broadcast(ranks, std::span{mine.data(), n}, root);
            CHECK(mine == bytes_of(root, n));
            auto sized = bytes_of(rank, n + static_cast<std::size_t>(rank));
            sonde::broadcast(ranks, sized, root);
            CHECK(sized == bytes_of(root, n + static_cast<std::size_t>(root)));
        }
        std::vector<unsigned char> all;
        for (int r = 0; r != size; ++r)
            for (auto const b : bytes_of(r, n)) all.push_back(b);
        CHECK(sonde::gather(ranks, bytes_of(rank, n)) == (rank == 0 ? std::optional{all} : std::nullopt));
        CHECK(sonde::all_gather(ranks, bytes_of(rank, n)) == all);
    }
}

struct mixed {
    std::int16_t number;
    double value;
    bool operator==(mixed const&) const = default;
};

/// Values with padding, numbers whose sum with zero is another one, and texts of different lengths.
void check_values(auto& ranks) {
    auto const rank = ranks.rank(), size = ranks.size();
    mixed one{static_cast<std::int16_t>(-rank), 1.0 / (rank + 3)};
    CHECK(sonde::all_gather(ranks, one).back() == mixed{static_cast<std::int16_t>(1 - size), 1.0 / (size + 2)});
    sonde::broadcast(ranks, one, size - 1);
    CHECK(one == mixed{static_cast<std::int16_t>(1 - size), 1.0 / (size + 2)});
    // A negative zero, a NaN's bits, the smallest number.
    std::uint64_t const bits[] = {0x8000000000000000, 0x7ff4000000000001, 1, 0xffffffffffffffff};
    double odd[4]{};
    if (rank == 0) std::memcpy(odd, bits, sizeof odd);
    sonde::broadcast(ranks, odd);
    CHECK(std::memcmp(odd, bits, sizeof odd) == 0);
    std::string const texts[] = {std::string{"\0\xff", 2}, "", std::string(9000, '\x80')};
    auto text = texts[rank % 3];
    auto const all = sonde::all_gather(ranks, text);
    REQUIRE(all.size() == static_cast<std::size_t>(size));
    for (int r = 0; r != size; ++r) CHECK(all[static_cast<std::size_t>(r)] == texts[r % 3]);
    CHECK(sonde::gather(ranks, text) == (rank == 0 ? std::optional{all} : std::nullopt));
    sonde::broadcast(ranks, text, size - 1);
    CHECK(text == all.back());
}

/// A measurement has one record, the same on all ranks.
void check_record(auto& ranks) {
    auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{10}).keep({.rank_means = true});
    int calls = 0;
    auto const found = sonde::run(ranks, plan, [&] { dawdle(ranks.rank(), ++calls); });
    CHECK(calls >= 12);
    CHECK(found.ranks == static_cast<std::size_t>(ranks.size()));
    CHECK(found.rank_means.size() == found.ranks);
    std::vector<double> mine{found.over_ranks.min.count(), found.over_ranks.mean.count(), found.over_ranks.max.count()};
    for (auto const* times : {&found.series, &found.rank_means})
        for (auto const t : *times) mine.push_back(t.count());
    for (auto const& one : sonde::all_gather(ranks, mine.front())) CHECK(one == mine.front());
    auto least = mine, most = mine;
    ranks.all_reduce(least, sonde::reduction::min);
    ranks.all_reduce(most, sonde::reduction::max);
    CHECK(least == most);
}

/// All of the above that needs no time of its own: for groups of a real network, of threads and of simulated ranks.
void check_group(auto& ranks) {
    check_reductions(ranks);
    check_reductions_in_disorder(ranks);
    check_barrier(ranks);
    check_bytes(ranks);
    check_values(ranks);
}

} // namespace conformance
