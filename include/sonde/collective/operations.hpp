// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

// Base classes of collective operations, one for each way to move data (MPI 4.0, figure 6.1): sizes, contents and
// traffic. A backend derives its operations from them and adds a name and the call.
//
// `Member` is this rank in its group, as the backend's calls need it: it derives from group_member. `Root` is root_rank
// for a root that may rotate, int for a fixed root, and no_root for an operation without a root. `Layout` has the
// blocks of a region:
//
//     Layout::description           how a user describes the blocks; the constructor takes it with their number
//     layout.blocks()               number of blocks
//     layout.offset(i)              offset of block i in bytes
//     layout.span(i), span()        bytes of block i, and of a region that holds all blocks
//     layout.payload(i), payload()  bytes of data in block i, and in all blocks; gaps do not count

namespace sonde::inline v0_1 {

struct no_root {};

/// This rank in its group, and the name of the library for messages: "sonde::mpi".
struct group_member {
    int rank;            // of the caller
    int size;            // number of ranks
    char const* library; // for messages: "sonde::mpi"
};

/// Layout of blocks of one length, one after the other. `Block` has `bytes()`.
template <class Block>
class uniform_blocks {
public:
    using description = Block;

    uniform_blocks(Block each, std::size_t n) : each_{each}, bytes_{each.bytes()}, n_{n} {}

    /// The description of every block.
    Block const& each() const { return each_; }
    /// Number of blocks.
    std::size_t blocks() const { return n_; }
    /// Offset of block i in bytes.
    std::size_t offset(std::size_t i) const { return i * bytes_; }
    /// Bytes of a block.
    std::size_t span(std::size_t) const { return bytes_; }
    /// Bytes of all blocks.
    std::size_t span() const { return n_ * bytes_; }
    /// Bytes of data in a block.
    std::size_t payload(std::size_t) const { return bytes_; }
    /// Bytes of data in all blocks.
    std::size_t payload() const { return span(); }

private:
    Block each_;
    std::size_t bytes_;
    std::size_t n_;
};

/// Base class of collective operations: this rank in its group, the root, and the placement of the data. In an
/// operation without a root, every rank counts as the root. Throws std::invalid_argument for a root that is not a rank.
template <std::derived_from<group_member> Member, class Root = no_root>
class collective_base {
    static constexpr bool is_rooted = !std::same_as<Root, no_root>;
    static constexpr bool may_rotate = std::same_as<Root, root_rank>;

public:
    Root root() const
        requires is_rooted
    {
        return root_;
    }
    int group_size() const { return member_.size; }

protected:
    collective_base(Member member, Root root = {}, placement where = placement::out_of_place)
        : member_{std::move(member)}, in_place_{where == placement::in_place}, root_{root} {
        if constexpr (is_rooted) detail::require_root(member_.library, root_rank{root}.rank, member_.size);
    }

    std::size_t self() const { return static_cast<std::size_t>(member_.rank); }
    std::size_t ranks() const { return static_cast<std::size_t>(member_.size); }
    bool is_root(int root) const { return !is_rooted || member_.rank == root; }
    bool is_ever_root() const {
        if constexpr (may_rotate) return root_.rotates || is_root(root_.rank);
        else if constexpr (is_rooted) return is_root(root_);
        else return true;
    }
    bool is_in_place(int root) const { return in_place_ && is_root(root); }
    bool is_always_in_place() const {
        if constexpr (may_rotate) return !root_.rotates && is_in_place(root_.rank);
        else return in_place_ && is_ever_root();
    }
    /// Traffic of one operation: the total number of bytes, which every rank reports, and the bus-bandwidth factor.
    traffic share(std::size_t bytes, double bus_factor) const { return {bytes, 1, 1, bus_factor, ranks()}; }
    /// Fraction of the data that other ranks hold, because no link carries data from a rank to itself.
    double remote_fraction() const { return static_cast<double>(member_.size - 1) / member_.size; }
    /// This rank contributes block i to rank i.
    std::vector<contribution> block_for_each(auto const& all, bool in_recvbuf = false) const {
        std::vector<contribution> found;
        for (std::size_t i = 0; i != all.blocks(); ++i)
            found.push_back({all.offset(i), all.span(i), static_cast<int>(i), in_recvbuf});
        return found;
    }
    /// This rank receives block i from rank i.
    std::vector<expected_block> block_from_each(auto const& all, int destination = all_ranks) const {
        std::vector<expected_block> found;
        for (std::size_t i = 0; i != all.blocks(); ++i)
            found.push_back({all.offset(i), all.span(i), static_cast<int>(i), static_cast<int>(i), destination});
        return found;
    }

    Member member_;
    bool in_place_;

private:
    [[no_unique_address]] Root root_;
};

/// No data: a barrier.
template <class Member>
class barrier_base : public collective_base<Member> {
public:
    std::size_t send_bytes() const { return 0; }
    std::size_t recv_bytes() const { return 0; }
    std::vector<contribution> contributions(int) const { return {}; }
    std::vector<expected_block> expected_blocks(int) const { return {}; }
    sonde::traffic traffic() const { return this->share(0, 1); }

protected:
    using collective_base<Member>::collective_base;
};

/// Every rank receives the root's block; in place, each rank has a single buffer, and the root sends from its receive
/// buffer.
template <class Member, class Root, class Layout>
class broadcast_base : public collective_base<Member, Root> {
public:
    std::size_t send_bytes() const { return this->in_place_ || !this->is_ever_root() ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return all_.span(); }
    std::vector<contribution> contributions(int root) const {
        if (!this->is_root(root)) return {};
        return {{0, all_.span(), all_ranks, this->in_place_}};
    }
    std::vector<expected_block> expected_blocks(int root) const { return {{0, all_.span(), root, root}}; }
    sonde::traffic traffic() const { return this->share(all_.payload(), 1); }

protected:
    broadcast_base(Member member, typename Layout::description all, Root root, placement where)
        : broadcast_base::collective_base{std::move(member), root, where}, all_{std::move(all), 1} {}

