// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/mailbox.hpp>
#include <sonde/upcxx/atomics.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sonde::inline v0_1::upcxx {

namespace detail {

/// The boxes of a mailbox in the shared segments. Box (owner, peer) is in the segment of `owner`: the number of the
/// latest piece from `peer`, the number of the latest piece that `peer` has read, and the bytes from `peer`.
class shared_boxes {
    using word = ::upcxx::global_ptr<std::int64_t>;
    static constexpr std::size_t box = 256, head = 2 * sizeof(std::int64_t);

public:
    static constexpr auto longest = box - head;

    explicit shared_boxes(group const& ranks)
        : me_{static_cast<std::size_t>(ranks.rank())}, boxes_{box * static_cast<std::size_t>(ranks.size())},
          words_{ranks, {::upcxx::atomic_op::load, ::upcxx::atomic_op::store}} {
        boxes_.fill(std::byte{0});
        of_rank_ = global_regions(ranks, boxes_.bytes()); // no rank returns before all have filled their boxes
    }
    void wait_until_read(std::size_t rank, std::int64_t number) { wait(word_at(me_, rank, 1), number); }
    void write(std::size_t rank, std::span<std::byte const> b, std::int64_t number) {
        ::upcxx::rput(b.data(), at(rank, me_, head), b.size()).wait();
        set(word_at(rank, me_, 0), number);
    }
    void wait_for(std::size_t rank, std::int64_t number) { wait(word_at(me_, rank, 0), number); }
    std::byte const* content(std::size_t rank) const { return at(me_, rank, head).local(); }
    void acknowledge(std::size_t rank, std::int64_t number) { set(word_at(rank, me_, 1), number); }

private:
    ::upcxx::global_ptr<std::byte> at(std::size_t owner, std::size_t peer, std::size_t offset) const {
        return of_rank_[owner].subspan(peer * box + offset, box - offset).data;
    }
    word word_at(std::size_t owner, std::size_t peer, std::size_t i) const {
        return ::upcxx::reinterpret_pointer_cast<std::int64_t>(at(owner, peer, i * sizeof(std::int64_t)));
    }
    void set(word to, std::int64_t value) { words_.get().store(to, value, std::memory_order_release).wait(); }
    void wait(word mine, std::int64_t least) {
        while (words_.get().load(mine, std::memory_order_acquire).wait() < least) ::upcxx::progress();
    }

    std::size_t me_;
    shared_allocation boxes_;
    std::vector<global_region> of_rank_;
    atomic_domain<std::int64_t> words_; // the first to be destroyed, which waits for all ranks
};

} // namespace detail

/// ControlChannel of a group through the shared segments: each rank has 256 bytes for each rank of the group. Copies
/// share the memory. Constructor, and destructor of the last copy, are collective over the group. Throws
/// segment_exhausted.
class control_channel : public sonde::detail::mailbox<detail::shared_boxes> {
public:
    explicit control_channel(group_ref ranks) : mailbox{ranks.get()} {}
};
inline upcxx::control_channel group::control_channel() const { return upcxx::control_channel{*this}; }

} // namespace sonde::upcxx
