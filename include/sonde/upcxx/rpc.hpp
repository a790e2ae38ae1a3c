// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/upcxx/completions.hpp>
#include <sonde/upcxx/group.hpp>

#include <upcxx/upcxx.hpp>

#include <cstdint>

namespace sonde::inline v0_1::upcxx {

/// Remote procedure calls between two ranks (upcxx::rpc).
///
///     initiator: calls a procedure on its peer, and waits for its return.   responder: waits for the call, and
///     executes it.   idle: makes no call.
///
/// The procedure has an argument of 8 bytes and no result. An iteration is a round trip of two hops: `latency` of its
/// record is half of it. `here` is constructed on the same ranks and outlives the pattern.
class rpc_round_trip {
public:
    rpc_round_trip(group_ref ranks, arrivals& here, pairing pair)
        : team_{&ranks.get().team()}, here_{&here}, pair_{pair}, at_peer_{pair.peer < 0 ? 0 : here.of(pair.peer)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        if (pair_.role == role::initiator)
            f([this] { ::upcxx::rpc(*team_, pair_.peer, arrivals::add, at_peer_).wait(); });
        else if (pair_.role == role::responder) f([this] { here_->wait(1); });
        else f([] {});
    }
    sonde::role role() const { return pair_.role; }
    sonde::traffic traffic() const { return {0, 2, 2}; }

private:
    ::upcxx::team const* team_;
    arrivals* here_;
    pairing pair_;
    std::uintptr_t at_peer_;
};

} // namespace sonde::upcxx
