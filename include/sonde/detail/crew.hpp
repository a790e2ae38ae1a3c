// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sonde {

/// Another thread of this process ended with an exception; this one would have waited for it for ever.
struct peer_failed : std::runtime_error {
    peer_failed() : std::runtime_error{"sonde: another thread failed"} {}
};

namespace detail {

/// The first of the exceptions that several threads end with: the others' follow from it.
class first_failure {
public:
    void keep(std::exception_ptr caught) {
        std::lock_guard const lock{mutex_};
        if (!first_) first_ = caught;
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

/// Run f(0) here and f(1) .. f(n - 1) on a thread each, and wait for all. What one throws calls `give_up()`, which is
/// to end the others' waiting, and comes out here; so does the failure to start a thread.
template <class F, class GiveUp>
void on_threads(std::size_t n, F f, GiveUp give_up) {
    first_failure failure;
    auto const attempt = [&](auto step) {
        try {
            step();
        } catch (...) {
            failure.keep(std::current_exception());
            give_up();
        }
    };
    std::vector<std::thread> others;
    attempt([&] {
        for (std::size_t i = 1; i < n; ++i) others.emplace_back([&, i] { attempt([&] { f(i); }); });
        if (n != 0) f(0);
    });
    for (auto& t : others) t.join();
    failure.rethrow();
}

} // namespace detail

} // namespace sonde