    Layout all_;
};

/// The root, or without a root every rank, receives a block of every rank; in place, its own block is in the receive
/// buffer already. `all`: the blocks as they are received, equal on all ranks.
template <class Member, class Root, class Layout>
class gather_base : public collective_base<Member, Root> {
public:
    std::size_t send_bytes() const { return this->is_always_in_place() ? 0 : all_.span(this->self()); }
    std::size_t recv_bytes() const { return this->is_ever_root() ? all_.span() : 0; }
    std::vector<contribution> contributions(int root) const {
        auto const in_recvbuf = this->is_in_place(root);
        return {{in_recvbuf ? all_.offset(this->self()) : 0, all_.span(this->self()), all_ranks, in_recvbuf}};
    }
    std::vector<expected_block> expected_blocks(int root) const {
        if (!this->is_root(root)) return {};
        return this->block_from_each(all_);
    }
    sonde::traffic traffic() const { return this->share(all_.payload(), this->remote_fraction()); }

protected:
    gather_base(Member member, typename Layout::description all, Root root, placement where)
        : gather_base::collective_base{std::move(member), root, where}, all_{std::move(all), this->ranks()} {}

    Layout all_;
};

/// Every rank receives its block from the root; in place, the root's own block stays in the send buffer. `all`: the
/// blocks as the root sends them, equal on all ranks.
template <class Member, class Root, class Layout>
class scatter_base : public collective_base<Member, Root> {
public:
    std::size_t send_bytes() const { return this->is_ever_root() ? all_.span() : 0; }
    std::size_t recv_bytes() const { return this->is_always_in_place() ? 0 : all_.span(this->self()); }
    std::vector<contribution> contributions(int root) const {
        if (!this->is_root(root)) return {};
        return this->block_for_each(all_);
    }
    std::vector<expected_block> expected_blocks(int root) const {
        if (this->is_in_place(root)) return {};
        return {{0, all_.span(this->self()), root, root, this->member_.rank}};
    }
    sonde::traffic traffic() const { return this->share(all_.payload(), this->remote_fraction()); }

protected:
    scatter_base(Member member, typename Layout::description all, Root root, placement where)
        : scatter_base::collective_base{std::move(member), root, where}, all_{std::move(all), this->ranks()} {}

    Layout all_;
};

/// Every rank has a block for every rank; in place, received blocks replace the blocks that were sent. `out`: the block
/// for each rank; `in`: the block of each rank; in place, `in` is both.
template <class Member, class Layout>
class alltoall_base : public collective_base<Member> {
public:
    std::size_t send_bytes() const { return this->in_place_ ? 0 : out_.span(); }
    std::size_t recv_bytes() const { return in_.span(); }
    std::vector<contribution> contributions(int) const {
        return this->block_for_each(this->in_place_ ? in_ : out_, this->in_place_);
    }
    std::vector<expected_block> expected_blocks(int) const { return this->block_from_each(in_, this->member_.rank); }
    sonde::traffic traffic() const { return this->share(in_.payload(), this->remote_fraction()); }

protected:
    alltoall_base(Member member, typename Layout::description out, typename Layout::description in, placement where)
        : alltoall_base::collective_base{std::move(member), {}, where}, out_{std::move(out), this->ranks()},
          in_{std::move(in), this->ranks()} {}

    Layout out_;
    Layout in_;
};

/// Every rank contributes a vector of `n` blocks; vectors are combined element by element, and the root, or without a
/// root every rank, receives the result. In place, the vector of a rank that receives is in its receive buffer already.
template <class Member, class Root, class Layout>
class reduction_base : public collective_base<Member, Root> {
public:
    std::size_t send_bytes() const { return this->is_always_in_place() ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return this->is_ever_root() ? all_.span() : 0; }
    std::vector<contribution> contributions(int root) const {
        return {{0, all_.span(), all_ranks, this->is_in_place(root)}};
    }
    std::vector<expected_block> expected_blocks(int root) const {
        if (!this->is_root(root)) return {};
        return {{0, all_.span(), 0, this->member_.size - 1}};
    }
    sonde::traffic traffic() const { return this->share(all_.payload(), 1); }

protected:
    reduction_base(Member member, typename Layout::description all, std::size_t n, Root root, placement where)
        : reduction_base::collective_base{std::move(member), root, where}, all_{std::move(all), n} {}

    /// Traffic of a reduction whose result every rank receives.
    sonde::traffic share_with_all() const { return this->share(all_.payload(), 2 * this->remote_fraction()); }

    Layout all_;
};

/// Rank r receives block r of the reduction over all ranks.
template <class Member, class Layout>
class reduce_scatter_base : public reduction_base<Member, no_root, Layout> {
public:
    std::size_t recv_bytes() const { return this->in_place_ ? this->all_.span() : this->all_.span(this->self()); }
    std::vector<expected_block> expected_blocks(int) const {
        auto const self = this->self();
        return {{0, this->all_.span(self), 0, this->member_.size - 1, all_ranks, this->all_.offset(self)}};
    }
    sonde::traffic traffic() const { return this->share(this->all_.payload(), this->remote_fraction()); }

protected:
    reduce_scatter_base(Member member, typename Layout::description all, placement where)
        : reduce_scatter_base::reduction_base{
              member, std::move(all), static_cast<std::size_t>(member.size), {}, where} {}
};

} // namespace sonde
