// SPDX-License-Identifier: BSL-1.0
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/clock/global_clock.hpp>
#include <sonde/upcxx/control_channel.hpp>

#include <cstddef>
#include <span>
#include <vector>

using namespace sonde::upcxx;

namespace {

std::vector<unsigned char> message_from(int of, std::size_t n) {
    std::vector<unsigned char> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = static_cast<unsigned char>(7 * i + static_cast<std::size_t>(of) + n);
    return all;
}

} // namespace

TEST_CASE("messages of a control channel arrive whole and in order") {
    on_ranks([] {
        group ranks;
        auto const channel = sonde::control_channel_of(ranks);
        static_assert(sonde::ControlChannel<decltype(channel)>);
        auto correct = true;
        for (std::size_t const n : {0UL, 1UL, 239UL, 240UL, 241UL, 480UL, 2000UL}) {
            if (size() == 1) continue;
            auto const out = message_from(rank(), n);
            std::vector<unsigned char> in(n);
            auto const send = [&] { channel.send(right(), std::as_bytes(std::span{out})); };
            if (rank() % 2 == 0) send();
            channel.receive(left(), std::as_writable_bytes(std::span{in}));
            if (rank() % 2 != 0) send();
            correct = correct && in == message_from(left(), n);
        }
        CHECK(correct);
    });
}

TEST_CASE("a rank reads messages of several others in another order than that in which they came") {
    on_ranks([] {
        group ranks;
        auto const channel = sonde::control_channel_of(ranks);
        for (int round = 0; round != 10; ++round) {
            double const mine[2] = {static_cast<double>(rank()), static_cast<double>(round)};
            if (rank() != 0) channel.send(0, std::as_bytes(std::span{mine}));
            for (int from = size() - 1; rank() == 0 && from > 0; --from) {
                double got[2]{};
                channel.receive(from, std::as_writable_bytes(std::span{got}));
                CHECK((got[0] == from && got[1] == round));
            }
        }
    });
}

TEST_CASE("ranks of one host share a clock without messages") {
    on_ranks([] {
        group ranks;
        sonde::global_clock shared{ranks};
        CHECK(shared.shared());
    });
}
