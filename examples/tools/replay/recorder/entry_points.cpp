// SPDX-License-Identifier: BSL-1.0

// The functions that an application calls instead of those of the MPI library. Applications in C call MPI_..., or
// PMPI_... in an MPI_... of their own; functions of Fortran call MPI_... in MPICH and PMPI_... in Open MPI.

#include "tools/replay/recorder/entry_points.hpp"

#include "tools/replay/recorder/call_description.hpp"
#include "tools/replay/recorder/unrecorded_programs.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace tools::replay {

std::atomic<recorder*> the_recorder{nullptr};
std::atomic<bool> has_error_handler{false};
thread_local calling_thread this_thread;

namespace {

pid_t recorded_process = 0; // a process that is forked later has no trace of its own

/// Notes where a function of Fortran was called.
class fortran_call {
public:
    explicit fortran_call(void const* return_address) { this_thread.fortran_site = return_address; }
    ~fortran_call() { this_thread.fortran_site = nullptr; }
    fortran_call(fortran_call const&) = delete;
    fortran_call& operator=(fortran_call const&) = delete;
};

/// Hides the calls inside of a call.
class hiding_call {
public:
    hiding_call() { ++this_thread.depth; }
    ~hiding_call() { --this_thread.depth; }
    hiding_call(hiding_call const&) = delete;
    hiding_call& operator=(hiding_call const&) = delete;
};

/// A call that the page of this rank shows, and the trace does not have.
class shown_call {
public:
    shown_call(recorded_thread* by, announced_call call, void const* return_address)
        : page_{by == nullptr ? nullptr : by->page} {
        if (page_ == nullptr) return;
        auto const* const fortran = this_thread.fortran_site;
        call.arguments().site = reinterpret_cast<std::uintptr_t>(fortran != nullptr ? fortran : return_address);
        begin_call(*page_, call.arguments(), nanoseconds_of(record_clock::now()));
    }
    ~shown_call() {
        if (page_ != nullptr) end_call(*page_, true, nanoseconds_of(record_clock::now()));
    }
    shown_call(shown_call const&) = delete;
    shown_call& operator=(shown_call const&) = delete;

private:
    page_thread* page_;
};

/// Notes a call that is not supported, and the name of a communicator that it makes.
class counted_call {
public:
    counted_call(announced_call const& call, char const* name, void const* return_address)
        : to_{recording_thread()}, shown_{to_, call, return_address} {
        if (to_ != nullptr) locked([&](recorder&) { ++to_->not_recorded[name]; });
    }
    void made(MPI_Comm comm) const {
        if (comm != MPI_COMM_NULL && to_ != nullptr) locked([&](recorder& r) { r.communicator(comm); });
    }

private:
    static void locked(auto f) {
        auto& r = *the_recorder.load();
        r.enter();
        f(r);
        r.leave();
    }

