// SPDX-License-Identifier: BSL-1.0
#include "asked_cache.hpp"

#include "buffers.hpp"
#include "common.hpp"
#include "option_values.hpp"
#include "words.hpp"

#include <sonde/memory.hpp>

#include <algorithm>

namespace osu {

namespace {

bool rotates(options const& asked) { return asked.cache == sonde::cache::rotate; }

void refuse(std::string const& why, std::string const& what, std::string const& accepted) {
    throw refusal{why + " [--cache " + what + "]; accepted: " + accepted};
}

void require_fitting_flush(options const& asked, program const& about) {
    if (asked.sync_start == start::none)
        refuse("Ranks that do not wait would flush caches while others measure", "flushed --sync none",
               "another --sync");
    if (is_rate(about.shows) && !asked.buffers_apart)
        refuse("In one buffer, only the first message of a window is cold", "flushed -b single", "-b multiple");
}

} // namespace

void set_cache(options& into, program const& about, std::string const& text) {
    auto const persistent = about.name.ends_with("_persistent");
    if (text == "warm") into.cache = sonde::cache::warm;
    else if (text == "rotating" && !persistent) into.cache = sonde::cache::rotate;
    else if (text == "flushed") into.cache = sonde::cache::flush;
    else if (text == "rotating")
        throw bad_value{"Requests would rotate with their buffers, and be as cold", "warm, flushed"};
    else throw bad_value{"Invalid cache policy", persistent ? "warm, flushed" : "warm, rotating, flushed"};
}

void require_fitting_cache(options const& asked, program const& about) {
    if (!asked.cache) return;
    auto const word = cache_parameter(*asked.cache).text;
    if (auto const wish = device_wish(asked); !wish.empty()) refuse("Caches are the host's", word + " " + wish, "H H");
    if (rotates(asked) && asked.check.on)
        refuse("Contents of buffers that rotate are not checked", word + " -c", "one of the two");
    if (asked.cache == sonde::cache::flush) require_fitting_flush(asked, about);
}

std::size_t regions_for(options const& asked, std::size_t span, std::size_t together) {
    auto const apart = asked.buffers_apart ? together : 1;
    if (!rotates(asked)) return apart;
    auto const all = 2 * sonde::last_level_cache() / sonde::host_allocation::stride_of(span) + 1;
    return std::max({apart, all, std::size_t{2}});
}

std::size_t bytes_for(options const& asked, std::size_t largest, std::size_t together) {
    auto const of_largest = places{largest, regions_for(asked, largest, together)}.bytes();
    return rotates(asked) ? std::max(of_largest, 2 * sonde::last_level_cache() + largest) : of_largest;
}

} // namespace osu
