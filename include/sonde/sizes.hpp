// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <stdexcept>

namespace sonde {

/// first, 2 first, 4 first ... up to last: for a `for` loop. From 0: 0, 1, 2, 4 ...
class sizes {
public:
    struct sentinel {};

    class iterator {
    public:
        iterator(std::size_t at, std::size_t last) : at_{at}, last_{last}, done_{at > last} {}
        std::size_t operator*() const { return at_; }
        iterator& operator++() {
            done_ = at_ == 0 ? last_ == 0 : at_ > last_ / 2;
            at_ = at_ == 0 ? 1 : 2 * at_;
            return *this;
        }
        bool operator!=(sentinel) const { return !done_; }

    private:
        std::size_t at_;
        std::size_t last_;
        bool done_;
    };

    /// Throws std::invalid_argument when last < first.
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
