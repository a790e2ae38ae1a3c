// SPDX-License-Identifier: BSL-1.0
#include "counts.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace imb {

policy policy_of(policy asked, bool rooted) {
    if (asked != policy::automatic) return asked;
    return rooted ? policy::multiple_np : policy::dynamic;
}

std::size_t multiple_of_ranks(count_rules const& rules, std::size_t bytes) {
    auto const most = std::ldexp(1.0, rules.max_log);
    auto const all = static_cast<double>(rules.ranks) * static_cast<double>(std::max<std::size_t>(bytes, 4));
    auto const v = static_cast<std::size_t>(static_cast<double>(rules.iter.messages) * most / (all + most) + 0.5);
    return std::max(v - v % rules.ranks, rules.ranks);
}

sonde::seconds time_out(options const& asked) {
    auto const sizes = std::max(asked.sizes.size(), static_cast<std::size_t>(asked.max_log - asked.min_log));
    return asked.time * static_cast<double>(std::max<std::size_t>(sizes, 2) - 1);
}

std::size_t warm_up_count(std::size_t n) { return std::min(n, std::max<std::size_t>(10, n / 10)); }

std::size_t counts::candidate(std::size_t bytes) const {
    auto const most = rules_.nonaggregate ? rules_.iter.nonaggregate : rules_.iter.messages;
    if (bytes == 0 || !rules_.sized) return most;
    return std::max<std::size_t>(1, std::min(rules_.iter.volume / bytes, most));
}

std::size_t counts::most(std::size_t bytes) const {
    if (rules_.by == policy::off) return rules_.iter.messages;
    if (rules_.by == policy::multiple_np) return multiple_of_ranks(rules_, bytes);
    return candidate(bytes);
}

std::size_t counts::tried(std::size_t bytes, sonde::seconds once) const {
    auto const second = static_cast<double>(rules_.estimated);
    auto const t = once.count();
    auto const n = t < 1 / second ? second : t < 1 ? std::trunc(1 / t + 0.5) : 1;
    return std::min(candidate(bytes), static_cast<std::size_t>(n));
}

std::size_t counts::within_time(std::size_t bytes, sonde::seconds t) const {
    auto const most = candidate(bytes);
    auto const fit = 1 + rules_.time / t;
    auto limit = t.count() > 1e-8 && fit <= INT_MAX ? static_cast<std::size_t>(fit) : most;
    if (!rules_.users_sizes || !rules_.sized) return std::min({most, previous_, limit});
    for (auto const& earlier : before_)
        limit = earlier.bytes < bytes ? std::min(limit, earlier.n) : std::max(limit, earlier.n);
    return std::min(most, limit);
}

void counts::took(std::size_t bytes, std::size_t n) {
    previous_ = n;
    before_.push_back({bytes, n});
}

} // namespace imb
