// SPDX-License-Identifier: BSL-1.0
#include <sonde/witness/statements.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using sonde::transport_statements, sonde::transport_text, sonde::device_traffic;
using texts = std::vector<std::string>;

namespace {

device_traffic device(char const* name, char const* kind, double rate, std::uint64_t sent, std::uint64_t received) {
    device_traffic one{name, kind, "up", "", rate, sent, received};
    one.sent_packets = sent / 1000;
    return one;
}

constexpr std::uint64_t million = 1'000'000;

/// Two hosts, each with eth0 (10 Gbit/s) and mlx5_0/1 (200 Gbit/s), one of which carried `bytes` from the first host to
/// the second.
sonde::carried_traffic carried_by(bool fast, std::uint64_t bytes, std::uint64_t chatter = 0) {
    sonde::carried_traffic found;
    for (auto const is_sender : {true, false}) {
        auto const sent = is_sender ? bytes : bytes / 100, received = is_sender ? bytes / 100 : bytes;
        auto const eth = device("eth0", "interface", 10, (fast ? 0 : sent) + chatter, (fast ? 0 : received) + chatter);
        auto const ib = device("mlx5_0/1", "InfiniBand", 200, fast ? sent : 0, fast ? received : 0);
        found.hosts.push_back({is_sender ? "a" : "b", {eth, ib}, bytes / 1000, 0, {}});
    }
    return found;
}

sonde::carried_traffic of_messages(sonde::carried_traffic carried, double bytes, double messages = 1000) {
    carried.bytes = bytes;
    carried.messages = messages;
    return carried;
}

} // namespace

TEST_CASE("devices: the one with the most bytes first, with its share; loopback is this host") {
    auto carried = carried_by(false, 980 * million);
    carried.hosts[0].devices[1].sent_bytes = 20 * million;
    carried.hosts[1].devices[1].received_bytes = 20 * million;
    carried.hosts[0].devices.push_back(device("lo", "loopback", 0, 9000 * million, 9000 * million));
    auto const shares = sonde::device_shares(carried);
    REQUIRE(shares.size() == 2);
    CHECK(shares[0].device.name == "eth0");
    CHECK(shares[0].bytes == doctest::Approx(989.8e6));
    CHECK(shares[0].share == doctest::Approx(0.98).epsilon(0.001));
    CHECK(shares[1].bytes == 20e6);
    CHECK(transport_text(carried) ==
          "98 % of 1.0 GB: eth0 (interface, 10 Gbit/s, up); 2 %: mlx5_0/1 (InfiniBand, 200 Gbit/s, up)");
}

TEST_CASE("no device carried what ranks of a host send each other") {
    CHECK(transport_text({{{"a", {}, {}, {}, {"eth0: no counter of bytes"}}}, 0, {}, {}}) ==
          "no device; a: eth0: no counter of bytes");
}

TEST_CASE(
    "messages on a slower device than one that carried nothing are named, with what else could have carried them") {
    CHECK(transport_statements(of_messages(carried_by(false, 1200 * million), 1.15e9)) ==
          texts{"100 % of 1.2 GB went over eth0 (interface, 10 Gbit/s, up); mlx5_0/1 (InfiniBand, 200 Gbit/s, up) "
                "carried nothing"});
    CHECK(transport_statements(carried_by(false, 1200 * million)).size() == 1);
}

