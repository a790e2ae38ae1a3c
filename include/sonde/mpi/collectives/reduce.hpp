// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/block.hpp>
#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/kind.hpp>

#include <utility>

// MPI 4.0, 6.9 (reduce), 6.10 (reduce-scatter), 6.11 (scan). Operations combine in the order of ranks; one that does
// not commute is as good as any.

namespace sonde::mpi {

namespace detail {

/// A vector of every rank, combined element by element.
class combining {
public:
    std::size_t sends() const { return in_place_ ? 0 : all_.span(); }
    std::size_t receives() const { return all_.span(); }
    std::vector<part> parts(int) const { return {{0, all_.bytes(), everyone, in_place_}}; }

protected:
    combining(group_ref ranks, block all, MPI_Op op, buffers where)
        : me_{ranks}, all_{all, 1}, op_{checked(op)}, in_place_{where == in_place} {}
    std::vector<piece> combined(int first, int last) const { return {{0, all_.bytes(), first, last}}; }
    void const* out(turn const& t) const { return in_place_ ? MPI_IN_PLACE : t.out; }

    member me_;
    even all_;
    MPI_Op op_;
    bool in_place_;
};

} // namespace detail

/// MPI_Allreduce: every rank gets all vectors combined.
class allreduce : public detail::combining {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Allreduce, Iallreduce);

    allreduce(group_ref ranks, block all, MPI_Op op, buffers where = buffers::apart)
        : combining{ranks, all, op, where} {}

    std::vector<piece> pieces(int) const { return combined(0, me_.size - 1); }
    traffic moves() const { return me_.share(all_.moved(), 2 * me_.others()); }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), t.in, all_.count(), all_.type(), op_, me_.comm, more...);
    }
};

/// MPI_Reduce: the root gets all vectors combined; in place, its own lies there already.
class reduce : public detail::combining {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Reduce, Ireduce);

    reduce(group_ref ranks, block all, MPI_Op op, root at = 0, buffers where = buffers::apart)
        : combining{ranks, all, op, where}, at_{detail::checked(at, me_.size)} {}

    root at() const { return at_; }
    int ranks() const { return me_.size; }
    std::size_t sends() const { return in_place_ && only_root() ? 0 : all_.span(); }
    std::size_t receives() const { return at_.rotates || only_root() ? all_.span() : 0; }
    std::vector<part> parts(int root) const { return {{0, all_.bytes(), everyone, in_place_ && me_.rank == root}}; }
    std::vector<piece> pieces(int root) const {
        if (me_.rank != root) return {};
        return combined(0, me_.size - 1);
    }
    traffic moves() const { return me_.share(all_.moved(), 1); }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(in_place_ && me_.rank == t.root ? MPI_IN_PLACE : t.out, t.in, all_.count(), all_.type(), op_,
                    t.root, me_.comm, more...);
    }

private:
    bool only_root() const { return !at_.rotates && me_.rank == at_.rank; }

    root at_;
};

/// MPI_Scan: rank r gets the vectors of ranks 0 to r combined.
class scan : public detail::combining {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Scan, Iscan);

    scan(group_ref ranks, block all, MPI_Op op, buffers where = buffers::apart) : combining{ranks, all, op, where} {}

    std::vector<piece> pieces(int) const { return combined(0, me_.rank); }
    traffic moves() const { return me_.share(all_.moved(), 1); }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), t.in, all_.count(), all_.type(), op_, me_.comm, more...);
    }
};

/// MPI_Exscan: rank r gets the vectors of ranks 0 to r - 1 combined; rank 0 nothing.
class exscan : public detail::combining {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Exscan, Iexscan);

    exscan(group_ref ranks, block all, MPI_Op op, buffers where = buffers::apart) : combining{ranks, all, op, where} {}

    std::vector<piece> pieces(int) const {
        if (me_.rank == 0) return {};
        return combined(0, me_.rank - 1);
    }
    traffic moves() const { return me_.share(all_.moved(), 1); }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), t.in, all_.count(), all_.type(), op_, me_.comm, more...);
    }
};

namespace detail {

/// All vectors combined, of which every rank gets its block.
template <class Layout>
class combining_and_scattering {
public:
    std::size_t sends() const { return in_place_ ? 0 : all_.span(); }
    std::size_t receives() const { return in_place_ ? all_.span() : all_.bytes(me_.self()); }
    std::vector<part> parts(int) const { return {{0, all_.span(), everyone, in_place_}}; }
    std::vector<piece> pieces(int) const {
        return {{0, all_.bytes(me_.self()), 0, me_.size - 1, everyone, all_.at(me_.self())}};
    }
    traffic moves() const { return me_.share(all_.moved(), me_.others()); }

protected:
    template <class Given>
    combining_and_scattering(group_ref ranks, Given all, MPI_Op op, buffers where)
        : me_{ranks}, all_{std::move(all), me_.peers()}, op_{checked(op)}, in_place_{where == in_place} {}
    void const* out(turn const& t) const { return in_place_ ? MPI_IN_PLACE : t.out; }

    member me_;
    Layout all_;
    MPI_Op op_;
    bool in_place_;
};

} // namespace detail

/// MPI_Reduce_scatter_block: rank r gets block r of all vectors combined.
class reduce_scatter_block : public detail::combining_and_scattering<detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Reduce_scatter_block, Ireduce_scatter_block);

    reduce_scatter_block(group_ref ranks, block each, MPI_Op op, buffers where = buffers::apart)
        : combining_and_scattering{ranks, each, op, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), t.in, all_.count(), all_.type(), op_, me_.comm, more...);
    }
};

/// MPI_Reduce_scatter: the same, where blocks may differ in length.
class reduce_scatter : public detail::combining_and_scattering<detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Reduce_scatter, Ireduce_scatter);

    /// `counts`: elements for every rank, equal on all ranks.
    reduce_scatter(group_ref ranks, MPI_Datatype type, std::vector<std::size_t> const& counts, MPI_Op op,
                   buffers where = buffers::apart)
        : combining_and_scattering{ranks, blocks::packed(type, counts), op, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), t.in, all_.counts(), all_.type(), op_, me_.comm, more...);
    }
};

} // namespace sonde::mpi
