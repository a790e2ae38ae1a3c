// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include "application.hpp"
#include "rma_made.hpp"
#include "rma_sweep.hpp"

#include <map>
#include <set>
#include <string>

namespace one_sided {

inline void say_skipped(std::string const& type, std::string const& reason) {
    MESSAGE("no window that is " << type << ": " << reason);
}

/// f(group, window, type) with every type of window of `bytes` bytes on each rank; returns the unsupported types with
/// their reasons.
template <class F>
std::map<std::string, std::string> on_each_window(std::size_t bytes, F f) {
    sonde::mpi::group ranks{application::comm()};
    std::vector<std::byte> memory(bytes);
    std::set<std::string> tried;
    std::map<std::string, std::string> skipped;
    each_window(ranks, memory, [&](std::string const type, auto make) {
        CAPTURE(type);
        auto const window = made(type, make, [&](std::string const& which, std::string const& reason) {
            skipped[which] = reason;
            say_skipped(which, reason);
        });
        if (window == nullptr) return;
        f(ranks, seen_window{*window, ranks.size()}, type);
        tried.insert(type);
    });
    CHECK(tried.count("created") == 1);
    CHECK(tried.count("allocated") == 1);
    return skipped;
}

} // namespace one_sided
