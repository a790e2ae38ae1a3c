// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/clock/offset.hpp>

#include <cstddef>
#include <span>

struct my_channel {
    void send(int to, std::span<std::byte const> b);
    void receive(int from, std::span<std::byte> b);
};
static_assert(sonde::ControlChannel<my_channel>);
// [/satisfies]

namespace control_channel_concept {

struct only_sends { void send(int to, std::span<std::byte const> b); };
struct only_receives { void receive(int from, std::span<std::byte> b); };
struct single_number { void send(int to, double v); double receive(int from); };
struct numbers { void send(int to, std::span<double const> v); void receive(int from, std::span<double> v); };
struct sends_mutable : only_receives { void send(int to, std::span<std::byte> b); };      // a message is constant
struct without_rank : only_receives { void send(std::span<std::byte const> b); };         // to which rank?
static_assert(!sonde::ControlChannel<only_sends> && !sonde::ControlChannel<only_receives> &&
              !sonde::ControlChannel<single_number> && !sonde::ControlChannel<numbers> &&
              !sonde::ControlChannel<sends_mutable> && !sonde::ControlChannel<without_rank>);

static_assert(!sonde::ControlChannel<int>);

} // namespace control_channel_concept
