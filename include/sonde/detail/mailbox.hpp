// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sonde::inline v0_1::detail {

/// ControlChannel through memory of other ranks, for OpenSHMEM and UPC++. Each rank has a box for each rank of the
/// group. A message is therefore sent in pieces, and a piece follows when the previous piece has been read. Copies
/// share the memory. Boxes has the calls of the library; numbers count the pieces between two ranks, from 1:
///
///     Boxes::longest                        most bytes of a piece
///     boxes.wait_until_read(rank, number)   until the rank has read this piece of this rank
///     boxes.write(rank, bytes, number)      a piece into this rank's box at the rank
///     boxes.wait_for(rank, number)          until this piece of the rank is in its box here
///     boxes.content(rank)                   the bytes in that box
///     boxes.acknowledge(rank, number)       tells the rank that this piece has been read
template <class Boxes>
class mailbox {
public:
    void send(int to, std::span<std::byte const> b) const {
        auto const rank = static_cast<std::size_t>(to);
        auto& sent = shared_->sent[rank];
        for (; !b.empty(); b = b.subspan(piece(b.size()))) {
            shared_->boxes.wait_until_read(rank, sent);
            shared_->boxes.write(rank, b.first(piece(b.size())), ++sent);
        }
    }
    void receive(int from, std::span<std::byte> b) const {
        auto const rank = static_cast<std::size_t>(from);
        auto& received = shared_->received[rank];
        for (; !b.empty(); b = b.subspan(piece(b.size()))) {
            shared_->boxes.wait_for(rank, ++received);
            std::copy_n(shared_->boxes.content(rank), piece(b.size()), b.data());
            shared_->boxes.acknowledge(rank, received);
        }
    }

protected:
    explicit mailbox(auto const& ranks) : shared_{std::make_shared<state>(ranks)} {}

private:
    struct state {
        explicit state(auto const& ranks)
            : sent(static_cast<std::size_t>(ranks.size())), received(sent.size()), boxes{ranks} {}

        std::vector<long> sent, received; // the numbers of the latest pieces, by rank
        Boxes boxes;
    };

    static std::size_t piece(std::size_t bytes) { return std::min(bytes, Boxes::longest); }

    std::shared_ptr<state> shared_;
};

} // namespace sonde::detail
