// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>

#include <utility>

namespace imb {

/// End of an access epoch, which completes its transfers: after each repetition, or after all repetitions of a sample.
enum class completion : unsigned char { each_repetition, end_of_sample };

/// One-sided transfers in access epochs: the pattern of IMB-EXT and IMB-RMA. An iteration is a repetition of the
/// benchmark and calls `transfers()` at the origins.
///
/// This is where non-aggregate and aggregate mode differ. completion::each_repetition opens and closes an epoch in each
/// iteration. completion::end_of_sample opens an epoch in the first iteration of a sample; `complete`, the last step of
/// a sample, closes it.
template <sonde::Epoch E, class T>
class accesses {
public:
    /// Ranks that are no origins take part in the epochs as targets. The times of initiators count.
    accesses(E epoch, sonde::role my_role, bool is_origin, completion when, T transfers)
        : epoch_{std::move(epoch)}, role_{my_role}, is_origin_{is_origin}, when_{when},
          transfers_{std::move(transfers)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        on_side([&](auto side) {
            if (when_ == completion::end_of_sample) f([this, side] { continue_epoch(side); });
            else f([this, side] { one_epoch(side); });
        });
    }
    void complete() {
        if (!open_) return;
        on_side([this](auto side) { epoch_.close(side); });
        open_ = false;
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return is_origin_ ? transfers_.traffic() : sonde::traffic{}; }

private:
    template <class F>
    void on_side(F f) {
        if (is_origin_) f(sonde::both_sides{});
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
    sonde::role role_;
    bool is_origin_;
    completion when_;
    T transfers_;
    bool open_ = false;
};

} // namespace imb
