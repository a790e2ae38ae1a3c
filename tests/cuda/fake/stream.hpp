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

/// What is to be done in a stream, how long it lasts, and what must be over before.
struct operation {
    std::function<void()> work = [] {};
    long long ns = 0;
    std::vector<mark_ptr> after = {};
};

/// Carries out operations in order: at once in virtual time, else by a thread of its own.
class stream : public std::enable_shared_from_this<stream> {
public:
    stream(int at_device, bool waits_for_default, int numbered)
        : device{at_device}, blocking{waits_for_default}, number{numbered} {}

    mark_ptr add(operation what);
    mark_ptr tail(); ///< the end of what was added last; null where nothing was
    bool idle();     ///< is all done that was added?
    void close();    ///< ends when all is done

    int const device;
    bool const blocking; ///< takes turns with the device's default stream
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
