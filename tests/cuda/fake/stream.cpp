// SPDX-License-Identifier: BSL-1.0
#include "stream.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace fake {

mark_ptr stream::add(operation what) {
    auto const end = std::make_shared<mark>();
    auto hold = std::unique_lock{lock_};
    auto const before = std::exchange(tail_, end);
    if (virtual_time()) {
        hold.unlock();
        carry_out_now(what, *end, before ? before->at() : 0);
    } else {
        queue_.push_back({std::move(what), end});
        start_worker();
        changed_.notify_one();
    }
    return end;
}

void stream::carry_out_now(operation const& what, mark& end, long long earlier) {
    auto begin = std::max(now(), earlier);
    for (auto const& other : what.after) begin = std::max(begin, other->at());
    what.work();
    end.set(begin + what.ns);
}

mark_ptr stream::tail() {
    auto const hold = std::lock_guard{lock_};
    return tail_;
}

bool stream::idle() {
    auto const end = tail();
    return !end || end->passed();
}

void stream::close() {
    auto const hold = std::lock_guard{lock_};
    closed_ = true;
    changed_.notify_one();
}

// The thread is detached and owns its stream, so that a destroyed stream finishes its operations.
void stream::start_worker() {
    if (std::exchange(working_, true)) return;
    std::thread{[self = shared_from_this()] { self->work(); }}.detach();
}

void stream::work() {
    for (queued now_due; next(now_due);) {
        for (auto const& other : now_due.what.after) static_cast<void>(other->at());
        std::this_thread::sleep_for(std::chrono::nanoseconds{now_due.what.ns});
        now_due.what.work();
        now_due.end->set(now());
    }
}

bool stream::next(queued& into) {
    auto hold = std::unique_lock{lock_};
    changed_.wait(hold, [&] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return false;
    into = std::move(queue_.front());
    queue_.pop_front();
    return true;
}

} // namespace fake
