// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace suite {

/// Elements of messages: a predefined datatype of MPI and the C++ type that it describes.
enum class element : unsigned char { byte, character, integer, real, double_real };

/// Returns f(T{}) for the C++ type of the element.
template <class F>
decltype(auto) with_element(element kind, F f) {
    switch (kind) {
    case element::character:
        return f(char{});
    case element::integer:
        return f(int{});
    case element::real:
        return f(float{});
    case element::double_real:
        return f(double{});
    case element::byte:
        break;
    }
    return f(static_cast<unsigned char>(0));
}

/// Size in bytes.
inline std::size_t bytes_of(element kind) {
    return with_element(kind, [](auto value) { return sizeof value; });
}

inline MPI_Datatype datatype_of(element kind) {
    MPI_Datatype const all[] = {MPI_BYTE, MPI_CHAR, MPI_INT, MPI_FLOAT, MPI_DOUBLE};
    return all[static_cast<std::size_t>(kind)];
}

/// The datatype that MPI can add up: of characters, MPI_SIGNED_CHAR.
inline MPI_Datatype summed_datatype_of(element kind) {
    return kind == element::character ? MPI_SIGNED_CHAR : datatype_of(kind);
}

/// "MPI_BYTE"
inline std::string mpi_name(element kind) {
    constexpr char const* all[] = {"MPI_BYTE", "MPI_CHAR", "MPI_INT", "MPI_FLOAT", "MPI_DOUBLE"};
    return all[static_cast<std::size_t>(kind)];
}

} // namespace suite
