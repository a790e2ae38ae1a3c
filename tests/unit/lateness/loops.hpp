// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <vector>

namespace loops {

using sonde::seconds;

/// Random numbers from a fixed seed: uniform in [0, 1), and of a heavy tail.
struct noise {
    sonde::detail::random_numbers random;

    explicit noise(std::size_t seed) : random{seed * 7919 + 1} { random(); }
    double uniform() { return static_cast<double>(random()) / 2147483648.0; }
    /// At least 0, median 0.2, mean 0.5: mostly small, at times ten times the mean (a Pareto distribution).
    double heavy() { return std::min(20.0, 0.5 / std::pow(1 - uniform(), 0.5) - 0.5); }
};

/// Whom a rank waits for.
enum class shape { all, ring, line };

/// A simulated loop of one exchange and one scope of work, in which messages cost nothing but `transfer`: a rank leaves
/// when the last of its partners has entered, after its transfer.
struct loop {
    int ranks = 4;
    int steps = 400;
    shape partners = shape::all;
    std::function<seconds(int rank, int step)> work{};
    std::function<seconds(int rank, int step)> transfer = [](int, int) { return seconds{10e-6}; };
};

inline std::vector<int> partners_of(loop const& l, int rank) {
    if (l.partners == shape::all) return {};
    std::vector<int> partners;
    for (auto const other : {rank - 1, rank + 1}) {
        if (l.partners == shape::ring) partners.push_back((other + l.ranks) % l.ranks);
        else if (other >= 0 && other < l.ranks) partners.push_back(other);
    }
    return partners;
}

inline sonde::exchange_passes passes_of(loop const& l) {
    auto const ranks = static_cast<std::size_t>(l.ranks);
    sonde::exchange_passes all{.ranks = l.ranks, .exchanges = {{"halo"}}, .works = {"work"}};
    if (l.partners != shape::all)
        for (int r = 0; r != l.ranks; ++r) all.exchanges[0].partners.push_back(partners_of(l, r));
    std::vector<seconds> now(ranks);
    for (int s = 0; s != l.steps; ++s) {
        all.steps.push_back({0, static_cast<std::size_t>(s)});
        std::vector<seconds> entry(ranks);
        for (int r = 0; r != l.ranks; ++r) {
            auto const i = static_cast<std::size_t>(r);
            all.work_times.push_back(l.work(r, s));
            entry[i] = now[i] + all.work_times.back();
        }
        for (int r = 0; r != l.ranks; ++r) {
            auto const i = static_cast<std::size_t>(r);
            auto last = entry[i];
            if (l.partners == shape::all) last = *std::max_element(entry.begin(), entry.end());
            for (auto const p : partners_of(l, r)) last = std::max(last, entry[static_cast<std::size_t>(p)]);
            now[i] = last + l.transfer(r, s);
            all.passes.push_back({entry[i], now[i], true});
        }
    }
    return all;
}

} // namespace loops
