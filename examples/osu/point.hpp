// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "datatypes.hpp"
#include "options.hpp"
#include "program.hpp"
#include "words.hpp"

#include <sonde/record.hpp>

#include <cstddef>

namespace osu {

/// What one measurement is of: a datatype, the size of a row, messages under way together with each of some peers.
struct spot {
    datatype const& type;
    std::size_t size;
    std::size_t window = 1;
    std::size_t peers = 1;
};

/// Where buffers are, the host's too, if words or -d are given.
inline void say_places(sonde::point& at, program const& about, options const& asked, placements where) {
    if (!about.takes('d') || (!asked.words && asked.on == accelerator::none)) return;
    at.parameters.emplace_back("from", word(about, where.source));
    at.parameters.emplace_back("to", word(about, where.destination));
    if (stages(about)) at.parameters.emplace_back("staged", asked.staged ? "yes" : "no");
}

/// The same as a point of a record; every point of a program has the same parameters.
inline sonde::point point_of(program const& about, options const& asked, spot const& at, std::size_t transmitted) {
    sonde::point found{about.name, {{"bytes", at.size}, {"datatype", at.type.name}}};
    if (is_rate(about.shows)) found.parameters.emplace_back("window", at.window);
    found.parameters.emplace_back("buffers", asked.buffers_apart ? "multiple" : "single");
    say_places(found, about, asked, asked.words.value_or(placements{}));
    if (asked.cache) found.parameters.push_back(cache_parameter(*asked.cache));
    if (asked.data.kind != layout::plain) found.parameters.emplace_back("transmitted", transmitted);
    return found;
}

} // namespace osu
