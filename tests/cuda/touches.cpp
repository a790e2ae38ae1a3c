// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/managed_touch.hpp"
#include "support.hpp"

#include <sonde/link.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

using namespace fake_cuda;
using osu::managed_touch;
using sonde::cuda::location;
using sonde::cuda::managed_memory;
static_assert(std::invocable<osu::managed_touch const&, sonde::opaque_region>);

namespace {

constexpr std::size_t limit = 131072;

/// A link whose messages are device-wide waits, so that they appear among the calls.
struct waiting_link {
    void send(sonde::region) const { cudaDeviceSynchronize(); }
    void recv(sonde::region) const { cudaDeviceSynchronize(); }
};

struct managed : one_device {
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

TEST_CASE_FIXTURE(managed,
                  "a touch by the device moves pages there, sets every byte, and is complete when it returns") {
    managed_touch{location::device, stream}(bytes(100));
    CHECK(seen_calls() == on_device);
    CHECK(std::to_integer<char>(memory.bytes()[99]) == 'c');
    CHECK(std::to_integer<char>(memory.bytes()[100]) == 0);
}

TEST_CASE_FIXTURE(managed, "a touch by the host writes few bytes directly, and prefetches many") {
    managed_touch const t{location::host, stream};
    t(bytes(limit));
    CHECK(seen_calls().empty());
    CHECK(std::to_integer<char>(memory.bytes()[limit - 1]) == 'c');
    t(bytes(limit + 1));
    CHECK(seen_calls() == calls{"cudaMemPrefetchAsync 131073 host 1", "cudaStreamSynchronize 1"});
    CHECK(std::to_integer<char>(memory.bytes()[limit]) == 0);
}

TEST_CASE_FIXTURE(managed, "a touch that preserves changes no byte") {
    memory.fill(std::byte{7});
    managed_touch{location::host, stream, true}(bytes(100));
    managed_touch{location::device, stream, true}(bytes(100));
    CHECK(seen_calls() == calls{"cudaMemPrefetchAsync 100 device 0 1", "cudaStreamSynchronize 1"});
    CHECK(memory.bytes()[0] == std::byte{7});
}

TEST_CASE_FIXTURE(managed, "an empty message is not touched") {
    managed_touch{location::host, stream}(bytes(0));
    managed_touch{location::device, stream}(bytes(0));
    CHECK(seen_calls().empty());
}

TEST_CASE_FIXTURE(managed, "a touched_link touches before it sends and after it received, inside the sample") {
    sonde::touched_link link{waiting_link{}, managed_touch{location::device, stream}};
    sonde::slice const message{bytes(100)};
    sonde::ping_pong initiator{link, sonde::role::initiator, message, message};
    initiator();
    CHECK(seen_calls() == on_device + calls{moves, moves} + on_device);
    CHECK(initiator.traffic().bytes == 200);
}
