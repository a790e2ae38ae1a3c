// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure.hpp"
#include "passages.hpp"
#include "stage.hpp"

#include <concepts>
#include <cstddef>
#include <optional>

namespace osu {

/// The stage of messages between ranks.
class bench : public stage {
public:
    /// Takes memory. Throws refusal, on all ranks, where that cannot be. Collective over the group.
    explicit bench(given const& g);

    /// Memory for the messages of a further thread.
    payload another_payload(int rank) const;

    /// The record of one spot: `make(out, in, elements, through)` -> pattern, whose link l it makes `through(l)`, or,
    /// for programs whose messages go as they are, wherever buffers lie, `make(out, in, elements)`. Collective over the
    /// group.
    ///
    /// Where managed memory is touched on a device, iterations are shorter by what OMB takes off for that.
    template <class Plan, class Make>
    sonde::record run(spot const& at, Plan const& plan, Make const& make) {
        if constexpr (goes_as_it_is<Make>) return measure(world(), about(), asked(), *data_, layout(), at, plan, make);
        else return without_launches(at, run_through(at, plan, make));
    }

private:
    template <class Make>
    static constexpr bool goes_as_it_is =
        std::invocable<Make const&, sonde::opaque_slice, sonde::opaque_slice, sonde::mpi::elements>;
    template <class Make, class Passage>
    static constexpr bool takes =
        std::invocable<Make const&, sonde::opaque_rotating, sonde::opaque_rotating, sonde::mpi::elements, Passage>;

    template <class Plan, class Make>
    sonde::record run_through(spot const& at, Plan const& plan, Make const& make) {
        auto const by = [&](auto const& made) {
            return measure(world(), about(), asked(), *data_, layout(), at, plan, made);
        };
        if constexpr (has_cuda()) {
            using apart = sonde::opaque_rotating; // of one region, where there is one
            using sonde::mpi::elements;
            if (is_managed(here_)) {
                by_touching const through{{here_, data_->measuring()}};
                return by([&](apart out, apart in, elements as) { return make(out, in, as, through); });
            }
            if constexpr (takes<Make, by_staging>)
                if (room_) {
                    by_staging const through{*room_, at.window};
                    return by([&](apart out, apart in, elements as) { return make(out, in, as, through); });
                }
        }
        return by([&](auto out, auto in, sonde::mpi::elements as) { return make(out, in, as, as_it_is{}); });
    }

    /// Bytes of the host for what this rank sends and receives.
    double bytes_of_messages(std::size_t largest, std::size_t regions) const;
    bool stages_here() const { return asked().staged && here_ == placement::device; }
    /// Throws refusal where there is not the memory, or where it cannot be used as words say.
    void take(std::size_t largest, std::size_t regions);

    /// Collective over the group.
    sonde::record without_launches(spot const& at, sonde::record found) const;

    placement here_;
    std::optional<payload> data_;
    std::optional<staging_room> room_; // where messages are staged
};

} // namespace osu
