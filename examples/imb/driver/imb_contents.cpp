// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_contents.hpp"

#include "imb/driver/imb_plan.hpp"
#include "suite/known_values.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace imb {

namespace {

template <class T>
void write_values(sonde::region buffer, T (*value)(int rank, std::size_t i), int rank) {
    for (std::size_t i = 0; i != buffer.size() / sizeof(T); ++i) {
        auto const v = value(rank, i);
        std::memcpy(buffer.data() + i * sizeof v, &v, sizeof v);
    }
}

float real_value(int rank, std::size_t i) { return static_cast<float>(0.1 * (rank + 1) + static_cast<double>(i)); }

std::int32_t integer_value(int rank, std::size_t i) {
    return static_cast<std::int32_t>(10'000'000 * (1 + static_cast<std::int64_t>(rank)) +
                                     static_cast<std::int64_t>(i % 10'000'000));
}

} // namespace

void fill(message_memory& memory, buffer_layout const& layout, int rank, bool io) {
    if (layout.bytes() == 0) return;
    suite::host_view first{memory.memory(), memory.bytes().first(layout.stride)};
    if (io) write_values(first.bytes(), integer_value, rank);
    else write_values(first.bytes(), real_value, rank);
    first.store();
    for (std::size_t i = 1; i != layout.count; ++i) memory.write(i * layout.stride, first.bytes());
}

namespace {

using sonde::expected_block;

/// Distance of elements in bytes.
std::size_t spacing_of(setting const& s) { return s.element_bytes * s.extent_factor; }

/// Contents of one round, in elements of type T at a distance of `spacing` bytes.
template <class T>
class round_contents {
public:
    round_contents(known_values const& values, std::size_t spacing) : values_{values}, spacing_{spacing} {}

    void write(contribution const& c, sonde::region bytes) const {
        for (std::size_t i = 0; i != count(c.bytes.bytes); ++i) {
            auto const v = values_.element<T>(c.from, c.bytes.destination, i);
            std::memcpy(bytes.data() + c.bytes.offset + i * spacing_, &v, sizeof v);
        }
    }
    double worst(expected_block const& p, sonde::region bytes) const {
        double most = 0;
        for (std::size_t i = 0; i != count(p.bytes); ++i) {
            T actual{};
            std::memcpy(&actual, bytes.data() + p.offset + i * spacing_, sizeof actual);
            auto const value = static_cast<double>(expected(p, p.source_offset / spacing_ + i));
            most = std::max(most, deviation(value, static_cast<double>(actual)));
        }
        return most;
    }

private:
    std::size_t count(std::size_t bytes) const { return bytes == 0 ? 0 : (bytes - sizeof(T)) / spacing_ + 1; }
    T expected(expected_block const& p, std::size_t i) const {
        T sum = values_.element<T>(p.first_source, p.destination, i);
        for (int from = p.first_source + 1; from <= p.last_source; ++from)
            sum = static_cast<T>(sum + values_.element<T>(from, p.destination, i));
        return sum;
    }

    known_values values_;
    std::size_t spacing_;
};

/// Both buffers on the host.
struct host_buffers {
    suite::host_view out;
    suite::host_view in;
};

void write_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    sonde::host_memory{}.fill(here.in.bytes(), std::byte{0});
    with_element(element_of(s.test, s.options), [&](auto type) {
        round_contents<decltype(type)> const contents{values, spacing_of(s)};
        for (auto const& c : moved.contributions) contents.write(c, (c.bytes.in_recvbuf ? here.in : here.out).bytes());
    });
    here.out.store();
    here.in.store();
}

double worst_of_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    here.in.load();
    return with_element(element_of(s.test, s.options), [&](auto type) {
        round_contents<decltype(type)> const contents{values, spacing_of(s)};
        double most = 0;
        for (auto const& p : moved.expected) most = std::max(most, contents.worst(p, here.in.bytes()));
        return most;
    });
}

} // namespace

double largest_deviation(setting& s, regions const& of, std::function<void()> repetition,
                         std::function<data_movement(std::size_t)> const& moved, std::size_t rounds) {
    auto const added = s.test.reduces ? std::max(s.group.size(), 2) : 1;
    std::array<double, 1> most{};
    host_buffers here{{s.send.memory(), of.out}, {s.receive.memory(), of.in}};
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
