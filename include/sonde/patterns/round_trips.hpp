// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/paced.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <utility>

namespace sonde {

/// initiator: n sends with a wait d between them, recv.   responder: n receives, send.
///
/// An iteration is one parametrised round trip, PRTT(n, d, s) (Hoefler, Lichei, Rehm, IPDPS 2007); what LogGP's gap and
/// the overhead of sending are found from. `wait(d)` keeps this rank busy for so long (`busy_wait`); for d = 0 it is
/// not called. Throws std::invalid_argument for no message, or a negative d.
template <class L, Buffer Out, Buffer In, class Wait>
    requires Link<L, region_of<Out>, region_of<In>>
class round_trips {
public:
    template <Buffer From, Buffer To>
    round_trips(L link, role who, std::size_t n, From out, To in, seconds d, Wait wait)
        : link_{std::move(link)}, who_{who}, paced_{n, d, std::move(wait)},
          out_{sonde::outgoing(link_, std::move(out))}, in_{sonde::incoming(link_, std::move(in))} {}

    void operator()() {
        if (who_ == role::initiator) {
            paced_([this] { link_.send(out_.next()); });
            link_.recv(in_.next());
        } else if (who_ == role::responder) {
            for (std::size_t i = 0; i != paced_.times(); ++i) link_.recv(in_.next());
            link_.send(out_.next());
        }
    }
    void complete() {
        if constexpr (requires(L& l) { l.complete(); }) link_.complete();
    }
    role plays() const { return who_; }
    traffic moves() const {
        auto const n = paced_.times();
        return {n * out_.size() + in_.size(), n + 1, 2};
    }

private:
    L link_;
    role who_;
    detail::paced<Wait> paced_;
    Out out_;
    In in_;
};
template <class L, Buffer From, Buffer To, class Wait>
round_trips(L, role, std::size_t, From, To, seconds, Wait)
    -> round_trips<L, outgoing_t<L, From>, incoming_t<L, To>, Wait>;

} // namespace sonde
