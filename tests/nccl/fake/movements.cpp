// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"

using namespace fake;

ncclResult_t ncclSend(void const* out, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclSend", comm, stream, count * element_size(type), peer};
    note(r, peer);
    auto* const from = found(out, r.bytes);
    return carry_out(r, from, from, [&](task& t) { t.transfers.push_back({peer, true, from, r.bytes}); });
}

ncclResult_t ncclRecv(void* in, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclRecv", comm, stream, count * element_size(type), peer};
    note(r, peer);
    auto* const into = found(in, r.bytes);
    return carry_out(r, into, into, [&](task& t) { t.transfers.push_back({peer, false, into, r.bytes}); });
}

ncclResult_t ncclAllGather(void const* out, void* in, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclAllGather", comm, stream, count * element_size(type)};
    note(r);
    auto *const from = found(out, r.bytes), *const into = found(in, r.bytes * r.ranks());
    return carry_out(r, from, into, [&](task& t) {
        send_to_all(t, from, r.bytes, 0);
        receive_from_all(t, into, r.bytes);
        t.then = [] {};
    });
}

ncclResult_t ncclBroadcast(void const* out, void* in, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream) {
    if (comm == nullptr) return no_communicator();
    request const r{"ncclBroadcast", comm, stream, count * element_size(type), root};
    note(r, root);
    auto* const into = found(in, r.bytes);
    auto* const from = r.rank() == root ? found(out, r.bytes) : into;
    return carry_out(r, from, into, [&](task& t) {
        if (r.rank() == root) send_to_all(t, from, r.bytes, 0);
        t.transfers.push_back({root, false, into, r.bytes});
        t.then = [] {};
    });
}
