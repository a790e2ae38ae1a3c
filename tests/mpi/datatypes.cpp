// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "typed_memory.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace sonde;

namespace {

/// The integers that MPI packs from memory as one element of `type`.
std::vector<int> packed(std::vector<int> const& from, MPI_Datatype type) {
    int bytes = 0, at = 0;
    PMPI_Pack_size(1, type, MPI_COMM_SELF, &bytes);
    std::vector<std::byte> buffer(static_cast<std::size_t>(bytes));
    PMPI_Pack(from.data(), 1, type, buffer.data(), bytes, &at, MPI_COMM_SELF);
    std::vector<int> ints(static_cast<std::size_t>(at) / sizeof(int));
    std::memcpy(ints.data(), buffer.data(), ints.size() * sizeof(int));
    return ints;
}

std::vector<int> numbers(std::size_t n) {
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 1);
    return v;
}

/// Every second int of eight.
mpi::owned_datatype every_second() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_vector(4, 1, 2, MPI_INT, &type);
    return mpi::owned_datatype{type};
}

/// True if MPI, which unpacks `n` elements, changes the last byte of their span, and no byte behind it; without data,
/// if the span is empty.
bool is_filled(MPI_Datatype type, int n) {
    mpi::detail::element_layout const layout{type};
    auto const span = layout.span(static_cast<std::size_t>(n)), bytes = layout.size(static_cast<std::size_t>(n));
    std::vector<std::byte> memory(span + 64), data(bytes + 1, std::byte{1});
    int at = 0;
    PMPI_Unpack(data.data(), static_cast<int>(bytes), &at, memory.data(), n, type, MPI_COMM_SELF);
    auto const end = std::find_if(memory.rbegin(), memory.rend(), [](std::byte b) { return b != std::byte{}; }).base();
    return end - memory.begin() == static_cast<std::ptrdiff_t>(span);
}

/// Integers received, into memory filled with sevens, from a partner that sends 1, 2, 3 ... with the given elements.
std::vector<int> arrived(std::size_t n, mpi::elements as) {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    auto out = numbers(n);
    std::vector<int> in(n, 7);
    auto const bytes = [](std::vector<int>& v) { return slice{std::as_writable_bytes(std::span{v})}; };
    ping_pong pattern{mpi::link{ranks, at.peer, {}, as}, at.role, bytes(out), bytes(in)};
    pattern();
    return at.role == role::idle ? std::vector<int>{} : in;
}

std::vector<int> unless_idle(std::vector<int> expected) {
    return application::rank() < application::size() / 2 * 2 ? expected : std::vector<int>{};
}

} // namespace

TEST_CASE("large_contiguous describes the same memory as its elements, for any chunk") {
    for (std::size_t const n : {1u, 2u, 5u, 6u, 7u, 12u})
        for (std::size_t const chunk : {1u, 2u, 5u, 6u, 100u}) {
            auto const type = mpi::detail::large_contiguous(MPI_INT, n, chunk);
            CAPTURE(n);
            CAPTURE(chunk);
            CHECK(packed(numbers(n + 3), type.get()) == numbers(n));
        }
}

TEST_CASE("large_contiguous of a type with gaps keeps the gaps") {
    auto const second = every_second();
    auto const type = mpi::detail::large_contiguous(second.get(), 3, 2);
    // Such a type ends with its last element, so that the next begins seven integers later.
    CHECK(packed(numbers(21), type.get()) == std::vector{1, 3, 5, 7, 8, 10, 12, 14, 15, 17, 19, 21});
}

TEST_CASE("large_contiguous creates one datatype and frees it") {
    auto const before = ledger::current().datatypes.size();
    {
        auto const type = mpi::detail::large_contiguous(MPI_DOUBLE, 1000, 7);
        CHECK(ledger::current().datatypes.size() == before + 1);
        CHECK(ledger::current().datatypes.count(type.get()) == 1);
    }
    CHECK(ledger::current().datatypes.size() == before);
}

TEST_CASE("large_contiguous holds 2^31 and more bytes without truncation") {
    constexpr auto bytes = (std::size_t{1} << 31) + 13;
    auto const shape = mpi::detail::count_and_type_of(bytes, {});
    MPI_Count size = 0;
    PMPI_Type_size_x(shape.type, &size);
    CHECK(shape.count == 1);
    CHECK(size == static_cast<MPI_Count>(bytes));
}

TEST_CASE("a message has as many whole elements as fit, or the given count") {
    auto const count_of = [](std::size_t bytes, mpi::elements e) {
        return mpi::detail::count_and_type_of(bytes, e).count;
    };
    CHECK(count_of(10, {}) == 10);
    CHECK(count_of(12, {MPI_INT}) == 3);
    CHECK(count_of(15, {MPI_INT}) == 3);
    CHECK(count_of(0, {MPI_INT}) == 0);
    CHECK(count_of(400, {MPI_INT, 5}) == 5);
    CHECK(count_of(20, {MPI_INT, 5}) == 5);
    CHECK(count_of(std::size_t{INT_MAX}, {}) == INT_MAX);
    CHECK(mpi::detail::count_and_type_of(12, {MPI_INT}).type == MPI_INT);
}

