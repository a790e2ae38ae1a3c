// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include "tools/model/measure/log_gp_measurement.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;
using sonde::seconds;

namespace {

/// The records of a size on each rank.
std::vector<std::vector<sonde::record>> measured(std::size_t bytes, int ranks = 2, std::size_t n_of_last = 12) {
    return on_ranks(ranks, log_gp_network, [&](process& self) {
        std::vector<std::byte> out(bytes), in(bytes), token(1);
        auto const at = sonde::pair_of(self.rank(), 1);
        auto group = self.group();
        auto const wait = [&self](seconds d) { self.work(std::chrono::nanoseconds{ns(d)}); };
        tools::model::message_endpoint const messages{self.link(at.peer), at.role, sonde::slice{out}, sonde::slice{in}};
        tools::model::token_endpoint const tokens{self.link(at.peer, 1), sonde::slice{token}};
        tools::model::log_gp_measurement const measure{self.rank() == ranks - 1 ? n_of_last : 12, messages, tokens,
                                                       wait};
        return measure(group, sonde::plan<>{}.warmup(1).until(sonde::samples{3}).timed_by(self.clock()));
    });
}

std::string words(sonde::point const& at) {
    auto text = at.name;
    for (auto const& p : at.parameters) text += " " + p.name + "=" + p.text;
    return text;
}

} // namespace

TEST_CASE("a LogGP measurement is five records, whose wait is the first one's time") {
    auto const records = measured(1001).front();
    REQUIRE(records.size() == 5);
    CHECK(words(records[0].point) == "round_trips bytes=1001 messages=1 wait_seconds=0 side=send");
    CHECK(words(records[1].point) == "round_trips bytes=1001 messages=12 wait_seconds=0 side=send");
    CHECK(words(records[2].point) == "round_trips bytes=1001 messages=12 wait_seconds=1.8e-05 side=send");
    CHECK(words(records[3].point) == "round_trips bytes=1001 messages=1 wait_seconds=1.8e-05 side=receive");
    CHECK(words(records[4].point) == "round_trips bytes=1001 messages=12 wait_seconds=1.8e-05 side=receive");
}

TEST_CASE("a LogGP measurement takes the sender's times of round trips, and the receiver's of its receives") {
    auto const records = measured(1001).front();
    using counts = std::vector<std::size_t>;
    for (std::size_t i = 0; i != 3; ++i) CHECK(records[i].slowest_counts == counts{3, 0});
    for (std::size_t i = 3; i != 5; ++i) CHECK(records[i].slowest_counts == counts{0, 3});
}

TEST_CASE("a LogGP measurement is the same on every rank, also on idle ones") {
    auto const all = measured(64, 3);
    for (auto const& records : all) {
        REQUIRE(records.size() == 5);
        for (std::size_t i = 0; i != 5; ++i) {
            CHECK(words(records[i].point) == words(all[0][i].point));
            CHECK(records[i].series == all[0][i].series);
            CHECK(records[i].initiators == 1);
        }
    }
}

TEST_CASE("a number of messages that differs between ranks is refused, before a message is sent") {
    CHECK_THROWS_WITH_AS(measured(64, 2, 11),
                         "tools::model::log_gp_measurement: the arguments must be equal on all ranks; these parts "
                         "differ: messages",
                         std::invalid_argument);
}
