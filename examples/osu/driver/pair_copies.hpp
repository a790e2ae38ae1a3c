// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/driver/validation.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// What programs of copies between pairs of ranks have in common, as UPC and UPC++ have them: the lower half of the
// ranks puts into memory of the upper half, or gets from it, and OMB times the loop as a whole.

namespace osu {

enum class direction : unsigned char { put, get };

/// True on the ranks into whose memory the copies go.
constexpr bool receives(direction which, sonde::role own) {
    return own == (which == direction::put ? sonde::role::responder : sonde::role::initiator);
}

/// All iterations of a size are one sample.
inline constexpr sweep_plan pair_plan{
    .iterations = 10'000, .warmup = 1'000, .large = {100, 10}, .synchronize = before_each_size, .samples = 1};

/// Validate copies after a measurement with count_wrong of the driver: the source of a pair's other rank is in `target`
/// where this rank `receives`. Collective over the group.
template <class Driver>
std::size_t count_wrong_copies(Driver& on, auto& pattern, point const& at, sonde::region source, sonde::region target,
                               bool receives) {
    auto const values = [&at](std::size_t round) { return contents{at.type.kind, at.size, round}; };
    return on.count_wrong(at, {[&pattern] {
                                   pattern();
                                   pattern.complete();
                               },
                               [&](std::size_t round) {
                                   std::fill(target.begin(), target.end(), std::byte{0xff});
                                   osu::write(source.first(at.size), values(round));
                               },
                               [&](std::size_t round) {
                                   return receives ? osu::find_wrong(target.first(at.size), values(round))
                                                   : std::vector<wrong_element>{};
                               }});
}

/// A program whose driver is made of a row: a line with the number of pairs, then a row for each size.
template <class Driver, class Row>
suite::named_program named_copies(program about, Row const& row) {
    return named(std::move(about), [&row](invocation const& from) {
        auto const on = std::make_shared<Driver>(from, row);
        return prepared_run{on, "", [on] {
                                on->table().line("# [ pairs: " + std::to_string(on->world().size() / 2) + " ]");
                                on->each_point([&](point const& at) { return on->report(at, on->measure(at)); });
                            }};
    });
}

} // namespace osu
