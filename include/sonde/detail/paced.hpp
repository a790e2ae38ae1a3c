// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde::detail {

/// n times something, with a wait between them; no wait is not called.
template <std::invocable<seconds> Wait>
class paced {
public:
    paced(std::size_t n, seconds between, Wait wait) : n_{n}, between_{between}, wait_{std::move(wait)} {
        if (n == 0) throw std::invalid_argument{"sonde: round trips need at least one message"};
        if (!(between >= seconds{})) throw std::invalid_argument{"sonde: a wait between messages is not negative"};
    }

    template <class F>
    void operator()(F f) {
        f();
        for (std::size_t i = 1; i != n_; ++i) {
            if (between_ > seconds{}) wait_(between_);
            f();
        }
    }
    std::size_t times() const { return n_; }

private:
    std::size_t n_;
    seconds between_;
    Wait wait_;
};

} // namespace sonde::detail
