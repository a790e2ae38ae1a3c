// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../setting.hpp"
#include "accesses.hpp"
#include "lanes.hpp"
#include "slotwise.hpp"

#include <sonde/mpi/rma/transfers.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace imb {

/// What operations leave: what was sent, what was got, the sum, the sum while what was there came back, or what was
/// sent where what was there equals something.
enum class effect : unsigned char { puts, gets, adds, fetches, swaps };

/// What tells one-sided benchmarks from each other, beside their call and their epoch.
struct access {
    effect leaves;
    lanes_of lanes;
    bool all_measure = false;              // else rank 0
    completion when = completion::of_each; // of those of one mode
    bool clock_each = false;               // those that complete each have a clock for each, too
};

/// What an operation is made of.
struct ingredients {
    sonde::mpi::section<sonde::mpi::created_window> there;
    sonde::mpi::peer to;
    sonde::region out;
    sonde::region in;
    sonde::mpi::block each;
    MPI_Op sum;
    std::size_t stored; // bytes that one value has for itself
};

/// Where one-sided transfers of a size happen: the window, and the memory around it. It is not moved.
class place {
public:
    /// Collective over the group.
    place(setting& on, access const& how)
        : on_{on}, how_{how}, window_{on.group, how.leaves == effect::gets ? sent() : received()},
          mine_{lanes_of_rank(on.group.rank())} {}
    place(place const&) = delete;

    setting& on() const { return on_; }
    access const& how() const { return how_; }
    sonde::mpi::created_window const& window() const { return window_; }
    sonde::region sent() const { return on_.send.bytes().first(on_.sends.bytes()); }
    sonde::region received() const { return on_.receive.bytes().first(on_.receives.bytes()); }

    std::vector<lane> const& mine() const { return mine_; }
    std::vector<lane> lanes_of_rank(int rank) const { return how_.lanes(rank, on_.group.size(), on_.bytes); }

    std::size_t slots() const { return std::min(on_.sends.count, on_.receives.count); }
    strides over(std::size_t slots) const {
        auto const there = how_.leaves == effect::gets ? on_.sends.stride : on_.receives.stride;
        return {sent(), on_.sends.stride, on_.receives.stride, there, slots};
    }
    ingredients of(lane const& l) const {
        return {{window_, l.at_target, window_.region().size()},
                {l.target},
                sent().subspan(l.at_origin),
                received().subspan(l.at_origin),
                each(),
                on_.sum,
                stored()};
    }
    completion when() const {
        if (on_.mode == mode::only) return how_.when;
        return on_.mode == mode::aggregate ? completion::of_all : completion::of_each;
    }
    part plays(bool acts) const {
        auto const counts = how_.all_measure || on_.group.rank() == 0;
        return {counts ? sonde::role::initiator : sonde::role::responder, acts && !mine_.empty()};
    }
    /// What one call moves. MPI compares integers only.
    sonde::mpi::block each() const {
        return how_.leaves == effect::swaps ? sonde::mpi::block{MPI_INT, 1} : on_.block_of(on_.bytes);
    }
    /// Of a slot of compare_and_swap: the window's value, what it is compared with, and what was there.
    std::size_t stored() const { return std::max<std::size_t>(on_.bytes, 4); }

private:
    setting& on_;
    access how_;
    sonde::mpi::created_window window_;
    std::vector<lane> mine_;
};

} // namespace imb
