// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/setting.hpp"
#include "imb/one_sided/rma_rows.hpp"
#include "suite/one_sided.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace imb {

using rma_epoch_arguments = suite::epoch_arguments<sonde::mpi::created_window>;

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
        transfer_.issue(0, [this](auto... arguments) { O::call(transfer_.is_large(), this->shifted(arguments)...); });
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

/// A one-sided benchmark of one size: its window, the memory of the origin and the transfers of this rank. The window
/// lies over the receive memory, or over the send memory for MPI_Get.
class rma_instance {
public:
    /// Creates the window. Collective over the setting's group.
    rma_instance(imb::setting& s, one_sided const& what)
        : setting_{s}, what_{what}, window_{s.group, what.operation == rma_operation::get ? sent() : received()},
          mine_{transfers_of(s.group.rank())} {}
    rma_instance(rma_instance&&) = delete;

    imb::setting& setting() const { return setting_; }
    rma_operation operation() const { return what_.operation; }
    sonde::mpi::created_window const& window() const { return window_; }
    sonde::region sent() const { return setting_.send.on_host().first(setting_.send.layout.bytes()); }
    sonde::region received() const { return setting_.receive.on_host().first(setting_.receive.layout.bytes()); }

    /// Transfers of this rank, and of any rank.
    std::vector<transfer> const& transfers() const { return mine_; }
    std::vector<transfer> transfers_of(int rank) const {
        return what_.transfers(rank, setting_.group.size(), setting_.bytes);
    }

    /// Number of slots: repetitions until the first slot is used again.
    std::size_t slots() const { return std::min(setting_.send.layout.count, setting_.receive.layout.count); }
    slot_strides strides(std::size_t slots) const {
        auto const out = setting_.send.layout.stride, in = setting_.receive.layout.stride;
        return {sent(), out, in, what_.operation == rma_operation::get ? out : in, slots};
    }

    /// Aggregate mode completes the transfers once, at the end of a sample, non-aggregate mode in each repetition.
    /// Class `accesses` acts on it.
    imb::completion completion() const {
        if (what_.completes) return *what_.completes;
        return setting_.mode == mode::aggregate ? completion::end_of_sample : completion::each_repetition;
    }
    bool timed_calls() const { return what_.timed_calls && completion() == imb::completion::each_repetition; }
    bool is_origin() const { return !mine_.empty(); }
    sonde::role role() const {
        return what_.all_measure || setting_.group.rank() == 0 ? sonde::role::initiator : sonde::role::responder;
    }

    /// Elements of one call: MPI_INT for MPI_Compare_and_swap, which takes integers only.
    sonde::mpi::block block() const {
        return compares(what_.operation) ? sonde::mpi::block{MPI_INT, 1} : setting_.block_of(setting_.bytes);
    }
    /// A slot of MPI_Compare_and_swap has three values, `value_stride()` bytes apart: the value in the window, the
    /// value to compare with, and the result.
    std::size_t value_stride() const { return std::max<std::size_t>(setting_.bytes, 4); }

    /// Arguments of a transfer in the first slot.
    suite::rma_arguments<sonde::mpi::created_window> arguments(transfer const& t) const {
        auto const in = received().subspan(t.at_origin);
        auto const value = [&](std::size_t k) {
            return compares(what_.operation) ? in.subspan(k * value_stride()) : in;
        };
        return {.window = {window_, t.at_target, window_.region().size()},
                .target = {t.target},
                .block = block(),
                .origin = sent().subspan(t.at_origin),
                .result = value(2),
                .compare = value(1),
                .op = setting_.sum};
    }
    /// Arguments of this rank's epochs.
    rma_epoch_arguments epoch() const {
        sonde::mpi::peers targets;
        for (auto const& t : mine_) // both neighbors may be the same rank
            if (targets.ranks.empty() || targets.ranks.front() != t.target) targets.ranks.push_back(t.target);
        auto const first = targets.ranks.empty() ? -1 : targets.ranks.front();
        return {.window = window_, .target = {first}, .targets = std::move(targets), .peer = {first}};
    }

private:
    imb::setting& setting_;
    one_sided what_;
    sonde::mpi::created_window window_;
    std::vector<transfer> mine_;
};

/// The code of a one-sided benchmark that depends on the types of its transfers and its epoch. Its functions are
/// collective over the setting's group.
struct rma_code {
    bool passive; // the epochs have passive targets

    /// Measure n repetitions.
    sonde::record (*measure)(rma_instance const& at, std::size_t n);
    /// Untimed transfers in epochs of their own: `passes` times in each of the first `slots` slots, with one completion
    /// a pass, if this rank `acts`; otherwise it is a target only. All locks are released at the end, so that the
    /// transfers are complete at the targets, too.
    void (*transfer)(rma_instance const& at, bool acts, std::size_t slots, std::size_t passes);
};

} // namespace imb
