// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_contents.hpp"

#include "imb/driver/imb_plan.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace imb {

namespace {

float real_value(int rank, std::size_t i) { return static_cast<float>(0.1 * (rank + 1) + static_cast<double>(i)); }

std::int32_t integer_value(int rank, std::size_t i) {
    return static_cast<std::int32_t>(10'000'000 * (1 + static_cast<std::int64_t>(rank)) +
                                     static_cast<std::int64_t>(i % 10'000'000));
}

} // namespace

void write_initial(message_buffers const& sent, int rank, bool io) {
    auto const& [bytes, memory, layout] = sent;
    if (layout.bytes() == 0) return;
    suite::host_view first{memory, bytes.first(layout.stride)};
    if (io) write_each<std::int32_t>(first.bytes(), [=](std::size_t i) { return integer_value(rank, i); });
    else write_each<float>(first.bytes(), [=](std::size_t i) { return real_value(rank, i); });
    first.store();
    for (std::size_t i = 1; i != layout.count; ++i)
        memory.write(bytes.subspan(i * layout.stride, layout.stride), first.bytes());
}

namespace {

/// The elements of the setting's type.
suite::spaced_elements elements_of(setting const& s) {
    return {element_of(s.test, s.options), s.element_bytes * s.extent_factor};
}

/// Both buffers on the host.
struct host_buffers {
    suite::host_view out;
    suite::host_view in;
};

void write_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    sonde::host_memory{}.fill(here.in.bytes(), std::byte{0});
    for (auto const& [c, from] : moved.contributions)
        if (c.bytes != 0)
            write_contribution((c.in_recvbuf ? here.in : here.out).bytes().subspan(c.offset, c.bytes), elements_of(s),
                               values, from, c.destination);
    here.out.store();
    here.in.store();
}

double worst_of_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    double most = 0;
    here.in.load();
    for (auto const& block : moved.expected)
        compare_block(here.in.bytes(), elements_of(s), values, block, largest_of(most));
    return most;
}

} // namespace

double largest_deviation(setting& s, regions const& of, std::function<void()> repetition,
                         std::function<data_movement(std::size_t)> const& moved, std::size_t rounds) {
    auto const added = s.test.reduces ? std::max(s.group.size(), 2) : 1;
    std::array<double, 1> most{};
    host_buffers here{{s.send.memory, of.out}, {s.receive.memory, of.in}};
    auto const prepare = [&](std::size_t round) { write_round(s, here, moved(round), {round, added}); };
    auto const verify = [&](std::size_t round) {
        auto const worst = worst_of_round(s, here, moved(round), {round, added});
        most[0] = std::max(most[0], worst);
        return worst > 0 ? 1 : 0;
    };
    static_cast<void>(sonde::validate(s.group, repetition, prepare, verify, rounds));
    s.group.all_reduce(most, sonde::reduction::max);
    return most[0];
}

} // namespace imb
