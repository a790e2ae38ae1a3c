// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/kind.hpp>

#include <utility>

// MPI 4.0, 6.5 (gather) and 6.7 (gather to all).

namespace sonde::mpi {

namespace detail {

/// Every rank gets every rank's block; in place, its own lies there already.
template <class Layout>
class gathering_to_all {
public:
    std::size_t sends() const { return in_place_ ? 0 : all_.bytes(me_.self()); }
    std::size_t receives() const { return all_.span(); }
    std::vector<part> parts(int) const {
        return {{in_place_ ? all_.at(me_.self()) : 0, all_.bytes(me_.self()), everyone, in_place_}};
    }
    std::vector<piece> pieces(int) const {
        std::vector<piece> found;
        for (std::size_t i = 0; i != all_.blocks(); ++i)
            found.push_back({all_.at(i), all_.bytes(i), static_cast<int>(i), static_cast<int>(i)});
        return found;
    }
    traffic moves() const { return me_.share(all_.moved(), me_.others()); }

protected:
    template <class Given>
    gathering_to_all(group_ref ranks, Given all, buffers where)
        : me_{ranks}, all_{std::move(all), me_.peers()}, in_place_{where == in_place} {}
    void const* out(turn const& t) const { return in_place_ ? MPI_IN_PLACE : t.out; }

    member me_;
    Layout all_;
    bool in_place_;
};

/// The root gets every rank's block; in place, its own lies there already.
template <class Layout>
class gathering {
public:
    root at() const { return at_; }
    int ranks() const { return me_.size; }
    std::size_t sends() const { return in_place_ && only_root() ? 0 : all_.bytes(me_.self()); }
    std::size_t receives() const { return at_.rotates || only_root() ? all_.span() : 0; }
    std::vector<part> parts(int root) const {
        auto const there = in_place_ && me_.rank == root;
        return {{there ? all_.at(me_.self()) : 0, all_.bytes(me_.self()), everyone, there}};
    }
    std::vector<piece> pieces(int root) const {
        std::vector<piece> found;
        for (std::size_t i = 0; me_.rank == root && i != all_.blocks(); ++i)
            found.push_back({all_.at(i), all_.bytes(i), static_cast<int>(i), static_cast<int>(i)});
        return found;
    }
    traffic moves() const { return me_.share(all_.moved(), me_.others()); }

protected:
    template <class Given>
    gathering(group_ref ranks, Given all, root at, buffers where)
        : me_{ranks}, all_{std::move(all), me_.peers()}, at_{checked(at, me_.size)}, in_place_{where == in_place} {}
    bool only_root() const { return !at_.rotates && me_.rank == at_.rank; }
    void const* out(turn const& t) const { return in_place_ && me_.rank == t.root ? MPI_IN_PLACE : t.out; }

    member me_;
    Layout all_;
    root at_;
    bool in_place_;
};

} // namespace detail

/// MPI_Allgather: every rank gets a block from every rank.
class allgather : public detail::gathering_to_all<detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Allgather, Iallgather);

    allgather(group_ref ranks, block each, buffers where = buffers::apart) : gathering_to_all{ranks, each, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), all_.count(), all_.type(), t.in, all_.count(), all_.type(), me_.comm, more...);
    }
};

/// MPI_Allgatherv: the same, where blocks may differ in length.
class allgatherv : public detail::gathering_to_all<detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Allgatherv, Iallgatherv);

    /// `all`: the blocks as every rank receives them, equal on all ranks.
    allgatherv(group_ref ranks, blocks all, buffers where = buffers::apart)
        : gathering_to_all{ranks, std::move(all), where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), all_.count(me_.self()), all_.type(), t.in, all_.counts(), all_.displacements(), all_.type(),
                    me_.comm, more...);
    }
};

/// MPI_Gather: the root gets a block from every rank.
class gather : public detail::gathering<detail::even> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Gather, Igather);

    gather(group_ref ranks, block each, root at = 0, buffers where = buffers::apart)
        : gathering{ranks, each, at, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), all_.count(), all_.type(), t.in, all_.count(), all_.type(), t.root, me_.comm, more...);
    }
};

/// MPI_Gatherv: the same, where blocks may differ in length.
class gatherv : public detail::gathering<detail::varied> {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Gatherv, Igatherv);

    /// `all`: the blocks as the root receives them, equal on all ranks.
    gatherv(group_ref ranks, blocks all, root at = 0, buffers where = buffers::apart)
        : gathering{ranks, std::move(all), at, where} {}

    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(out(t), all_.count(me_.self()), all_.type(), t.in, all_.counts(), all_.displacements(), all_.type(),
                    t.root, me_.comm, more...);
    }
};

} // namespace sonde::mpi
