// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/memory_plan.hpp"

#include <algorithm>
#include <climits>

namespace imb {

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
    if (std::find(about.lacks.begin(), about.lacks.end(), "data_type") != about.lacks.end()) return {};
    if (element_of(test, asked) == element::double_real) return " Stopping benchmark";
    return test.reduces ? " use \"-red_data_type double\"" : " use \"-data_type double\"";
}

} // namespace imb
