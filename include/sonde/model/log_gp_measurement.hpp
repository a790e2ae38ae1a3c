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
#include <vector>

namespace sonde::model {

/// Between whom messages of a size go, and their memory on both sides.
template <class L, Buffer Out, Buffer In>
struct message_ends {
    L link;
    role who;
    Out out;
    In in;
};
template <class L, class Out, class In>
message_ends(L, role, Out, In) -> message_ends<L, Out, In>;

/// By which the receiver says that it is ready.
template <class L, Buffer Token>
struct token_ends {
    L link;
    Token token;
};
template <class L, class Token>
token_ends(L, Token) -> token_ends<L, Token>;

/// All that a LogGP model needs of a size, measured in place: five records, each named "round_trips", told apart by
/// bytes, messages, wait_seconds, and side (send: `round_trips`; receive: `spaced_receives`).
///
///     log_gp_measurement measure{12, message_ends{link, seat.who, out, in}, token_ends{token_link, token},
///     busy_wait{}}; auto const records = measure(group, plan);   // collective; equal on all ranks
///
/// PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), then the receiver's T(1) and T(n) with the same wait. d is
/// PRTT(1, 0, s), so that it is longer than the interval of messages; it is computed from the record, on all ranks the
/// same. Links are copied for each. About 12 messages, and a plan of 100 samples or more, are good practice.
template <class Messages, class Token, class Wait>
struct log_gp_measurement {
    std::size_t messages; // n
    Messages between;
    Token ready;
    Wait wait;

    template <Group G, class Plan>
    std::vector<record> operator()(G& group, Plan const& plan) const {
        auto const& m = between;
        auto const sent = [&](std::size_t n, seconds d) {
            return sonde::run(group, plan, round_trips{m.link, m.who, n, m.out, m.in, d, wait}, at(n, d, "send"));
        };
        auto const received = [&](std::size_t n, seconds d) {
            return sonde::run(group, plan,
                              spaced_receives{m.link, other(), n, m.out, m.in, ready.link, ready.token, d, wait},
                              at(n, d, "receive"));
        };
        std::vector<record> all;
        all.push_back(sent(1, {}));
        auto const d = typical(all.front());
        all.push_back(sent(messages, {}));
        all.push_back(sent(messages, d));
        all.push_back(received(1, d));
        all.push_back(received(messages, d));
        return all;
    }

private:
    /// Who receives is whose time counts where the overhead of receiving is measured.
    role other() const {
        if (between.who == role::idle) return role::idle;
        return between.who == role::initiator ? role::responder : role::initiator;
    }
    point at(std::size_t n, seconds d, char const* side) const {
        return {"round_trips",
                {{"bytes", static_cast<std::size_t>(between.out.size())},
                 {"messages", n},
                 {"wait_seconds", d.count()},
                 {"side", side}}};
    }
};
template <class Messages, class Token, class Wait>
log_gp_measurement(std::size_t, Messages, Token, Wait) -> log_gp_measurement<Messages, Token, Wait>;

} // namespace sonde::model
