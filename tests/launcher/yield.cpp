// SPDX-License-Identifier: BSL-1.0
// Preloaded into tests of MPICH over UCX: a rank that waits gives its core away, and MPI_Finalize ends.
//
// MPICH's waiting ranks poll without end. If there are fewer free cores than ranks, each message then takes a time
// slice of the scheduler, 4 ms and more, because the rank that should answer it does not run.
//
// Over TCP, MPI_Finalize of MPICH 4.0 waits for ever in one of 10 to 30 starts on a loaded machine: to disconnect, UCX
// needs an answer of the other rank, which may be in a barrier of PMI already and answers no more (pmodels/mpich#6596).
#include <chrono>
#include <sched.h>

#include <dlfcn.h>

/// UCX's function of this name. A JVM loads libraries for itself, where the next one is not found.
static void* next(char const* name) {
    auto* const found = dlsym(RTLD_NEXT, name);
    return found != nullptr ? found : dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), name);
}

/// UCX's progress of communication, which MPICH calls while it waits; returns the number of events.
extern "C" unsigned ucp_worker_progress(void* worker) {
    using progress = unsigned (*)(void*);
    static auto const ucx = reinterpret_cast<progress>(next("ucp_worker_progress"));
    constexpr int patience = 100; // calls without an event
    static int idle_calls = 0;
    auto const events = ucx(worker);
    idle_calls = events == 0 ? idle_calls + 1 : 0;
    if (idle_calls == patience) {
        idle_calls = 0;
        sched_yield();
    }
    return events;
}

/// State of a request, for which MPICH asks in MPI_Finalize alone, of disconnections. After a second they count as
/// complete.
extern "C" int ucp_request_is_completed(void* request) {
    using clock = std::chrono::steady_clock;
    static auto const ucx = reinterpret_cast<int (*)(void*)>(next("ucp_request_is_completed"));
    static auto const begin = clock::now();
    return ucx(request) != 0 || clock::now() - begin > std::chrono::seconds{1} ? 1 : 0;
}
