// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/memory.hpp>
#include <sonde/shmem/session.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstdint>

using namespace sonde::shmem;

#if SONDE_SHMEM_TEAMS

namespace {

constexpr std::size_t bytes = 16, blocks = 3;

/// Puts with a signal to the right neighbor. Who finds the signal finds the blocks.
void check_signals(signal_op how, std::uint64_t expected, auto... policy) {
    symmetric_allocation from{bytes * blocks}, into{bytes * blocks};
    symmetric_array<std::uint64_t> signal{1};
    auto& own = signal.elements()[0];
    auto const right = (shmem_my_pe() + 1) % shmem_n_pes();
    from.fill(std::byte{9});
    into.fill(std::byte{0});
    shmem_barrier_all();
    put_signal const one{right, into.bytes(), from.bytes(), bytes, own, 5, how, policy...};
    CHECK(one.capacity() == blocks);
    CHECK(one.traffic().bytes == bytes);
    sonde::rma{no_completion{}, sonde::role::initiator, blocks, one}();
    shmem_signal_wait_until(&own, SHMEM_CMP_GE, expected);
    if (how == signal_op::add) CHECK(into.bytes().back() == std::byte{9});
    shmem_barrier_all();
    CHECK((into.bytes().front() == std::byte{9} && into.bytes().back() == std::byte{9}));
    CHECK(own == expected);
}

} // namespace

TEST_CASE("a put with a signal delivers the block before the signal") {
    check_signals(signal_op::set, 5);
    check_signals(signal_op::add, 5 * blocks);
    context const own;
    check_signals(signal_op::add, 5 * blocks, context_ref{own});
}

#endif
