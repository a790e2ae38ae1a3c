// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/rma.hpp>

#include <utility>

namespace imb {

/// When transfers are completed: each on its own, or all of a sample at its end.
enum class completion : unsigned char { of_each, of_all };

/// What a rank does: does its time count, does it begin transfers?
struct part {
    sonde::role who;
    bool accesses;
};

/// One iteration: the transfers of a repetition. Their epoch ends with the repetition, or, `completion::of_all`, with
/// the sample (`complete`), having opened with its first repetition: both modes of IMB's one-sided benchmarks.
template <sonde::Epoch E, class T>
class accesses {
public:
    accesses(E epoch, part plays, completion when, T transfers)
        : epoch_{std::move(epoch)}, part_{plays}, when_{when}, transfers_{std::move(transfers)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        as_side([&](auto side) {
            if (when_ == completion::of_all) f([this, side] { continue_epoch(side); });
            else f([this, side] { one_epoch(side); });
        });
    }
    void complete() {
        if (!open_) return;
        as_side([this](auto side) { epoch_.close(side); });
        open_ = false;
    }
    sonde::role plays() const { return part_.who; }
    sonde::traffic moves() const { return part_.accesses ? transfers_.moves() : sonde::traffic{}; }

private:
    template <class F>
    void as_side(F f) {
        if (part_.accesses) f(sonde::both_sides{});
        else f(sonde::target_side{});
    }
    template <class Side>
    void one_epoch(Side side) {
        epoch_.open(side);
        if constexpr (Side::accesses) transfers_();
        epoch_.close(side);
    }
    template <class Side>
    void continue_epoch(Side side) {
        if (!open_) epoch_.open(side);
        open_ = true;
        if constexpr (Side::accesses) transfers_();
    }

    E epoch_;
    part part_;
    completion when_;
    T transfers_;
    bool open_ = false;
};

} // namespace imb
