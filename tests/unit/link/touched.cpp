// SPDX-License-Identifier: BSL-1.0
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using operations = std::vector<std::string>;

/// The positions of messages in host memory, in steps of a region's stride, and the operations on them, in order.
struct recorded_touches {
    sonde::host_allocation memory{1024};
    operations all;

    auto messages(std::size_t regions) const { return memory.distinct_regions(100, regions); }
    void saw(std::string const& what, sonde::opaque_region bytes) {
        auto const at = static_cast<std::size_t>(bytes.data() - memory.bytes().data());
        all.push_back(what + ' ' + std::to_string(at / sonde::host_allocation::stride_of(100)));
    }
};

struct touching {
    recorded_touches* by;
    void operator()(sonde::opaque_region bytes) const { by->saw("touch", bytes); }
};

/// A link with numbers as messages, as the links of libraries have their own type.
struct numbered_link {
    struct messages {
        std::size_t regions, number = 0;
        std::size_t next() { return number++ % regions; }
        std::size_t size() const { return 100; }
    };
    recorded_touches* by;
    std::size_t* expected = nullptr;

    messages send_buffer(sonde::rotating const& b) const { return {b.regions()}; }
    messages recv_buffer(sonde::rotating const& b) const { return {b.regions()}; }
    void say(std::string const& what, std::size_t m) const { by->all.push_back(what + ' ' + std::to_string(m)); }
    void send(std::size_t m) const { say("send", m); }
    void recv(std::size_t m) const { say("recv", m); }
    void isend(std::size_t m) const { say("isend", m); }
    void irecv(std::size_t m) const { say("irecv", m); }
    void wait_all() const { by->all.push_back("wait"); }
    void complete() const { by->all.push_back("complete"); }
    void reserve(std::size_t n) const { *expected = n; }
};

struct plain {
    void send(sonde::region) const {}
    void recv(sonde::region) const {}
};
template <class L>
constexpr bool completes = requires(L& l) { l.complete(); };
static_assert(completes<sonde::touched_link<numbered_link, touching>>);

/// The type of messages that a link makes of a buffer.
template <class L>
using message_of = sonde::region_of<sonde::send_buffer_t<L, sonde::rotating>>;
template <class L>
constexpr bool is_link = sonde::Link<L, message_of<L>>;
template <class L>
constexpr bool is_async_link = sonde::AsyncLink<L, message_of<L>>;
static_assert(is_link<sonde::touched_link<numbered_link, touching>> &&
              is_async_link<sonde::touched_link<numbered_link, touching>>);
static_assert(is_link<sonde::touched_link<plain, touching>> && !is_async_link<sonde::touched_link<plain, touching>>);
static_assert(
    !sonde::Link<sonde::touched_link<plain, touching>>); // a region that was not adapted has no size of its own

} // namespace

namespace {

/// A link to several peers: a receive takes the next region for each of them.
struct many_peers {
    static constexpr std::size_t count = 2;
    std::vector<std::size_t>* regions;

    std::size_t peers() const { return count; }
    bool sends() const { return false; }
    void isend(sonde::region) const {}
    void irecv(sonde::region) const {}
    void wait_all() const {}
    void reserve(std::size_t n) const { regions->push_back(n); }
    void sendrecv(sonde::region, sonde::region) const {}
};
struct no_touch {
    void operator()(sonde::opaque_region) const {}
};

} // namespace

TEST_CASE_FIXTURE(recorded_touches, "touched: of a link with several peers, the message of each peer is touched") {
    std::vector<std::size_t> reserved;
    sonde::touched_link link{many_peers{&reserved}, touching{this}};
    CHECK(link.peers() == 2);
    CHECK(!link.sends());
    auto in = link.recv_buffer(messages(4));
    CHECK(in.regions() == 4);
    link.irecv(in.next());
    link.irecv(in.next());
    CHECK(all.empty());
    link.wait_all();
    CHECK(all == operations{"touch 0", "touch 1", "touch 2", "touch 3"});
    auto const exchange = [&](std::size_t regions) {
        sonde::bidirectional{sonde::touched_link{many_peers{&reserved}, no_touch{}}, sonde::role::responder, 2,
                             messages(1), messages(regions)};
    };
    CHECK_THROWS_WITH_AS(exchange(2),
                         "sonde: 4 messages are received together, and the buffer has 2 regions for them; "
                         "allocation::distinct_regions makes one for each",
                         std::invalid_argument);
    CHECK_NOTHROW(exchange(4));
}

TEST_CASE_FIXTURE(recorded_touches, "touched: an exchange touches what it sends, and then what it received") {
    std::vector<std::size_t> reserved;
    struct one_peer {
        recorded_touches* by;
        void sendrecv(sonde::region, sonde::region) const { by->all.emplace_back("sendrecv"); }
    };
    sonde::exchange pattern{sonde::touched_link{one_peer{this}, touching{this}}, messages(2), messages(1)};
    pattern();
    CHECK(all == operations{"touch 0", "sendrecv", "touch 0"});
    CHECK(pattern.traffic().messages == 1);
    sonde::exchange idle{sonde::touched_link{many_peers{&reserved}, no_touch{}}, messages(2), messages(2)};
    CHECK(idle.traffic().messages == 0);
}

TEST_CASE_FIXTURE(recorded_touches, "touched: a message is touched before it is sent, and after it was received") {
    sonde::ping_pong pattern{sonde::touched_link{numbered_link{this}, touching{this}}, sonde::role::initiator,
                             messages(2), messages(1)};
    pattern();
    pattern();
    CHECK(all == operations{"touch 0", "send 0", "recv 0", "touch 0", "touch 1", "send 1", "recv 0", "touch 0"});
    CHECK(pattern.traffic().bytes == 200);
}

TEST_CASE_FIXTURE(recorded_touches, "touched: each message received in a window is touched once, after the wait") {
    sonde::touched_link link{numbered_link{this}, touching{this}};
    auto in = sonde::recv_buffer(link, messages(2));
    for (int window = 0; window != 2; ++window) {
        link.irecv(in.next());
        link.irecv(in.next());
        link.wait_all();
    }
    operations const once{"irecv 0", "irecv 1", "wait", "touch 0", "touch 1"};
    auto twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    CHECK(all == twice);
}

TEST_CASE_FIXTURE(recorded_touches, "touched: each message sent in a window is touched before the send, none after") {
    sonde::touched_link link{numbered_link{this}, touching{this}};
    auto out = sonde::send_buffer(link, messages(2));
    link.isend(out.next());
    link.isend(out.next());
    link.wait_all();
    CHECK(all == operations{"touch 0", "isend 0", "touch 1", "isend 1", "wait"});
}

TEST_CASE_FIXTURE(recorded_touches, "touched: sizes, regions, reserve and completion are the link's and the buffer's") {
    std::size_t expected = 0;
    sonde::touched_link link{numbered_link{this, &expected}, touching{this}};
    auto const out = sonde::send_buffer(link, messages(3));
    CHECK(out.size() == 100);
    CHECK(sonde::regions(out) == 3);
    sonde::reserve(link, 64);
    CHECK(expected == 64);
    link.complete();
    CHECK(all == operations{"complete"});
}
