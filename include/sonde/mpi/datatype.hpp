// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde::mpi {

/// How a message's bytes are described to MPI: as many elements of `type` as fit, or `count` of them where it is given
/// (a derived type that describes a whole message has count 1). The type is predefined or committed, and the caller's.
struct elements {
    MPI_Datatype type = MPI_BYTE;
    int count = -1;
};

/// A committed datatype of our own, freed at the end.
class owned_datatype {
public:
    owned_datatype() = default;
    explicit owned_datatype(MPI_Datatype made) : type_{made} { check(MPI_Type_commit(&type_), "MPI_Type_commit"); }
    owned_datatype(owned_datatype&& other) noexcept : type_{std::exchange(other.type_, MPI_DATATYPE_NULL)} {}
    owned_datatype& operator=(owned_datatype&& other) noexcept {
        std::swap(type_, other.type_);
        return *this;
    }
    ~owned_datatype() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    MPI_Datatype get() const& { return type_; }
    MPI_Datatype get() const&& = delete; // a temporary frees the type at once

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

namespace detail {

/// `n` elements of `type` as one element: chunks of `chunk`, then the rest, since a count is an int. (Hammond, Schäfer,
/// Latham, To INT_MAX... and beyond, 2014.) n / chunk must fit an int.
inline owned_datatype many(MPI_Datatype type, std::size_t n, std::size_t chunk = std::size_t{1} << 30) {
    MPI_Aint low = 0, extent = 0;
    check(MPI_Type_get_extent(type, &low, &extent), "MPI_Type_get_extent");
    auto const chunks = n / chunk, rest = n % chunk;
    MPI_Datatype whole = MPI_DATATYPE_NULL, chunked = MPI_DATATYPE_NULL, tail = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(static_cast<int>(chunk), type, &whole), "MPI_Type_contiguous");
    check(MPI_Type_contiguous(static_cast<int>(chunks), whole, &chunked), "MPI_Type_contiguous");
    check(MPI_Type_contiguous(static_cast<int>(rest), type, &tail), "MPI_Type_contiguous");
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, static_cast<MPI_Aint>(chunks * chunk) * extent};
    MPI_Datatype parts[2] = {chunked, tail};
    MPI_Datatype joined = MPI_DATATYPE_NULL;
    check(MPI_Type_create_struct(2, lengths, places, parts, &joined), "MPI_Type_create_struct");
    for (auto* part : {&whole, &chunked, &tail}) check(MPI_Type_free(part), "MPI_Type_free");
    return owned_datatype{joined};
}

/// What a call takes for a message: count and type, the type kept where it had to be made for the size.
struct shape {
    int count;
    MPI_Datatype type;
    owned_datatype made{};
};

/// Where the elements of a type lie: the first from `first` to `end`, each next one `step` on, which may be less than
/// an element is long (the columns of a matrix, resized to lie side by side).
struct placement {
    MPI_Count first = 0;
    MPI_Count end = 0;
    MPI_Count step = 0;

    explicit placement(MPI_Datatype type) {
        MPI_Count low = 0, length = 0;
        check(MPI_Type_get_extent_x(type, &low, &step), "MPI_Type_get_extent_x");
        check(MPI_Type_get_true_extent_x(type, &first, &length), "MPI_Type_get_true_extent_x");
        end = first + length;
    }
    bool fits(std::size_t n, MPI_Count bytes) const {
        auto const further = (static_cast<MPI_Count>(n) - 1) * step;
        return n == 0 || (first >= 0 && first + further >= 0 && end <= bytes && end + further <= bytes);
    }
};

/// The number of elements that fit into `bytes`.
inline std::size_t elements_in(std::size_t bytes, MPI_Datatype type) {
    placement const one{type};
    auto const there = static_cast<MPI_Count>(bytes);
    if (one.step <= 0) throw std::invalid_argument{"sonde::mpi: a type without extent needs an explicit count"};
    if (bytes == 0) return 0;
    if (!one.fits(1, there)) throw std::length_error{"sonde::mpi: the region is smaller than an element of the type"};
    return static_cast<std::size_t>(1 + (there - one.end) / one.step);
}

/// The shape of a message in a region of `bytes`. More elements than an int counts go as one element of a type made for
/// them. Throws std::invalid_argument for no type, and for a type without extent and count; std::length_error where the
/// elements would lie outside of the region.
inline shape shape_of(std::size_t bytes, elements e, std::size_t most = INT_MAX) {
    if (e.type == MPI_DATATYPE_NULL) throw std::invalid_argument{"sonde::mpi: the datatype is null"};
    if (e.count >= 0) {
        if (!placement{e.type}.fits(static_cast<std::size_t>(e.count), static_cast<MPI_Count>(bytes)))
            throw std::length_error{"sonde::mpi: the region is smaller than so many elements of the type"};
        return {e.count, e.type};
    }
    auto const n = elements_in(bytes, e.type);
    if (n <= most) return {static_cast<int>(n), e.type};
    auto made = many(e.type, n);
    auto const type = made.get();
    return {1, type, std::move(made)};
}

/// What a message of this shape moves, gaps not counted.
inline std::size_t bytes_in(shape const& s) {
    MPI_Count one = 0;
    check(MPI_Type_size_x(s.type, &one), "MPI_Type_size_x");
    return static_cast<std::size_t>(s.count) * static_cast<std::size_t>(one);
}

} // namespace detail

} // namespace sonde::mpi
