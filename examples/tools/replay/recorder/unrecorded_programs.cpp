// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/unrecorded_programs.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include <sonde/measure/launcher.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tools::replay {

namespace {

#ifdef OPEN_MPI
constexpr bool is_for_open_mpi = true;
#else
constexpr bool is_for_open_mpi = false;
#endif

std::atomic<bool> has_session{false};

std::string own_library() {
#if defined OPEN_MPI
    return "Open MPI " + std::to_string(OMPI_MAJOR_VERSION) + '.' + std::to_string(OMPI_MINOR_VERSION) + '.' +
           std::to_string(OMPI_RELEASE_VERSION);
#elif defined MPICH_VERSION
    return "MPICH " MPICH_VERSION;
#else
    return "another MPI library";
#endif
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
    for (std::string_view const behind : {",", "\n", ". "}) text = text.substr(0, text.find(behind));
    return text;
}

void refuse_other_library(void const* return_address) {
    if constexpr (is_simulated) return;
    Dl_info place{};
    if (dladdr(init_of_caller(return_address), &place) == 0 || place.dli_fname == nullptr) return;
    auto* const library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return; // it is part of the program
    if ((dlsym(library, "ompi_mpi_comm_world") != nullptr) == is_for_open_mpi) return;
    say("this recorder is built for " + own_library() + ", and the program calls " + version_of(library) + " (" +
        place.dli_fname + "): preload the recorder of that library");
    if (launched_rank() != 0)
        std::this_thread::sleep_for(std::chrono::seconds{1}); // the launcher ends all after the line
    std::_Exit(2);
}

void note_session() { has_session = true; }

void say_if_not_recorded() {
    int is_initialized = 0;
    if (!is_simulated) PMPI_Initialized(&is_initialized);
    if (has_session) say("nothing is recorded of a program that uses MPI by sessions alone, without MPI_Init");
    else if (is_initialized != 0)
        say("nothing is recorded, because the program does not call MPI by the recorder's functions");
}

} // namespace tools::replay
