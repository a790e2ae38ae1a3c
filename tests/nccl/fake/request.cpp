// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"

#include <fake/allocations.hpp>
#include <fake/enqueue.hpp>

namespace fake {

std::byte* found(void const* address, std::size_t bytes) {
    static std::byte nothing;
    if (bytes == 0) return &nothing;
    return place_of(address, bytes) ? static_cast<std::byte*>(fake_cuda_host(address)) : nullptr;
}

ncclResult_t request::refused(std::byte const* out, std::byte const* in) const {
    if (auto const code = planned_nccl_failure(name); code != ncclSuccess) return refuse(code, "planned");
    if (other < 0 || other >= comm->me->size) return refuse(ncclInvalidArgument, std::string{name} + ": no such rank");
    if (out == nullptr || in == nullptr)
        return refuse(ncclInvalidArgument, std::string{name} + ": memory that no device has");
    return ncclSuccess;
}

ncclResult_t no_communicator() { return failed_in_group(refuse(ncclInvalidArgument, "the communicator is null")); }

void send_to_all(task& into, std::byte* out, std::size_t bytes, std::size_t step) {
    for (int peer = 0; peer != into.me->size; ++peer, out += step) into.transfers.push_back({peer, true, out, bytes});
}

void receive_from_all(task& into, std::byte* in, std::size_t bytes) {
    for (int peer = 0; peer != into.me->size; ++peer, in += bytes) into.transfers.push_back({peer, false, in, bytes});
}

} // namespace fake
