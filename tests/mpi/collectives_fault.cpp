// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace sonde;

namespace {

/// Wrong bytes that validation reports on this rank.
template <sonde::CollectiveOperation Op>
std::vector<std::size_t> received(Op const& operation) {
    std::vector<std::size_t> bytes;
    for (auto const& p : operation.expected_blocks(sweep::root_in(operation, 0)))
        for (std::size_t i = 0; i != p.bytes; ++i) bytes.push_back(p.offset + i);
    std::sort(bytes.begin(), bytes.end());
    return bytes;
}

/// Wrong elements here when the library corrupts one received byte of rank `where`: the first, the middle or the last.
template <sonde::CollectiveOperation Op>
std::size_t errors_with_fault(Op const& operation, int rank, int where, double place) {
    sweep::memories m{operation};
    mpi::blocking pattern{operation, slice{m.out.all()}, slice{m.in.all()}};
    sweep::prepare(operation, sweep::root_in(operation, 0), rank, 0, m);
    auto const bytes = received(operation);
    if (rank == where && !bytes.empty()) {
        auto const at = static_cast<std::size_t>(place * static_cast<double>(bytes.size() - 1));
        ledger::current().corrupted_byte = &m.in.all()[bytes[at]];
    }
    pattern();
    return sweep::wrong_here(operation, sweep::root_in(operation, 0), 0, m);
}

struct fault_is_seen {
    mpi::group& ranks;
    template <sonde::CollectiveOperation Op>
    void operator()(Op const& operation) const {
        std::string const name = Op::name;
        CAPTURE(name);
        auto const last = ranks.size() - 1;
        std::size_t const here = ranks.rank() == last && !received(operation).empty() ? 1 : 0;
        for (double const place : {0.0, 0.5, 1.0})
            CHECK(errors_with_fault(operation, ranks.rank(), last, place) == here);
        ledger::current().corrupted_byte = nullptr;
    }
};

/// True if the operation's expected blocks are the bytes that MPI writes: those that are equal after a run on zeros and
/// a run on ones.
template <sonde::CollectiveOperation Op>
std::vector<std::size_t> written(Op const& operation, int rank) {
    auto const after = [&](std::byte before) {
        sweep::memories m{operation};
        mpi::blocking pattern{operation, slice{m.out.all()}, slice{m.in.all()}};
        m.in.clear(before);
        sonde::write_contributions<sweep::number>(
            operation, sweep::root_in(operation, 0), rank, m.out.all(), m.in.all(),
            [](int from, int to, std::size_t i) { return sweep::value(0, from, to, i); });
        pattern();
        auto const bytes = m.in.all();
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    auto const zeros = after(std::byte{0}), ones = after(std::byte{0xFF});
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i != zeros.size(); ++i)
        if (zeros[i] == ones[i]) found.push_back(i);
    return found;
}

} // namespace

TEST_CASE("one byte that the library corrupts on one rank is one wrong element there, and none elsewhere") {
    mpi::group ranks{application::comm()};
    operations::each(ranks, ranks.size() - 1, sonde::placement::out_of_place, fault_is_seen{ranks});
    operations::each(ranks, ranks.size() - 1, sonde::in_place, fault_is_seen{ranks});
    auto const ring = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
    mpi::group near{ring.comm()};
    operations::neighbors(near, fault_is_seen{near});
}

TEST_CASE("the checked buffer is the one that MPI writes, byte for byte") {
    mpi::group ranks{application::comm()};
    auto const check = [&](auto const& operation) {
        std::string const name = operation.name;
        CAPTURE(name);
        auto const bytes = written(operation, ranks.rank());
        if (library::works(name, {.ranks = ranks.size()})) CHECK(received(operation) == bytes);
    };
    operations::each(ranks, ranks.size() - 1, sonde::placement::out_of_place, check);
    auto const line = mpi::topology::cartesian(ranks, {ranks.size()}, {false});
    mpi::group near{line.comm()};
    operations::neighbors(near, check);
}
