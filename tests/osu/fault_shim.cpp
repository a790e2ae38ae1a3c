// SPDX-License-Identifier: BSL-1.0
// Preloaded: damages received messages of more than one byte on this rank, from message number $SONDE_FAULT_FROM on (1
// is the first): all of them or, at random, one in $SONDE_FAULT_ONE_IN, by $SONDE_FAULT_SEED. $SONDE_FAULT_SENDER,
// $SONDE_FAULT_RECEIVER and $SONDE_FAULT_BYTES limit them to a sender, by its rank in the communicator, a receiver and
// a length. $SONDE_FAULT selects the fault: one bit of the first, middle or last byte is flipped, or the message is
// lost, so that the buffer keeps its contents.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

struct reception {
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    bool persistent = false;
    int sender = -1;
    std::vector<unsigned char> before{};

    void start() { before.assign(data, data + bytes); }
};

std::map<MPI_Request, reception> pending;
long received = 0;

reception of(void* data, int n, MPI_Datatype type, int from, bool persistent = false) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return {static_cast<unsigned char*>(data), static_cast<std::size_t>(bytes) * static_cast<std::size_t>(n),
            persistent, from};
}

/// A number from the environment.
long setting(char const* name, long otherwise) {
    auto const* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atol(text);
}

/// True for the number in the environment, or if there is none.
bool is_asked(char const* name, long number) { return setting(name, number) == number; }

int own_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// True of one in so many messages.
bool is_drawn() {
    static std::minstd_rand random{static_cast<unsigned>(1000 * setting("SONDE_FAULT_SEED", 0) + own_rank() + 1)};
    static auto const one_in = static_cast<unsigned long>(setting("SONDE_FAULT_ONE_IN", 1));
    return one_in == 1 || random() % one_in == 0;
}

void damage(reception const& r) {
    std::string const how = std::getenv("SONDE_FAULT");
    if (how == "lost") std::memcpy(r.data, r.before.data(), r.bytes);
    else r.data[how == "first" ? 0 : how == "middle" ? r.bytes / 2 : r.bytes - 1] ^= 0x20;
}

bool counts(reception const& r) {
    if (r.bytes <= 1 || !is_asked("SONDE_FAULT_SENDER", r.sender) || !is_asked("SONDE_FAULT_RECEIVER", own_rank()) ||
        !is_asked("SONDE_FAULT_BYTES", static_cast<long>(r.bytes)))
        return false;
    return ++received >= setting("SONDE_FAULT_FROM", 1) && is_drawn();
}

/// Messages that complete together may share a buffer, which is damaged once: two flips would cancel.
void complete(std::vector<MPI_Request> const& requests) {
    std::map<unsigned char*, reception> hit;
    for (auto const request : requests) {
        auto const at = pending.find(request);
        if (at == pending.end()) continue;
        if (counts(at->second)) hit.emplace(at->second.data, at->second);
        if (!at->second.persistent) pending.erase(at);
    }
    for (auto const& [data, r] : hit) damage(r);
}

void start(MPI_Request request) {
    if (auto const at = pending.find(request); at != pending.end()) at->second.start();
}

} // namespace

extern "C" {

int MPI_Mrecv(void* data, int n, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    auto r = of(data, n, type, MPI_ANY_SOURCE);
    r.start();
    auto const code = PMPI_Mrecv(data, n, type, message, status);
    if (counts(r)) damage(r);
    return code;
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    auto r = of(data, n, type, from);
    if (data == MPI_BOTTOM) { // addresses are in the type: every fault is a lost message
        std::vector<unsigned char> lost(r.bytes);
        if (counts(r)) return PMPI_Recv(lost.data(), static_cast<int>(r.bytes), MPI_PACKED, from, tag, comm, status);
        return PMPI_Recv(data, n, type, from, tag, comm, status);
    }
    r.start();
    auto const code = PMPI_Recv(data, n, type, from, tag, comm, status);
    if (from != MPI_PROC_NULL && counts(r)) damage(r);
    return code;
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    auto r = of(data, n, type, from);
    r.start();
    auto const code = PMPI_Irecv(data, n, type, from, tag, comm, request);
    pending[*request] = r;
    return code;
}
int MPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    auto const code = PMPI_Recv_init(data, n, type, from, tag, comm, request);
    pending[*request] = of(data, n, type, from, true);
    return code;
}
int MPI_Start(MPI_Request* request) {
    start(*request);
    return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    for (int i = 0; i != n; ++i) start(requests[i]);
    return PMPI_Startall(n, requests);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    std::vector<MPI_Request> const one{*request};
    auto const code = PMPI_Wait(request, status);
    complete(one);
    return code;
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    std::vector<MPI_Request> const all(requests, requests + n);
    auto const code = PMPI_Waitall(n, requests, statuses);
    complete(all);
    return code;
}
int MPI_Request_free(MPI_Request* request) {
    pending.erase(*request);
    return PMPI_Request_free(request);
}

} // extern "C"
