// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/probe/region.hpp>
#include <sonde/time.hpp>

#include <list>
#include <string_view>
#include <utility>

namespace sonde {

/// The regions of one thread of an application: always on, silent until `collect`.
///
///     sonde::probe probe;
///     auto& halo = probe.region("halo", {.bytes = n});    // looked up once, before the loop
///     { auto const pass = halo.enter(); exchange(); }
///
/// A region stays where it is as long as the probe lives, and when the probe is moved; it takes less than 4 KiB.
template <Clock C>
class basic_probe {
public:
    basic_probe() = default;
    explicit basic_probe(C clock) : clock_{std::move(clock)} {}
    basic_probe(basic_probe&&) = default;
    basic_probe& operator=(basic_probe&&) = default;

    /// The region of this name, made where there is none. Throws std::invalid_argument where it moves other bytes.
    basic_region<C>& region(std::string_view name, each_pass moved = {}) & {
        return detail::region_in(regions_, name, moved, clock_);
    }

    void region(std::string_view, each_pass = {}) && = delete; // the probe would be gone

    std::list<basic_region<C>> const& regions() const& { return regions_; }
    void regions() const&& = delete;
    C const& clock() const { return clock_; }

private:
    [[no_unique_address]] C clock_{};
    std::list<basic_region<C>> regions_;
};

using probe = basic_probe<steady_clock>;
using probe_region = basic_region<steady_clock>;

} // namespace sonde
