// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/error.hpp>

#include <nccl.h>

#include <utility>

namespace sonde::nccl::detail {

/// Calls that are one operation: from the first until `close`, or where an exception ends them.
class call_group {
public:
    call_group() = default;
    call_group(call_group&& other) noexcept : open_{std::exchange(other.open_, false)} {}
    call_group& operator=(call_group&&) = delete;
    ~call_group() {
        if (open_) ncclGroupEnd();
    }

    void open() {
        if (open_) return;
        check(ncclGroupStart(), "ncclGroupStart");
        open_ = true;
    }
    void close() {
        if (std::exchange(open_, false)) check(ncclGroupEnd(), "ncclGroupEnd");
    }

private:
    bool open_ = false;
};

} // namespace sonde::nccl::detail
