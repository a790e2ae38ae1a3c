// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/witness.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "fake_devices.hpp"

using namespace unit;

namespace {

constexpr std::size_t message = 1'000'000;

/// An iteration that sends over an interface of this rank's host.
struct sending {
    witnesses::fake_devices* files;
    char const* over;
    sonde::role mine;

    void operator()() const {
        auto const sends = mine == sonde::role::initiator;
        files->interface(over, sends ? 0 : message, sends ? message : 0);
    }
    sonde::role role() const { return mine; }
    sonde::traffic traffic() const { return {message, 1, 1}; }
    sonde::requirements requirements() const { return {.in_pair = mine}; }
};

/// A group whose ranks are each on a host.
struct named_group : decltype(std::declval<process&>().group()) {
    using base = decltype(std::declval<process&>().group());
    std::string name;
    named_group(base all, std::string of_host) : base{std::move(all)}, name{std::move(of_host)} {}
    std::string host_name() const { return name; }
};

/// The record of two ranks on hosts a and b, which send ten times over an interface.
std::vector<sonde::record> record_of(char const* over, char const* host_of_responder = "b", int warmup = 3) {
    return on_ranks(2, {}, [&](process& self) {
        witnesses::fake_devices files;
        files.interface("eth0", 5000, 5000, "1000");
        files.interface("fast0", 7000, 7000, "100000");
        auto const sends = self.rank() == 0;
        named_group group{self.group(), sends ? "a" : host_of_responder};
        sonde::witness devices{files.root()};
        auto const plan = sonde::plan<>{}
                              .warmup(static_cast<std::size_t>(warmup))
                              .batch(2)
                              .until(sonde::samples{5})
                              .timed_by(self.clock());
        return sonde::run(group, plan.keep({.carried = &devices}),
                          sending{&files, over, sends ? sonde::role::initiator : sonde::role::responder});
    });
}

} // namespace

TEST_CASE("a witness reads before the first sample and after the last, once on each host, for rank 0") {
    auto const records = record_of("fast0");
    CHECK(!records[1].carried);
    auto const& carried = records[0].carried.value();
    CHECK(carried.iterations == 10);
    CHECK(carried.bytes == 10.0 * message);
    CHECK(carried.messages == 10);
    REQUIRE(carried.hosts.size() == 2);
    CHECK(carried.hosts[0].host == "a");
    CHECK(carried.hosts[1].host == "b");
    REQUIRE(carried.hosts[0].devices.size() == 2);
    CHECK(carried.hosts[0].devices[1].name == "fast0");
    CHECK(carried.hosts[0].devices[1].sent_bytes == 10 * message);
    CHECK(carried.hosts[1].devices[1].received_bytes == 10 * message);
    CHECK(carried.hosts[0].devices[0].sent_bytes == 0);
    for (auto const& r : records) CHECK(!r.flags.suspect_transport);
}

TEST_CASE("a record whose messages went over a slower device is flagged on all ranks") {
    auto const records = record_of("eth0");
    for (auto const& r : records) CHECK(r.flags.suspect_transport);
    CHECK(sonde::transport_statements(records[0].carried.value()) ==
          std::vector<std::string>{
              "100 % of 10 MB went over eth0 (interface, 1 Gbit/s, up); fast0 (interface, 100 Gbit/s, up) "
              "carried nothing"});
}

TEST_CASE("ranks of one host are read once, and their messages are not known to go between hosts") {
    auto const records = record_of("eth0", "a");
    auto const& carried = records[0].carried.value();
    CHECK(carried.hosts.size() == 1);
    CHECK(!carried.bytes);
}

TEST_CASE("two network namespaces of a machine share its RDMA devices, whose bytes count once") {
    auto const records = on_ranks(2, {}, [&](process& self) {
        witnesses::fake_devices files;
        auto const sends = self.rank() == 0;
        files.interface("eth0", 0, 0);
        std::filesystem::create_directories(files.root() + "/proc/self/ns");
        std::filesystem::create_symlink(sends ? "net:[1]" : "net:[2]", files.root() + "/proc/self/ns/net");
        named_group group{self.group(), "a"};
        sonde::witness devices{files.root()};
        auto const set = [&](char const* words) {
            files.rdma_port("mlx5_0/ports/1", "InfiniBand", "200 Gb/sec",
                            {{"counters/port_xmit_data", words}, {"counters/port_rcv_data", words}});
        };
        set("0");
        devices.begin(group);
        set("1000");
        return devices.finish();
    });
    auto const& hosts = records[0].value().hosts;
    REQUIRE(hosts.size() == 2);
    CHECK(hosts[0].devices.size() == 2);
    REQUIRE(hosts[1].devices.size() == 1);
    CHECK(hosts[1].devices[0].name == "eth0");
}

TEST_CASE("a plan with a witness on some ranks only is refused on all") {
    CHECK_THROWS_WITH_AS(on_ranks(2, {},
                                  [&](process& self) {
                                      auto group = self.group();
                                      sonde::witness devices;
                                      auto const plan = sonde::plan<>{}.timed_by(self.clock());
                                      static_cast<void>(sonde::run(
                                          group, self.rank() == 0 ? plan.keep({.carried = &devices}) : plan, [] {}));
                                      return 0;
                                  }),
                         doctest::Contains("these parts differ: what the record keeps"), std::invalid_argument);
}

TEST_CASE("an application reads around its own exchange") {
    witnesses::fake_devices files;
    files.interface("eth0", 0, 0);
    sonde::single_rank group;
    sonde::witness devices{files.root()};
    CHECK_THROWS_AS(static_cast<void>(devices.finish()), std::logic_error);
    devices.begin(group);
    files.interface("eth0", 100, 300);
    auto const carried = devices.finish();
    CHECK(carried.value().hosts.at(0).devices.at(0).sent_bytes == 300);
    CHECK_THROWS_AS(static_cast<void>(devices.finish()), std::logic_error);
}
