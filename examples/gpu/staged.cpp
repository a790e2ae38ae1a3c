// SPDX-License-Identifier: BSL-1.0

// Device buffers through pinned memory: a loop written by hand and sonde::staged_link, alternately, in one process. The
// message itself is a copy in host memory, so that the cost of staging is not hidden behind a network.

#include "in_turns.hpp"
#include "on_device.hpp"

#include <sonde/link.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using gpu::native::runtime;
using device = sonde::allocation<gpu::native::device_memory>;
using host = sonde::allocation<gpu::native::pinned_memory>;

/// A link of a process to itself: a message stays in a mailbox until it is received.
struct mailbox {
    sonde::region box;
    void send(sonde::region from) { std::memcpy(box.data(), from.data(), from.size()); }
    void recv(sonde::region into) { std::memcpy(into.data(), box.data(), into.size()); }
};

/// A round trip.
double by_hand(device const& out, device const& in, host const& there, host const& back, sonde::region box) {
    auto const n = box.size();
    return gpu::median_time([&] {
        runtime::copy(there.bytes().data(), out.bytes().data(), n, runtime::to_host);
        std::memcpy(box.data(), there.bytes().data(), n);
        std::memcpy(back.bytes().data(), box.data(), n);
        runtime::copy(in.bytes().data(), back.bytes().data(), n, runtime::to_device);
    });
}

double by_sonde(device const& out, device const& in, sonde::region box) {
    sonde::single_rank here;
    sonde::staged_link link{mailbox{box}, gpu::native::device_memory{}, gpu::native::pinned_memory{}};
    auto from = sonde::send_buffer(link, out.first(box.size()));
    auto to = sonde::recv_buffer(link, in.first(box.size()));
    auto const plan = sonde::plan<>{}.until(sonde::samples{gpu::iterations});
    return sonde::median(sonde::run(here, plan,
                                    [&] {
                                        link.send(from.next());
                                        link.recv(to.next());
                                    }))
        .count();
}

/// The program fails if Sonde's relative excess, in the median of several rounds, is larger than this. A single round
/// may be disturbed.
constexpr double expected = 0.03;
constexpr std::size_t rounds = 3;

bool measure(std::size_t bytes) {
    device out{bytes}, in{bytes};
    host there{bytes}, back{bytes}, box{bytes};
    std::vector<double> longer(rounds);
    for (auto& of : longer)
        of = gpu::in_turns(
            "staged", bytes, [&] { return by_hand(out, in, there, back, box.bytes()); },
            [&] { return by_sonde(out, in, box.bytes()); });
    return gpu::median(std::move(longer)) < expected;
}

} // namespace

int main() {
    return gpu::on_device([] {
        gpu::heading();
        auto right = true;
        for (std::size_t bytes = 8; bytes <= (std::size_t{1} << 24); bytes *= 8) right &= measure(bytes);
        return right;
    });
}
