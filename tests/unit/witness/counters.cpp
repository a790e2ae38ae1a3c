// SPDX-License-Identifier: BSL-1.0
#include <sonde/witness.hpp>
#include <sonde/witness/differences.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fake_devices.hpp"

using sonde::detail::difference, sonde::detail::read_counters, sonde::detail::traffic_between;
using texts = std::vector<std::string>;

namespace {

constexpr auto no_bound = 0x1p64;

/// What was carried between two states of the files.
struct observed {
    witnesses::fake_devices files;
    std::optional<sonde::detail::host_counters> before;

    void begin() { before = read_counters("a", files.root()); }
    sonde::host_traffic end(double elapsed = 1) {
        auto after = read_counters("a", files.root());
        after.time = before->time + sonde::seconds{elapsed};
        return traffic_between(*before, after);
    }
    /// The only device, between two states.
    sonde::device_traffic device(double elapsed = 1) {
        auto const host = end(elapsed);
        REQUIRE(host.devices.size() == 1);
        return host.devices.front();
    }
};

std::string const port = "mlx5_0/ports/1", counters = "/sys/class/infiniband/" + port + "/counters/";

/// A port of 200 Gbit/s whose counter of sent words has a value.
struct observed_port : observed {
    void set(std::string const& sent, std::string const& received = "1000") {
        files.rdma_port(port, "InfiniBand", "200 Gb/sec (4X HDR)",
                        {{"counters/port_xmit_data", sent}, {"counters/port_rcv_data", received}});
    }
};

} // namespace

TEST_CASE("a counter that is smaller has wrapped at 32, 56 or 64 bits, or was reset") {
    CHECK(difference(5, 12, no_bound).value == 7);
    CHECK(difference(0, 0, no_bound).value == 0);
    CHECK(difference(0xfffffff0, 0x10, no_bound).value == 0x20);
    CHECK(difference(0xfffffffffffff0, 0x10, no_bound).value == 0x20);
    CHECK(difference(0xfffffffffffffff0, 0x10, no_bound).value == 0x20);
    CHECK(difference(1000, 10, no_bound).reset);               // not in the upper half of any range
    CHECK(difference(0xfffffff0, 0x90000000, no_bound).reset); // would have advanced by more than half
    CHECK(difference(0xfffffff0, 0x10, 0x20).value == 0x20);
    CHECK(difference(0xfffffff0, 0x10, 0x1f).reset); // more than the link carries in the time
    auto const stopped = difference(0xffffffff, 0xffffffff, no_bound);
    CHECK(!stopped.value);
    CHECK(!stopped.reset);
}

TEST_CASE_FIXTURE(observed_port, "InfiniBand: words of 4 bytes, errors and retransmissions are sums of counters") {
    set("1000", "2000");
    files.write(counters + "port_rcv_errors", "5");
    files.write(counters + "symbol_error", "1");
    auto const hardware = "/sys/class/infiniband/" + port + "/hw_counters/";
    files.write(hardware + "local_ack_timeout_err", "10");
    files.write(hardware + "packet_seq_err", "20");
    begin();
    set("251000", "2500");
    files.write(counters + "port_rcv_errors", "8");
    files.write(hardware + "local_ack_timeout_err", "11");
    files.write(hardware + "packet_seq_err", "22");
    auto const found = device();
    CHECK(found.name == "mlx5_0/1");
    CHECK(found.kind == "InfiniBand");
    CHECK(found.state == "active");
    CHECK(found.gigabits_per_second == 200);
    CHECK(found.sent_bytes == 1'000'000);
    CHECK(found.received_bytes == 2000);
    CHECK(found.errors == 3);
    CHECK(found.retransmissions == 3);
    CHECK(!found.drops);
    CHECK(!found.sent_packets);
}

