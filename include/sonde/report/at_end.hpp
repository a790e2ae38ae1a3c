// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <utility>

namespace sonde::detail {

/// What is to be done once, at the end: when this is called, and then it may throw; else when this is gone, and then
/// what fails is said on stderr.
class at_end {
public:
    explicit at_end(std::function<void()> work) : work_{std::move(work)} {}
    at_end(at_end const&) = delete;
    at_end& operator=(at_end const&) = delete;
    ~at_end() {
        try {
            (*this)();
        } catch (std::exception const& e) {
            std::fprintf(stderr, "%s\n", e.what()); // of a destructor nothing may be thrown
        }
    }

    void operator()() {
        if (auto const work = std::exchange(work_, nullptr)) work();
    }

private:
    std::function<void()> work_;
};

} // namespace sonde::detail