TEST_CASE("messages on the fastest device are not named, whatever the hosts chatter") {
    CHECK(transport_statements(of_messages(carried_by(true, 1200 * million, 100'000), 1.19e9)).empty());
    CHECK(transport_statements(of_messages(carried_by(true, 2 * million, 400'000), 2e6)).empty());
    CHECK(transport_statements(carried_by(true, 1200 * million, 100'000)).empty());
    CHECK(transport_statements(of_messages(carried_by(false, 900'000), 9e5)).empty()); // too little to be sure
}

TEST_CASE("nothing is said of a device that is down, not counted, as fast, or on one host") {
    auto const with_fast = [](auto change) {
        auto carried = of_messages(carried_by(false, 1200 * million), 1.2e9);
        for (auto& host : carried.hosts) change(host.devices[1]);
        return transport_statements(carried).size();
    };
    CHECK(with_fast([](device_traffic&) {}) == 1);
    CHECK(with_fast([](device_traffic& d) { d.state = "down"; }) == 0);
    CHECK(with_fast([](device_traffic& d) { d.sent_bytes.reset(), d.received_bytes.reset(); }) == 0);
    CHECK(with_fast([](device_traffic& d) { d.gigabits_per_second.reset(); }) == 0);
    CHECK(with_fast([](device_traffic& d) { d.kind = "interface", d.gigabits_per_second = 19; }) == 0);
    CHECK(with_fast([](device_traffic& d) { d.gigabits_per_second = 10; }) == 1); // RDMA beside the kernel's network
    auto alone = carried_by(false, 1200 * million);
    alone.hosts.pop_back();
    CHECK(transport_statements(alone).empty());
}

TEST_CASE("TCP over InfiniBand is not InfiniBand, although its device counts the bytes") {
    auto carried = of_messages(carried_by(true, 1200 * million), 1.2e9);
    for (auto& host : carried.hosts) {
        host.devices[0] = host.devices[1];
        host.devices[0].name = "ib0";
        host.devices[0].kind = "IPoIB";
        host.devices[0].below = "mlx5_0";
    }
    CHECK(transport_statements(carried) == texts{"100 % of 1.2 GB went over ib0 (IPoIB, 200 Gbit/s, up); "
                                                 "mlx5_0/1 (InfiniBand, 200 Gbit/s, up) carried nothing"});
    CHECK(sonde::not_carried_by(carried, "mlx5_0").has_value());
}

TEST_CASE("segments that were sent again are named from 10 and 0.1 % on") {
    auto const with = [](std::uint64_t segments, std::uint64_t again, bool by_tcp = true) {
        auto carried = of_messages(carried_by(!by_tcp, 1800 * million), 1.2e9);
        for (auto& host : carried.hosts)
            if (by_tcp) host.devices[1].state = "down";
        carried.hosts[0].tcp_segments = segments;
        carried.hosts[0].tcp_retransmissions = again;
        carried.hosts[1].tcp_segments = 0;
        return transport_statements(carried);
    };
    CHECK(with(1'000'000, 31'000) ==
          texts{"TCP sent 31000 of 1000000 segments again: 1.8 GB were sent for 1.2 GB of messages"});
    CHECK(with(10'000, 10).front().find("TCP sent 10 of 10000") == 0);
    CHECK(with(10'001, 10).front().find("TCP") == std::string::npos);
    CHECK(with(100, 9).front().find("TCP") == std::string::npos);
    CHECK(with(1'000'000, 31'000, false).front().find("TCP") == std::string::npos); // of other programs
}

TEST_CASE("segments that another program of one host sent again are not named") {
    auto carried = carried_by(false, 20 * million);
    carried.hosts.pop_back();
    carried.hosts[0].tcp_segments = 5000;
    carried.hosts[0].tcp_retransmissions = 20;
    CHECK(transport_statements(carried).empty());
}

TEST_CASE("packets that a device sent again are named") {
    auto carried = of_messages(carried_by(true, 1200 * million), 1.2e9);
    carried.hosts[0].devices[1].retransmissions = 2000;
    CHECK(transport_statements(carried) ==
          texts{"mlx5_0/1 sent 2000 of 1212000 packets again: 1.2 GB were sent for 1.2 GB of messages"});
}

TEST_CASE("other traffic is named with its size: beyond headers and chatter") {
    CHECK(transport_statements(of_messages(carried_by(true, 1600 * million), 1.2e9)) ==
          texts{"other traffic of 416 MB was on mlx5_0/1 (InfiniBand, 200 Gbit/s, up), beside 1.2 GB of messages"});
    CHECK(transport_statements(of_messages(carried_by(true, 1300 * million), 1.2e9)).empty());    // headers
    CHECK(transport_statements(of_messages(carried_by(true, 2 * million), 8e4, 10'000)).empty()); // of short messages
    CHECK(transport_statements(of_messages(carried_by(true, 1200 * million), 4e9))
              .empty()); // another way, which is not counted
    auto unknown = carried_by(true, 1200 * million);
    CHECK(transport_statements(unknown).empty());
    *unknown.hosts[0].devices[1].received_bytes += 400 * million;
    CHECK(transport_statements(unknown) ==
          texts{"other traffic of 400 MB was on mlx5_0/1 (InfiniBand, 200 Gbit/s, up), "
                "beside 1.2 GB that the hosts sent"});
}

TEST_CASE("a device that was expected carried the messages, or it is said what did") {
    auto const carried = of_messages(carried_by(false, 1200 * million), 1.2e9);
    CHECK(!sonde::not_carried_by(carried, "eth0"));
    CHECK(sonde::not_carried_by(carried, "mlx5_0").value() ==
          "mlx5_0 carried 0 B of 1.2 GB: 100 % of 1.2 GB: eth0 (interface, 10 Gbit/s, up)");
    CHECK(sonde::not_carried_by(carried, "mlx5_0/1").has_value());
    CHECK(sonde::not_carried_by(carried_by(false, 0), "eth0").value() ==
          "eth0 carried nothing, and neither did another device");
    CHECK(sonde::not_carried_by(carried, "mlx5").value().find("the bytes of mlx5 are not known") == 0);
    CHECK(!sonde::not_carried_by(of_messages(carried_by(true, 5 * million, 3 * million), 5e6),
                                 "mlx5_0")); // beside other traffic
    CHECK(!sonde::not_carried_by(carried, "eth1,eth0"));
}

TEST_CASE("what hosts chatter on a device that was expected is not taken for the messages") {
    CHECK(sonde::not_carried_by(of_messages(carried_by(false, 300), 2e7), "eth0").has_value());
    auto unknown = carried_by(false, 980);
    unknown.iterations = 100;
    CHECK(sonde::not_carried_by(unknown, "eth0").has_value());
    unknown.iterations = 1;
    CHECK(!sonde::not_carried_by(unknown, "eth0"));
    auto within = carried_by(false, 1200 * million);
    within.hosts.pop_back();
    CHECK(sonde::not_carried_by(within, "eth0").value() == "eth0 carried no messages, which stayed within a host");
}

TEST_CASE("what several measurements carried is added, and what is unknown in one is unknown") {
    auto sum = of_messages(carried_by(false, 1000 * million), 1e9);
    auto const size = sum.hosts.size();
    auto other = of_messages(carried_by(false, 500 * million), 5e8);
    other.hosts[1].devices[1].sent_bytes.reset();
    other.hosts[0].unread = {"why"};
    sonde::add(sum, other);
    sonde::add(sum, other);
    CHECK(sum.hosts.size() == size);
    CHECK(sum.hosts[0].devices[0].sent_bytes == 2000 * million);
    CHECK(!sum.hosts[1].devices[1].sent_bytes);
    CHECK(sum.hosts[0].tcp_segments == 2 * million);
    CHECK(sum.hosts[0].unread == texts{"why"});
    CHECK(sum.bytes == 2e9);
    other.bytes.reset();
    sonde::add(sum, other);
    CHECK(!sum.bytes);
}
