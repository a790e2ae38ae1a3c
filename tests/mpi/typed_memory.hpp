// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "predefined_types.hpp"

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/rma/transfers.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Datatypes whose numbers lie at known places, and memory in which every other byte is a canary.
namespace typed {

enum class kind { int8, int16, int32, int64, real32, real64, extended };
/// A number of an element, `offset` bytes behind the element's address.
struct number {
    std::size_t offset;
    kind of;
};
struct datatype {
    std::string name;
    sonde::mpi::owned_datatype type;
    std::vector<number> numbers; // of an element
    char letter = 'd';           // of its category, or 'd' for a derived datatype
    std::size_t extent() const { return static_cast<std::size_t>(sonde::mpi::detail::type_bounds{type.get()}.extent); }
    /// False for a predefined datatype without gaps, which few calls treat unlike others.
    bool is_plain() const { return letter != 'd' && extent() == sonde::mpi::detail::type_size(type.get()); }
    /// True for pair types, and for types made of one pair type.
    bool has_pairs() const {
        auto const basic = sonde::mpi::detail::basic_type(type.get());
        return basic != MPI_DATATYPE_NULL &&
               sonde::mpi::detail::class_of(basic) == sonde::mpi::detail::type_class::pair;
    }
    std::size_t span(std::size_t n) const { return sonde::mpi::detail::element_layout{type.get()}.span(n); }
};

/// f(a zero of the kind's C++ type).
auto with(kind k, auto f) {
    switch (k) {
    case kind::int8:
        return f(std::int8_t{});
    case kind::int16:
        return f(std::int16_t{});
    case kind::int32:
        return f(std::int32_t{});
    case kind::int64:
        return f(std::int64_t{});
    case kind::real32:
        return f(float{});
    case kind::real64:
        return f(double{});
    default:
        return f(0.0L);
    }
}
/// Bytes that hold the value of a number: 10 of the 16 of an extended number of x86.
inline std::size_t value_bytes(kind k) {
    auto const bytes = with(k, [](auto x) { return sizeof x; });
    return k == kind::extended && std::numeric_limits<long double>::digits == 64 ? 10 : bytes;
}
/// Stores a small number; the bytes of a number that have no value are zero.
inline void store(std::byte* at, kind k, int value) {
    with(k, [&](auto x) {
        std::memset(at, 0, sizeof x);
        x = static_cast<decltype(x)>(value);
        std::memcpy(at, &x, value_bytes(k));
        return 0;
    });
}
inline int load(std::byte const* at, kind k) {
    return with(k, [&](auto x) {
        std::memcpy(&x, at, sizeof x);
        return static_cast<int>(x);
    });
}

inline kind integer_of(std::size_t bytes) {
    return bytes == 1 ? kind::int8 : bytes == 2 ? kind::int16 : bytes == 4 ? kind::int32 : kind::int64;
}
inline kind real_of(std::size_t bytes) {
    return bytes == 4 ? kind::real32 : bytes == 8 ? kind::real64 : kind::extended;
}

/// The two numbers of a pair type, at the places of its C struct. The second is an int, unless the type is Fortran's.
inline std::vector<number> pair_of(MPI_Datatype type) {
    struct short_int {
        short a;
        int b;
    };
    struct long_double_int {
        long double a;
        int b;
    };
    if (type == MPI_SHORT_INT) return {{0, kind::int16}, {offsetof(short_int, b), kind::int32}};
    if (type == MPI_LONG_INT) return {{0, integer_of(sizeof(long))}, {sizeof(long), kind::int32}};
    if (type == MPI_FLOAT_INT) return {{0, kind::real32}, {4, kind::int32}};
    if (type == MPI_DOUBLE_INT) return {{0, kind::real64}, {8, kind::int32}};
    if (type == MPI_LONG_DOUBLE_INT) return {{0, kind::extended}, {offsetof(long_double_int, b), kind::int32}};
    if (type == MPI_2REAL) return {{0, kind::real32}, {4, kind::real32}};
    if (type == MPI_2DOUBLE_PRECISION) return {{0, kind::real64}, {8, kind::real64}};
    return {{0, kind::int32}, {4, kind::int32}};
}

inline std::vector<number> numbers_of(MPI_Datatype type, char letter) {
    auto const bytes = sonde::mpi::detail::type_size(type);
    if (letter == 'p') return pair_of(type);
    if (letter == 'r') return {{0, real_of(bytes)}};
    if (letter == 'x') return {{0, real_of(bytes / 2)}, {bytes / 2, real_of(bytes / 2)}};
    return {{0, integer_of(bytes)}};
}

inline std::vector<datatype> predefined() {
    std::vector<datatype> all;
    auto const add = [&](MPI_Datatype type, char letter) {
        all.push_back({sonde::mpi::detail::name_of(type), sonde::mpi::owned_datatype::predefined(type),
                       numbers_of(type, letter), letter});
    };
    for (auto const& [letter, types] : predefined_types())
        for (auto const type : types) add(type, letter);
    MPI_Datatype integer = MPI_DATATYPE_NULL, real = MPI_DATATYPE_NULL;
    PMPI_Type_create_f90_integer(9, &integer);
    PMPI_Type_create_f90_real(15, MPI_UNDEFINED, &real);
    add(integer, 'f');
    add(real, 'r');
    all.back().name += " of 15 digits";
    return all;
}

inline sonde::mpi::owned_datatype made(auto make, auto... arguments) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    make(arguments..., &type);
    return sonde::mpi::owned_datatype{type};
}
inline sonde::mpi::owned_datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
    return made(PMPI_Type_create_resized, type, lower, extent);
}
inline sonde::mpi::owned_datatype structure() {
    int const ones[] = {1, 1, 1};
    MPI_Aint const at[] = {0, 12, 20};
    MPI_Datatype const types[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
    return made(PMPI_Type_create_struct, 3, ones, at, types);
}

/// Derived datatypes with one number or more, none before the element's address.
inline std::vector<datatype> derived() {
    using enum kind;
    int const two_one[] = {2, 1}, seven_zero[] = {7, 0}, one_four[] = {1, 4}, four[] = {4, 4}, twos[] = {2, 2},
              ones[] = {1, 1}, six[] = {6}, cyclic[] = {MPI_DISTRIBUTE_CYCLIC},
              by_default[] = {MPI_DISTRIBUTE_DFLT_DARG}, processes[] = {2}, one[] = {1};
    MPI_Aint const behind[] = {16};
    auto const column = made(PMPI_Type_vector, 3, 1, 16, MPI_INT);
    auto const backwards = made(PMPI_Type_create_hvector, 2, 1, MPI_Aint{-16}, MPI_DOUBLE);
    auto const record = structure();
    std::vector<datatype> all;
    auto const add = [&](char const* name, sonde::mpi::owned_datatype type, std::vector<number> numbers) {
        all.push_back({name, std::move(type), std::move(numbers)});
    };
    add("contiguous pairs", made(PMPI_Type_contiguous, 3, MPI_SHORT_INT),
        {{0, int16}, {4, int32}, {8, int16}, {12, int32}, {16, int16}, {20, int32}});
    add("vector", made(PMPI_Type_vector, 3, 1, 2, MPI_INT), {{0, int32}, {8, int32}, {16, int32}});
    add("hvector backwards", made(PMPI_Type_create_hindexed, 1, one, behind, backwards.get()),
        {{16, real64}, {0, real64}});
    add("indexed", made(PMPI_Type_indexed, 2, two_one, seven_zero, MPI_SHORT), {{14, int16}, {16, int16}, {0, int16}});
    add("indexed_block", made(PMPI_Type_create_indexed_block, 2, 1, one_four, MPI_INT), {{4, int32}, {16, int32}});
    add("struct", structure(), {{0, real64}, {12, int32}, {20, int8}});
    add("negative lower bound", resized(MPI_DOUBLE, -8, 24), {{0, real64}});
    add("positive lower bound", resized(MPI_DOUBLE, 8, 24), {{0, real64}});
    add("larger extent", resized(MPI_DOUBLE_INT, 0, 40), {{0, real64}, {8, int32}});
    add("smaller extent", resized(column.get(), 0, 4), {{0, int32}, {64, int32}, {128, int32}});
    add("subarray", made(PMPI_Type_create_subarray, 2, four, twos, ones, MPI_ORDER_C, MPI_SHORT),
        {{10, int16}, {12, int16}, {18, int16}, {20, int16}});
    add("darray", made(PMPI_Type_create_darray, 2, 1, 1, six, cyclic, by_default, processes, MPI_ORDER_C, MPI_INT),
        {{4, int32}, {12, int32}, {20, int32}});
    add("dup", made(PMPI_Type_dup, MPI_LONG_DOUBLE_INT), {{0, extended}, {16, int32}});
    add("vector of struct", made(PMPI_Type_vector, 2, 1, 2, record.get()),
        {{0, real64}, {12, int32}, {20, int8}, {48, real64}, {60, int32}, {68, int8}});
    return all;
}

/// Datatypes without a number.
inline std::vector<datatype> empty() {
    int const none[] = {0, 0}, at[] = {3, 5}, one[] = {1}, block[] = {MPI_DISTRIBUTE_BLOCK},
              by_default[] = {MPI_DISTRIBUTE_DFLT_DARG}, three[] = {3};
    auto const nothing = made(PMPI_Type_contiguous, 0, MPI_INT);
    std::vector<datatype> all;
    all.push_back({"empty contiguous", made(PMPI_Type_contiguous, 0, MPI_INT), {}});
    all.push_back({"empty with extent", resized(nothing.get(), 0, 8), {}});
    all.push_back({"empty vector", made(PMPI_Type_vector, 2, 0, 1, MPI_INT), {}});
    all.push_back({"empty indexed_block", made(PMPI_Type_create_indexed_block, 2, 0, at, MPI_INT), {}});
    all.push_back({"empty indexed", made(PMPI_Type_indexed, 2, none, at, MPI_INT), {}});
    all.push_back({"empty struct",
                   made(PMPI_Type_create_struct, 0, none, static_cast<MPI_Aint const*>(nullptr),
                        static_cast<MPI_Datatype const*>(nullptr)),
                   {}});
    all.push_back({"empty darray",
                   made(PMPI_Type_create_darray, 3, 2, 1, one, block, by_default, three, MPI_ORDER_C, MPI_INT),
                   {}});
    return all;
}

/// Datatypes with numbers before the element's address.
inline std::vector<datatype> before() {
    int const one[] = {1};
    MPI_Aint const ahead[] = {-8};
    std::vector<datatype> all;
    all.push_back({"hvector", made(PMPI_Type_create_hvector, 2, 1, MPI_Aint{-16}, MPI_DOUBLE), {}});
    all.push_back({"hindexed", made(PMPI_Type_create_hindexed, 1, one, ahead, MPI_INT), {}});
    return all;
}

/// f(datatype) for all of them but those of `before`.
inline void each(auto f) {
    for (auto const& all : {predefined(), derived(), empty()})
        for (auto const& one : all) f(one);
}

/// A small number, unlike its neighbors, of element `i` of a rank's message to another; 0 or 1 of a logical type.
inline int value(datatype const& t, int rank, int to, std::size_t i, std::size_t number) {
    auto const n = static_cast<std::size_t>(rank * 29 + (to + 1) * 11) + i * 5 + number * 3;
    return t.letter == 'l' ? static_cast<int>(n % 3 % 2) : static_cast<int>(n % 23) + 1;
}

/// The result of two numbers. Null: the smaller of two pairs, by the second number if the first ones are equal.
using function = int (*)(int, int);
struct reduction {
    MPI_Op op = MPI_OP_NULL;
    function combine = nullptr;
};
/// A reduction that MPI defines for a category of datatypes.
inline reduction reduction_for(char letter) {
    switch (letter) {
    case 'l':
        return {MPI_LOR, [](int a, int b) { return a != 0 || b != 0 ? 1 : 0; }};
    case 'b':
        return {MPI_BXOR, [](int a, int b) { return a ^ b; }};
    case 'p':
        return {MPI_MINLOC, nullptr};
    default:
        return {MPI_SUM, [](int a, int b) { return a + b; }};
    }
}

/// A region between canaries. Behind it is nothing, so that AddressSanitizer sees an access there, or more canaries.
class memory {
public:
    memory(std::size_t bytes, std::byte canary, std::size_t behind)
        : bytes_(margin + bytes + behind, canary), size_{bytes} {}
    sonde::region all() { return sonde::region{bytes_}.subspan(margin, size_); }
    void clear(std::byte canary) {
        for (auto& b : all()) b = canary;
    }
    /// Stores elements [first, first + n) of the message `from` -> `to`, the first at `offset`.
    void write(datatype const& t, std::size_t offset, std::size_t n, int from, int to, std::size_t first = 0) {
        each(t, offset, n, [&](std::byte* at, kind k, std::size_t i, std::size_t number) {
            store(at, k, value(t, from, to, first + i, number));
        });
    }
    /// The address of a number of the element at `offset`.
    std::byte* at(datatype const& t, std::size_t offset, std::size_t number = 0) {
        return all().data() + offset + t.numbers[number].offset;
    }
    /// f(address, kind, element, number) for all numbers of n elements.
    void each(datatype const& t, std::size_t offset, std::size_t n, auto f) {
        for (std::size_t i = 0; i != n; ++i)
            for (std::size_t k = 0; k != t.numbers.size(); ++k)
                f(at(t, offset + i * t.extent(), k), t.numbers[k].of, i, k);
    }
    /// Zero in the bytes without value, which the arithmetic of extended numbers leaves as they are or changes.
    void clear_padding(datatype const& t, std::size_t offset, std::size_t n) {
        each(t, offset, n, [](std::byte* number, kind k, std::size_t, std::size_t) {
            if (k == kind::extended) std::memset(number + value_bytes(k), 0, sizeof(long double) - value_bytes(k));
        });
    }
    /// Copies n elements of other memory.
    void copy(datatype const& t, std::size_t offset, std::size_t n, memory& from, std::size_t first) {
        each(t, offset, n, [&](std::byte* number, kind k, std::size_t i, std::size_t which) {
            store(number, k, load(from.at(t, first + i * t.extent(), which), k));
        });
    }
    /// Combines n elements with those of other memory.
    void combine(datatype const& t, std::size_t offset, std::size_t n, memory& other, std::size_t first,
                 function combine_two) {
        each(t, offset, n, [&](std::byte* number, kind k, std::size_t element, std::size_t which) {
            auto const* const theirs = other.at(t, first + element * t.extent(), which);
            if (combine_two != nullptr) return store(number, k, combine_two(load(number, k), load(theirs, k)));
            if (which != 0) return;
            auto const [second, of] = t.numbers[1];
            auto const a = load(number, k), b = load(theirs, k), i = load(number + second, of),
                       j = load(theirs + second, of);
            if (b > a || (b == a && j > i)) return;
            store(number, k, b);
            store(number + second, of, j);
        });
    }
    friend bool operator==(memory const&, memory const&) = default;

private:
    static constexpr std::size_t margin = 64;
    std::vector<std::byte> bytes_;
    std::size_t size_;
};

} // namespace typed
