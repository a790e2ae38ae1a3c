// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/unrecorded_programs.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include "suite/launcher.hpp"

#include <sonde/measure/launcher.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

namespace tools::replay {

namespace {

std::atomic<bool> has_session{false};

/// What is the same in all programs that one build of the recorder can record.
enum class interface { open_mpi, mpich, standard, unknown };

constexpr char const* name_of(interface of) {
    return of == interface::open_mpi ? "Open MPI's ABI" : of == interface::mpich ? "MPICH's ABI" : "the standard ABI";
}

/// By the handle of MPI_COMM_WORLD: a number with MPICH, and the address of an object with Open MPI. The standard ABI
/// has addresses below the first page of memory.
interface own_interface() {
    constexpr std::uint64_t first_page = 4096;
    if constexpr (std::is_integral_v<MPI_Comm>) return interface::mpich;
    return key_of(MPI_Comm{MPI_COMM_WORLD}) < first_page ? interface::standard : interface::open_mpi;
}

/// By what one of them exports alone.
interface interface_of(void* library) {
    auto const has = [&](char const* name) { return dlsym(library, name) != nullptr; };
    if (has("ompi_mpi_comm_world")) return interface::open_mpi;
    if (has("MPIR_Dup_fn")) return interface::mpich; // as do Intel MPI and other libraries of MPICH's ABI
    return has("MPI_Abi_get_version") ? interface::standard : interface::unknown;
}

/// The rank by the launcher's variable, where MPI cannot tell; 0 if there is none.
int launched_rank() {
    auto const process = sonde::launched_process_in(sonde::variable_of_process);
    return process ? process->rank : 0;
}

void say(std::string const& text) {
    if (launched_rank() == 0) std::fprintf(stderr, "libsonde-trace: %s\n", text.c_str());
}

std::string version_of(void* library) {
    std::vector<char> text(std::size_t{1} << 16); // libraries differ in the length of their texts
    int length = 0;
    auto* const found = dlsym(library, "PMPI_Get_library_version");
    if (found != nullptr) reinterpret_cast<decltype(&PMPI_Get_library_version)>(found)(text.data(), &length);
    return first_sentence(text.data());
}

/// The MPI_Init of the library with which the caller is linked. The functions of Fortran, or a module of Python, come
/// with an MPI library that may be loaded after the recorder's own.
void* init_of_caller(void const* return_address) {
    Dl_info place{};
    auto* const caller = dladdr(return_address, &place) == 0 || place.dli_fname == nullptr
                             ? nullptr
                             : dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD); // null for the program itself
    auto* const found = caller == nullptr ? nullptr : dlsym(caller, "PMPI_Init");
    return found == nullptr ? next_function("PMPI_Init") : found;
}

} // namespace

std::string first_sentence(std::string text) {
    std::replace(text.begin(), text.end(), '\t', ' ');
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
    for (std::string_view const behind : {",", "\n", ". "}) text = text.substr(0, text.find(behind));
    return text;
}

void refuse_other_library(void const* return_address) {
    if constexpr (is_simulated) return;
    Dl_info place{};
    if (dladdr(init_of_caller(return_address), &place) == 0 || place.dli_fname == nullptr) return;
    auto* const library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return; // it is part of the program
    auto const of_program = interface_of(library);
    if (of_program == own_interface() || of_program == interface::unknown) return;
    say("this recorder is built for " + std::string{name_of(own_interface())} + ", and the program calls " +
        version_of(library) + " (" + place.dli_fname + ") by " + name_of(of_program) +
        ": preload the recorder for that one");
    if (launched_rank() != 0)
        std::this_thread::sleep_for(std::chrono::seconds{1}); // the launcher ends all after the line
    std::_Exit(2);
}

void say_if_alone(MPI_Comm world) {
    int ranks = 0;
    PMPI_Comm_size(world, &ranks);
    if (is_simulated || ranks != 1) return;
    auto const job = suite::launched_job_in(sonde::variable_of_process);
    if (job && job->speaks())
        std::fprintf(stderr, "libsonde-trace: %s; the trace is that of one process\n",
                     complaint_about(*job, version_of(RTLD_NEXT)).c_str());
}

void note_session() { has_session = true; }

void say_if_not_recorded() {
    int is_initialized = 0;
    if (is_simulated || dlsym(RTLD_NEXT, "PMPI_Initialized") == nullptr) return; // a process without MPI
    PMPI_Initialized(&is_initialized);
    if (has_session) say("nothing is recorded of MPI sessions of which no communicator has all ranks");
    else if (is_initialized != 0)
        say("nothing is recorded, because the program does not call MPI by the recorder's functions");
}

} // namespace tools::replay
