// SPDX-License-Identifier: BSL-1.0
#include "ledger.hpp"

namespace ledger {

state& current() {
    static state the_book;
    return the_book;
}

void record_call(call which) { ++current().calls[static_cast<std::size_t>(which)]; }

void record_call(call which, MPI_Comm on) {
    record_call(which);
    if (current().communicators.count(on) == 0) ++current().foreign_calls;
}

int record_request(int code) {
    if (code == MPI_SUCCESS) ++current().active_requests;
    return code;
}

namespace {

std::size_t active(int n, MPI_Request const* requests) {
    std::size_t found = 0;
    for (int i = 0; i != n; ++i)
        found += requests[i] != MPI_REQUEST_NULL && current().persistent.count(requests[i]) == 0;
    return found;
}

} // namespace

} // namespace ledger

using namespace ledger;

int MPI_Init(int* argc, char*** argv) {
    record_call(call::init);
    return PMPI_Init(argc, argv);
}
int MPI_Init_thread(int* argc, char*** argv, int wanted, int* given) {
    record_call(call::init);
    return PMPI_Init_thread(argc, argv, wanted, given);
}

int MPI_Comm_dup(MPI_Comm from, MPI_Comm* made) {
    record_call(call::comm_dup);
    return record_handle(PMPI_Comm_dup(from, made), made, current().communicators);
}
int MPI_Comm_dup_with_info(MPI_Comm from, MPI_Info info, MPI_Comm* made) {
    record_call(call::comm_dup);
    return record_handle(PMPI_Comm_dup_with_info(from, info, made), made, current().communicators);
}
int MPI_Comm_split_type(MPI_Comm from, int kind, int key, MPI_Info info, MPI_Comm* made) {
    record_call(call::comm_split_type, from);
    return record_handle(PMPI_Comm_split_type(from, kind, key, info, made), made, current().communicators);
}
int MPI_Comm_free(MPI_Comm* comm) {
    if (current().communicators.erase(*comm) == 0) ++current().foreign_calls;
    return PMPI_Comm_free(comm);
}

int MPI_Cart_create(MPI_Comm from, int n, int const* extents, int const* wraps, int reorder, MPI_Comm* made) {
    record_call(call::cart_create, from);
    return record_handle(PMPI_Cart_create(from, n, extents, wraps, reorder, made), made, current().communicators);
}
int MPI_Dist_graph_create_adjacent(MPI_Comm from, int m, int const* sources, int const* in_weights, int n,
                                   int const* destinations, int const* out_weights, MPI_Info info, int reorder,
                                   MPI_Comm* made) {
    record_call(call::dist_graph_create_adjacent, from);
    return record_handle(PMPI_Dist_graph_create_adjacent(from, m, sources, in_weights, n, destinations, out_weights,
                                                         info, reorder, made),
                         made, current().communicators);
}

int MPI_Send(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    record_call(call::send, comm);
    return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Ssend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    record_call(call::ssend, comm);
    return PMPI_Ssend(data, n, type, to, tag, comm);
}
int MPI_Bsend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    record_call(call::bsend, comm);
    return PMPI_Bsend(data, n, type, to, tag, comm);
}
int MPI_Rsend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    record_call(call::rsend, comm);
    return PMPI_Rsend(data, n, type, to, tag, comm);
}
int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* found, MPI_Status* status) {
    record_call(call::mprobe, comm);
    return PMPI_Mprobe(from, tag, comm, found, status);
}
int MPI_Mrecv(void* data, int n, MPI_Datatype type, MPI_Message* found, MPI_Status* status) {
    record_call(call::mrecv);
    return PMPI_Mrecv(data, n, type, found, status);
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    record_call(call::recv, comm);
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}
int MPI_Sendrecv(void const* out, int m, MPI_Datatype sent, int to, int as, void* in, int n, MPI_Datatype received,
                 int from, int tag, MPI_Comm comm, MPI_Status* status) {
    record_call(call::sendrecv, comm);
    return PMPI_Sendrecv(out, m, sent, to, as, in, n, received, from, tag, comm, status);
}

