// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace tools::replay {

/// A value in shared memory that one thread writes and other processes read: a sequence lock. The writer never waits. A
/// reader gets a whole value, or none while the writer is in it. Memory of zeros is a record without a value.
template <class T>
class shared_record {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);

public:
    static constexpr std::size_t words = sizeof(T) / sizeof(std::uint64_t);

    /// The first `n` words are the value; those behind it keep what they were.
    void store(T const& value, std::size_t n = words) {
        std::uint64_t copy[words];
        std::memcpy(copy, &value, n * sizeof copy[0]);
        auto const version = version_.load(std::memory_order_relaxed);
        version_.store(version + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i != n; ++i) words_[i].store(copy[i], std::memory_order_relaxed);
        version_.store(version + 2, std::memory_order_release);
    }

    /// Empty if there was no value yet, or if the writer was always in it.
    std::optional<T> load() const {
        for (int attempt = 0; attempt != 1000; ++attempt) {
            std::uint64_t copy[words];
            auto const before = version_.load(std::memory_order_acquire);
            for (std::size_t i = 0; i != words; ++i) copy[i] = words_[i].load(std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_acquire);
            if (before % 2 != 0 || version_.load(std::memory_order_relaxed) != before) continue;
            if (before == 0) return std::nullopt;
            T value;
            std::memcpy(&value, copy, sizeof value);
            return value;
        }
        return std::nullopt;
    }

private:
    std::atomic<std::uint64_t> version_; // odd while the writer is in the value
    std::atomic<std::uint64_t> words_[words];
};

} // namespace tools::replay
