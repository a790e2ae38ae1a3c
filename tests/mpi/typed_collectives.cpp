// SPDX-License-Identifier: BSL-1.0
// Every datatype through every collective.
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"
#include "library_faults.hpp"
#include "typed_memory.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde;

namespace {

/// The memory of one collective with a datatype: made, filled, and compared with the memory that it must leave.
template <CollectiveOperation Op>
class trial {
public:
    trial(Op const& operation, typed::datatype const& type, typed::reduction how, int root, std::size_t behind)
        : operation_{operation}, type_{type}, how_{how}, root_{root},
          out_{operation.send_bytes(), std::byte{0x5a}, behind}, in_{operation.recv_bytes(), std::byte{0xa5}, behind} {}

    /// True if the pattern leaves the contributions of other ranks in the receive buffer and changes no other byte.
    template <class Make>
    bool delivers(int rank, Make make) {
        for (auto const& c : operation_.contributions(root_))
            (c.in_recvbuf ? in_ : out_)
                .write(type_, c.offset, elements_of(c.bytes), rank, c.destination, c.source_offset / unit());
        auto const sent = out_;
        auto expected = in_;
        for (auto const& b : operation_.expected_blocks(root_)) expect(expected, b);
        {
            auto pattern = make(slice{out_.all()}, slice{in_.all()});
            pattern();
        }
        for (auto const& b : operation_.expected_blocks(root_))
            in_.clear_padding(type_, b.offset, elements_of(b.bytes));
        return in_ == expected && out_ == sent;
    }

private:
    std::size_t unit() const { return std::max(type_.extent(), std::size_t{1}); }
    /// Elements whose span is `bytes`.
    std::size_t elements_of(std::size_t bytes) const {
        std::size_t n = 0;
        while (!type_.numbers.empty() && type_.span(n) < bytes) ++n;
        return n;
    }
    void expect(typed::memory& in, expected_block const& b) const {
        auto const first = b.source_offset / unit();
        in.write(type_, b.offset, elements_of(b.bytes), b.first_source, b.destination, first);
        for (auto from = b.first_source + 1; from <= b.last_source; ++from) {
            typed::memory other{in};
            other.write(type_, b.offset, elements_of(b.bytes), from, b.destination, first);
            in.combine(type_, b.offset, elements_of(b.bytes), other, b.offset, how_.combine);
        }
    }

    Op const& operation_;
    typed::datatype const& type_;
    typed::reduction how_;
    int root_;
    typed::memory out_, in_;
};

/// Checks one collective in each call mode.
struct all_right {
    mpi::group const& ranks;
    typed::datatype const& type;
    bool only_blocking = false;
    typed::reduction how{};
    mutable std::size_t behind = 0;

    template <CollectiveOperation Op>
    void operator()(Op const& operation) const {
        auto const check = [&](auto pattern, std::string const& name) {
            using P = decltype(pattern);
            if (only_blocking && name != Op::name) return;
            behind = 64 - behind;
            trial<Op> t{operation, type, how, ranks.size() - 1, behind};
            auto const right = t.delivers(ranks.rank(), [&](slice out, slice in) { return P{operation, out, in}; });
            CAPTURE(name);
            CAPTURE(type.name);
            CHECK(right);
        };
        // MPICH refuses two null pointers even for no bytes.
        std::vector<std::byte> out(operation.send_bytes() + 1), in(operation.recv_bytes() + 1);
        call_modes::each(operation, slice{out}, slice{in}, check, {.ranks = ranks.size()});
    }
};

} // namespace

TEST_CASE("every datatype arrives by every collective, and the bytes around its numbers stay as they are") {
    mpi::group ranks{application::comm()};
    auto const ring = mpi::topology::cartesian(ranks, {ranks.size()}, {true});
    mpi::group near{ring.comm()};
    typed::each([&](typed::datatype const& type) {
        if (type.name == "empty with extent" && !library::works("MPI_Allgather of an empty type with an extent"))
            return;
        auto const t = type.type.get();
        all_right const check{ranks, type}, once{ranks, type, true};
        if (type.is_plain()) return operations::collecting(ranks, placement::out_of_place, once, t);
        operations::collecting(ranks, placement::out_of_place, check, t);
        operations::collecting(ranks, in_place, once, t);
        operations::moving(ranks, ranks.size() - 1, placement::out_of_place, check, t);
        operations::moving(ranks, ranks.size() - 1, in_place, once, t);
        check(mpi::bcast{ranks, operations::three(t), ranks.size() - 1});
        operations::neighbors(near, all_right{near, type}, t);
    });
}

TEST_CASE("every reduction combines the numbers of every datatype for which MPI defines it, and no other byte") {
    mpi::group ranks{application::comm()};
    for (auto const& type : typed::predefined()) {
        auto const how = typed::reduction_for(type.letter);
        if (type.letter == 'o') continue;
        all_right const check{ranks, type, type.is_plain(), how};
        for (auto const where : {placement::out_of_place, in_place}) {
            operations::combining(ranks, type.type.get(), how.op, where, check);
            check(mpi::reduce{ranks, operations::three(type.type.get()), how.op, ranks.size() - 1, where});
        }
    }
}

TEST_CASE("a reduction of a datatype for which MPI does not define it throws on every rank") {
    mpi::group ranks{application::comm()};
    auto const check = [&](auto const& operation) {
        std::vector<std::byte> out(operation.send_bytes()), in(operation.recv_bytes());
        using Op = std::remove_cvref_t<decltype(operation)>;
        CAPTURE(Op::name);
        CHECK_THROWS_AS((mpi::blocking{operation, slice{out}, slice{in}}()), mpi::error);
        CHECK_THROWS_AS((mpi::nonblocking{operation, slice{out}, slice{in}}()), mpi::error);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
        CHECK_THROWS_AS((mpi::persistent{operation, slice{out}, slice{in}}()), mpi::error);
#endif
    };
    auto const refused = [&](typed::datatype const& type, MPI_Op op) {
        CAPTURE(type.name);
        operations::combining(ranks, type.type.get(), op, placement::out_of_place, check);
        check(mpi::reduce{ranks, operations::three(type.type.get()), op});
    };
    for (auto const& type : typed::predefined()) {
        if (type.name == "MPI_WCHAR" || type.name == "MPI_PACKED") refused(type, MPI_SUM);
        if (type.name == "MPI_DOUBLE" || type.letter == 'x') refused(type, MPI_BXOR);
        if (type.name == "MPI_INT") refused(type, MPI_MINLOC);
    }
    for (auto const& type : typed::derived()) refused(type, MPI_SUM);
}

TEST_CASE("numbers before the address of an element are refused by every collective, with the reason") {
    mpi::group ranks{application::comm()};
    auto const text = "sonde::mpi: the type begins before its region";
    auto const ignore = [](auto const&) {};
    for (auto const& type : typed::before()) {
        auto const t = type.type.get();
        CHECK_THROWS_WITH_AS(operations::collecting(ranks, in_place, ignore, t), text, std::invalid_argument);
        CHECK_THROWS_WITH_AS(operations::moving(ranks, 0, in_place, ignore, t), text, std::invalid_argument);
        CHECK_THROWS_WITH_AS(operations::combining(ranks, t, MPI_SUM, in_place, ignore), text, std::invalid_argument);
    }
}
