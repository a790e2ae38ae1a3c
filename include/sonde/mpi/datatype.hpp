// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::mpi {

/// Datatype and count of a message: `count` elements of `type`, or, if the count is negative, as many elements as the
/// message's region holds. The type is predefined or committed, and the caller keeps and frees it.
struct elements {
    MPI_Datatype type = MPI_BYTE;
    int count = -1;
};

/// `count` consecutive elements of `type`: the block that one call moves to or from one rank.
struct block {
    MPI_Datatype type = MPI_BYTE;
    std::size_t count = 0;
};

/// Owner of a derived datatype: commits it, and frees it at the end. Or a predefined datatype, which is only referred
/// to.
class owned_datatype {
public:
    owned_datatype() = default;
    explicit owned_datatype(MPI_Datatype made) {
        *type_.address() = made; // owned before the check, which may throw
        check(MPI_Type_commit(type_.address()), "MPI_Type_commit");
    }
    /// A predefined datatype, which is not freed.
    static owned_datatype predefined(MPI_Datatype type) {
        detail::owned_handle<MPI_Datatype> not_freed{MPI_DATATYPE_NULL,
                                                     [](MPI_Datatype*) -> int { return MPI_SUCCESS; }};
        *not_freed.address() = type;
        owned_datatype referred;
        referred.type_ = std::move(not_freed);
        return referred;
    }
    /// The datatype.
    MPI_Datatype get() const& { return type_.get(); }
    MPI_Datatype get() const&& = delete; // a temporary frees the type at once

private:
    detail::owned_handle<MPI_Datatype> type_{MPI_DATATYPE_NULL, MPI_Type_free};
};

namespace detail {

/// `n` as MPI's int count. Throws std::length_error for more than INT_MAX.
inline int int_count(std::size_t n) {
    if (n > INT_MAX)
        throw std::length_error{"sonde::mpi: " + std::to_string(n) + " elements; MPI counts to " +
                                std::to_string(INT_MAX)};
    return static_cast<int>(n);
}

/// Throws std::length_error for a number of elements that exceeds an int, if the MPI library has no functions with
/// large counts: before MPI 4.0.
inline void require_counted([[maybe_unused]] std::size_t n) {
#if MPI_VERSION < 4
    int_count(n);
#endif
}

/// A number of elements for a function of MPI, which takes an int or, in its form with large counts, an MPI_Count.
struct count_argument {
    std::size_t n; // number of elements
    operator int() const { return static_cast<int>(n); }
    operator MPI_Count() const { return static_cast<MPI_Count>(n); }
};

/// Calls f(first, count) for consecutive pieces of `n` elements. Each piece has `most` elements, and the last piece has
/// the rest. Zero elements are one empty piece. For calls that may be split: a reduction element by element, and
/// messages that both sides split in the same way.
void for_each_piece(std::size_t n, auto f, std::size_t most = INT_MAX) {
    std::size_t first = 0;
    do {
        auto const count = n - first < most ? n - first : most;
        f(first, static_cast<int>(count));
        first += count;
    } while (first != n);
}

/// Returns `op`. Throws std::invalid_argument for MPI_OP_NULL.
MPI_Op require_op(MPI_Op op);

// Functions with results of type MPI_Count: MPI 4.0 has them with the suffix _c, and MPI 4.1 deprecates the functions
// with the suffix _x.
#if MPI_VERSION >= 4
inline constexpr auto get_type_size = MPI_Type_size_c;
inline constexpr auto get_type_extent = MPI_Type_get_extent_c;
inline constexpr auto get_type_true_extent = MPI_Type_get_true_extent_c;
#else
inline constexpr auto get_type_size = MPI_Type_size_x;
inline constexpr auto get_type_extent = MPI_Type_get_extent_x;
inline constexpr auto get_type_true_extent = MPI_Type_get_true_extent_x;
#endif

/// Size of a datatype (MPI_Type_size): bytes of data in an element, without gaps. The size of a type that was made for
/// a large message may exceed an int.
inline std::size_t type_size(MPI_Datatype type) {
    MPI_Count size = 0;
    check(get_type_size(type, &size), "MPI_Type_size");
    return static_cast<std::size_t>(size);
}

/// True lower bound, true upper bound and extent of a datatype, in bytes. The extent, from one element to the next, may
/// be less than the length of an element (columns of a matrix, resized so that they interleave). Without data both
/// bounds are 0; Open MPI 4.1 has 2^63 - 1 for a process without a part of a MPI_Type_create_darray. Throws
/// std::invalid_argument for MPI_DATATYPE_NULL.
struct type_bounds {
    std::size_t size = 0; // bytes of data
    MPI_Count true_lower = 0;
    MPI_Count true_upper = 0;
    MPI_Count extent = 0;