    recorded_thread* to_;
    shown_call shown_;
    hiding_call hiding_{}; // after the search for the thread
};

/// From MPI_Init to MPI_Finalize, also on ranks that are not recorded. Other threads may still use it when the process
/// ends without MPI_Finalize.
recorder* own_recorder = nullptr;
bool is_started = false;

/// The words of the command line: as the kernel has them, which MPI_Init need not be given. The kernel has those of the
/// simulator if the ranks are simulated.
std::string command_of([[maybe_unused]] int const* argc, [[maybe_unused]] char*** argv) {
    std::string text;
    if constexpr (is_simulated) {
        for (int i = 0; argc != nullptr && argv != nullptr && i < *argc; ++i)
            text += (i == 0 ? "" : " ") + std::string{(*argv)[i]};
        return text;
    }
    std::ifstream file{"/proc/self/cmdline"};
    text.assign(std::istreambuf_iterator<char>{file}, {});
    while (!text.empty() && text.back() == '\0') text.pop_back();
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text;
}

/// `comm`: of all ranks, for the recorder. `first`: of all ranks, of the application.
void start_recording(std::string command, int thread_level, MPI_Comm comm, MPI_Comm first) {
    is_started = true;
    try {
        own_recorder = new recorder{settings_of(environ), thread_level, std::move(command), comm};
        own_recorder->communicator(first);
        recorded_process = getpid();
        if (own_recorder->records_this_rank()) the_recorder = own_recorder;
    } catch (std::exception const& e) { // the same on all ranks
        int rank = 0, has_world = 0;
        PMPI_Comm_rank(comm, &rank);
        if (rank == 0) std::fprintf(stderr, "libsonde-trace: %s\n", e.what());
        SONDE_LIBRARY_CALL(Barrier)(comm); // after the line
        PMPI_Initialized(&has_world);
        if (has_world != 0) SONDE_LIBRARY_CALL(Finalize)();
        std::_Exit(2);
    }
}

void save_recording() {
    if (auto* const r = the_recorder.load(); r != nullptr && getpid() == recorded_process) r->save();
}

/// A thread may be in a call, and writes its page: the file alone is removed.
void remove_page() {
    if (own_recorder != nullptr && getpid() == recorded_process) own_recorder->remove_page_file();
}

/// A process that ends without MPI_Finalize leaves the file of its rank. A simulator that ends has no time for its
/// ranks.
struct at_exit {
    ~at_exit() {
        if (!is_simulated) save_recording();
        remove_page();
        if (!is_started) say_if_not_recorded();
    }
} const at_exit;

} // namespace

} // namespace tools::replay

template <class Array, class... Others>
Array sonde_second_parameter(int (*)(int, Array, Others...));
#ifdef HAS_MPI_Psend_init
using sonde_partition_list = decltype(sonde_second_parameter(PMPI_Pready_list));
#endif
#ifdef HAS_MPI_Buffer_flush
using sonde_request_list = decltype(sonde_second_parameter(PMPI_Request_get_status_all));
#endif

#define SONDE_ENTRY_POINT __attribute__((visibility("default")))

#include "wrappers.inc"

