// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/measure/run.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Validation of a collective of any backend on 32-bit numbers, by its description alone.
namespace contents {

using number = std::int32_t;

/// Element i of a rank's contribution to another rank in a round; sums of it do not overflow.
inline number value(std::size_t round, int rank, int to, std::size_t i) {
    auto const who = (round * 16 + static_cast<unsigned>(rank + 1)) * 16 + static_cast<unsigned>(to + 2);
    return static_cast<number>((who * 7919 + i * 104'729) % 1'000'003);
}

/// Copies of the send and the receive buffer in host memory.
struct buffers {
    std::vector<std::byte> out, in;
};

inline int root_of(auto const& operation) {
    if constexpr (requires { operation.root(); }) return sonde::root_rank{operation.root()}.rank;
    else return 0;
}

/// Wrong elements in two rounds of a pattern on all ranks. `store(buffers)` writes the contents of both buffers to the
/// memory of the pattern, `load(buffers)` reads them back; `damage(in)` may change what was received.
template <class G, class P>
std::size_t wrong(G& ranks, P& pattern, auto store, auto load, auto damage) {
    auto const& operation = pattern.operation();
    auto const root = root_of(operation);
    buffers here{std::vector<std::byte>(operation.send_bytes()), std::vector<std::byte>(operation.recv_bytes())};
    auto const prepare = [&](std::size_t round) {
        here.in.assign(here.in.size(), std::byte{0xEE});
        sonde::write_contributions<number>(operation, root, ranks.rank(), here.out, here.in,
                                           [&](int from, int to, std::size_t i) { return value(round, from, to, i); });
        store(here);
    };
    auto const verify = [&](std::size_t round) {
        load(here);
        damage(here.in);
        std::size_t errors = 0;
        sonde::for_each_received<number>(
            operation, root, here.in, [&](int from, int to, std::size_t i) { return value(round, from, to, i); },
            [](number a, number b) { return a + b; },
            [&](std::size_t, number expected, number found) { errors += expected != found; });
        ranks.barrier(); // before the next round writes to the memory of another rank
        return errors;
    };
    return sonde::validate(ranks, pattern, prepare, verify, 2);
}

inline void keep(std::vector<std::byte>&) {}

/// An operation whose call does nothing.
template <class Op>
struct silent : Op {
    void invoke(auto const&...) const {}
};

/// Damage of the last received byte of a rank, where it receives any.
auto last_byte_of(auto const& operation) {
    return [blocks = operation.expected_blocks(root_of(operation))](std::vector<std::byte>& in) {
        if (!blocks.empty()) in[blocks.back().offset + blocks.back().bytes - 1] ^= std::byte{1};
    };
}

/// Number of ranks that receive something.
template <class G>
std::size_t receivers(G& ranks, auto const& operation) {
    double n[] = {operation.expected_blocks(root_of(operation)).empty() ? 0.0 : 1.0};
    ranks.all_reduce(n, sonde::reduction::sum);
    return static_cast<std::size_t>(n[0]);
}

/// Right contents, a call that does nothing, and one damaged byte on each rank, in two rounds: `wrong_of(operation,
/// damage)` is the number of wrong elements on all ranks. Collective; a rank outside of the group has none.
template <class G, class Op>
void check(G& ranks, Op const& operation, auto wrong_of) {
    auto const n = ranks.rank() < 0 ? 0 : receivers(ranks, operation);
    CAPTURE(Op::name);
    CHECK(wrong_of(operation, keep) == 0);
    CHECK((wrong_of(silent<Op>{operation}, keep) > 0) == (n > 0));
    CHECK(wrong_of(operation, last_byte_of(operation)) == 2 * n);
}

} // namespace contents
