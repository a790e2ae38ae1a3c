// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt_setting.hpp"

#include "suite/contents.hpp"

#include <sonde/measure/run.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace imb::mt {

sonde::record run(member& self, plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at) {
    return sonde::run(self, how, pattern, std::move(at));
}

sonde::pairing pair_by_stride(int rank, int ranks, int stride) {
    auto const apart = distance(stride, ranks);
    if (apart <= 0 || apart > ranks / 2) return {};
    auto const block = rank / apart;
    if (block / 2 == ranks / (2 * apart)) return {};
    if (block % 2 == 0) return {sonde::role::initiator, rank + apart};
    return {sonde::role::responder, rank - apart};
}

plan setting::plan() const {
    auto const loop = test.timed == timing::loop;
    constexpr std::size_t between_calls = 5;
    start_barriers const how{options.synchronization != barrier::off, test.timed == timing::calls ? between_calls : 0};
    return mt::plan{}
        .synchronized(how)
        .warmup(options.warm_ups)
        .batch(loop ? options.repeats : 1)
        .until(sonde::samples{loop ? 1 : options.repeats})
        .keep({.rank_means = true});
}

sonde::point setting::point() const {
    auto const threads = self.size() / ranks.size();
    sonde::point point{test.name, {{"bytes", bytes}, {"processes", ranks.size()}, {"threads", threads}}};
    if (test.window) point.parameters.emplace_back("window", options.window);
    return point;
}

lengths lengths_of(benchmark const& test, options const& asked) {
    auto const most = test.sized ? *std::max_element(asked.counts.begin(), asked.counts.end()) : 0;
    auto const stride = stride_of(most * asked.element_bytes());
    constexpr std::size_t token = 64;
    return {stride, (test.window ? asked.window : test.receive_buffers) * stride + token};
}

namespace {

/// Element i of a thread's message: at most 1009, so that an int holds the sum over two million ranks.
int value(int rank, int thread, std::size_t i) {
    auto const number = 101 * static_cast<std::size_t>(rank) + 17 * static_cast<std::size_t>(thread) + i;
    return 1 + static_cast<int>(number % 1009);
}

/// Overwrite with bytes that no message has.
void clear(sonde::region buffer) {
    if (!buffer.empty()) std::memset(buffer.data(), 0xff, buffer.size());
}

/// Number of elements that differ from the sum of the sources' elements.
std::size_t wrong_values(sonde::region buffer, sonde::expected_block const& block, int thread) {
    std::size_t wrong = 0;
    auto const expected = [&](std::size_t i) {
        int sum = 0;
        for (auto rank = block.first_source; rank <= block.last_source; ++rank) sum += value(rank, thread, i);
        return sum;
    };
    suite::compare_each<int>(buffer.subspan(block.offset, block.bytes), expected, [&](auto const&) { ++wrong; });
    return wrong;
}

} // namespace

std::size_t wrong_elements(setting const& s, std::function<void()> repetition, expected_messages const& expected) {
    std::size_t mine = 0;
    auto const thread = s.self.thread();
    auto const prepare = [&](std::size_t) {
        suite::write_each<int>(s.out().next(), [&](std::size_t i) { return value(s.rank(), thread, i); });
        clear(s.buffers.in);
    };
    auto const verify = [&](std::size_t) {
        std::size_t wrong = 0;
        for (auto const& block : expected) wrong += wrong_values(s.buffers.in, block, thread);
        mine += wrong;
        return wrong;
    };
    static_cast<void>(sonde::validate(s.self, repetition, prepare, verify, 2));
    return mine;
}

} // namespace imb::mt
