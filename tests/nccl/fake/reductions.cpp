// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"

#include <memory>
#include <vector>

using namespace fake;

/// Sends the vectors of all ranks to the rank that combines them.
static void combine_from_all(task& into, std::byte* in, std::size_t count, ncclDataType_t type, ncclRedOp_t op) {
    auto const bytes = count * element_size(type);
    auto const size = into.me->size;
    auto const all = std::make_shared<std::vector<std::byte>>(bytes * static_cast<std::size_t>(size));
    receive_from_all(into, all->data(), bytes);
    into.then = [=] { combine(all->data(), size, count, type, op, in); };
}

ncclResult_t ncclAllReduce(void const* out, void* in, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclAllReduce", comm, stream, count * element_size(type)};
    note(r);
    if (!combines(type, op)) return failed_in_group(refuse(ncclInvalidArgument, "no such reduction"));
    auto *const from = found(out, r.bytes), *const into = found(in, r.bytes);
    return carry_out(r, from, into, [&](task& t) {
        send_to_all(t, from, r.bytes, 0);
        combine_from_all(t, into, count, type, op);
    });
}

ncclResult_t ncclReduce(void const* out, void* in, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclReduce", comm, stream, count * element_size(type), root};
    note(r, root);
    if (!combines(type, op)) return failed_in_group(refuse(ncclInvalidArgument, "no such reduction"));
    auto* const from = found(out, r.bytes);
    auto* const into = r.rank() == root ? found(in, r.bytes) : from;
    return carry_out(r, from, into, [&](task& t) {
        t.transfers.push_back({root, true, from, r.bytes});
        t.then = [] {};
        if (r.rank() == root) combine_from_all(t, into, count, type, op);
    });
}

ncclResult_t ncclReduceScatter(void const* out, void* in, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclReduceScatter", comm, stream, count * element_size(type)};
    note(r);
    if (!combines(type, op)) return failed_in_group(refuse(ncclInvalidArgument, "no such reduction"));
    auto *const from = found(out, r.bytes * r.ranks()), *const into = found(in, r.bytes);
    return carry_out(r, from, into, [&](task& t) {
        send_to_all(t, from, r.bytes, r.bytes);
        combine_from_all(t, into, count, type, op);
    });
}
