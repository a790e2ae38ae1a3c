// SPDX-License-Identifier: BSL-1.0
#include "exchange.hpp"

#include "contents.hpp"
#include "p2p_patterns.hpp"

#include <sonde/run.hpp>

#include <utility>

namespace imb {

namespace {

/// The halves of what an Exchange sends: to the right the first.
sides halves(setting const& s, slots where) {
    auto const span = s.bytes * s.spread;
    auto const all = s.send.bytes().first(where.bytes());
    return {{all.subspan(span), span, where.stride}, {all, span, where.stride}};
}

exchange pattern_of(setting const& s, sides out, sides in) {
    return {{s.group, s.elements_of(s.bytes)}, std::move(out), std::move(in)};
}

/// What both neighbours sent, one after the other: the left one sent its first half.
movement two_messages(setting const& s, std::size_t next) {
    auto const span = s.bytes * s.spread;
    auto const rank = s.group.rank(), ranks = s.group.size();
    auto const from_left = (rank + ranks - 1) % ranks, from_right = (rank + 1) % ranks;
    return {{{{0, span, 0}, rank}, {{span, span, 1}, rank}},
            {{0, span, from_left, from_left, 0}, {next, span, from_right, from_right, 1}}};
}

/// Both messages arrive in one place while they are measured, apart where they are checked.
double exchange_defects(setting& s) {
    auto const span = s.bytes * s.spread;
    sonde::allocation<sonde::mpi::alloc_mem> in{2 * span + 1};
    auto const at = [&](std::size_t i) { return buffer{in.bytes().subspan(i * span, span + 1), span, span + 1}; };
    auto pattern = pattern_of(s, halves(s, {1, s.sends.stride}), {at(0), at(1)});
    return largest_deviation(
        s, {s.send.bytes(), in.bytes()}, [&pattern] { pattern(); }, [&](std::size_t) { return two_messages(s, span); });
}

} // namespace

work make_exchange(setting& s) {
    auto const measure = [&s](std::size_t n) -> outcome {
        auto const in = s.in(s.bytes);
        return {sonde::run(s.group, s.whole(n), pattern_of(s, halves(s, s.sends), {in, in}), s.point()), {}, {}};
    };
    return {measure, [&s] { return exchange_defects(s); }};
}

} // namespace imb
