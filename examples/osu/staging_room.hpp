// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "device.hpp"
#include "memory.hpp"

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>

#include <cstddef>
#include <stdexcept>

namespace osu {

/// Page-locked memory of the host, taken before the first row: what rows stage messages in they borrow from it, so that
/// none of them can fail on one rank while another waits.
class staging_room {
public:
    /// Throws refusal where there is not enough.
    explicit staging_room(std::size_t bytes)
        : calls_{pinned_calls()}, bytes_{bytes}, first_{static_cast<std::byte*>(calls_.allocate(bytes))} {}
    staging_room(staging_room&&) = delete;
    ~staging_room() { calls_.deallocate(first_, bytes_); }

    /// n bytes behind those that are lent. Throws std::length_error where fewer are left.
    void* lend(std::size_t n) {
        if (n > bytes_ - used_) throw std::length_error{"more host memory asked for than messages are staged in"};
        auto* const here = first_ + used_;
        used_ += n;
        ++lent_;
        return here;
    }
    /// The last that comes back makes room for another row.
    void give_back() {
        if (--lent_ == 0) used_ = 0;
    }

private:
    memory_calls const& calls_;
    std::size_t bytes_;
    std::byte* first_;
    std::size_t used_ = 0;
    std::size_t lent_ = 0;
};

/// What of it a row borrows: a sonde::Memory.
struct borrowed_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    staging_room* from;

    void* allocate(std::size_t n) const { return from->lend(n); }
    void deallocate(void*, std::size_t) const { from->give_back(); }
    void fill(sonde::region bytes, std::byte value) const { sonde::host_memory{}.fill(bytes, value); }
};

} // namespace osu
