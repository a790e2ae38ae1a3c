// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "time.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace fake {

/// An operation of a stream, its duration, and its dependencies.
struct operation {
    std::function<void()> work = [] {};
    long long ns = 0;
    std::vector<mark_ptr> after = {};
};

/// Executes operations in order: at once in virtual time, else in a thread of its own.
class stream : public std::enable_shared_from_this<stream> {
public:
    stream(int at_device, bool waits_for_default, int numbered)
        : device{at_device}, blocking{waits_for_default}, number{numbered} {}

    mark_ptr add(operation what);
    mark_ptr tail(); ///< the end of the last operation; null without one
    bool idle();     ///< true if all operations are complete
    void close();    ///< ends after the last operation

    int const device;
    bool const blocking; ///< synchronizes with the device's default stream
    int const number;

private:
    struct queued {
        operation what;
        mark_ptr end;
    };
    void carry_out_now(operation const& what, mark& end, long long earlier);
    void start_worker();
    void work();
    bool next(queued& into);

    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<queued> queue_;
    mark_ptr tail_;
    bool working_ = false, closed_ = false;
};

} // namespace fake
