// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/upcxx/atomics.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sonde::inline v0_1::upcxx {

/// ControlChannel of a group through the shared segments: each rank has 256 bytes for each rank of the group. A message
/// is therefore sent in pieces, and a piece follows when the previous piece has been read. Copies share the memory.
/// Constructor, and destructor of the last copy, are collective over the group. Throws segment_exhausted.
class control_channel {
public:
    explicit control_channel(group_ref ranks) : rank_{ranks.get().rank()}, shared_{std::make_shared<state>(ranks)} {}
    void send(int to, std::span<std::byte const> b) const {
        auto& own = *shared_;
        auto const peer = static_cast<std::size_t>(to), me = static_cast<std::size_t>(rank_);
        for_each_piece(b.size(), [&](std::size_t first, std::size_t n) {
            own.wait_for(own.read_by(me, peer), own.sent[peer]);
            ::upcxx::rput(b.data() + first, own.content(peer, me), n).wait();
            own.write(own.number(peer, me), ++own.sent[peer]);
        });
    }
    void receive(int from, std::span<std::byte> b) const {
        auto& own = *shared_;
        auto const peer = static_cast<std::size_t>(from), me = static_cast<std::size_t>(rank_);
        for_each_piece(b.size(), [&](std::size_t first, std::size_t n) {
            own.wait_for(own.number(me, peer), ++own.received[peer]);
            std::copy_n(own.content(me, peer).local(), n, b.data() + first);
            own.write(own.read_by(peer, me), own.received[peer]);
        });
    }

private:
    using word = ::upcxx::global_ptr<std::int64_t>;
    static constexpr std::size_t box = 256, longest = box - 2 * sizeof(std::int64_t);

    /// The boxes of all ranks. Box (owner, peer) is in the segment of `owner`: the number of the latest piece from
    /// `peer`, the number of the latest piece that `peer` has read, and the bytes from `peer`.
    struct state {
        explicit state(group_ref ranks)
            : boxes{box * static_cast<std::size_t>(ranks.get().size())}, sent(boxes.bytes().size() / box),
              received(sent.size()), words{ranks, {::upcxx::atomic_op::load, ::upcxx::atomic_op::store}} {
            boxes.fill(std::byte{0});
            of_rank = global_regions(ranks, boxes.bytes()); // no rank returns before all have filled their boxes
        }
        ::upcxx::global_ptr<std::byte> at(std::size_t owner, std::size_t peer, std::size_t offset) const {
            return of_rank[owner].subspan(peer * box + offset, box - offset).data;
        }
        word number(std::size_t owner, std::size_t peer) const {
            return ::upcxx::reinterpret_pointer_cast<std::int64_t>(at(owner, peer, 0));
        }
        word read_by(std::size_t owner, std::size_t peer) const {
            return ::upcxx::reinterpret_pointer_cast<std::int64_t>(at(owner, peer, sizeof(std::int64_t)));
        }
        ::upcxx::global_ptr<std::byte> content(std::size_t owner, std::size_t peer) const {
            return at(owner, peer, box - longest);
        }
        void write(word to, std::int64_t value) { words.get().store(to, value, std::memory_order_release).wait(); }
        void wait_for(word mine, std::int64_t least) {
            while (words.get().load(mine, std::memory_order_acquire).wait() < least) ::upcxx::progress();
        }

        shared_allocation boxes;
        std::vector<std::int64_t> sent, received;
        std::vector<global_region> of_rank;
        atomic_domain<std::int64_t> words; // the first to be destroyed, which waits for all ranks
    };

    static void for_each_piece(std::size_t bytes, auto f) {
        for (std::size_t first = 0; first < bytes; first += longest) f(first, std::min(longest, bytes - first));
    }

    int rank_;
    std::shared_ptr<state> shared_;
};
inline upcxx::control_channel group::control_channel() const { return upcxx::control_channel{*this}; }

} // namespace sonde::upcxx