TEST_CASE("elements end within the region, also if the extent is smaller than the element") {
    // A column of a matrix of 4 x 4 integers, with the extent of one: 13 integers from the first of a column to its
    // last.
    MPI_Datatype column = MPI_DATATYPE_NULL, made = MPI_DATATYPE_NULL;
    PMPI_Type_vector(4, 1, 4, MPI_INT, &column);
    PMPI_Type_create_resized(column, 0, sizeof(int), &made);
    PMPI_Type_free(&column);
    mpi::owned_datatype const beside{made};
    CHECK(mpi::detail::count_and_type_of(64, {beside.get()}).count == 4);
    CHECK(mpi::detail::count_and_type_of(63, {beside.get()}).count == 3);
    CHECK(mpi::detail::count_and_type_of(52, {beside.get()}).count == 1);
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(51, {beside.get()}), std::length_error);
    CHECK(mpi::detail::count_and_type_of(56, {beside.get(), 2}).count == 2);
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(55, {beside.get(), 2}), std::length_error);
}

TEST_CASE("more elements than a region holds, or elements before it, are refused") {
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(8, {MPI_DOUBLE, 2}), std::length_error);
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(7, {MPI_DOUBLE}), std::length_error);
    int const one = 1, ahead = -1;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_indexed(1, &one, &ahead, MPI_INT, &made);
    mpi::owned_datatype const before{made};
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(64, {before.get(), 1}), std::invalid_argument);
    CHECK(mpi::detail::count_and_type_of(0, {before.get(), 0}).count == 0);
}

TEST_CASE("a datatype is created only above the largest count") {
    auto const before = ledger::current().datatypes.size();
    auto const fits = mpi::detail::count_and_type_of(40, {MPI_INT}, 10);
    CHECK(ledger::current().datatypes.size() == before);
    CHECK(fits.count == 10);
    auto const above = mpi::detail::count_and_type_of(44, {MPI_INT}, 10);
    CHECK(ledger::current().datatypes.size() == before + 1);
    CHECK(above.count == 1);
    CHECK(packed(numbers(20), above.type) == numbers(11));
}

TEST_CASE("a type without extent needs a count") {
    MPI_Datatype nothing = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous(0, MPI_INT, &nothing);
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(8, {nothing}), std::invalid_argument);
    CHECK(mpi::detail::count_and_type_of(8, {nothing, 2}).count == 2);
    PMPI_Type_free(&nothing);
}

TEST_CASE("memory of the span of elements holds all their bytes, and no byte more, with any datatype") {
    typed::each([](typed::datatype const& t) {
        CAPTURE(t.name);
        for (auto const n : {0, 1, 2, 11}) CHECK(is_filled(t.type.get(), n));
    });
    auto const at_one_place = typed::resized(MPI_INT, 0, 0);
    for (auto const n : {0, 1, 2, 11}) CHECK(is_filled(at_one_place.get(), n));
    for (auto const& t : typed::before())
        CHECK_THROWS_AS(mpi::detail::element_layout{t.type.get()}, std::invalid_argument);
}

TEST_CASE("MPI_DATATYPE_NULL is refused") {
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(8, {MPI_DATATYPE_NULL}), std::invalid_argument);
    CHECK_THROWS_AS(mpi::detail::count_and_type_of(8, {MPI_DATATYPE_NULL, 1}), std::invalid_argument);
}

TEST_CASE("the size of a message is the bytes that it moves, without gaps and without a rest smaller than an element") {
    std::vector<std::byte> bytes(34);
    auto const size_as = [&](mpi::elements e) { return mpi::message_buffer{slice{bytes}, e}.size(); };
    auto const second = every_second();
    auto const all = mpi::detail::large_contiguous(MPI_BYTE, 34, 5);
    CHECK(size_as({}) == 34);
    CHECK(size_as({MPI_INT}) == 32);
    CHECK(size_as({MPI_INT, 3}) == 12);
    CHECK(size_as({second.get(), 1}) == 16);
    CHECK(size_as({all.get(), 1}) == 34);
}

TEST_CASE("a message moves the elements that its type and count describe, and leaves gaps and the rest") {
    auto const second = every_second();
    auto const made = mpi::detail::large_contiguous(MPI_INT, 6, 4);
    CHECK(arrived(5, {MPI_INT}) == unless_idle({1, 2, 3, 4, 5}));
    CHECK(arrived(5, {MPI_INT, 3}) == unless_idle({1, 2, 3, 7, 7}));
    CHECK(arrived(8, {second.get(), 1}) == unless_idle({1, 7, 3, 7, 5, 7, 7, 7}));
    CHECK(arrived(8, {made.get(), 1}) == unless_idle({1, 2, 3, 4, 5, 6, 7, 7}));
}
