// SPDX-License-Identifier: BSL-1.0
#include "../../remote_memory.hpp"

#include <sonde/link.hpp>
#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/// A link with messages of its own type, which counts its adapted buffers.
struct counting_link {
    std::vector<std::byte*>* sent;
    std::size_t* translated;

    struct places {
        sonde::rotating buffer;
        std::byte* next() { return buffer.next().data(); }
        std::size_t size() const { return buffer.size() / 2; } // bytes that this link moves of a region
        std::size_t regions() const { return buffer.regions(); }
    };
    places send_buffer(sonde::rotating buffer) { return ++*translated, places{buffer}; }
    places recv_buffer(sonde::rotating buffer) { return ++*translated, places{buffer}; }
    void isend(std::byte* at) { sent->push_back(at); }
    void irecv(std::byte*) {}
    void wait_all() {}
    void complete() { ++*translated; }
};

struct staged_buffers_fixture {
    std::vector<std::byte*> sent{};
    std::size_t translated = 0;
    sonde::allocation<remote_memory> memory{4096};

    auto link(std::size_t window = 1) {
        return sonde::staged_link{counting_link{&sent, &translated}, remote_memory{}, sonde::host_memory{}, window};
    }
    /// The number of distinct host regions of `messages` messages in flight from a buffer.
    template <class B>
    std::size_t distinct(B buffer, std::size_t window, std::size_t messages) {
        auto way = link(window);
        auto out = sonde::send_buffer(way, buffer);
        for (std::size_t i = 0; i != messages; ++i) way.isend(out.next());
        return std::set<std::byte*>(sent.begin(), sent.end()).size();
    }
};

struct blocking {
    void send(sonde::region);
    void recv(sonde::region);
};
struct receiving {
    void recv(sonde::region);
};
template <class Inner>
using message_of = sonde::adapted_message<sonde::staged_buffer<sonde::opaque_slice>, Inner>;
using message = message_of<sonde::region>;
template <class L>
using by_host = sonde::staged_link<L, remote_memory>;

static_assert(sonde::Link<by_host<sonde::sim::link>, message>);
static_assert(sonde::AsyncLink<by_host<sonde::sim::link>, message>);
static_assert(sonde::Link<by_host<blocking>, message> && !sonde::AsyncLink<by_host<blocking>, message>);
static_assert(!sonde::Link<by_host<receiving>, message>);
static_assert(!sonde::Link<by_host<sonde::sim::link>>); // a message that was not adapted has no host region
static_assert(sonde::AsyncLink<by_host<counting_link>, message_of<std::byte*>>);

template <class Device, class Host>
concept stages = requires { typename sonde::staged_link<blocking, Device, Host>; };
static_assert(stages<remote_memory, sonde::host_memory>);
static_assert(!stages<remote_memory, remote_memory>);           // the host could not send from it
static_assert(!stages<sonde::host_memory, sonde::host_memory>); // needs none

/// Memory that throws when it is copied to or from.
struct uncopied : remote_memory {
    void read(sonde::region, sonde::opaque_region) const { throw std::logic_error{"a copy"}; }
    void write(sonde::opaque_region, std::span<std::byte const>) const { throw std::logic_error{"a copy"}; }
};

/// Memory that notes its deallocation.
struct ending_memory : sonde::host_memory {
    std::vector<std::string>* log;
    void deallocate(void* p, std::size_t n) const {
        log->push_back("memory");
        sonde::host_memory::deallocate(p, n);
    }
};
struct ending_link {
    std::vector<std::string>* log;
    explicit ending_link(std::vector<std::string>& into) : log{&into} {}
    ending_link(ending_link&& other) noexcept : log{std::exchange(other.log, nullptr)} {}
    ~ending_link() {
        if (log != nullptr) log->push_back("link");
    }
};

} // namespace

TEST_CASE_FIXTURE(staged_buffers_fixture,
                  "staged: a buffer is adapted once, and has the size and the regions of the inner one") {
    auto way = link();
    auto out = sonde::send_buffer(way, memory.distinct_regions(100, 7));
    auto in = sonde::recv_buffer(way, memory.first(64));
    CHECK(translated == 2);
    CHECK(out.size() == 50);
    CHECK(out.regions() == 7);
    CHECK(in.size() == 32);
    CHECK(in.regions() == 1);
}

TEST_CASE_FIXTURE(staged_buffers_fixture, "staged: each region of the device has its host region, in the same order") {
    auto way = link();
    auto const device = memory.distinct_regions(8, 3);
    auto out = sonde::send_buffer(way, device);
    auto expected = device;
    std::vector<std::byte*> first, second;
    for (int i = 0; i != 3; ++i) first.push_back(out.next().inner);
    for (int i = 0; i != 3; ++i) {
        auto const m = out.next();
        auto const bytes = m.bytes.next();
        CHECK(bytes.device.data() == expected.next().data());
        CHECK(bytes.host.data() == m.inner);
        CHECK(bytes.host.size() == 8);
        second.push_back(m.inner);
    }
    CHECK(first == second);
    CHECK(std::set<std::byte*>(first.begin(), first.end()).size() == 3);
}

TEST_CASE("staged: messages in flight have host regions of their own, for any device regions") {
    staged_buffers_fixture const from;
    CHECK(staged_buffers_fixture{}.distinct(from.memory.first(8), 5, 5) == 5);
    CHECK(staged_buffers_fixture{}.distinct(from.memory.distinct_regions(8, 5), 1, 5) == 5);
    CHECK(staged_buffers_fixture{}.distinct(from.memory.distinct_regions(8, 2), 5, 6) == 6); // three times two regions
}

TEST_CASE_FIXTURE(staged_buffers_fixture, "staged: more messages in flight than host regions are refused") {
    auto const both_ways = [&](auto buffer, std::size_t window) {
        return sonde::bidirectional{
            link(window), sonde::role::idle, 4, buffer, buffer, sonde::directions::both, sonde::overlapping_receives};
    };
    CHECK_THROWS_AS(both_ways(memory.first(8), 1), std::invalid_argument);
    CHECK_THROWS_AS(both_ways(memory.distinct_regions(8, 3), 3), std::invalid_argument);
    CHECK_NOTHROW(both_ways(memory.first(8), 4));
    CHECK_NOTHROW(both_ways(memory.distinct_regions(8, 4), 1));
    CHECK_THROWS_AS(link(0), std::invalid_argument);
}

TEST_CASE_FIXTURE(staged_buffers_fixture, "staged: an empty message is sent and received without a copy") {
    sonde::staged_link way{counting_link{&sent, &translated}, uncopied{}};
    auto out = sonde::send_buffer(way, memory.first(0)), in = sonde::recv_buffer(way, memory.first(0));
    way.irecv(in.next());
    way.isend(out.next());
    way.wait_all();
    CHECK(sent.size() == 1);
}

TEST_CASE_FIXTURE(staged_buffers_fixture, "staged: complete() completes the inner link") {
    auto way = link();
    way.complete();
    CHECK(translated == 1);
}

TEST_CASE("staged: host memory outlives the link while its messages may still use it") {
    std::vector<std::string> ended;
    remote_memory const device;
    {
        sonde::staged_link way{ending_link{ended}, device, ending_memory{{}, &ended}};
        sonde::allocation<remote_memory> const there{64};
        static_cast<void>(sonde::send_buffer(way, there.first(64)));
    }
    CHECK(ended == std::vector<std::string>{"link", "memory"});
}
