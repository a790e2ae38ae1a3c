// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/access.hpp>
#include <sonde/mpi/message.hpp>

#include <mpi.h>

#include <type_traits>

namespace sonde::mpi::io {

/// What one call moves: a message, in a file; the offset, in units of the view, is for calls that take one.
struct transfer {
    MPI_File file;
    MPI_Offset at;
    message what;
};

/// The functions of one access in the MPI library, and their names. Null: with a request, of collective accesses by the
/// shared pointer; begin and end, of accesses that are not collective.
struct calls {
    char const* name;
    int (*blocking)(transfer const&, MPI_Status*);
    char const* request_name;
    int (*request)(transfer const&, MPI_Request*);
    char const* begin_name;
    int (*begin)(transfer const&);
    char const* end_name;
    int (*end)(transfer const&, MPI_Status*);
};

namespace detail {

/// A function of the MPI library, whether it takes an offset or not.
template <auto F, class... Last>
int call(transfer const& t, Last... last) {
    if constexpr (std::is_invocable_v<decltype(F), MPI_File, MPI_Offset, void*, int, MPI_Datatype, Last...>)
        return F(t.file, t.at, t.what.data, t.what.count, t.what.type, last...);
    else return F(t.file, t.what.data, t.what.count, t.what.type, last...);
}

template <auto F>
int call_end(transfer const& t, MPI_Status* status) {
    return F(t.file, t.what.data, status);
}

#define SONDE_IO_BLOCKING(name) "MPI_File_" #name, call<MPI_File_##name, MPI_Status*>
#define SONDE_IO_REQUEST(name) "MPI_File_i" #name, call<MPI_File_i##name, MPI_Request*>
#define SONDE_IO_SPLIT(name)                                                                                           \
    "MPI_File_" #name "_begin", call<MPI_File_##name##_begin>, "MPI_File_" #name "_end", call_end<MPI_File_##name##_end>

#define SONDE_IO_ALONE(name)                                                                                           \
    { SONDE_IO_BLOCKING(name), SONDE_IO_REQUEST(name), "", nullptr, "", nullptr }
#define SONDE_IO_TOGETHER(name)                                                                                        \
    { SONDE_IO_BLOCKING(name), SONDE_IO_REQUEST(name), SONDE_IO_SPLIT(name) }
#define SONDE_IO_ORDERED(name)                                                                                         \
    { SONDE_IO_BLOCKING(name), "", nullptr, SONDE_IO_SPLIT(name) }
/// By pointer; alone, together.
#define SONDE_IO_CALLS(way)                                                                                            \
    {                                                                                                                  \
        {SONDE_IO_ALONE(way), SONDE_IO_TOGETHER(way##_all)},                                                           \
            {SONDE_IO_ALONE(way##_at), SONDE_IO_TOGETHER(way##_at_all)}, {                                             \
            SONDE_IO_ALONE(way##_shared), SONDE_IO_ORDERED(way##_ordered)                                              \
        }                                                                                                              \
    }

inline constexpr calls all_calls[2][3][2] = {SONDE_IO_CALLS(write), SONDE_IO_CALLS(read)};

#undef SONDE_IO_CALLS
#undef SONDE_IO_ORDERED
#undef SONDE_IO_TOGETHER
#undef SONDE_IO_ALONE
#undef SONDE_IO_SPLIT
#undef SONDE_IO_REQUEST
#undef SONDE_IO_BLOCKING

} // namespace detail

[[nodiscard]] constexpr calls const& calls_of(access how) {
    return detail::all_calls[static_cast<int>(how.way)][static_cast<int>(how.by)][how.collective ? 1 : 0];
}

} // namespace sonde::mpi::io
