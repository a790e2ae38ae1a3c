// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1::mpi {

/// Pointers to members of a struct.
template <auto... Member>
struct members {};

/// The members of a struct that are parts of its messages. An application names them once, for `datatype_of`:
///
///     template <>
///     inline constexpr auto sonde::mpi::members_of<particle> =
///         sonde::mpi::members<&particle::position, &particle::mass>{};
template <class T>
inline constexpr members<> members_of{};

namespace detail {

/// A complex number: std::complex, and the types of other libraries that have its layout.
template <class T>
concept ComplexNumber = std::is_trivially_copyable_v<T> && requires(T const& z) {
    requires std::floating_point<typename T::value_type>;
    { z.real() } -> std::convertible_to<typename T::value_type>;
    { z.imag() } -> std::convertible_to<typename T::value_type>;
    requires sizeof(T) == 2 * sizeof(typename T::value_type);
};

/// The predefined datatype of an arithmetic type or std::byte; nothing for other types.
template <class T>
auto arithmetic_datatype() {
    if constexpr (std::same_as<T, char>) return MPI_CHAR;
    else if constexpr (std::same_as<T, signed char>) return MPI_SIGNED_CHAR;
    else if constexpr (std::same_as<T, unsigned char>) return MPI_UNSIGNED_CHAR;
    else if constexpr (std::same_as<T, std::byte>) return MPI_BYTE;
    else if constexpr (std::same_as<T, bool>) return MPI_CXX_BOOL;
    else if constexpr (std::same_as<T, wchar_t>) return MPI_WCHAR;
    else if constexpr (std::same_as<T, char8_t>) return MPI_UINT8_T;
    else if constexpr (std::same_as<T, char16_t>) return MPI_UINT16_T;
    else if constexpr (std::same_as<T, char32_t>) return MPI_UINT32_T;
    else if constexpr (std::same_as<T, short>) return MPI_SHORT;
    else if constexpr (std::same_as<T, unsigned short>) return MPI_UNSIGNED_SHORT;
    else if constexpr (std::same_as<T, int>) return MPI_INT;
    else if constexpr (std::same_as<T, unsigned>) return MPI_UNSIGNED;
    else if constexpr (std::same_as<T, long>) return MPI_LONG;
    else if constexpr (std::same_as<T, unsigned long>) return MPI_UNSIGNED_LONG;
    else if constexpr (std::same_as<T, long long>) return MPI_LONG_LONG;
    else if constexpr (std::same_as<T, unsigned long long>) return MPI_UNSIGNED_LONG_LONG;
    else if constexpr (std::same_as<T, float>) return MPI_FLOAT;
    else if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
    else if constexpr (std::same_as<T, long double>) return MPI_LONG_DOUBLE;
}

/// The datatypes of C, which have the same layout: SMPI has no others.
template <class T>
MPI_Datatype complex_datatype() {
    using part = typename T::value_type;
    return std::same_as<part, float>    ? MPI_C_FLOAT_COMPLEX
           : std::same_as<part, double> ? MPI_C_DOUBLE_COMPLEX
                                        : MPI_C_LONG_DOUBLE_COMPLEX;
}

template <class T>
inline constexpr bool is_arithmetic = std::same_as<decltype(arithmetic_datatype<T>()), MPI_Datatype>;

/// Length and element of an array of fixed length.
template <class T>
struct fixed_array {
    static constexpr std::size_t length = 0;
};
template <class T, std::size_t N>
struct fixed_array<T[N]> {
    static constexpr std::size_t length = N;
    using element = T;
};
template <class T, std::size_t N>
struct fixed_array<std::array<T, N>> : fixed_array<T[N]> {};
template <class T>
struct fixed_array<std::array<T, 0>> {
    static constexpr std::size_t length = 0;
};

template <class T>
constexpr bool has_datatype();

template <class T, class M>
constexpr bool has_datatype_of_member(M T::*) {
    return has_datatype<M>();
}
template <auto... Member>
constexpr bool has_datatypes(members<Member...>) {
    return sizeof...(Member) != 0 && (detail::has_datatype_of_member(Member) && ...);
}

/// True if `datatype_of` has a datatype for T.
template <class T>
constexpr bool has_datatype() {
    if constexpr (is_arithmetic<T> || ComplexNumber<T> || std::is_enum_v<T>) return true;
    else if constexpr (fixed_array<T>::length != 0) return has_datatype<typename fixed_array<T>::element>();
    else if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T> && std::default_initializable<T>)
        return detail::has_datatypes(members_of<T>);
    else return false;
}

