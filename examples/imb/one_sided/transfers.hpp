// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace imb {

/// A transfer of one repetition: its target, and the offsets of its data, in bytes, in a slot of the origin's memory
/// and in a slot of the target's window. A slot has the data of one repetition.
struct transfer {
    int target;
    std::size_t at_origin = 0;
    std::size_t at_target = 0;
};

/// The transfers of a rank in a repetition, in order, with messages of `bytes` bytes. Every rank can compute those of
/// all ranks.
using transfers_of_rank = std::vector<transfer> (*)(int rank, int ranks, std::size_t bytes);

namespace transfers {

inline std::vector<transfer> first_to_second(int rank, int, std::size_t) {
    return rank == 0 ? std::vector<transfer>{{1}} : std::vector<transfer>{};
}
inline std::vector<transfer> second_to_first(int rank, int, std::size_t) {
    return rank == 1 ? std::vector<transfer>{{0}} : std::vector<transfer>{};
}
inline std::vector<transfer> each_to_other(int rank, int, std::size_t) { return {{1 - rank}}; }
inline std::vector<transfer> all_to_first(int, int, std::size_t) { return {{0}}; }

/// One message to all other ranks, in ring order from the right neighbor on.
inline std::vector<transfer> to_all_others(int rank, int ranks, std::size_t) {
    std::vector<transfer> all;
    for (int d = 1; d < ranks; ++d) all.push_back({(rank + d) % ranks});
    return all;
}
/// Results side by side: MPI allows no two gets that write the same memory.
inline std::vector<transfer> from_all_others(int rank, int ranks, std::size_t bytes) {
    auto all = to_all_others(rank, ranks, bytes);
    for (std::size_t k = 0; k != all.size(); ++k) all[k].at_origin = k * bytes;
    return all;
}
inline std::vector<transfer> first_to_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? to_all_others(rank, ranks, bytes) : std::vector<transfer>{};
}
inline std::vector<transfer> first_from_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? from_all_others(rank, ranks, bytes) : std::vector<transfer>{};
}

/// Puts to both neighbors: the first half of the memory to the left one, the second half to the right one.
inline std::vector<transfer> left_and_right(int rank, int ranks, std::size_t bytes) {
    return {{(rank + ranks - 1) % ranks}, {(rank + 1) % ranks, bytes, bytes}};
}
/// Gets from both neighbors, the right one first.
inline std::vector<transfer> right_and_left(int rank, int ranks, std::size_t bytes) {
    return {{(rank + 1) % ranks}, {(rank + ranks - 1) % ranks, bytes, bytes}};
}

} // namespace transfers

/// Distances in bytes from one slot to the next: in the memory that is sent, in other memory of the origin, and in the
/// window.
struct slot_strides {
    sonde::region sent;
    std::size_t out;
    std::size_t in;
    std::size_t window;
    std::size_t slots; // after the last slot follows the first
};

/// A transfer whose addresses and displacement advance by a slot with each call. `O` is a transfer of Sonde's; its
/// arguments for the first slot are shifted.
template <class O>
class advancing_transfer {
public:
    advancing_transfer(O transfer, slot_strides const& by) : transfer_{std::move(transfer)}, by_{by} {}

    void operator()() {
        transfer_.issue(0, [this](auto... arguments) { O::call(this->shifted(arguments)...); });
        if (++slot_ == by_.slots) {
            slot_ = out_ = in_ = 0;
            window_ = 0;
            return;
        }
        out_ += by_.out;
        in_ += by_.in;
        window_ += static_cast<MPI_Aint>(by_.window);
    }
    sonde::traffic traffic() const { return transfer_.traffic(); }

private:
    std::byte* shifted(std::byte* p) const {
        auto const from = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(by_.sent.data());
        return p + (from < by_.sent.size() ? out_ : in_);
    }
    MPI_Aint shifted(MPI_Aint displacement) const { return displacement + window_; }
    template <class X>
    X shifted(X x) const {
        return x;
    }

    O transfer_;
    slot_strides by_;
    std::size_t slot_ = 0;
    std::size_t out_ = 0; // offsets of this slot: sums, because this is timed code and a product would take longer
    std::size_t in_ = 0;
    MPI_Aint window_ = 0;
};

/// Several such transfers in one repetition, in order.
template <class O>
class advancing_transfers {
public:
    advancing_transfers(std::vector<O> transfers, slot_strides const& by) {
        for (auto& t : transfers) all_.emplace_back(std::move(t), by);
    }

    void operator()() {
        for (auto& one : all_) one();
    }
    sonde::traffic traffic() const {
        sonde::traffic sum;
        for (auto const& one : all_) {
            sum.bytes += one.traffic().bytes;
            sum.messages += one.traffic().messages;
        }
        return sum;
    }

private:
    std::vector<advancing_transfer<O>> all_;
};

} // namespace imb