TEST_CASE_FIXTURE(observed_port,
                  "a counter of 32 bits that wraps is no reset, if the link carries as much in the time") {
    set("4294967295");
    begin();
    set("249999");
    CHECK(device().sent_bytes == 1'000'000);
    set("4294967295");
    begin();
    set("1500000000"); // 6 GB, and 200 Gbit/s carry 25 GB in a second
    CHECK(device(1).sent_bytes == 6'000'000'004);
    auto const reset = end(0.01);
    CHECK(!reset.devices.front().sent_bytes);
    CHECK(reset.unread == texts{"mlx5_0/1: counters/port_xmit_data was reset"});
}

TEST_CASE_FIXTURE(observed_port, "after a reset of one counter, no counter of the device counts") {
    set("1000", "1000");
    begin();
    set("2000", "10"); // the first was reset, too, and is larger again
    auto const host = end();
    CHECK(!host.devices.front().sent_bytes);
    CHECK(!host.devices.front().received_bytes);
    CHECK(host.unread == texts{"mlx5_0/1: counters/port_rcv_data was reset"});
}

TEST_CASE_FIXTURE(observed_port,
                  "a counter that cannot be read is missing, and named; one that is not there is missing") {
    set("1000");
    begin();
    files.write(counters + "port_xmit_data", "N/A");
    auto const unread = end();
    CHECK(!unread.devices.front().sent_bytes);
    CHECK(unread.devices.front().received_bytes == 0);
    CHECK(unread.unread == texts{"mlx5_0/1: counters/port_xmit_data cannot be read"});
    files.remove(counters);
    begin();
    auto const none = end();
    CHECK(!none.devices.front().received_bytes);
    CHECK(none.unread == texts{"mlx5_0/1: no counter of bytes"});
}

TEST_CASE_FIXTURE(observed, "Omni-Path: counters of InfiniBand's kind, and what verbs send again") {
    std::string const path = "hfi1_0/ports/1";
    auto const set = [&](std::string const& words, std::string const& again) {
        files.rdma_port(
            path, "InfiniBand", "100 Gb/sec (4X EDR)",
            {{"counters/port_xmit_data", words}, {"counters/port_rcv_data", "0"}, {"hw_counters/RcResend", again}});
    };
    set("18446744073709551615", "7");
    begin();
    set("24", "9");
    auto const found = device();
    CHECK(found.kind == "Omni-Path");
    CHECK(found.sent_bytes == 100);
    CHECK(found.retransmissions == 2);
}

TEST_CASE_FIXTURE(observed, "Slingshot: telemetry with the time of its reading, 56 bits wide, packets of all classes") {
    std::string const folder = "/sys/class/cxi/cxi0/device/";
    files.write(folder + "port/link", "up");
    files.write(folder + "port/speed", "BS_200G");
    auto const set = [&](std::string const& sent, std::string const& packets) {
        files.write(folder + "telemetry/hni_sts_tx_ok_octets", sent + "@1700000000.123456789");
        files.write(folder + "telemetry/hni_sts_rx_ok_octets", "5000@1700000000.123456789");
        files.write(folder + "telemetry/hni_pkts_sent_by_tc_0", packets + "@1700000000.1");
        files.write(folder + "telemetry/hni_pkts_sent_by_tc_7", packets + "@1700000000.1");
    };
    set("72057594037927935", "10");
    begin();
    set("999", "12");
    auto const found = device();
    CHECK(found.name == "cxi0");
    CHECK(found.kind == "Slingshot");
    CHECK(found.gigabits_per_second == 200);
    CHECK(found.sent_bytes == 1000);
    CHECK(found.received_bytes == 0);
    CHECK(found.sent_packets == 4);
}

TEST_CASE_FIXTURE(observed,
                  "interfaces: bytes, packets, errors and drops of /proc/net/dev; a bridge counts nothing twice") {
    files.interface("lo", 10, 10);
    files.interface("eth0", 1000, 5000, "10000");
    files.interface("br0", 0, 0);
    files.write("/sys/class/net/br0/lower_eth0/ifindex", "2");
    files.write("/sys/class/net/lo/type", "772");
    files.tcp(100, 1, 5);
    begin();
    files.interface("eth0", 2000, 4'000'000);
    files.interface("br0", 2000, 4'000'000);
    files.interface("lo", 5, 5);
    files.tcp(150, 9, 10); // eight segments again, five of which had arrived
    auto const host = end();
    REQUIRE(host.devices.size() == 2);
    CHECK(host.devices[0].kind == "loopback");
    CHECK(host.devices[0].sent_bytes == 5);
    auto const& found = host.devices[1];
    CHECK(found.name == "eth0");
    CHECK(found.kind == "interface");
    CHECK(found.state == "up");
    CHECK(found.gigabits_per_second == 10);
    CHECK(found.received_bytes == 2000);
    CHECK(found.sent_bytes == 4'000'000);
    CHECK(found.sent_packets == 4000);
    CHECK(found.errors == 0);
    CHECK(host.tcp_segments == 50);
    CHECK(host.tcp_retransmissions == 3);
}

TEST_CASE_FIXTURE(observed, "interfaces of software: counted where there are no others, and without a rate") {
    files.interface("veth0", 0, 0, "10000");
    files.without_hardware("veth0");
    begin();
    files.interface("veth0", 100, 100);
    CHECK(device().received_bytes == 100);
    CHECK(!device().gigabits_per_second);
    files.interface("eth0", 0, 0, "1000");
    begin();
    files.interface("veth0", 100, 100);
    CHECK(device().name == "eth0");
}

TEST_CASE_FIXTURE(observed_port, "a port that counts bytes in counters/ is not counted again by its hardware's") {
    auto const hardware = "/sys/class/infiniband/" + port + "/hw_counters/tx_bytes";
    set("0");
    files.write(hardware, "0");
    begin();
    set("100");
    files.write(hardware, "400");
    CHECK(device().sent_bytes == 400);
    files.write("/sys/class/infiniband/" + port + "/link_layer", "Unspecified");
    CHECK(device().kind == "EFA");
}

TEST_CASE_FIXTURE(observed,
                  "an interface of IPoIB names the device below it; a device that is down and unused is left out") {
    files.interface("ib0", 0, 0, "200000");
    files.write("/sys/class/net/ib0/type", "32");
    files.write("/sys/class/net/ib0/device/infiniband/mlx5_0/node_type", "1");
    files.interface("eth1", 0, 0);
    files.write("/sys/class/net/eth1/operstate", "down");
    begin();
    auto const found = device();
    CHECK(found.kind == "IPoIB");
    CHECK(found.below == "mlx5_0");
}

TEST_CASE("a host without files has no devices") {
    auto const nothing = read_counters("a", "/there/is/no/folder");
    CHECK(nothing.devices.empty());
    CHECK(!nothing.tcp_segments);
}

TEST_CASE("what a rank sends of its host reads back equal") {
    sonde::host_traffic const host{
        "a b",
        {{"eth0", "interface", "up", "", 2.5, 1, 2, 3, 4, 5, 6, 7}, {"ib0", "IPoIB", "", "mlx5_0"}},
        8,
        std::nullopt,
        {"ib0: a\tb"}};
    auto const found = sonde::detail::host_traffic_of(sonde::detail::text_of(host));
    CHECK(found.host == "a b");
    REQUIRE(found.devices.size() == 2);
    CHECK(found.devices[0].gigabits_per_second == 2.5);
    CHECK(found.devices[0].sent_bytes == 1);
    CHECK(found.devices[0].retransmissions == 7);
    CHECK(found.devices[1].below == "mlx5_0");
    CHECK(!found.devices[1].received_bytes);
    CHECK(!found.devices[1].gigabits_per_second);
    CHECK(found.tcp_segments == 8);
    CHECK(!found.tcp_retransmissions);
    CHECK(found.unread == texts{"ib0: a b"});
}