/// `n` parts at these offsets in bytes, in elements of `extent` bytes.
inline owned_datatype struct_of(std::size_t n, owned_datatype const* parts, MPI_Aint const* offsets,
                                std::size_t extent) {
    std::vector<int> const lengths(n, 1);
    std::vector<MPI_Datatype> types;
    for (std::size_t i = 0; i != n; ++i) types.push_back(parts[i].get());
    datatype_part packed;
    check(MPI_Type_create_struct(int_count(n), lengths.data(), offsets, types.data(), packed.address()),
          "MPI_Type_create_struct");
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_create_resized(packed.get(), 0, static_cast<MPI_Aint>(extent), &made), "MPI_Type_create_resized");
    return owned_datatype{made};
}

template <class T, auto... Member>
owned_datatype datatype_of_members(members<Member...>);

} // namespace detail

/// The datatype of T: a predefined one for arithmetic types, std::byte, enumerations (by their underlying type) and
/// std::complex, also without an owner and for reductions; a committed one for arrays of fixed length (T[N],
/// std::array) and for structs whose members are named by `members_of`. Such types may be nested. The extent of a
/// struct is sizeof(T), so that consecutive elements are those of an array.
///
///     auto const type = sonde::mpi::datatype_of<particle>();
///     sonde::mpi::link to{ranks, peer, {}, {type.get()}}; // as many particles as the buffers hold
///
/// The result frees its type at the end. Not collective. Throws mpi::error.
template <class T>
    requires(detail::has_datatype<std::remove_cv_t<T>>())
[[nodiscard]] owned_datatype datatype_of() {
    using value = std::remove_cv_t<T>;
    if constexpr (detail::is_arithmetic<value>) {
        return owned_datatype::predefined(detail::arithmetic_datatype<value>());
    } else if constexpr (std::is_enum_v<value>) {
        return mpi::datatype_of<std::underlying_type_t<value>>();
    } else if constexpr (detail::ComplexNumber<value>) {
        return owned_datatype::predefined(detail::complex_datatype<value>());
    } else if constexpr (detail::fixed_array<value>::length != 0) {
        using array = detail::fixed_array<value>;
        auto const element = mpi::datatype_of<typename array::element>();
        MPI_Datatype made = MPI_DATATYPE_NULL;
        check(MPI_Type_contiguous(detail::int_count(array::length), element.get(), &made), "MPI_Type_contiguous");
        return owned_datatype{made};
    } else {
        return detail::datatype_of_members<value>(members_of<value>);
    }
}
template <class T>
    requires(!detail::has_datatype<std::remove_cv_t<T>>())
SONDE_REFUSE("sonde::mpi::datatype_of takes arithmetic types, std::byte, enumerations, std::complex, arrays of fixed "
             "length of these, and structs that can be copied as bytes and whose members are named: template <> inline "
             "constexpr auto sonde::mpi::members_of<T> = sonde::mpi::members<&T::a, &T::b>{}; at namespace scope",
             datatype_of());

namespace detail {

template <class T, auto... Member>
owned_datatype datatype_of_members(members<Member...>) {
    std::vector<T> const one(1); // not on the stack: it may be large
    auto const& object = one.front();
    auto const offset_of = [&object](auto const& member) {
        return &reinterpret_cast<char const&>(member) - &reinterpret_cast<char const&>(object);
    };
    owned_datatype const parts[] = {mpi::datatype_of<std::remove_cvref_t<decltype(object.*Member)>>()...};
    MPI_Aint const offsets[] = {offset_of(object.*Member)...};
    return struct_of(sizeof...(Member), parts, offsets, sizeof(T));
}

} // namespace detail

} // namespace sonde::mpi

#include <sonde/detail/refuse.inc>
