// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include "application.hpp"
#include "rma_made.hpp"
#include "rma_sweep.hpp"

#include <cstdlib>
#include <map>
#include <set>
#include <string>

namespace one_sided {

inline void say_skipped(std::string const& kind, std::string const& reason) {
    MESSAGE("no window that is " << kind << ": " << reason);
}

/// Kinds of windows that the tests run with: all, but where $SONDE_WINDOWS names some, because time is short.
inline bool is_wanted(std::string const& kind) {
    auto const* const wanted = std::getenv("SONDE_WINDOWS");
    return wanted == nullptr || (' ' + std::string{wanted} + ' ').find(' ' + kind + ' ') != std::string::npos;
}

/// f(group, window, kind) with every kind of window of so many bytes on each rank; kinds that the MPI library does not
/// make, each with its reason.
template <class F>
std::map<std::string, std::string> on_each_window(std::size_t bytes, F f) {
    sonde::mpi::group ranks{application::comm()};
    std::vector<std::byte> memory(bytes);
    std::set<std::string> tried;
    std::map<std::string, std::string> skipped;
    each_window(ranks, memory, [&](std::string const kind, auto make) {
        CAPTURE(kind);
        if (!is_wanted(kind)) return;
        auto const window = made(kind, make, [&](std::string const& which, std::string const& reason) {
            skipped[which] = reason;
            say_skipped(which, reason);
        });
        if (window == nullptr) return;
        f(ranks, seen_window{*window, ranks.size()}, kind);
        tried.insert(kind);
    });
    CHECK(tried.count("created") == 1);
    CHECK(tried.count("allocated") == 1);
    return skipped;
}

} // namespace one_sided