    explicit type_bounds(MPI_Datatype type) {
        if (type == MPI_DATATYPE_NULL) throw std::invalid_argument{"sonde::mpi: the datatype is null"};
        MPI_Count lower = 0, true_extent = 0;
        check(get_type_extent(type, &lower, &extent), "MPI_Type_get_extent");
        size = type_size(type);
        if (size == 0) return;
        check(get_type_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent");
        true_upper = true_lower + true_extent;
    }
    /// True if `n` consecutive elements end within a region of `bytes`. Throws std::invalid_argument for bytes before
    /// it.
    bool fits(std::size_t n, MPI_Count bytes) const {
        auto const last = (static_cast<MPI_Count>(n) - 1) * extent;
        if (n == 0 || size == 0) return true;
        require_begin(true_lower >= 0 && true_lower + last >= 0);
        return true_upper <= bytes && true_upper + last <= bytes;
    }
    /// Throws std::invalid_argument for a type that has bytes before its region.
    static void require_begin(bool within) {
        if (!within) throw std::invalid_argument{"sonde::mpi: the type begins before its region"};
    }
};

/// Byte counts of `n` consecutive elements of a datatype: the offset of the next element, the span that the elements
/// occupy, and their data without gaps. Throws std::invalid_argument for MPI_DATATYPE_NULL, and for a type with bytes
/// before its address.
class element_layout {
public:
    explicit element_layout(MPI_Datatype type) : one_{type} {
        type_bounds::require_begin(one_.true_lower >= 0 && one_.extent >= 0);
    }
    std::size_t extent(std::size_t n) const { return n * static_cast<std::size_t>(one_.extent); }
    std::size_t span(std::size_t n) const {
        return n == 0 || one_.size == 0 ? 0 : extent(n - 1) + static_cast<std::size_t>(one_.true_upper);
    }
    std::size_t size(std::size_t n) const { return n * one_.size; }
    /// Throws std::length_error for `blocks` of `n` elements whose bytes exceed a pointer's difference: no region holds
    /// them.
    void require_addressable(std::size_t n, std::size_t blocks = 1) const {
        auto const longest = static_cast<std::size_t>(one_.extent < one_.true_upper ? one_.true_upper : one_.extent);
        auto const most = PTRDIFF_MAX / (longest == 0 ? 1 : longest);
        if (blocks != 0 && n > most / blocks)
            throw std::length_error{"sonde::mpi: " + std::to_string(n) + " elements of the type have too many bytes"};
    }

private:
    type_bounds one_;
};

/// Owner of a datatype that is part of another datatype and is not committed.
struct datatype_part : owned_handle<MPI_Datatype> {
    datatype_part() : owned_handle{MPI_DATATYPE_NULL, MPI_Type_free} {}
};

/// `n` contiguous elements of `type`.
datatype_part contiguous(MPI_Datatype type, std::size_t n);

/// A type of `n` contiguous elements of `type`, where `n` may exceed an int: chunks of `chunk` elements, then the rest.
/// Throws std::length_error for more than INT_MAX chunks. (Hammond, Schäfer, Latham, To INT_MAX... and beyond, 2014.)
owned_datatype large_contiguous(MPI_Datatype type, std::size_t n, std::size_t chunk = std::size_t{1} << 30);

/// Count and datatype arguments of a call, and the owner of the type where it was made for this message.
struct count_and_type {
    int count;
    MPI_Datatype type;
    owned_datatype made{};
};

/// Number of elements of a type that a region of `bytes` holds. Throws std::invalid_argument for MPI_DATATYPE_NULL, for
/// a type without extent and for a type with bytes before the region; std::length_error for a region that is not empty
/// but smaller than one element.
inline std::size_t elements_in(std::size_t bytes, MPI_Datatype type) {
    type_bounds const one{type};
    auto const available = static_cast<MPI_Count>(bytes);
    if (one.extent <= 0) throw std::invalid_argument{"sonde::mpi: a type without extent needs an explicit count"};
    if (bytes == 0) return 0;
    if (!one.fits(1, available))
        throw std::length_error{"sonde::mpi: the region is smaller than an element of the type"};
    return static_cast<std::size_t>(1 + (available - one.true_upper) / one.extent);
}

/// Count and type of a message in a region of `bytes`. More than `max_count` elements become one element of a type made
/// for them. Throws std::invalid_argument for MPI_DATATYPE_NULL, for a type without extent and count and for a type
/// with bytes before the region; std::length_error for elements that end behind the region, and for a region that is
/// not empty but smaller than one element.
count_and_type count_and_type_of(std::size_t bytes, elements e, std::size_t max_count = INT_MAX);

} // namespace detail

} // namespace sonde::mpi

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::mpi::detail {

SONDE_INLINE MPI_Op require_op(MPI_Op op) {
    if (op == MPI_OP_NULL) throw std::invalid_argument{"sonde::mpi: the operation is null"};
    return op;
}

SONDE_INLINE datatype_part contiguous(MPI_Datatype type, std::size_t n) {
    datatype_part made;
    check(MPI_Type_contiguous(int_count(n), type, made.address()), "MPI_Type_contiguous");
    return made;
}

SONDE_INLINE owned_datatype large_contiguous(MPI_Datatype type, std::size_t n, std::size_t chunk) {
    MPI_Aint lower = 0, extent = 0;
    check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
    auto const chunks = n / chunk;
    auto const one_chunk = contiguous(type, chunk), first = contiguous(one_chunk.get(), chunks),
               rest = contiguous(type, n % chunk);
    int const lengths[2] = {1, 1};
    MPI_Aint const displacements[2] = {0, static_cast<MPI_Aint>(chunks * chunk) * extent};
    MPI_Datatype const parts[2] = {first.get(), rest.get()};
    MPI_Datatype joined = MPI_DATATYPE_NULL;
    check(MPI_Type_create_struct(2, lengths, displacements, parts, &joined), "MPI_Type_create_struct");
    return owned_datatype{joined};
}

SONDE_INLINE count_and_type count_and_type_of(std::size_t bytes, elements e, std::size_t max_count) {
    if (e.count >= 0) {
        if (!type_bounds{e.type}.fits(static_cast<std::size_t>(e.count), static_cast<MPI_Count>(bytes)))
            throw std::length_error{"sonde::mpi: the region is smaller than " + std::to_string(e.count) +
                                    " elements of the type"};
        return {e.count, e.type};
    }
    auto const n = elements_in(bytes, e.type);
    if (n <= max_count) return {static_cast<int>(n), e.type};
    auto made = large_contiguous(e.type, n);
    auto const type = made.get();
    return {1, type, std::move(made)};
}

} // namespace sonde::mpi::detail

#endif
