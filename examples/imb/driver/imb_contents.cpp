// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_contents.hpp"

#include "imb/driver/imb_plan.hpp"
#include "suite/bit_check.hpp"
#include "suite/repeated_sums.hpp"

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

/// True if all bits of contributions are compared: `-check_bits`, unless they are added up.
bool checks_bits(setting const& s) { return s.bits != nullptr && !s.test.reduces; }

/// Ranks of a group are those of the world in what is said of wrong bits.
int world_rank(setting const& s, int rank) { return s.members->at(static_cast<std::size_t>(rank)); }

using contribution_writer = std::function<void(sonde::region, contribution const&)>;

void write_each(host_buffers& here, data_movement const& moved, contribution_writer const& write) {
    sonde::host_memory{}.fill(here.in.bytes(), std::byte{0});
    for (auto const& one : moved.contributions) {
        auto const& c = one.bytes;
        if (c.bytes != 0) write((c.in_recvbuf ? here.in : here.out).bytes().subspan(c.offset, c.bytes), one);
    }
    here.out.store();
    here.in.store();
}

void write_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    write_each(here, moved, [&](sonde::region block, contribution const& one) {
        auto const& [c, from] = one;
        if (checks_bits(s))
            suite::write_bits(block, {values.round, world_rank(s, from), c.destination}, c.source_offset);
        else write_contribution(block, elements_of(s), values, from, c.destination);
    });
}

std::size_t wrong_words_of_round(setting const& s, host_buffers& here, data_movement const& moved, std::size_t round) {
    auto const path = s.test.kind == family::collective ? suite::message_path::collective : suite::message_path::direct;
    std::size_t wrong = 0;
    for (auto const& b : moved.expected)
        if (b.bytes != 0)
            wrong += s.bits->compare(here.in.bytes().subspan(b.offset, b.bytes),
                                     {round, world_rank(s, b.first_source), b.destination}, b.source_offset, path);
    return wrong;
}

double worst_of_round(setting const& s, host_buffers& here, data_movement const& moved, known_values const& values) {
    double most = 0;
    here.in.load();
    if (checks_bits(s)) return wrong_words_of_round(s, here, moved, values.round) == 0 ? 0 : 1;
    std::vector<suite::wrong_word> words;
    for (auto const& block : moved.expected)
        compare_block(here.in.bytes(), elements_of(s), values, block, [&](suite::wrong_element const& w) {
            largest_of(most)(w);
            words.push_back({values.round, -1, s.world_rank, 0, w.at * elements_of(s).spacing,
                             suite::wrong_bits(elements_of(s).kind, w)});
        });
    if (s.bits != nullptr && suite::has_bytes(moved.expected)) s.bits->add_sum(words);
    return most;
}

/// `-check_bits` of a reduction of floating-point numbers whose root is always the same.
void repeat_sums(setting& s, host_buffers& here, std::function<void()> const& call, data_movement const& moved,
                 std::size_t runs) {
    auto const kind = elements_of(s).kind;
    auto const prepare = [&] {
        write_each(here, moved,
                   [&](sonde::region block, contribution const& one) { suite::write_rounded(block, kind, one.from); });
    };
    auto const result = [&] {
        here.in.load();
        return suite::bytes_of_blocks(here.in.bytes(), moved.expected);
    };
    s.bits->add_repeated(compare_runs(s.group, {prepare, call, result, s.test.name == "Allreduce", *s.members}, runs));
}

} // namespace

double largest_deviation(setting& s, regions const& of, std::function<void()> repetition,
                         std::function<data_movement(std::size_t)> const& moved, std::size_t least_rounds) {
    auto const rounds = s.bits == nullptr ? least_rounds : *s.options.bits;
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
    auto const adds_reals = s.test.reduces && s.bytes != 0 && element_of(s.test, s.options) != element::integer;
    if (s.bits != nullptr && adds_reals && !s.options.root_shift) repeat_sums(s, here, repetition, moved(0), rounds);
    return most[0];
}

} // namespace imb
