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

int record_length(int n, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    current().lengths.push_back(n < 0 ? static_cast<std::size_t>(-1)
                                      : static_cast<std::size_t>(n) * static_cast<std::size_t>(size));
    return MPI_SUCCESS;
}

int record_request(int code) {
    if (code == MPI_SUCCESS) ++current().active_requests;
    return code;
}

bool fails_now(char const* name) {
    if (current().until_failure < 0 || current().until_failure-- != 0) return false;
    current().failed.emplace_back(name);
    return true;
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

// CALLS(call, name, parameters, arguments) on a communicator `comm`, STARTS(...) with a request,
// MAKES(set, name, ...) a handle `*made` of that set of the ledger, which may be the call that fails.
#define CALLS(which, name, parameters, arguments)                                                                      \
    int MPI_##name parameters {                                                                                        \
        record_call(call::which, comm);                                                                                \
        return current().dry ? record_length arguments : PMPI_##name arguments;                                        \
    }
#define STARTS(which, name, parameters, arguments)                                                                     \
    int MPI_##name parameters {                                                                                        \
        record_call(call::which, comm);                                                                                \
        return record_request(PMPI_##name arguments);                                                                  \
    }
#define MAKES(set, name, parameters, arguments)                                                                        \
    int MPI_##name parameters {                                                                                        \
        if (fails_now(#name)) return MPI_ERR_OTHER;                                                                    \
        return record_handle(PMPI_##name arguments, made, current().set);                                              \
    }
#define MAKES_ON(which, set, name, parameters, arguments)                                                              \
    int MPI_##name parameters {                                                                                        \
        record_call(call::which, comm);                                                                                \
        if (fails_now(#name)) return MPI_ERR_OTHER;                                                                    \
        return record_handle(PMPI_##name arguments, made, current().set);                                              \
    }
#define OUT void const *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm
#define OUT_ARGUMENTS data, n, type, to, tag, comm
#define IN void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm
#define IN_ARGUMENTS data, n, type, from, tag, comm

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
    if (fails_now("Comm_dup")) return MPI_ERR_OTHER;
    return record_handle(PMPI_Comm_dup(from, made), made, current().communicators);
}
int MPI_Comm_dup_with_info(MPI_Comm from, MPI_Info info, MPI_Comm* made) {
    record_call(call::comm_dup);
    if (fails_now("Comm_dup_with_info")) return MPI_ERR_OTHER;
    return record_handle(PMPI_Comm_dup_with_info(from, info, made), made, current().communicators);
}
MAKES_ON(comm_split, communicators, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made),
         (comm, color, key, made))
MAKES_ON(comm_split_type, communicators, Comm_split_type,
         (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm* made), (comm, kind, key, info, made))
MAKES_ON(cart_create, communicators, Cart_create,
         (MPI_Comm comm, int n, int const* extents, int const* wraps, int reorder, MPI_Comm* made),
         (comm, n, extents, wraps, reorder, made))
MAKES_ON(dist_graph_create_adjacent, communicators, Dist_graph_create_adjacent,
         (MPI_Comm comm, int m, int const* sources, int const* in_weights, int n, int const* destinations,
          int const* out_weights, MPI_Info info, int reorder, MPI_Comm* made),
         (comm, m, sources, in_weights, n, destinations, out_weights, info, reorder, made))
int MPI_Comm_free(MPI_Comm* comm) {
    if (current().communicators.erase(*comm) == 0) ++current().foreign_calls;
    return PMPI_Comm_free(comm);
}

CALLS(send, Send, (OUT), (OUT_ARGUMENTS))
CALLS(ssend, Ssend, (OUT), (OUT_ARGUMENTS))
CALLS(bsend, Bsend, (OUT), (OUT_ARGUMENTS))
CALLS(rsend, Rsend, (OUT), (OUT_ARGUMENTS))
CALLS(recv, Recv, (IN, MPI_Status* status), (IN_ARGUMENTS, status))
CALLS(mprobe, Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message* found, MPI_Status* status),
      (from, tag, comm, found, status))
CALLS(sendrecv, Sendrecv,
      (void const* out, int m, MPI_Datatype sent, int to, int as, void* in, int n, MPI_Datatype received, int from,
       int tag, MPI_Comm comm, MPI_Status* status),
      (out, m, sent, to, as, in, n, received, from, tag, comm, status))
int MPI_Mrecv(void* data, int n, MPI_Datatype type, MPI_Message* found, MPI_Status* status) {
    record_call(call::mrecv);
    return PMPI_Mrecv(data, n, type, found, status);
}
STARTS(isend, Isend, (OUT, MPI_Request* made), (OUT_ARGUMENTS, made))
STARTS(irecv, Irecv, (IN, MPI_Request* made), (IN_ARGUMENTS, made))
MAKES_ON(send_init, persistent, Send_init, (OUT, MPI_Request* made), (OUT_ARGUMENTS, made))
MAKES_ON(recv_init, persistent, Recv_init, (IN, MPI_Request* made), (IN_ARGUMENTS, made))
#if MPI_VERSION >= 4
MAKES_ON(send_init, persistent, Psend_init,
         (void const* data, int parts, MPI_Count n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Info info,
          MPI_Request* made),
         (data, parts, n, type, to, tag, comm, info, made))
MAKES_ON(recv_init, persistent, Precv_init,
         (void* data, int parts, MPI_Count n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Info info,
          MPI_Request* made),
         (data, parts, n, type, from, tag, comm, info, made))
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

MAKES(datatypes, Type_contiguous, (int n, MPI_Datatype of, MPI_Datatype* made), (n, of, made))
MAKES(datatypes, Type_create_struct,
      (int n, int const* lengths, MPI_Aint const* places, MPI_Datatype const* parts, MPI_Datatype* made),
      (n, lengths, places, parts, made))
MAKES(datatypes, Type_create_hindexed,
      (int n, int const* lengths, MPI_Aint const* places, MPI_Datatype of, MPI_Datatype* made),
      (n, lengths, places, of, made))
MAKES(datatypes, Type_create_resized, (MPI_Datatype of, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made),
      (of, lower, extent, made))
MAKES(datatypes, Type_create_subarray,
      (int n, int const* extents, int const* lengths, int const* starts, int order, MPI_Datatype of,
       MPI_Datatype* made),
      (n, extents, lengths, starts, order, of, made))
int MPI_Type_free(MPI_Datatype* type) {
    current().datatypes.erase(*type);
    return PMPI_Type_free(type);
}
