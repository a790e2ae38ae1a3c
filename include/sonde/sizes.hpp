// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sonde {

/// Range of message sizes in bytes, each twice the size before: first, 2 first, 4 first ... up to last. From 0: 0, 1,
/// 2, 4 ...
class sizes {
public:
    /// Throws std::invalid_argument for last < first.
    sizes(std::size_t first, std::size_t last) {
        if (last < first) throw std::invalid_argument{"sonde::sizes: the last size is below the first"};
        all_.push_back(first);
        if (first == 0 && last != 0) all_.push_back(1);
        while (all_.back() != 0 && all_.back() <= last / 2) all_.push_back(2 * all_.back()); // does not overflow
    }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<std::size_t> all_;
};

} // namespace sonde
