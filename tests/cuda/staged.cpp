// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/link.hpp>

#include <cstring>

using namespace fake_cuda;
using sonde::cuda::device_memory;

namespace {

/// A link to itself: a sent message stays in a mailbox until it is received.
struct mailbox {
    sonde::region box;
    void send(sonde::region from) { std::memcpy(box.data(), from.data(), from.size()); }
    void recv(sonde::region into) { std::memcpy(into.data(), box.data(), into.size()); }
};

/// Sends four bytes of a device to another region of it; returns the calls of the runtime.
template <class Host>
calls there_and_back() {
    std::vector<std::byte> box(4);
    sonde::allocation<device_memory> out{4}, in{4};
    std::vector<std::byte> const sent{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    out.write(0, sent);
    sonde::staged_link link{mailbox{box}, device_memory{}, Host{}};
    auto from = sonde::send_buffer(link, out.first(4)), to = sonde::recv_buffer(link, in.first(4));
    auto const before = fake::calls().size();
    link.send(from.next());
    link.recv(to.next());
    auto const log = fake::calls();
    std::vector<std::byte> found(4);
    in.read(0, found);
    CHECK(found == sent);
    return {log.begin() + static_cast<std::ptrdiff_t>(before), log.end()};
}

} // namespace

TEST_CASE_FIXTURE(one_device,
                  "a message staged in page-locked memory is a copy before the send and a copy after the receive") {
    CHECK(there_and_back<sonde::cuda::pinned_memory>() ==
          calls{"cudaMemcpy 4 DeviceToHost", "cudaMemcpy 4 HostToDevice"});
}

TEST_CASE_FIXTURE(one_device,
                  "a copy out of pageable memory is waited for, because it may return before its completion") {
    CHECK(there_and_back<sonde::host_memory>() ==
          calls{"cudaMemcpy 4 DeviceToHost", "cudaMemcpy 4 HostToDevice", "cudaStreamSynchronize 0"});
}
