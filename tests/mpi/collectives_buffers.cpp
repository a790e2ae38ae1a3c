// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"
#include "ledger.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t stride = 16;
using numbers = std::vector<sweep::number>;

rotating around(numbers& memory) {
    return {region{std::as_writable_bytes(std::span{memory})}, 3 * sizeof(sweep::number), stride};
}

/// Runs `n` iterations over three send regions, two receive regions, and every rank as root in turn.
template <class P>
std::size_t errors(mpi::group const& ranks, P& pattern, numbers& out, numbers& in) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i != 13; ++i) {
        auto const from = i % 3 * 4, to = i % 2 * 4;
        auto const root = static_cast<int>(i) % ranks.size();
        std::fill(out.begin(), out.end(), 0u);
        std::fill(in.begin(), in.end(), 0u);
        for (std::size_t k = 0; k != 3; ++k) out[from + k] = sweep::value(i, ranks.rank(), 0, k);
        pattern();
        numbers expected(in.size());
        for (std::size_t k = 0; ranks.rank() == root && k != 3; ++k)
            for (int r = 0; r != ranks.size(); ++r) expected[to + k] += sweep::value(i, r, 0, k);
        wrong += in != expected;
    }
    return wrong;
}

mpi::allreduce summing(mpi::group const& ranks) { return {ranks, operations::three(), MPI_SUM}; }

} // namespace

TEST_CASE("each iteration takes the next region and the next root, in every call mode") {
    mpi::group ranks{application::comm()};
    numbers out(11), in(7);
    mpi::reduce const operation{ranks, operations::three(), MPI_SUM, sonde::root_rank::rotating()};
    call_modes::each(operation, around(out), around(in), [&](auto pattern, std::string const& name) {
        auto const wrong = errors(ranks, pattern, out, in);
        CAPTURE(name);
        CHECK(wrong == 0);
    });
}

#if SONDE_MPI_PERSISTENT_COLLECTIVES
TEST_CASE("a persistent pattern has as many requests as iterations until region and root repeat together") {
    mpi::group ranks{application::comm()};
    numbers out(11), in(7);
    auto const before = ledger::current().persistent.size();
    {
        mpi::persistent const one{summing(ranks), slice{around(out).next()}, slice{around(in).next()}};
        CHECK(ledger::current().persistent.size() == before + 1);
        mpi::persistent const six{summing(ranks), around(out), around(in)};
        CHECK(ledger::current().persistent.size() == before + 1 + 6);
        mpi::reduce const each{ranks, operations::three(), MPI_SUM, sonde::root_rank::rotating()};
        mpi::persistent const many{each, slice{around(out).next()}, around(in)};
        auto const n = static_cast<std::size_t>(ranks.size());
        CHECK(ledger::current().persistent.size() == before + 1 + 6 + (n % 2 == 0 ? n : 2 * n));
    }
    CHECK(ledger::current().persistent.size() == before);
}
#endif

TEST_CASE("run continues a pattern at its current region and root") {
    mpi::group ranks{application::comm()};
    numbers out(11), in(7);
    mpi::blocking pattern{mpi::reduce{ranks, operations::three(), MPI_SUM, sonde::root_rank::rotating()}, around(out),
                          around(in)};
    (void)run(ranks, plan<>{}.warmup(0).until(samples{6 * static_cast<std::size_t>(ranks.size())}), pattern);
    auto const wrong = errors(ranks, pattern, out, in);
    CHECK(wrong == 0);
}

TEST_CASE("patterns can be returned, moved, and moved during an operation") {
    mpi::group ranks{application::comm()};
    numbers out(3), in(3);
    slice const from{std::as_writable_bytes(std::span{out})}, to{std::as_writable_bytes(std::span{in})};
    auto const check_moved = [&](auto make) {
        auto first = make();
        auto second = std::move(first);
        out = {1, 2, 3};
        second.start();
        auto third = std::move(second);
        third.wait();
        auto const n = static_cast<sweep::number>(ranks.size());
        CHECK(in == numbers{n, 2 * n, 3 * n});
    };
    check_moved([&] { return mpi::nonblocking{summing(ranks), from, to}; });
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    check_moved([&] { return mpi::persistent{summing(ranks), from, to}; });
#endif
}

TEST_CASE("the destructor of a pattern completes its operation and leaks nothing") {
    mpi::group ranks{application::comm()};
    numbers out{1, 2, 3}, in(3);
    slice const from{std::as_writable_bytes(std::span{out})}, to{std::as_writable_bytes(std::span{in})};
    auto const before = ledger::current().persistent.size();
    auto const check_ended = [&](auto pattern) {
        pattern.start();
        for (int i = 0; i != 20; ++i) PMPI_Barrier(application::comm()); // all have started; the library makes progress
    };
    check_ended(mpi::nonblocking{summing(ranks), from, to});
    CHECK(ledger::current().active_requests == 0);
    CHECK(in[0] == static_cast<sweep::number>(ranks.size()));
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    in = {0, 0, 0};
    check_ended(mpi::persistent{summing(ranks), from, to});
    CHECK(in[0] == static_cast<sweep::number>(ranks.size()));
#endif
    CHECK(ledger::current().persistent.size() == before);
}
