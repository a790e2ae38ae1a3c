// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/kind.hpp>
#include <sonde/mpi/collectives/typed_blocks.hpp>
#include <sonde/mpi/topology.hpp>

#include <utility>

// MPI 4.0, 8.6: collectives among neighbours, on a group with a topology. None works in place.

namespace sonde::mpi {

namespace detail {

/// Every rank gets a block from each of its sources: the same that others get of it, or one meant for this rank alone.
template <class Out, class In>
class exchanging_with_neighbours {
public:
    std::size_t sends() const { return out_.span(); }
    std::size_t receives() const { return in_.span(); }
    std::vector<part> parts(int) const {
        std::vector<part> found;
        if (same_to_all_) return {{0, out_.bytes(0), everyone}};
        for (std::size_t i = 0; i != out_.blocks(); ++i)
            if (auto const to = near_.destinations[i]; to != MPI_PROC_NULL)
                found.push_back({out_.at(i), out_.bytes(i), to});
        return found;
    }
    std::vector<piece> pieces(int) const {
        std::vector<piece> found;
        for (std::size_t i = 0; i != in_.blocks(); ++i)
            if (auto const from = near_.sources[i]; from != MPI_PROC_NULL)
                found.push_back({in_.at(i), in_.bytes(i), from, from, same_to_all_ ? everyone : me_.rank});
        return found;
    }
    traffic moves() const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i != in_.blocks(); ++i)
            if (near_.sources[i] != MPI_PROC_NULL) bytes += in_.moved(i);
        return me_.share(bytes, 1);
    }
    neighbourhood const& neighbours() const { return near_; }

protected:
    /// `out`: of each destination, or of all; `in`: of each source.
    template <class GivenOut, class GivenIn>
    exchanging_with_neighbours(group_ref ranks, bool same_to_all, GivenOut out, GivenIn in)
        : me_{ranks}, near_{neighbourhood_of(ranks.comm())}, same_to_all_{same_to_all},
          out_{std::move(out), same_to_all ? 1 : near_.destinations.size()}, in_{std::move(in), near_.sources.size()} {}

    member me_;
    neighbourhood near_;
    bool same_to_all_;
    Out out_;
    In in_;
};

} // namespace detail

/// MPI_Neighbor_allgather: every rank gets a block from each of its sources.
class neighbor_allgather : public detail::exchanging_with_neighbours<detail::even, detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Neighbor_allgather, Ineighbor_allgather);

    neighbor_allgather(group_ref ranks, block each) : exchanging_with_neighbours{ranks, true, each, each} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, out_.count(), out_.type(), t.in, in_.count(), in_.type(), me_.comm, more...);
    }
};

/// MPI_Neighbor_allgatherv: the same, where blocks may differ in length.
class neighbor_allgatherv : public detail::exchanging_with_neighbours<detail::even, detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Neighbor_allgatherv, Ineighbor_allgatherv);

    /// What goes to every destination, and what comes from each source.
    neighbor_allgatherv(group_ref ranks, block out, blocks in)
        : exchanging_with_neighbours{ranks, true, out, std::move(in)} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, out_.count(), out_.type(), t.in, in_.counts(), in_.displacements(), in_.type(), me_.comm,
                    more...);
    }
};

/// MPI_Neighbor_alltoall: every rank gets a block from each of its sources, each meant for it alone.
class neighbor_alltoall : public detail::exchanging_with_neighbours<detail::even, detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Neighbor_alltoall, Ineighbor_alltoall);

    neighbor_alltoall(group_ref ranks, block each) : exchanging_with_neighbours{ranks, false, each, each} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, out_.count(), out_.type(), t.in, in_.count(), in_.type(), me_.comm, more...);
    }
};

/// MPI_Neighbor_alltoallv: the same, where blocks may differ in length.
class neighbor_alltoallv : public detail::exchanging_with_neighbours<detail::varied, detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Neighbor_alltoallv, Ineighbor_alltoallv);

    neighbor_alltoallv(group_ref ranks, blocks out, blocks in)
        : exchanging_with_neighbours{ranks, false, std::move(out), std::move(in)} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, out_.counts(), out_.displacements(), out_.type(), t.in, in_.counts(), in_.displacements(),
                    in_.type(), me_.comm, more...);
    }
};

/// MPI_Neighbor_alltoallw: the same, where blocks may differ in type, too.
class neighbor_alltoallw : public detail::exchanging_with_neighbours<detail::typed<MPI_Aint>, detail::typed<MPI_Aint>> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Neighbor_alltoallw, Ineighbor_alltoallw);

    neighbor_alltoallw(group_ref ranks, typed_blocks<MPI_Aint> out, typed_blocks<MPI_Aint> in)
        : exchanging_with_neighbours{ranks, false, std::move(out), std::move(in)} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, out_.counts(), out_.displacements(), out_.types(), t.in, in_.counts(), in_.displacements(),
                    in_.types(), me_.comm, more...);
    }
};

} // namespace sonde::mpi
