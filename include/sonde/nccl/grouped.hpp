// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/error.hpp>
#include <sonde/nccl/unwinding.hpp>

#include <nccl.h>

#include <stdexcept>
#include <utility>

namespace sonde::nccl::detail {

/// How many groups this thread has open: a group is the thread's, and so takes the calls of every link.
inline constinit thread_local int open_groups = 0;

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_in_group() {
    throw std::logic_error{"sonde::nccl: a wait while a window is open: what is in it begins with wait_all"};
}

inline void require_no_group() {
    if (open_groups != 0) [[unlikely]]
        fail_in_group();
}

/// Calls that are one operation: from the first until `close`, or the end. Where an exception ends them, there is none.
class [[nodiscard]] call_group {
public:
    call_group() = default;
    call_group(call_group&& other) noexcept : open_{std::exchange(other.open_, false)} {}
    call_group& operator=(call_group&&) = delete;
    ~call_group() {
        if (!open_) return;
        // Others may never do their part of what was broken off. A group with a wrong call in it is dropped as a whole.
        if (unwinding_.happens()) ncclSend(nullptr, 0, ncclChar, 0, nullptr, nullptr);
        end();
    }

    void open() {
        if (open_) return;
        check(ncclGroupStart(), "ncclGroupStart");
        open_ = true;
        ++open_groups;
    }
    void close() {
        if (open_) check(end(), "ncclGroupEnd");
    }

private:
    ncclResult_t end() {
        open_ = false;
        --open_groups;
        return ncclGroupEnd();
    }

    bool open_ = false;
    unwinding unwinding_;
};

} // namespace sonde::nccl::detail
