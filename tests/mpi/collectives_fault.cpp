// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_kinds.hpp"
#include "collective_sweep.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace sonde;

namespace {

/// Bytes that this rank receives, as a user who checks is told.
template <mpi::Collective K>
std::vector<std::size_t> received(K const& kind) {
    std::vector<std::size_t> bytes;
    for (auto const& p : kind.pieces(sweep::root_in(kind, 0)))
        for (std::size_t i = 0; i != p.bytes; ++i) bytes.push_back(p.at + i);
    std::sort(bytes.begin(), bytes.end());
    return bytes;
}

/// Wrong elements here when the library spoils one byte of what `where` receives: the first, the middle or the last.
template <mpi::Collective K>
std::size_t errors_with_fault(K const& kind, int rank, int where, double place) {
    sweep::memories m{kind};
    mpi::blocking pattern{kind, slice{m.out.all()}, slice{m.in.all()}};
    sweep::prepare(kind, sweep::root_in(kind, 0), rank, 0, m);
    auto const bytes = received(kind);
    if (rank == where && !bytes.empty()) {
        auto const at = static_cast<std::size_t>(place * static_cast<double>(bytes.size() - 1));
        ledger::open().spoils = &m.in.all()[bytes[at]];
    }
    pattern();
    return sweep::wrong_here(kind, sweep::root_in(kind, 0), 0, m);
}

struct fault_is_seen {
    mpi::group& ranks;
    template <mpi::Collective K>
    void operator()(K const& kind) const {
        std::string const name = K::called.blocking_name;
        CAPTURE(name);
        auto const last = ranks.size() - 1;
        std::size_t const here = ranks.rank() == last && !received(kind).empty() ? 1 : 0;
        for (double const place : {0.0, 0.5, 1.0}) CHECK(errors_with_fault(kind, ranks.rank(), last, place) == here);
        ledger::open().spoils = nullptr;
    }
};

/// Does what `kind` says it receives agree with what MPI writes? Where memory was zeros in one run and ones in the
/// other, bytes that are equal afterwards were written.
template <mpi::Collective K>
std::vector<std::size_t> written(K const& kind, int rank) {
    auto const after = [&](std::byte before) {
        sweep::memories m{kind};
        mpi::blocking pattern{kind, slice{m.out.all()}, slice{m.in.all()}};
        m.in.clear(before);
        mpi::write_parts<sweep::number>(kind, sweep::root_in(kind, 0), rank, m.out.all(), m.in.all(),
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

TEST_CASE("one byte that the library spoils on one rank is one wrong element there, and none elsewhere") {
    mpi::group ranks{application::comm()};
    kinds::each(ranks, ranks.size() - 1, mpi::buffers::apart, fault_is_seen{ranks});
    kinds::each(ranks, ranks.size() - 1, mpi::in_place, fault_is_seen{ranks});
    auto const ring = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
    mpi::group near{ring.comm()};
    kinds::neighbours(near, fault_is_seen{near});
}

TEST_CASE("what is checked is what MPI writes, byte for byte") {
    mpi::group ranks{application::comm()};
    auto const check = [&](auto const& kind) {
        std::string const name = kind.called.blocking_name;
        CAPTURE(name);
        auto const bytes = written(kind, ranks.rank());
        if (library::works(name, {.ranks = ranks.size()})) CHECK(received(kind) == bytes);
    };
    kinds::each(ranks, ranks.size() - 1, mpi::buffers::apart, check);
    auto const line = mpi::topology::cartesian(ranks, {ranks.size()}, {false});
    mpi::group near{line.comm()};
    kinds::neighbours(near, check);
}
