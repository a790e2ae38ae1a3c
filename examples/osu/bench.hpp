// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure.hpp"
#include "stage.hpp"

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

    /// The record of one spot: `make(out, in, elements)` -> pattern. Collective over the group.
    template <class Plan, class Make>
    sonde::record run(spot const& at, Plan const& plan, Make const& make) {
        return measure(world(), about(), asked(), *data_, layout(), at, plan, make);
    }

private:
    std::optional<payload> data_;
};

} // namespace osu
