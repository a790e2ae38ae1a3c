// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/group.hpp>
#include <sonde/measure.hpp>
#include <sonde/metrics.hpp>
#include <sonde/patterns/round_trips.hpp>
#include <sonde/patterns/spaced_receives.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::model {

/// All that a LogGP model needs of a size, measured in place: five records, each named "round_trips", told apart by
/// bytes, messages, wait_seconds, and side (send: `round_trips`; receive: `spaced_receives`).
///
///     log_gp_measurement measure{link, seat.who, 12, out, in, token_link, token, busy_wait{}};
///     auto const records = measure(group, plan);   // collective; equal on all ranks
///
/// PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), then the receiver's T(1) and T(n) with the same wait. d is
/// PRTT(1, 0, s), so that it is longer than the interval of messages; it is computed from the record, on all ranks the
/// same. Links are copied for each. About 12 messages, and a plan of 100 samples or more, are good practice.
template <class L, Buffer Out, Buffer In, class A, Buffer Token, class Wait>
class log_gp_measurement {
public:
    log_gp_measurement(L link, role who, std::size_t n, Out out, In in, A back, Token token, Wait wait)
        : link_{std::move(link)}, who_{who}, n_{n}, out_{std::move(out)}, in_{std::move(in)}, back_{std::move(back)},
          token_{std::move(token)}, wait_{std::move(wait)} {}

    template <Group G, class Plan>
    std::vector<record> operator()(G& group, Plan const& plan) const {
        auto const sent = [&](std::size_t n, seconds d) {
            return run(group, plan, round_trips{link_, who_, n, out_, in_, d, wait_}, at(n, d, "send"));
        };
        auto const received = [&](std::size_t n, seconds d) {
            return run(group, plan, spaced_receives{link_, other(), n, out_, in_, back_, token_, d, wait_},
                       at(n, d, "receive"));
        };
        std::vector<record> all;
        all.push_back(sent(1, {}));
        auto const d = typical(all.front());
        all.push_back(sent(n_, {}));
        all.push_back(sent(n_, d));
        all.push_back(received(1, d));
        all.push_back(received(n_, d));
        return all;
    }

private:
    /// Who receives is whose time counts where the overhead of receiving is measured.
    role other() const {
        if (who_ == role::idle) return who_;
        return who_ == role::initiator ? role::responder : role::initiator;
    }
    point at(std::size_t messages, seconds wait, char const* side) const {
        return {"round_trips",
                {{"bytes", static_cast<std::size_t>(out_.size())},
                 {"messages", messages},
                 {"wait_seconds", wait.count()},
                 {"side", side}}};
    }

    L link_;
    role who_;
    std::size_t n_;
    Out out_;
    In in_;
    A back_;
    Token token_;
    Wait wait_;
};

} // namespace sonde::model
