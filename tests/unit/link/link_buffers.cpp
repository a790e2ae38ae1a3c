// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// An adapted buffer: with a name.
struct named {
    std::string name;
    std::string next() const { return name; }
    std::size_t size() const { return 8; }
};

/// A link that notes its calls, in order.
struct recording_link {
    std::vector<std::string>* log;

    named send_buffer(sonde::slice) { return log->push_back("send_buffer"), named{"out"}; }
    named recv_buffer(sonde::slice) { return log->push_back("recv_buffer"), named{"in"}; }
    void reserve(std::size_t n) { log->push_back("reserve " + std::to_string(n)); }
    void send(std::string const& m) { log->push_back("send " + m); }
    void recv(std::string const& m) { log->push_back("recv " + m); }
    void isend(std::string const& m) { log->push_back("isend " + m); }
    void irecv(std::string const& m) { log->push_back("irecv " + m); }
    void wait_all() { log->push_back("wait_all"); }
    void complete() { log->push_back("complete"); }
};

using lines = std::vector<std::string>;

/// The calls of a pattern on its link when constructed, called once and completed.
template <class Make>
lines noted(Make make) {
    lines log;
    auto pattern = make(recording_link{&log});
    log.push_back("|");
    pattern();
    sonde::complete(pattern);
    return log;
}

sonde::slice const any{};

} // namespace

TEST_CASE(
    "ping_pong: the constructor adapts the buffers; the initiator sends, then receives; the responder the reverse") {
    auto const made = [](role who) {
        return noted([&](recording_link l) { return sonde::ping_pong{l, who, any, any}; });
    };
    CHECK(made(role::initiator) == lines{"send_buffer", "recv_buffer", "|", "send out", "recv in", "complete"});
    CHECK(made(role::responder) == lines{"send_buffer", "recv_buffer", "|", "recv in", "send out", "complete"});
    CHECK(made(role::idle) == lines{"send_buffer", "recv_buffer", "|", "complete"});
}

TEST_CASE("stream: the link reserves its depth; a window, one wait, one token; both links complete") {
    auto const made = [](role who) {
        return noted([&](recording_link l) { return sonde::stream{l, who, 2, any, any, l, any}; });
    };
    lines const before{"send_buffer", "recv_buffer", "send_buffer", "recv_buffer", "reserve 2", "|"};
    auto const with = [&](lines after) {
        after.insert(after.begin(), before.begin(), before.end());
        return after;
    };
    CHECK(made(role::initiator) == with({"isend out", "isend out", "wait_all", "recv in", "complete", "complete"}));
    CHECK(made(role::responder) == with({"irecv in", "irecv in", "wait_all", "send out", "complete", "complete"}));
    CHECK(made(role::idle) == with({"complete", "complete"}));
}

TEST_CASE("bidirectional: both windows are active together, receives first, one wait") {
    auto const made = [](role who) {
        return noted([&](recording_link l) { return sonde::bidirectional{l, who, 2, any, any}; });
    };
    lines const both{"send_buffer", "recv_buffer", "reserve 2", "|",        "irecv in",
                     "irecv in",    "isend out",   "isend out", "wait_all", "complete"};
    CHECK(made(role::initiator) == both);
    CHECK(made(role::responder) == both);
    CHECK(made(role::idle) == lines{"send_buffer", "recv_buffer", "reserve 2", "|", "complete"});
}

TEST_CASE("a link without hooks gets the buffer itself and no reserve()") {
    std::vector<std::byte> bytes(8);
    struct {
    } link;
    CHECK(sonde::send_buffer(link, sonde::slice{bytes}).next().data() == bytes.data());
    CHECK(sonde::recv_buffer(link, sonde::slice{bytes}).next().data() == bytes.data());
    sonde::reserve(link, 5);
}
