// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace tools::replay {

/// Reads of memory while time passes between calls, as the application's own work reads its data: otherwise buffers and
/// tables of the MPI library stay in the first caches, and calls are faster than in the application.
class cache_reads {
public:
    cache_reads() : memory_(std::max(2 * second_level(), least)) {}

    /// Read the next eight cache lines, in about the time of a reading of the clock.
    void read_some() {
        char sum = 0;
        for (int i = 0; i != 8; ++i, at_ += line) sum = static_cast<char>(sum + memory_[at_]);
        if (at_ + 8 * line > memory_.size()) at_ = 0;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        last_ = sum;
    }

private:
    static constexpr std::size_t line = 64, least = std::size_t{1} << 20; // bytes

    /// Bytes of the second-level cache; 0 if the system does not say.
    static std::size_t second_level() {
#ifdef _SC_LEVEL2_CACHE_SIZE
        auto const bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
        return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
#else
        return 0;
#endif
    }

    std::vector<char> memory_;
    std::size_t at_ = 0;
    char volatile last_ = 0;
};

} // namespace tools::replay
