// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_plan.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>

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

policy policy_of(policy asked, bool rooted) {
    if (asked != policy::automatic) return asked;
    return rooted ? policy::multiple_np : policy::dynamic;
}

count_rules rules_of(component const& about, benchmark const& test, options const& asked, mode in, std::size_t ranks) {
    return {.iter = asked.iter,
            .by = policy_of(asked.counted, test.rooted),
            .time = asked.time,
            .max_log = asked.max_log,
            .ranks = ranks,
            .estimated = about.estimated_repetitions,
            .nonaggregate = (in == mode::only ? test.counted_as : in) == mode::non_aggregate,
            .sized = test.kind != family::synchronization,
            .users_sizes = !asked.sizes.empty()};
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

std::size_t repetition_counts::iteration_limit(std::size_t bytes) const {
    auto const most = rules_.nonaggregate ? rules_.iter.nonaggregate : rules_.iter.messages;
    if (bytes == 0 || !rules_.sized) return most;
    return std::max<std::size_t>(1, std::min(rules_.iter.volume / bytes, most));
}

std::size_t repetition_counts::maximum(std::size_t bytes) const {
    if (rules_.by == policy::off) return rules_.iter.messages;
    if (rules_.by == policy::multiple_np) return multiple_of_ranks(rules_, bytes);
    return iteration_limit(bytes);
}

std::size_t repetition_counts::estimation_run(std::size_t bytes, sonde::seconds once) const {
    auto const limit = static_cast<double>(rules_.estimated);
    auto const t = once.count();
    auto const n = t < 1 / limit ? limit : t < 1 ? std::trunc(1 / t + 0.5) : 1;
    return std::min(iteration_limit(bytes), static_cast<std::size_t>(n));
}

std::size_t repetition_counts::within_time(std::size_t bytes, sonde::seconds t) const {
    auto const most = iteration_limit(bytes);
    auto const fit = 1 + rules_.time / t;
    auto limit = t.count() > 1e-8 && fit <= INT_MAX ? static_cast<std::size_t>(fit) : most;
    if (!rules_.users_sizes || !rules_.sized) return std::min({most, previous_, limit});
    for (auto const& [size, n] : earlier_) limit = size < bytes ? std::min(limit, n) : std::max(limit, n);
    return std::min(most, limit);
}

void repetition_counts::add(std::size_t bytes, std::size_t n) {
    previous_ = n;
    earlier_.push_back({bytes, n});
}

namespace {

constexpr std::size_t line_bytes = 64;

std::size_t rounded_up_quotient(std::size_t n, std::size_t divisor) { return (n + divisor - 1) / divisor; }
std::size_t whole_lines(std::size_t length) { return rounded_up_quotient(length, line_bytes) * line_bytes; }

/// IMB's layout of -off_cache: messages one to two cache lines apart, over twice the cache.
buffer_layout off_cache_layout(std::size_t length, std::size_t repetitions, cache const& c) {
    auto const stride = (rounded_up_quotient(length, c.line) + 1) * c.line;
    return {std::min(repetitions, rounded_up_quotient(2 * c.bytes, stride)), stride};
}

buffer_layout one_direction(std::size_t length, memory_request const& request, std::size_t repetitions) {
    if (length == 0) return {1, 0};
    if (request.off_cache) return off_cache_layout(length, repetitions, *request.off_cache);
    return request.disjoint ? buffer_layout{repetitions, whole_lines(length)} : buffer_layout{1, length};
}

std::size_t repetitions_within_limit(memory_request const& request) {
    auto const one = whole_lines(request.one.send) + whole_lines(request.one.receive);
    if (!request.disjoint || request.off_cache || one == 0) return request.repetitions;
    return std::min(request.repetitions, std::max<std::size_t>(1, request.limit / one));
}

} // namespace

memory_plan plan_memory(memory_request const& request) {
    auto const n = repetitions_within_limit(request);
    return {one_direction(request.one.send, request, n), one_direction(request.one.receive, request, n), n};
}

failure failure_of(lengths const& messages, std::size_t element_bytes, memory_plan const& memory, std::size_t limit) {
    if (std::max(messages.send, messages.receive) / element_bytes > INT_MAX) return failure::overflow;
    return memory.bytes() > limit ? failure::memory : failure::none;
}

std::size_t memory_limit(options const& asked) { return static_cast<std::size_t>(asked.memory * 0x1p30); }

element element_of(benchmark const& test, options const& asked) { return test.reduces ? asked.reduced : asked.data; }

std::size_t unit_of(component const& about, benchmark const& test, options const& asked) {
    if (test.kind == family::single_element) return bytes_of(asked.reduced);
    return std::max(bytes_of(element_of(test, asked)), about.smallest_unit);
}

std::size_t extent_factor_of(options const& asked) {
    return asked.contiguous == layout::resize || asked.contiguous == layout::resize_vec ? 2 : 1;
}

lengths lengths_of(benchmark const& test, options const& asked, std::size_t bytes, std::size_t ranks, int rank) {
    auto const factor = extent_factor_of(asked);
    auto const never_root = test.rooted && !asked.root_shift && rank != 0;
    auto const one = test.needs(std::max<std::size_t>(bytes, 4), never_root ? 1 : ranks);
    return {one.send * factor, one.receive * factor};
}

memory_request memory_request_of(component const& about, benchmark const& test, options const& asked,
                                 lengths const& one, std::size_t repetitions) {
    auto const rotates = !about.io && test.kind != family::synchronization;
    return {one, repetitions, rotates ? asked.off_cache : std::nullopt, test.disjoint, memory_limit(asked)};
}

std::string advice_of(component const& about, benchmark const& test, options const& asked) {
    if (about.lacks.contains(option_name::data_type)) return {};
    if (element_of(test, asked) == element::double_real) return " Stopping benchmark";
    return test.reduces ? " use \"-red_data_type double\"" : " use \"-data_type double\"";
}

} // namespace imb
