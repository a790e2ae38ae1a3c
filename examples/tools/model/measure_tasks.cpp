// SPDX-License-Identifier: BSL-1.0
#include "measure_tasks.hpp"

#include <limits>

namespace tools::model {

std::size_t least_pairs(kind what) { return what == kind::multi ? 2 : 1; }

std::size_t most_pairs(kind what) {
    return what == kind::max_rate ? std::numeric_limits<std::size_t>::max() : least_pairs(what);
}

std::size_t records_of(kind what) { return what == kind::log_gp ? 5 : 1; }

std::vector<std::size_t> pair_counts(std::size_t most, bool every) {
    std::vector<std::size_t> all;
    for (std::size_t k = 1; k < most; k = every ? k + 1 : 2 * k) all.push_back(k);
    if (most != 0) all.push_back(most);
    return all;
}

std::vector<task> tasks_of(measure_request const& asked, std::size_t pairs) {
    auto const counts = asked.model == kind::max_rate ? pair_counts(pairs, asked.every_number_of_pairs)
                                                      : std::vector{least_pairs(asked.model)};
    std::vector<task> all;
    for (auto const bytes : asked.sizes)
        for (auto const k : counts) all.push_back({bytes, k});
    return all;
}

} // namespace tools::model
