// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"
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