int MPI_Isend(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    record_call(call::isend, comm);
    return record_request(PMPI_Isend(data, n, type, to, tag, comm, made));
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    record_call(call::irecv, comm);
    return record_request(PMPI_Irecv(data, n, type, from, tag, comm, made));
}
int MPI_Send_init(void const* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* made) {
    record_call(call::send_init, comm);
    return record_handle(PMPI_Send_init(data, n, type, to, tag, comm, made), made, current().persistent);
}
int MPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made) {
    record_call(call::recv_init, comm);
    return record_handle(PMPI_Recv_init(data, n, type, from, tag, comm, made), made, current().persistent);
}
#if MPI_VERSION >= 4
int MPI_Psend_init(void const* data, int parts, MPI_Count n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request* made) {
    record_call(call::send_init, comm);
    auto const code = PMPI_Psend_init(data, parts, n, type, to, tag, comm, info, made);
    return record_handle(code, made, current().persistent);
}
int MPI_Precv_init(void* data, int parts, MPI_Count n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request* made) {
    record_call(call::recv_init, comm);
    auto const code = PMPI_Precv_init(data, parts, n, type, from, tag, comm, info, made);
    return record_handle(code, made, current().persistent);
}
#endif
int MPI_Start(MPI_Request* request) {
    record_call(call::start);
    return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    record_call(call::startall);
    return PMPI_Startall(n, requests);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    record_call(call::wait);
    auto const before = active(1, request);
    auto const code = PMPI_Wait(request, status);
    current().active_requests -= before - active(1, request);
    return code;
}
/// Leaves requests active as MPI may when one fails.
static int give_up(int n, MPI_Request* requests, MPI_Status* statuses) {
    current().fail_next_waitall = false;
    for (int i = 0; i != n; ++i)
        statuses[i].MPI_ERROR = i < 2 ? PMPI_Wait(&requests[i], &statuses[i]) : MPI_ERR_PENDING;
    statuses[1].MPI_ERROR = MPI_ERR_IO;
    return MPI_ERR_IN_STATUS;
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    record_call(call::waitall);
    auto const before = active(n, requests);
    auto const code =
        current().fail_next_waitall ? give_up(n, requests, statuses) : PMPI_Waitall(n, requests, statuses);
    current().active_requests -= before - active(n, requests);
    return code;
}
int MPI_Test(MPI_Request* request, int* over, MPI_Status* status) {
    record_call(call::test);
    auto const before = active(1, request);
    auto const code = PMPI_Test(request, over, status);
    current().active_requests -= before - active(1, request);
    return code;
}
int MPI_Cancel(MPI_Request* request) {
    record_call(call::cancel);
    return PMPI_Cancel(request);
}
int MPI_Request_free(MPI_Request* request) {
    if (current().persistent.erase(*request) == 0) --current().active_requests;
    return PMPI_Request_free(request);
}

int MPI_Type_contiguous(int n, MPI_Datatype of, MPI_Datatype* made) {
    return record_handle(PMPI_Type_contiguous(n, of, made), made, current().datatypes);
}
int MPI_Type_create_struct(int n, int const lengths[], MPI_Aint const places[], MPI_Datatype const parts[],
                           MPI_Datatype* made) {
    return record_handle(PMPI_Type_create_struct(n, lengths, places, parts, made), made, current().datatypes);
}
int MPI_Type_create_resized(MPI_Datatype of, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made) {
    return record_handle(PMPI_Type_create_resized(of, lower, extent, made), made, current().datatypes);
}
int MPI_Type_create_subarray(int n, int const extents[], int const lengths[], int const starts[], int order,
                             MPI_Datatype of, MPI_Datatype* made) {
    return record_handle(PMPI_Type_create_subarray(n, extents, lengths, starts, order, of, made), made,
                         current().datatypes);
}
int MPI_Type_free(MPI_Datatype* type) {
    current().datatypes.erase(*type);
    return PMPI_Type_free(type);
}
