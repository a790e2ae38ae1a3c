// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../support.hpp"

#include <sonde/probe/collect.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace unit {

using probe_of_time = sonde::basic_probe<sonde::sim::manual_clock>;
using scope_of_time = sonde::basic_scope<sonde::sim::manual_clock>;

/// The scopes' names in order, each with the number of its parent: "step halo@0".
inline std::string outline(std::vector<sonde::scope_record> const& found) {
    std::string text;
    for (auto const& r : found)
        text += (text.empty() ? "" : " ") + r.name + (r.parent ? '@' + std::to_string(*r.parent) : std::string{});
    return text;
}

inline std::vector<std::size_t> depths(std::vector<sonde::scope_record> const& found) {
    std::vector<std::size_t> all;
    for (auto const& r : found) all.push_back(r.depth);
    return all;
}

inline std::vector<std::uint64_t> counts(std::vector<sonde::scope_record> const& found) {
    std::vector<std::uint64_t> all;
    for (auto const& r : found) all.push_back(r.times.count());
    return all;
}

} // namespace unit
