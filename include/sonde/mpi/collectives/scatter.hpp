// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/kind.hpp>

#include <utility>

// MPI 4.0, 6.4 (broadcast) and 6.6 (scatter).

namespace sonde::mpi {

/// MPI_Bcast: every rank gets the root's block. There is one region, the one that is received into.
class bcast {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Bcast, Ibcast);

    bcast(group_ref ranks, block all, root at = 0) : me_{ranks}, all_{all, 1}, at_{detail::checked(at, me_.size)} {}

    root at() const { return at_; }
    int ranks() const { return me_.size; }
    std::size_t sends() const { return 0; }
    std::size_t receives() const { return all_.span(); }
    std::vector<part> parts(int root) const {
        if (me_.rank != root) return {};
        return {{0, all_.bytes(), everyone, true}};
    }
    std::vector<piece> pieces(int root) const { return {{0, all_.bytes(), root, root}}; }
    traffic moves() const { return me_.share(all_.moved(), 1); }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.in, all_.count(), all_.type(), t.root, me_.comm, more...);
    }

private:
    detail::member me_;
    detail::even all_;
    root at_;
};

namespace detail {

/// Every rank gets its block from the root; in place, the root's own stays where it is.
template <class Layout>
class scattering {
public:
    root at() const { return at_; }
    int ranks() const { return me_.size; }
    std::size_t sends() const { return at_.rotates || only_root() ? all_.span() : 0; }
    std::size_t receives() const { return in_place_ && only_root() ? 0 : all_.bytes(me_.self()); }
    std::vector<part> parts(int root) const {
        std::vector<part> found;
        for (std::size_t i = 0; me_.rank == root && i != all_.blocks(); ++i)
            found.push_back({all_.at(i), all_.bytes(i), static_cast<int>(i)});
        return found;
    }
    std::vector<piece> pieces(int root) const {
        if (in_place_ && me_.rank == root) return {};
        return {{0, all_.bytes(me_.self()), root, root, me_.rank}};
    }
    traffic moves() const { return me_.share(all_.moved(), me_.others()); }

protected:
    template <class Given>
    scattering(group_ref ranks, Given all, root at, buffers where)
        : me_{ranks}, all_{std::move(all), me_.peers()}, at_{checked(at, me_.size)}, in_place_{where == in_place} {}
    bool only_root() const { return !at_.rotates && me_.rank == at_.rank; }
    void* in(turn const& t) const { return in_place_ && me_.rank == t.root ? MPI_IN_PLACE : t.in; }

    member me_;
    Layout all_;
    root at_;
    bool in_place_;
};

} // namespace detail

/// MPI_Scatter: every rank gets a block from the root.
class scatter : public detail::scattering<detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Scatter, Iscatter);

    scatter(group_ref ranks, block each, root at = 0, buffers where = buffers::apart)
        : scattering{ranks, each, at, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, all_.count(), all_.type(), in(t), all_.count(), all_.type(), t.root, me_.comm, more...);
    }
};

/// MPI_Scatterv: the same, where blocks may differ in length.
class scatterv : public detail::scattering<detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Scatterv, Iscatterv);

    /// `all`: the blocks as the root sends them, equal on all ranks.
    scatterv(group_ref ranks, blocks all, root at = 0, buffers where = buffers::apart)
        : scattering{ranks, std::move(all), at, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.out, all_.counts(), all_.displacements(), all_.type(), in(t), all_.count(me_.self()), all_.type(),
                    t.root, me_.comm, more...);
    }
};

} // namespace sonde::mpi
