// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/link.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tools::model {

/// n messages of a series, with a wait between them.
template <std::invocable<sonde::seconds> Wait>
struct spaced_messages {
    std::size_t count;
    sonde::seconds between;
    Wait wait; // not called for a wait of 0

    spaced_messages(std::size_t n, sonde::seconds d, Wait wait_for) : count{n}, between{d}, wait{std::move(wait_for)} {
        if (n == 0) throw std::invalid_argument{"sonde: round trips need at least one message"};
        if (!(d >= sonde::seconds{}))
            throw std::invalid_argument{"sonde: a wait between messages must not be negative"};
    }
    template <class F>
    void operator()(F f) {
        f();
        for (std::size_t i = 1; i != count; ++i) {
            if (between > sonde::seconds{}) wait(between);
            f();
        }
    }
};

/// initiator: n sends with a wait d between them, recv.   responder: n receives, send.
///
/// An iteration is one parametrized round trip PRTT(n, d, s) (Hoefler, Lichei, Rehm, IPDPS 2007), which determines the
/// gap and the send overhead of the LogGP model. `wait(d)` keeps this rank busy for the time d (`busy_wait`); it is not
/// called for d = 0. Throws std::invalid_argument for n = 0 and for a negative d.
template <class L, sonde::Buffer Out, sonde::Buffer In, class Wait>
    requires sonde::Link<L, sonde::region_of<Out>, sonde::region_of<In>>
class round_trips {
public:
    template <sonde::Buffer From, sonde::Buffer To>
    round_trips(L link, sonde::role role, std::size_t n, From out, To in, sonde::seconds d, Wait wait)
        : link_{std::move(link)}, role_{role}, messages_{n, d, std::move(wait)},
          out_{sonde::send_buffer(link_, std::move(out))}, in_{sonde::recv_buffer(link_, std::move(in))} {}

    void operator()() {
        if (role_ == sonde::role::initiator) {
            messages_([this] { link_.send(out_.next()); });
            link_.recv(in_.next());
        } else if (role_ == sonde::role::responder) {
            for (std::size_t i = 0; i != messages_.count; ++i) link_.recv(in_.next());
            link_.send(out_.next());
        }
    }
    void complete() { sonde::complete(link_); }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return {messages_.count * out_.size() + in_.size(), messages_.count + 1, 2}; }

private:
    L link_;
    sonde::role role_;
    spaced_messages<Wait> messages_;
    Out out_;
    In in_;
};
template <class L, sonde::Buffer From, sonde::Buffer To, class Wait>
round_trips(L, sonde::role, std::size_t, From, To, sonde::seconds, Wait)
    -> round_trips<L, sonde::send_buffer_t<L, From>, sonde::recv_buffer_t<L, To>, Wait>;

/// initiator: send a token, n receives with a wait d between them.   responder: recv the token, n sends.
///
/// If d is longer than the interval between messages, every message but the first has arrived before its receive, so
/// that T(n) - T(1) = (n - 1) (d + o_r). This determines the receive overhead of the LogGP model without a clock in the
/// timed code. The token uses a second link. The wait and the errors are as for `round_trips`.
template <class L, sonde::Buffer Out, sonde::Buffer In, class TokenLink, sonde::Buffer TokenOut, sonde::Buffer TokenIn,
          class Wait>
    requires sonde::Link<L, sonde::region_of<Out>, sonde::region_of<In>> &&
             sonde::Link<TokenLink, sonde::region_of<TokenOut>, sonde::region_of<TokenIn>>
class spaced_receives {
public:
    template <sonde::Buffer From, sonde::Buffer To, sonde::Buffer Token>
    spaced_receives(L link, sonde::role role, std::size_t n, From out, To in, TokenLink token_link, Token token,
                    sonde::seconds d, Wait wait)
        : link_{std::move(link)}, role_{role}, messages_{n, d, std::move(wait)}, token_link_{std::move(token_link)},
          out_{sonde::send_buffer(link_, std::move(out))}, in_{sonde::recv_buffer(link_, std::move(in))},
          token_out_{sonde::send_buffer(token_link_, token)}, token_in_{sonde::recv_buffer(token_link_, token)} {}

