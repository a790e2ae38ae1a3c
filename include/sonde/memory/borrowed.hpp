// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace sonde {

/// The application's own array as a memory: measured where it lies, given back as it was.
///
/// `allocate(n)` lends the first n bytes and remembers what they hold; `deallocate` puts that back, so a pattern may
/// write into them. Throws std::length_error when the array is shorter than n, and std::logic_error when it is lent
/// already.
class borrowed {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    template <class T>
        requires std::is_trivially_copyable_v<T>
    explicit borrowed(std::span<T> array) : bytes_{std::as_writable_bytes(array)} {}

    void* allocate(std::size_t n) {
        if (lent_) throw std::logic_error{"sonde::borrowed: the array is lent already"};
        if (n > bytes_.size()) throw std::length_error{"sonde::borrowed: the array is shorter than what is asked for"};
        saved_.assign(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(n));
        lent_ = true;
        return bytes_.data();
    }
    void deallocate(void* p, std::size_t n) {
        std::memcpy(p, saved_.data(), n);
        lent_ = false;
    }
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }

private:
    region bytes_;
    std::vector<std::byte> saved_;
    bool lent_ = false;
};

/// The whole of an application's array, lent until the allocation ends.
template <class T>
[[nodiscard]] allocation<borrowed> borrow(std::span<T> array) {
    return allocation<borrowed>{array.size_bytes(), borrowed{array}};
}

} // namespace sonde
