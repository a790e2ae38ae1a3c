// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/tuning.hpp"

#include "tools/text.hpp"

#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace tools::tune {

namespace {

constexpr double times_the_default = 10; // a launch that takes longer counts as hanging
constexpr sonde::seconds shortest_limit{20};

/// Throws std::runtime_error for a launch with the default settings that failed: nothing can be compared with it.
[[noreturn]] void fail_default(launch_result const& launch) {
    std::fputs(launch.output.c_str(), stderr);
    throw std::runtime_error{"the program failed with the default settings: " + launch.failure +
                             (launch.failure == "no record" ? ": does it take --report json=FILE? Where it takes the "
                                                              "file in another way, write {json} in its place"
                                                            : "")};
}

/// The file beside which temporary files are: that of the records or of the settings, if there is one.
std::string result_of(tune_options const& o) {
    if (!o.records.empty()) return o.records;
    return o.out.empty() ? "sonde-tune" : o.out;
}

} // namespace

series::series(tune_options const& options)
    : options_{options}, job_{options.command, options.records, result_of(options)},
      begin_{sonde::steady_clock::now().time_since_epoch()}, random_{options.seed} {
    auto const first = job_.launch({}, options.limit);
    if (!first.failure.empty()) fail_default(first);
    rows_ = first.rows;
    auto const times = times_of(first, rows_);
    if (!times) throw std::runtime_error{"a row of the program has no positive time"};
    for (std::size_t i = 0; i != rows_.size(); ++i)
        resolution_ = std::max(resolution_, first.resolutions[i] / (*times)[i]);
    launch_time_ = first.wall;
    launches_ = 1;
}

sonde::seconds series::elapsed() const {
    return sonde::seconds{sonde::steady_clock::now().time_since_epoch()} - begin_;
}

std::optional<sonde::seconds> series::left() const {
    if (!options_.budget) return std::nullopt;
    return *options_.budget - elapsed();
}

std::size_t series::random_below(std::size_t n) {
    sonde::detail::random_numbers draw{random_};
    auto const drawn = draw() % n;
    random_ = draw.state;
    return drawn;
}

/// Launch once more; returns the reason if there are no times.
std::string series::add_launch(racer& to, environment_words const& words) {
    auto const limit = options_.limit ? *options_.limit : std::max(shortest_limit, launch_time_ * times_the_default);
    auto const launch = job_.launch(words, limit);
    if (!launch.failure.empty()) return launch.failure;
    auto const times = times_of(launch, rows_);
    if (!times) return "a row is missing, or has no positive time";
    launch_time_ = (launch_time_ * static_cast<double>(launches_) + launch.wall) / static_cast<double>(launches_ + 1);
    ++launches_;
    to.times.resize(rows_.size());
    for (std::size_t row = 0; row != rows_.size(); ++row) to.times[row].push_back((*times)[row]);
    return {};
}

void series::round(std::vector<racer>& all, std::vector<environment_words> const& environments) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i != all.size(); ++i)
        if (all[i].is_racing) order.push_back(i);
    for (auto n = order.size(); n > 1; --n) std::swap(order[n - 1], order[random_below(n)]);
    for (auto const i : order) {
        auto failure = add_launch(all[i], environments[i]);
        if (failure.empty()) continue;
        if (i == 0 && add_launch(all[0], environments[0]).empty()) continue; // failed once by chance
        if (i == 0) throw std::runtime_error{"the program failed twice with the default settings: " + failure};
        all[i].is_racing = false;
        all[i].reason = "failed with " + failure;
    }
}

} // namespace tools::tune
