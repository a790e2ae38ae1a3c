// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fake/control.hpp"
#include "fake/enqueue.hpp"

#include <sonde/cuda.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fake_cuda {

using calls = std::vector<std::string>;
using times = std::vector<long long>;

/// Whole nanoseconds, for exact comparisons of times.
inline long long ns(sonde::seconds t) { return std::llround(t.count() * 1e9); }
inline times ns(std::vector<sonde::seconds> const& all) {
    times found;
    for (auto const t : all) found.push_back(ns(t));
    return found;
}

/// Resets the runtime to these environment variables, in virtual time.
inline void start(std::vector<std::pair<char const*, char const*>> const& environment = {}) {
    for (auto const* name :
         {"FAKE_CUDA_DEVICES", "FAKE_CUDA_DRIVER", "FAKE_CUDA_MEMORY", "FAKE_CUDA_CONCURRENT", "FAKE_CUDA_OWN"})
        unsetenv(name);
    for (auto const& [name, value] : environment) setenv(name, value, 1);
    fake::reset();
    fake::use_virtual_time();
}

/// A fixture with one device.
struct one_device {
    one_device() { start(); }
};

inline std::size_t count(std::string_view function) {
    std::size_t found = 0;
    for (auto const& call : fake::calls()) found += call.starts_with(function);
    return found;
}

/// The calls of these functions, in order.
inline calls only(std::vector<std::string_view> const& functions) {
    calls found;
    for (auto const& call : fake::calls())
        for (auto const f : functions)
            if (call.starts_with(f)) found.push_back(call);
    return found;
}

/// The text of the exception that f throws.
template <class F>
std::string thrown(F f) {
    try {
        f();
    } catch (sonde::cuda::error const& e) {
        return e.what();
    }
    return {};
}

} // namespace fake_cuda
