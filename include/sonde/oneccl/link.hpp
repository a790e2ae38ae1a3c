// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/oneccl/communicator.hpp>

#include <cstddef>
#include <vector>

namespace sonde::inline v0_1::oneccl {

/// ccl::send and ccl::recv of bytes to and from a peer. Regions may be used again after a call, or, of isend and irecv,
/// after wait_all. A link refers to the communicator, which must outlive it.
///
/// With libfabric as its transport oneCCL 2021.16 mixes up messages of both directions that are pending together; with
/// Intel MPI it does not.
class link {
public:
    link(communicator const& ranks, int peer) : ranks_{&ranks}, peer_{peer} {}

    void send(opaque_region bytes) { wait(start_send(bytes)); }
    void recv(opaque_region bytes) { wait(start_recv(bytes)); }
    void isend(opaque_region bytes) { pending_.push_back(start_send(bytes)); }
    void irecv(opaque_region bytes) { pending_.push_back(start_recv(bytes)); }
    void wait_all() {
        for (auto& each : pending_) wait(each);
        pending_.clear();
    }
    void reserve(std::size_t n) { pending_.reserve(2 * n); }

private:
    ccl::event start_send(opaque_region bytes) const {
        return detail::checked("ccl::send", [&] {
            return ccl::send(bytes.data(), bytes.size(), ccl::datatype::int8, peer_, ranks_->get());
        });
    }
    ccl::event start_recv(opaque_region bytes) const {
        return detail::checked("ccl::recv", [&] {
            return ccl::recv(bytes.data(), bytes.size(), ccl::datatype::int8, peer_, ranks_->get());
        });
    }
    static void wait(ccl::event&& started) { wait(started); }
    static void wait(ccl::event& started) {
        detail::checked("ccl::event::wait", [&] { started.wait(); });
    }

    communicator const* ranks_;
    int peer_;
    std::vector<ccl::event> pending_{};
};

} // namespace sonde::oneccl
