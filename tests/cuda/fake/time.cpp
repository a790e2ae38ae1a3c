// SPDX-License-Identifier: BSL-1.0
#include "time.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace fake {

namespace {

struct clock {
    std::mutex lock;
    std::condition_variable changed;
    bool is_virtual = false;
    long long host = 0;

    long long now() const {
        if (is_virtual) return host;
        auto const real = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration_cast<std::chrono::nanoseconds>(real).count();
    }
};

} // namespace

static clock& one() {
    static auto& it = *new clock;
    return it;
}

static void choose(bool is_virtual) {
    auto const hold = std::lock_guard{one().lock};
    one().is_virtual = is_virtual;
    one().host = 0;
}
void use_virtual_time() { choose(true); }
void use_real_time() { choose(false); }

bool virtual_time() {
    auto const hold = std::lock_guard{one().lock};
    return one().is_virtual;
}

long long now() {
    auto const hold = std::lock_guard{one().lock};
    return one().now();
}

void advance(long long ns) {
    auto const hold = std::lock_guard{one().lock};
    one().host += ns;
}

void mark::set(long long at) {
    {
        auto const hold = std::lock_guard{one().lock};
        known_ = true;
        at_ = at;
    }
    one().changed.notify_all();
}

bool mark::passed() const {
    auto const hold = std::lock_guard{one().lock};
    return known_ && at_ <= one().now();
}

long long mark::at() const {
    auto hold = std::unique_lock{one().lock};
    one().changed.wait(hold, [&] { return known_; });
    return at_;
}

void mark::wait() const {
    auto const end = at();
    auto const hold = std::lock_guard{one().lock};
    if (one().host < end) one().host = end;
}

} // namespace fake
