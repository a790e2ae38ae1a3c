// SPDX-License-Identifier: BSL-1.0
#include "demands.hpp"

#include "types.hpp"

#include <algorithm>

namespace imb {

element element_of(benchmark const& test, options const& asked) { return test.reduces ? asked.reduced : asked.data; }

std::size_t unit_of(component const& about, benchmark const& test, options const& asked) {
    if (test.kind == family::single_element) return bytes_of(asked.reduced);
    return std::max(bytes_of(element_of(test, asked)), about.smallest_unit);
}

bool with_gaps(options const& asked) {
    return asked.contiguous == layout::resize || asked.contiguous == layout::resize_vec;
}

count_rules rules_of(component const& about, benchmark const& test, options const& asked, mode in, std::size_t ranks) {
    return {.iter = asked.iter,
            .by = policy_of(asked.counted, test.rooted),
            .time = asked.time,
            .max_log = asked.max_log,
            .ranks = ranks,
            .estimated = about.estimated_repetitions,
            .nonaggregate = in == mode::non_aggregate || test.counts_nonaggregate,
            .sized = test.kind != family::synchronization,
            .users_sizes = !asked.sizes.empty()};
}

lengths lengths_of(benchmark const& test, options const& asked, std::size_t bytes, std::size_t ranks, int rank) {
    auto const spread = with_gaps(asked) ? std::size_t{2} : std::size_t{1};
    auto const never_root = test.rooted && !asked.root_shift && rank != 0;
    auto const one = test.needs(std::max<std::size_t>(bytes, 4), never_root ? 1 : ranks);
    return {one.send * spread, one.receive * spread};
}

places places_of(component const& about, benchmark const& test, options const& asked, lengths const& of_one,
                 std::size_t most) {
    auto const rotates = !about.io && test.kind != family::synchronization;
    return {of_one, most, rotates ? asked.off_cache : std::nullopt, test.disjoint, room_of(asked)};
}

std::string advice_of(component const& about, benchmark const& test, options const& asked) {
    if (std::find(about.lacks.begin(), about.lacks.end(), "data_type") != about.lacks.end()) return {};
    if (element_of(test, asked) == element::double_real) return " Stopping benchmark";
    return test.reduces ? " use \"-red_data_type double\"" : " use \"-data_type double\"";
}

} // namespace imb
