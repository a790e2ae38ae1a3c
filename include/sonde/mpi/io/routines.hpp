// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/file.hpp>
#include <sonde/mpi/link.hpp>

#include <mpi.h>

#include <type_traits>

namespace sonde::mpi::io {

/// Arguments of one data access call. The offset, in etypes of the view, is for routines with explicit offsets.
struct access_arguments {
    MPI_File file;
    MPI_Offset offset;
    message buffer;
};

/// A function of the MPI library and its name. The function is null if MPI has no such routine.
template <class... Last>
struct routine {
    char const* name = "";
    int (*call)(access_arguments const&, Last...) = nullptr;
};

/// The data access routines of one access (MPI 3.1, table 13.1). Collective accesses by the shared file pointer have no
/// nonblocking routine, accesses that are not collective have no split collective ones.
struct routines {
    routine<MPI_Status*> blocking;
    routine<MPI_Request*> nonblocking{};
    routine<> begin{};
    routine<MPI_Status*> end{};
};

namespace detail {

/// Calls a function of the MPI library, with or without the offset.
template <auto F, class... Last>
int call(access_arguments const& a, Last... last) {
    if constexpr (std::is_invocable_v<decltype(F), MPI_File, MPI_Offset, void*, int, MPI_Datatype, Last...>)
        return F(a.file, a.offset, a.buffer.data, a.buffer.count, a.buffer.type, last...);
    else return F(a.file, a.buffer.data, a.buffer.count, a.buffer.type, last...);
}

template <auto F>
int call_end(access_arguments const& a, MPI_Status* status) {
    return F(a.file, a.buffer.data, status);
}

// clang-format off
#define SONDE_IO_BLOCKING(name) {"MPI_File_" #name, call<MPI_File_##name, MPI_Status*>}
#define SONDE_IO_NONBLOCKING(name) {"MPI_File_i" #name, call<MPI_File_i##name, MPI_Request*>}
#define SONDE_IO_SPLIT(name) \
    {"MPI_File_" #name "_begin", call<MPI_File_##name##_begin>}, {"MPI_File_" #name "_end", call_end<MPI_File_##name##_end>}
#define SONDE_IO_BOTH(name) SONDE_IO_BLOCKING(name), SONDE_IO_NONBLOCKING(name)
#define SONDE_IO_DIRECTION(name) \
    {{{SONDE_IO_BOTH(name)}, {SONDE_IO_BOTH(name##_all), SONDE_IO_SPLIT(name##_all)}}, \
     {{SONDE_IO_BOTH(name##_at)}, {SONDE_IO_BOTH(name##_at_all), SONDE_IO_SPLIT(name##_at_all)}}, \
     {{SONDE_IO_BOTH(name##_shared)}, {SONDE_IO_BLOCKING(name##_ordered), {}, SONDE_IO_SPLIT(name##_ordered)}}}
// clang-format on

/// Indexed by direction, positioning and coordination.
inline constexpr routines routine_table[2][3][2] = {SONDE_IO_DIRECTION(write), SONDE_IO_DIRECTION(read)};

#undef SONDE_IO_DIRECTION
#undef SONDE_IO_BOTH
#undef SONDE_IO_SPLIT
#undef SONDE_IO_NONBLOCKING
#undef SONDE_IO_BLOCKING

} // namespace detail

[[nodiscard]] constexpr routines const& routines_of(access how) {
    return detail::routine_table[static_cast<int>(how.direction)][static_cast<int>(how.positioning)][how.collective];
}

} // namespace sonde::mpi::io
