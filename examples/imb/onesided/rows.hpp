// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../benchmark.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace imb {

/// A row of one-sided transfers, each of a repetition's n to a place of its own; a message in each memory.
inline benchmark one_sided_row(std::string name, family kind, columns shows, std::function<work(setting&)> make) {
    benchmark row;
    row.name = std::move(name);
    row.kind = kind;
    row.shows = shows;
    row.make = std::move(make);
    row.needs = [](std::size_t s, std::size_t) { return lengths{s, s}; };
    row.disjoint = true;
    return row;
}

/// The same between two processes.
inline benchmark pair_row(std::string name, std::function<work(setting&)> make) {
    return one_sided_row(std::move(name), family::single_transfer, columns::time_bandwidth, std::move(make));
}

inline benchmark not_by_default(benchmark row) {
    row.by_default = false;
    return row;
}

} // namespace imb
