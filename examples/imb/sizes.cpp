// SPDX-License-Identifier: BSL-1.0
#include "sizes.hpp"

#include <algorithm>

namespace imb {

namespace {

std::size_t rounded_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

std::vector<std::size_t> doubled_sizes(options const& asked, std::size_t unit) {
    auto const largest = largest_size(asked, unit);
    std::vector<std::size_t> sizes;
    if (asked.zero_size) sizes.push_back(0);
    for (auto n = rounded_up(std::size_t{1} << asked.min_log, unit); n < largest; n *= 2) sizes.push_back(n);
    if (largest != 0 || sizes.empty()) sizes.push_back(largest);
    return sizes;
}

} // namespace

std::size_t largest_size(options const& asked, std::size_t unit) {
    return (std::size_t{1} << asked.max_log) / unit * unit;
}

std::vector<std::size_t> sizes_of(family kind, options const& asked, std::size_t unit) {
    if (kind == family::single_element) return {unit};
    if (kind == family::synchronization) return {largest_size(asked, unit)};
    if (asked.sizes.empty()) return doubled_sizes(asked, unit);
    auto sizes = asked.sizes;
    for (auto& n : sizes) n = rounded_up(std::min(n, largest_size(asked, unit)), unit);
    return sizes;
}

std::vector<std::size_t> cut_sizes(options const& asked) {
    std::vector<std::size_t> cut;
    for (auto const n : asked.sizes)
        if (n > std::size_t{1} << asked.max_log) cut.push_back(n);
    return cut;
}

} // namespace imb