    void operator()() {
        if (role_ == sonde::role::initiator) {
            token_link_.send(token_out_.next());
            messages_([this] { link_.recv(in_.next()); });
        } else if (role_ == sonde::role::responder) {
            token_link_.recv(token_in_.next());
            for (std::size_t i = 0; i != messages_.count; ++i) link_.send(out_.next());
        }
    }
    void complete() {
        sonde::complete(link_);
        sonde::complete(token_link_);
    }
    sonde::role role() const { return role_; }
    /// The messages that the initiator receives, without the token.
    sonde::traffic traffic() const { return {messages_.count * in_.size(), messages_.count, 2}; }

private:
    L link_;
    sonde::role role_;
    spaced_messages<Wait> messages_;
    TokenLink token_link_;
    Out out_;
    In in_;
    TokenOut token_out_;
    TokenIn token_in_;
};
template <class L, sonde::Buffer From, sonde::Buffer To, class TokenLink, sonde::Buffer Token, class Wait>
spaced_receives(L, sonde::role, std::size_t, From, To, TokenLink, Token, sonde::seconds, Wait)
    -> spaced_receives<L, sonde::send_buffer_t<L, From>, sonde::recv_buffer_t<L, To>, TokenLink,
                       sonde::send_buffer_t<TokenLink, Token>, sonde::recv_buffer_t<TokenLink, Token>, Wait>;

/// Link, role and buffers of this rank for messages of one size.
template <class L, sonde::Buffer Out, sonde::Buffer In>
struct message_endpoint {
    L link;           // to the peer
    sonde::role role; // of this rank
    Out out;          // messages to send
    In in;            // messages to receive
};
template <class L, class Out, class In>
message_endpoint(L, sonde::role, Out, In) -> message_endpoint<L, Out, In>;

/// Link and buffer for the token with which the receiver asks for the messages.
template <class L, sonde::Buffer Token>
struct token_endpoint {
    L link;      // to the peer
    Token token; // message of the acknowledgement
};
template <class L, class Token>
token_endpoint(L, Token) -> token_endpoint<L, Token>;

/// Measurement of all times of one message size that a LogGP fit needs: five records, each named "round_trips", with
/// the parameters bytes, messages, wait_seconds and side ("send": `round_trips`; "receive": `spaced_receives`).
///
///     log_gp_measurement measure{12, message_endpoint{link, pairing.role, out, in}, token_endpoint{token_link, token},
///                                busy_wait{}};
///     auto const records = measure(group, plan);    // collective over the group; equal on all ranks
///
/// The records are PRTT(1, 0, s), PRTT(n, 0, s), PRTT(n, d, s), and the receiver's T(1) and T(n) with the same wait d.
/// d is the median of PRTT(1, 0, s), which is longer than the interval between messages. It is taken from the record,
/// so it is equal on all ranks. Throws std::invalid_argument, on all ranks, if n differs between ranks. Each of the
/// five runs copies the links. About 12 messages and a plan of at least 100 samples are good practice.
template <class Messages, class Token, class Wait>
struct log_gp_measurement {
    std::size_t messages; // n
    Messages endpoint;    // link and messages
    Token token;          // link and acknowledgement
    Wait wait;            // waits for a duration

    template <sonde::Group G, class Plan>
    std::vector<sonde::record> operator()(G& group, Plan const& plan) const {
        sonde::detail::require_equal_parts(
            group, std::array{static_cast<double>(messages)}, std::array{"messages"},
            "tools::model::log_gp_measurement: the arguments must be equal on all ranks");
        auto const& e = endpoint;
        auto const sent = [&](std::size_t n, sonde::seconds d) {
            return sonde::run(group, plan, round_trips{e.link, e.role, n, e.out, e.in, d, wait},
                              point_of(n, d, "send"));
        };
        // The receiver is the initiator, because its times count.
        auto const receiver = e.role == sonde::role::initiator   ? sonde::role::responder
                              : e.role == sonde::role::responder ? sonde::role::initiator
                                                                 : sonde::role::idle;
        auto const received = [&](std::size_t n, sonde::seconds d) {
            return sonde::run(group, plan,
                              spaced_receives{e.link, receiver, n, e.out, e.in, token.link, token.token, d, wait},
                              point_of(n, d, "receive"));
        };
        auto const single = sent(1, {});
        auto const d = sonde::median(single);
        return {single, sent(messages, {}), sent(messages, d), received(1, d), received(messages, d)};
    }

private:
    sonde::point point_of(std::size_t n, sonde::seconds d, char const* side) const {
        return {"round_trips",
                {{"bytes", static_cast<std::size_t>(endpoint.out.size())},
                 {"messages", n},
                 {"wait_seconds", d.count()},
                 {"side", side}}};
    }
};
template <class Messages, class Token, class Wait>
log_gp_measurement(std::size_t, Messages, Token, Wait) -> log_gp_measurement<Messages, Token, Wait>;

} // namespace tools::model