namespace tools::replay {

std::span<char const* const> call_names() { return names_of_calls; }

namespace {

/// MPI_Init and others are the same for C and Fortran. `name`: that by which it was called.
template <class F, class... Arguments>
int initialized(char const* name, void const* return_address, int* argc, char*** argv, Arguments... arguments) {
    refuse_other_library(return_address);
    auto const code = library_function<F>(name)(argc, argv, arguments...);
    if (code != MPI_SUCCESS || is_started) return code;
    int level = MPI_THREAD_SINGLE;
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Query_thread(&level);
    SONDE_LIBRARY_CALL(Comm_dup)(MPI_COMM_WORLD, &comm);
    say_if_alone(comm);
    start_recording(command_of(argc, argv), level, comm, MPI_COMM_WORLD);
    return code;
}

/// The wait for the last rank is the recorder's, because the file is written before the library's MPI_Finalize.
void stop_recording(void const* return_address) {
    auto is_whole = false;
    {
        call_description d{call_Finalize, return_address, false};
        d.announced().on(MPI_COMM_WORLD);
        if (d.is_recorded()) d.begin();
        is_whole = own_recorder->wait_for_all();
        if (d.is_recorded()) d.succeeded(MPI_SUCCESS);
    }
    the_recorder = nullptr;
    if (is_whole) own_recorder->finish();
    else if (own_recorder->records_this_rank()) own_recorder->save();
    delete std::exchange(own_recorder, nullptr);
}

#ifdef HAS_MPI_Session_init
MPI_Session own_session = MPI_SESSION_NULL; // of a recording without MPI_Init
std::atomic<int> open_sessions{0};          // of the application
bool is_of_sessions() { return own_session != MPI_SESSION_NULL; }
#else
bool is_of_sessions() { return false; }
#endif

int finalized(char const* name, void const* return_address) {
    if (own_recorder != nullptr && !is_of_sessions()) stop_recording(return_address);
    return library_function<decltype(PMPI_Finalize)>(name)();
}

int aborted(char const* name, MPI_Comm comm, int status) {
    save_recording();
    remove_page();
    return library_function<decltype(PMPI_Abort)>(name)(comm, status);
}

int marked(char const* name, int level) {
    auto* const next = library_function<decltype(PMPI_Pcontrol)>(name);
    auto* const r = the_recorder.load();
    if (r != nullptr && this_thread.depth == 0 && level <= 1) r->mark(level == 1);
    return next(level);
}

/// Handles are forgotten whether the call is recorded or not, because another object may get them.
template <class F, class Handle>
int freed(char const* name, void (recorder::*forget)(Handle), Handle* handle, std::int32_t call,
          void const* return_address) {
    auto announced = announced_call{call};
    if (call != absent && handle != nullptr) announced.arguments().object = key_of(*handle);
    if (call == call_Win_free) announced.with(window_role);
    shown_call const shown{call == absent ? nullptr : recording_thread(), announced, return_address};
    hiding_call const hiding; // of functions that the library calls for attributes
    if (auto* const r = the_recorder.load(); r != nullptr && handle != nullptr) {
        r->enter();
        (r->*forget)(*handle);
        r->leave();
    }
    return library_function<F>(name)(handle);
}

#ifdef HAS_MPI_Session_init
int made_session(char const* name, void const* return_address, MPI_Info info, MPI_Errhandler handler,
                 MPI_Session* session) {
    if (!is_started) refuse_other_library(return_address);
    note_session();
    auto const code = library_function<decltype(PMPI_Session_init)>(name)(info, handler, session);
    if (code == MPI_SUCCESS) ++open_sessions;
    return code;
}

/// All ranks call MPI_Comm_create_from_group if the communicator has all, so that the recorder may make its own one.
void start_recording_of_sessions(MPI_Comm first) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    int ranks = 0, size = 0;
    if (SONDE_LIBRARY_CALL(Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return;
    PMPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    PMPI_Group_size(world, &ranks);
    PMPI_Comm_size(first, &size);
    if (ranks == size) SONDE_LIBRARY_CALL(Comm_create_from_group)
    (world, "libsonde-trace", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    PMPI_Group_free(&world);
    if (comm == MPI_COMM_NULL) {
        SONDE_LIBRARY_CALL(Session_finalize)(&session);
        return;
    }
    own_session = session;
    start_recording(command_of(nullptr, nullptr), MPI_THREAD_MULTIPLE, comm, first);
}

int made_from_group(char const* name, void const* return_address, MPI_Group group, char const* tag, MPI_Info info,
                    MPI_Errhandler handler, MPI_Comm* made) {
    auto* const library = library_function<decltype(PMPI_Comm_create_from_group)>(name);
    auto const code = traced_Comm_create_from_group(return_address, library, group, tag, info, handler, made);
    if (code == MPI_SUCCESS && !is_started && this_thread.depth == 0) start_recording_of_sessions(*made);
    return code;
}

/// A recording without MPI_Init ends with the last session.
int ended_session(char const* name, void const* return_address, MPI_Session* session) {
    if (open_sessions == 1 && own_recorder != nullptr && is_of_sessions()) {
        stop_recording(return_address);
        SONDE_LIBRARY_CALL(Session_finalize)(&own_session);
    }
    auto const code = library_function<decltype(PMPI_Session_finalize)>(name)(session);
    if (code == MPI_SUCCESS) --open_sessions;
    return code;
}
#else
/// The header has no sessions. A library that has them is another one in most cases, which ends the process here.
int made_session(char const* name, void const* return_address, void* info, void* handler, void* session) {
    refuse_other_library(return_address);
    note_session();
    return library_function<int(void*, void*, void*)>(name)(info, handler, session);
}
#endif

template <class F, class... Arguments>
int made_error_handler(char const* name, Arguments... arguments) {
    has_error_handler = true;
    return library_function<F>(name)(arguments...);
}

} // namespace

} // namespace tools::replay

#define SONDE_BOTH_NAMES(name, parameters, body)                                                                       \
    extern "C" SONDE_ENTRY_POINT int MPI_##name parameters {                                                           \
        constexpr auto called = "MPI_" #name;                                                                          \
        return tools::replay::body;                                                                                    \
    }                                                                                                                  \
    extern "C" SONDE_ENTRY_POINT int PMPI_##name parameters {                                                          \
        constexpr auto called = "PMPI_" #name;                                                                         \
        return tools::replay::body;                                                                                    \
    }

