// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/kind.hpp>
#include <sonde/mpi/collectives/typed_blocks.hpp>

#include <utility>

// MPI 4.0, 6.8.

namespace sonde::mpi {

namespace detail {

/// Every rank has a block for every rank; in place, what is received replaces what was sent.
template <class Layout>
class exchanging_all {
public:
    std::size_t sends() const { return in_place_ ? 0 : out_.span(); }
    std::size_t receives() const { return in_.span(); }
    std::vector<part> parts(int) const {
        auto const& from = in_place_ ? in_ : out_;
        std::vector<part> found;
        for (std::size_t i = 0; i != from.blocks(); ++i)
            found.push_back({from.at(i), from.bytes(i), static_cast<int>(i), in_place_});
        return found;
    }
    std::vector<piece> pieces(int) const {
        std::vector<piece> found;
        for (std::size_t i = 0; i != in_.blocks(); ++i)
            found.push_back({in_.at(i), in_.bytes(i), static_cast<int>(i), static_cast<int>(i), me_.rank});
        return found;
    }
    traffic moves() const { return me_.share(in_.moved(), me_.others()); }

protected:
    template <class Given>
    exchanging_all(group_ref ranks, Given out, Given in, buffers where)
        : me_{ranks}, out_{std::move(out), me_.peers()}, in_{std::move(in), me_.peers()}, in_place_{where == in_place} {
    }
    void const* out(turn const& t) const { return in_place_ ? MPI_IN_PLACE : t.out; }

    member me_;
    Layout out_;
    Layout in_;
    bool in_place_;
};

} // namespace detail

/// MPI_Alltoall: every rank gets a block from every rank, each meant for it alone.
class alltoall : public detail::exchanging_all<detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Alltoall, Ialltoall);

    alltoall(group_ref ranks, block each, buffers where = buffers::apart) : exchanging_all{ranks, each, each, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), out_.count(), out_.type(), t.in, in_.count(), in_.type(), me_.comm, more...);
    }
};

/// MPI_Alltoallv: the same, where blocks may differ in length.
class alltoallv : public detail::exchanging_all<detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Alltoallv, Ialltoallv);

    /// What goes to each rank, and what comes from each; in place, the latter is both.
    alltoallv(group_ref ranks, blocks out, blocks in, buffers where = buffers::apart)
        : exchanging_all{ranks, std::move(out), std::move(in), where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), out_.counts(), out_.displacements(), out_.type(), t.in, in_.counts(), in_.displacements(),
                    in_.type(), me_.comm, more...);
    }
};

/// MPI_Alltoallw: the same, where blocks may differ in type, too.
class alltoallw : public detail::exchanging_all<detail::typed<int>> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Alltoallw, Ialltoallw);

    alltoallw(group_ref ranks, typed_blocks<int> out, typed_blocks<int> in, buffers where = buffers::apart)
        : exchanging_all{ranks, std::move(out), std::move(in), where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), out_.counts(), out_.displacements(), out_.types(), t.in, in_.counts(), in_.displacements(),
                    in_.types(), me_.comm, more...);
    }
};

} // namespace sonde::mpi
