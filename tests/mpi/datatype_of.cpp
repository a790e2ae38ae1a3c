// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/datatype_of.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace sonde;

namespace {

enum class matter : short { solid, liquid };

/// A struct with padding inside and at its end, and a member that is not sent.
struct atom {
    char name;
    std::array<double, 3> position;
    int cache;
    float charges[2][2];
    matter state;
};

/// A struct with parts that are structs.
struct molecule {
    std::array<atom, 2> pair;
    std::complex<double> spin;
    bool bound;
};

struct not_told {
    int x;
};
struct with_a_pointer {
    int* x;
};

} // namespace

template <>
inline constexpr auto sonde::mpi::members_of<atom> =
    sonde::mpi::members<&atom::name, &atom::position, &atom::charges, &atom::state>{};
template <>
inline constexpr auto sonde::mpi::members_of<molecule> =
    sonde::mpi::members<&molecule::pair, &molecule::spin, &molecule::bound>{};
template <>
inline constexpr auto sonde::mpi::members_of<with_a_pointer> = sonde::mpi::members<&with_a_pointer::x>{};

namespace {

template <class T>
concept HasDatatypeOf = requires { sonde::mpi::datatype_of<T>(); };

template <class T>
bool is_of(MPI_Datatype expected) {
    auto const type = mpi::datatype_of<T>();
    return type.get() == expected && mpi::detail::type_size(expected) == sizeof(T);
}

/// Bytes of data and extent of a datatype.
std::array<std::size_t, 2> size_and_extent(MPI_Datatype type) {
    return {mpi::detail::type_size(type), static_cast<std::size_t>(mpi::detail::type_bounds{type}.extent)};
}

atom numbered(int i) {
    auto const x = static_cast<double>(i);
    auto const charge = static_cast<float>(i);
    return {static_cast<char>('a' + i), {x, x + 0.25, x + 0.5}, -i, {{charge, 1}, {3, charge}}, matter::liquid};
}

bool same_but_for_cache(atom const& a, atom const& b) {
    return a.name == b.name && a.position == b.position && a.charges[0][0] == b.charges[0][0] &&
           a.charges[0][1] == b.charges[0][1] && a.charges[1][0] == b.charges[1][0] &&
           a.charges[1][1] == b.charges[1][1] && a.state == b.state;
}

} // namespace

TEST_CASE("datatype_of an arithmetic type, an enumeration or a complex number is predefined, and nothing is made") {
    auto const before = ledger::current().datatypes.size();
    CHECK(is_of<char>(MPI_CHAR));
    CHECK(is_of<signed char>(MPI_SIGNED_CHAR));
    CHECK(is_of<unsigned char>(MPI_UNSIGNED_CHAR));
    CHECK(is_of<std::byte>(MPI_BYTE));
    CHECK(is_of<bool>(MPI_CXX_BOOL));
    CHECK(is_of<wchar_t>(MPI_WCHAR));
    CHECK(is_of<char16_t>(MPI_UINT16_T));
    CHECK(is_of<short>(MPI_SHORT));
    CHECK(is_of<unsigned short>(MPI_UNSIGNED_SHORT));
    CHECK(is_of<int const>(MPI_INT));
    CHECK(is_of<unsigned>(MPI_UNSIGNED));
    CHECK(is_of<long>(MPI_LONG));
    CHECK(is_of<unsigned long>(MPI_UNSIGNED_LONG));
    CHECK(is_of<long long>(MPI_LONG_LONG));
    CHECK(is_of<unsigned long long>(MPI_UNSIGNED_LONG_LONG));
    CHECK(is_of<float>(MPI_FLOAT));
    CHECK(is_of<double>(MPI_DOUBLE));
    CHECK(is_of<long double>(MPI_LONG_DOUBLE));
    CHECK(is_of<matter>(MPI_SHORT));
    CHECK(is_of<std::complex<float>>(MPI_C_FLOAT_COMPLEX));
    CHECK(is_of<std::complex<double>>(MPI_C_DOUBLE_COMPLEX));
    CHECK(is_of<std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX));
    CHECK(ledger::current().datatypes.size() == before);
}

TEST_CASE("datatype_of an array or a struct has the data of its parts, the extent of the type, and is freed") {
    auto const before = ledger::current().datatypes.size();
    {
        auto const array = mpi::datatype_of<std::array<double, 3>>();
        auto const matrix = mpi::datatype_of<int[2][5]>();
        auto const one = mpi::datatype_of<atom>();
        auto const nested = mpi::datatype_of<molecule>();
        CHECK(ledger::current().datatypes.size() == before + 4);
        CHECK(size_and_extent(array.get()) == std::array<std::size_t, 2>{24, 24});
        CHECK(size_and_extent(matrix.get()) == std::array<std::size_t, 2>{10 * sizeof(int), 10 * sizeof(int)});
        auto const of_atom = 1 + 3 * sizeof(double) + 4 * sizeof(float) + sizeof(short);
        CHECK(size_and_extent(one.get()) == std::array{of_atom, sizeof(atom)});
        CHECK(size_and_extent(nested.get()) ==
              std::array{2 * of_atom + 2 * sizeof(double) + sizeof(bool), sizeof(molecule)});
        CHECK(sizeof(atom) > of_atom + sizeof(int)); // there are gaps
    }
    CHECK(ledger::current().datatypes.size() == before);
}

TEST_CASE("datatype_of: an array of structs arrives, without the members that are not named") {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    std::vector<atom> out, in(5, atom{});
    for (int i = 0; i != 5; ++i) out.push_back(numbered(i)), in[static_cast<std::size_t>(i)].cache = 42;
    auto const type = mpi::datatype_of<atom>();
    auto const bytes = [](std::vector<atom>& all) { return slice{std::as_writable_bytes(std::span{all})}; };
    ping_pong pattern{mpi::link{ranks, at.peer, {}, {type.get()}}, at.role, bytes(out), bytes(in)};
    pattern();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i != 5; ++i)
        wrong += at.role != role::idle && (!same_but_for_cache(in[i], out[i]) || in[i].cache != 42);
    CHECK(wrong == 0);
}

TEST_CASE("datatype_of: a predefined type is for reductions") {
    std::vector<std::complex<double>> sum(2, {1, -1});
    auto const type = mpi::datatype_of<std::complex<double>>();
    PMPI_Allreduce(MPI_IN_PLACE, sum.data(), 2, type.get(), MPI_SUM, application::comm());
    CHECK(sum[1] == std::complex<double>(application::size(), -application::size()));
}

TEST_CASE("datatype_of refuses types without a fixed layout, and structs whose members are not named") {
    static_assert(HasDatatypeOf<molecule> && HasDatatypeOf<molecule const[3]>);
    static_assert(!HasDatatypeOf<not_told> && !HasDatatypeOf<std::array<not_told, 2>> &&
                  !HasDatatypeOf<with_a_pointer>);
    static_assert(!HasDatatypeOf<int*> && !HasDatatypeOf<std::vector<int>> && !HasDatatypeOf<std::string>);
    static_assert(!HasDatatypeOf<int&> && !HasDatatypeOf<void> && !HasDatatypeOf<std::array<int, 0>>);
}