/// Called by probes of the application. A simulator's process has the probes of all ranks.
extern "C" SONDE_ENTRY_POINT void* sonde_recorder_scopes(std::uint64_t layout) {
    auto const is_shown = !tools::replay::is_simulated && layout == sonde::scope_table::this_layout;
    return is_shown ? tools::replay::scopes_of_process() : nullptr;
}

SONDE_BOTH_NAMES(Init, (int* argc, char*** argv),
                 initialized<decltype(PMPI_Init)>(called, __builtin_return_address(0), argc, argv))
SONDE_BOTH_NAMES(Init_thread, (int* argc, char*** argv, int required, int* provided),
                 initialized<decltype(PMPI_Init_thread)>(called, __builtin_return_address(0), argc, argv, required,
                                                         provided))
SONDE_BOTH_NAMES(Finalize, (), finalized(called, __builtin_return_address(0)))
SONDE_BOTH_NAMES(Abort, (MPI_Comm comm, int errorcode), aborted(called, comm, errorcode))
SONDE_BOTH_NAMES(Pcontrol, (int const level, ...), marked(called, level))
SONDE_BOTH_NAMES(Comm_free, (MPI_Comm * comm),
                 freed<decltype(PMPI_Comm_free)>(called, &tools::replay::recorder::forget_communicator, comm,
                                                 tools::replay::call_Comm_free, __builtin_return_address(0)))
SONDE_BOTH_NAMES(Comm_disconnect, (MPI_Comm * comm),
                 freed<decltype(PMPI_Comm_disconnect)>(called, &tools::replay::recorder::forget_communicator, comm,
                                                       tools::replay::call_Comm_disconnect,
                                                       __builtin_return_address(0)))
SONDE_BOTH_NAMES(Win_free, (MPI_Win * win),
                 freed<decltype(PMPI_Win_free)>(called, &tools::replay::recorder::forget_window, win,
                                                tools::replay::call_Win_free, __builtin_return_address(0)))
SONDE_BOTH_NAMES(Type_free, (MPI_Datatype * type),
                 freed<decltype(PMPI_Type_free)>(called, &tools::replay::recorder::forget_type, type,
                                                 tools::replay::absent, nullptr))
SONDE_BOTH_NAMES(Comm_create_errhandler, (MPI_Comm_errhandler_function * function, MPI_Errhandler* handler),
                 made_error_handler<decltype(PMPI_Comm_create_errhandler)>(called, function, handler))
SONDE_BOTH_NAMES(Win_create_errhandler, (MPI_Win_errhandler_function * function, MPI_Errhandler* handler),
                 made_error_handler<decltype(PMPI_Win_create_errhandler)>(called, function, handler))
#ifdef HAS_MPI_Session_init
SONDE_BOTH_NAMES(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session* session),
                 made_session(called, __builtin_return_address(0), info, handler, session))
SONDE_BOTH_NAMES(Session_finalize, (MPI_Session * session), ended_session(called, __builtin_return_address(0), session))
SONDE_BOTH_NAMES(Comm_create_from_group,
                 (MPI_Group group, char const* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made),
                 made_from_group(called, __builtin_return_address(0), group, tag, info, handler, made))
#else
SONDE_BOTH_NAMES(Session_init, (void* info, void* handler, void* session),
                 made_session(called, __builtin_return_address(0), info, handler, session))
#endif
