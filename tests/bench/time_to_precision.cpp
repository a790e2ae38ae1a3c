// SPDX-License-Identifier: BSL-1.0

// The time to measure an operation of about 1 us to 5 % and to 1 %.

#include "limit.hpp"

#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t repeats = 20;

/// A synchronizer that does nothing but note the beginning of samples, the last time that i is 0.
struct note_begin {
    sonde::steady_clock::time_point* at;
    void operator()(auto&, std::size_t i) const {
        if (i == 0) *at = sonde::steady_clock::now();
    }
};

struct repeat {
    sonde::record found;
    sonde::seconds measuring; // from the first sample on, evaluations included
    sonde::seconds all;       // with the warm-up and the search of the batch
};

template <sonde::StoppingRule R>
repeat measure(R rule) {
    sonde::single_rank alone;
    sonde::multiply_chain work;
    sonde::steady_clock::time_point samples{};
    auto const how = sonde::plan<>{}.warmup(sonde::until_stable{}).batch(sonde::by_timer).until(rule);
    auto const begin = sonde::steady_clock::now();
    auto const found = sonde::run(alone, how.synchronized(note_begin{&samples}), [&] { work(900); });
    auto const end = sonde::steady_clock::now();
    return {found, end - samples, end - begin};
}

template <sonde::StoppingRule R>
std::vector<repeat> measure_often(R rule) {
    std::vector<repeat> all;
    for (std::size_t i = 0; i != repeats; ++i) all.push_back(measure(rule));
    return all;
}

template <class F>
sonde::seconds median_of(std::vector<repeat> const& all, F what) {
    std::vector<sonde::seconds> times;
    for (auto const& one : all) times.push_back(what(one));
    return sonde::median(times);
}

sonde::seconds measuring(std::vector<repeat> const& all) {
    return median_of(all, [](repeat const& r) { return r.measuring; });
}

void show(char const* limit, std::vector<repeat> const& all) {
    std::size_t precise = 0;
    for (auto const& one : all) precise += one.found.stop.reason == sonde::stop_reason::precision;
    auto const n = median_of(all, [](repeat const& r) { return sonde::seconds(r.found.stop.samples); });
    auto const whole = median_of(all, [](repeat const& r) { return r.all; });
    auto const found = median_of(all, [](repeat const& r) { return sonde::median(r.found); });
    std::printf("to %s: an operation of %.4g us, %.4g ms with the warm-up, %.0f samples, %zu of %zu precise\n", limit,
                1e6 * found.count(), 1e3 * whole.count(), n.count(), precise, repeats);
}

/// The number of runs that neither reached the precision within `longest` nor ended with their budget.
double unexplained(std::vector<repeat> const& all, sonde::seconds longest) {
    double found = 0;
    for (auto const& one : all)
        found += one.measuring > longest && one.found.stop.reason != sonde::stop_reason::time_budget;
    return found;
}

} // namespace

int main() {
    sonde::steady_clock clock;
    static_cast<void>(sonde::clock_properties_of(clock)); // once a process
    constexpr sonde::seconds budget{0.5};
    auto const coarse = measure_often(sonde::relative_error{0.05});
    auto const fine = measure_often(sonde::relative_error{0.01} || sonde::time_budget{budget});
    show("5 %", coarse);
    auto const slow = report("ms of measuring to 5 %, median", 1e3 * measuring(coarse).count(), 5);
    show("1 %", fine);
    std::printf("ms of measuring to 1 %%, median: %.4g\n", 1e3 * measuring(fine).count());
    return slow | report("runs to 1 % longer than 0.5 s that do not say why", unexplained(fine, budget), 0);
}
