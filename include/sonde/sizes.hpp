// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <stdexcept>

namespace sonde {

/// Range of message sizes in bytes, each twice the size before: first, 2 first, 4 first ... up to last. From 0: 0, 1,
/// 2, 4 ...
class sizes {
public:
    struct sentinel {};

    class iterator {
    public:
        iterator(std::size_t size, std::size_t last) : size_{size}, last_{last}, done_{size > last} {}
        std::size_t operator*() const { return size_; }
        iterator& operator++() {
            done_ = size_ == 0 ? last_ == 0 : size_ > last_ / 2; // doubling the largest sizes would overflow
            size_ = size_ == 0 ? 1 : 2 * size_;
            return *this;
        }
        bool operator!=(sentinel) const { return !done_; }

    private:
        std::size_t size_;
        std::size_t last_;
        bool done_;
    };

    /// Throws std::invalid_argument for last < first.
    sizes(std::size_t first, std::size_t last) : first_{first}, last_{last} {
        if (last < first) throw std::invalid_argument{"sonde::sizes: the last size is below the first"};
    }
    iterator begin() const { return {first_, last_}; }
    sentinel end() const { return {}; }

private:
    std::size_t first_;
    std::size_t last_;
};

} // namespace sonde
