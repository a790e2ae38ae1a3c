// SPDX-License-Identifier: BSL-1.0

// The functions that an application calls instead of those of the MPI library. Applications in C call MPI_...;
// functions of Fortran call MPI_... in MPICH and PMPI_... in Open MPI, so both are here, and PMPI_... is recorded
// inside a function of Fortran only.

#include "tools/replay/recorder/call_description.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tools::replay {

recorder* the_recorder = nullptr;
thread_local calling_thread this_thread;

namespace {

pid_t process = 0; // a process that is forked later has no trace of its own

/// Notes where a function of Fortran was called.
class fortran_call {
public:
    explicit fortran_call(void const* return_address) { this_thread.fortran_site = return_address; }
    ~fortran_call() { this_thread.fortran_site = nullptr; }
    fortran_call(fortran_call const&) = delete;
    fortran_call& operator=(fortran_call const&) = delete;
};

bool is_in_fortran() { return this_thread.fortran_site != nullptr && this_thread.depth == 0; }

/// Notes a call that is not supported, and hides the calls inside of it.
class counted_call {
public:
    explicit counted_call(char const* name) {
        if (the_recorder != nullptr && this_thread.depth == 0) {
            if (this_thread.recorded == nullptr) this_thread.recorded = &the_recorder->new_thread();
            auto const held = the_recorder->lock();
            ++this_thread.recorded->not_recorded[name];
        }
        ++this_thread.depth;
    }
    ~counted_call() { --this_thread.depth; }
    counted_call(counted_call const&) = delete;
    counted_call& operator=(counted_call const&) = delete;
};

/// From MPI_Init to MPI_Finalize, also on ranks that are not recorded.
std::unique_ptr<recorder> own_recorder;

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

void start_recording(std::string command) {
    static bool is_started = false;
    if (std::exchange(is_started, true)) return;
    try {
        auto settings = settings_of(environ);
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        own_recorder = std::make_unique<recorder>(std::move(settings), level, std::move(command));
        process = getpid();
        if (own_recorder->records_this_rank()) the_recorder = own_recorder.get();
    } catch (std::exception const& e) { // the same on all ranks
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0) std::fprintf(stderr, "libsonde-trace: %s\n", e.what());
        SONDE_LIBRARY_CALL(Barrier)(MPI_COMM_WORLD); // after the line
        SONDE_LIBRARY_CALL(Finalize)();
        std::_Exit(2);
    }
}

void stop_recording() {
    the_recorder = nullptr;
    if (auto const ended = std::move(own_recorder)) ended->finish();
}

void save_recording() {
    if (the_recorder != nullptr && getpid() == process) the_recorder->write_own_file();
}

/// A process that ends without MPI_Finalize leaves the file of its rank.
struct at_exit {
    ~at_exit() { save_recording(); }
} const saves_at_exit;

} // namespace

} // namespace tools::replay

#define SONDE_ENTRY_POINT __attribute__((visibility("default")))

#include "wrappers.inc"

namespace tools::replay {

std::span<char const* const> call_names() { return names_of_calls; }

namespace {

/// MPI_Init and others are the same for C and Fortran. `name`: that by which it was called.
template <class F, class... Arguments>
int initialized(char const* name, int* argc, char*** argv, Arguments... arguments) {
    auto const code = library_function<F>(name)(argc, argv, arguments...);
    if (code == MPI_SUCCESS) start_recording(command_of(argc, argv));
    return code;
}

int finalized(char const* name) {
    stop_recording();
    return library_function<decltype(PMPI_Finalize)>(name)();
}

int aborted(char const* name, MPI_Comm comm, int status) {
    save_recording();
    return library_function<decltype(PMPI_Abort)>(name)(comm, status);
}

int marked(char const* name, int level) {
    auto* const next = library_function<decltype(PMPI_Pcontrol)>(name);
    if (the_recorder != nullptr && this_thread.depth == 0 && level <= 1) the_recorder->mark(level == 1);
    return next(level);
}

/// Handles are forgotten whether the call is recorded or not, because another object may get them.
template <class F, class Handle>
int freed(char const* name, void (recorder::*forget)(Handle), Handle* handle) {
    if (the_recorder != nullptr) {
        auto const held = the_recorder->lock();
        (the_recorder->*forget)(*handle);
    }
    return library_function<F>(name)(handle);
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

SONDE_BOTH_NAMES(Init, (int* argc, char*** argv), initialized<decltype(PMPI_Init)>(called, argc, argv))
SONDE_BOTH_NAMES(Init_thread, (int* argc, char*** argv, int required, int* provided),
                 initialized<decltype(PMPI_Init_thread)>(called, argc, argv, required, provided))
SONDE_BOTH_NAMES(Finalize, (), finalized(called))
SONDE_BOTH_NAMES(Abort, (MPI_Comm comm, int errorcode), aborted(called, comm, errorcode))
SONDE_BOTH_NAMES(Pcontrol, (int const level, ...), marked(called, level))
SONDE_BOTH_NAMES(Comm_free, (MPI_Comm * comm),
                 freed<decltype(PMPI_Comm_free)>(called, &tools::replay::recorder::forget_communicator, comm))
SONDE_BOTH_NAMES(Comm_disconnect, (MPI_Comm * comm),
                 freed<decltype(PMPI_Comm_disconnect)>(called, &tools::replay::recorder::forget_communicator, comm))
SONDE_BOTH_NAMES(Win_free, (MPI_Win * win),
                 freed<decltype(PMPI_Win_free)>(called, &tools::replay::recorder::forget_window, win))
SONDE_BOTH_NAMES(Type_free, (MPI_Datatype * type),
                 freed<decltype(PMPI_Type_free)>(called, &tools::replay::recorder::forget_type, type))
