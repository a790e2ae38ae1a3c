// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <cstddef>
#include <string>
#include <vector>

using namespace fake_cuda;
using sonde::cuda::location;
using sonde::cuda::managed_memory;
using sonde::cuda::touch;
using sonde::cuda::touched;

namespace {

constexpr std::size_t limit = 131072;

/// The link's calls are device-wide waits, so that they are seen among the others.
struct waiting_link {
    void send(sonde::region) const { cudaDeviceSynchronize(); }
    void recv(sonde::region) const { cudaDeviceSynchronize(); }
    void isend(sonde::region) const {}
    void irecv(sonde::region) const {}
    void wait_all() const { cudaDeviceSynchronize(); }
};

/// A link that takes messages of its own kind, as that of a library does.
struct numbered_link {
    struct messages {
        sonde::rotating regions;
        int number = 0;
        int next() { return ++number; }
        std::size_t size() const { return regions.size(); }
    };
    std::vector<int>* moved;
    messages outgoing(sonde::rotating b) const { return {b}; }
    messages incoming(sonde::rotating b) const { return {b}; }
    void send(int m) const { moved->push_back(m); }
    void recv(int m) const { moved->push_back(-m); }
};

struct managed : started {
    sonde::cuda::stream stream;
    sonde::allocation<managed_memory> memory{2 * limit};
    static calls seen_calls() {
        return only({"cudaMemPrefetchAsync", "cudaMemsetAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize"});
    }
    sonde::region bytes(std::size_t n) const { return memory.bytes().first(n); }
};

calls const on_device{"cudaMemPrefetchAsync 100 device 0 1", "cudaMemsetAsync 100 99 1", "cudaStreamSynchronize 1"};
std::string const moves = "cudaDeviceSynchronize";

calls operator+(calls all, calls const& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

TEST_CASE_FIXTURE(managed, "a touch by the device moves pages there and sets every byte, and is over when it returns") {
    touch{location::device, stream}(bytes(100));
    CHECK(seen_calls() == on_device);
    CHECK(std::to_integer<char>(memory.bytes()[99]) == 'c');
    CHECK(std::to_integer<char>(memory.bytes()[100]) == 0);
}

TEST_CASE_FIXTURE(managed, "a touch by the host sets few bytes by itself, and of many fetches the pages") {
    touch const t{location::host, stream};
    t(bytes(limit));
    CHECK(seen_calls().empty());
    CHECK(std::to_integer<char>(memory.bytes()[limit - 1]) == 'c');
    t(bytes(limit + 1));
    CHECK(seen_calls() == calls{"cudaMemPrefetchAsync 131073 host 1", "cudaStreamSynchronize 1"});
    CHECK(std::to_integer<char>(memory.bytes()[limit]) == 0);
}

TEST_CASE_FIXTURE(managed, "a touch that preserves changes no byte") {
    memory.fill(std::byte{7});
    touch{location::host, stream, true}(bytes(100));
    touch{location::device, stream, true}(bytes(100));
    CHECK(seen_calls() == calls{"cudaMemPrefetchAsync 100 device 0 1", "cudaStreamSynchronize 1"});
    CHECK(memory.bytes()[0] == std::byte{7});
}

TEST_CASE_FIXTURE(managed, "nothing is touched of a message without bytes") {
    touch{location::host, stream}(bytes(0));
    touch{location::device, stream}(bytes(0));
    CHECK(seen_calls() == calls{"cudaMemsetAsync 0 99 1", "cudaStreamSynchronize 1"});
}

TEST_CASE_FIXTURE(managed, "a touched link touches before it sends and after it received, inside the sample") {
    touched link{waiting_link{}, touch{location::device, stream}};
    sonde::slice const message{bytes(100)};
    sonde::ping_pong initiator{link, sonde::role::initiator, message, message};
    initiator();
    CHECK(seen_calls() == on_device + calls{moves, moves} + on_device);
    CHECK(initiator.moves().bytes == 200);
}

TEST_CASE_FIXTURE(managed, "of a window all that was received is touched after the wait, each message once") {
    touched link{waiting_link{}, touch{location::device, stream}};
    auto in = sonde::incoming(link, memory.apart(100, 2));
    link.expect(2);
    for (int window = 0; window != 2; ++window) {
        link.irecv(in.next());
        link.irecv(in.next());
        link.wait_all();
    }
    auto const once = calls{moves} + on_device + on_device;
    CHECK(seen_calls() == once + once);
}

TEST_CASE_FIXTURE(managed, "of a window each message is touched before it is sent, none after") {
    touched link{waiting_link{}, touch{location::device, stream}};
    auto out = sonde::outgoing(link, sonde::slice{bytes(100)});
    link.isend(out.next());
    link.isend(out.next());
    link.wait_all();
    CHECK(seen_calls() == on_device + on_device + calls{moves});
}

TEST_CASE_FIXTURE(managed,
                  "the link under it gets what it made of the buffer, in step with the bytes that are touched") {
    std::vector<int> moved;
    touched link{numbered_link{&moved}, touch{location::host, stream}};
    auto out = sonde::outgoing(link, memory.apart(100, 2));
    CHECK(out.size() == 100);
    CHECK(out.regions() == 2);
    link.send(out.next());
    CHECK(std::to_integer<char>(memory.bytes()[0]) == 'c');
    CHECK(std::to_integer<char>(memory.bytes()[sonde::allocation<managed_memory>::stride_of(100)]) == 0);
    link.recv(out.next());
    CHECK(std::to_integer<char>(memory.bytes()[sonde::allocation<managed_memory>::stride_of(100)]) == 'c');
    CHECK(moved == std::vector<int>{1, -2});
}
