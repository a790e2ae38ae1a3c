// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "library_faults.hpp"
#include "predefined_types.hpp"
#include "rma_calls.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

/// 64 bytes of window and of memory on each rank; these tests transfer nothing.
struct refused_fixture : rma_calls::nothing_left {
    mpi::group ranks{application::comm()};
    mpi::allocated_window window{ranks, 64};
    std::vector<std::byte> bytes = std::vector<std::byte>(64);
    region memory{bytes};
    mpi::peer next{(ranks.rank() + 1) % ranks.size()};
    mpi::block of_8{MPI_BYTE, 8};

    auto putting(std::size_t many, auto const& put) { return rma{mpi::fence{window}, role::initiator, many, put}; }
};

} // namespace

TEST_CASE_FIXTURE(refused_fixture,
                  "more transfers than the capacity of the window, or of the origin's memory, are refused") {
    mpi::put const all{window, next, memory, of_8};
    CHECK(all.capacity() == 8);
    CHECK_NOTHROW(putting(8, all));
    CHECK_THROWS_WITH_AS(
        putting(9, all),
        "sonde::rma: the window or a buffer has room for 8 transfers of 8 bytes that do not overlap, not "
        "for 9",
        std::length_error);
    CHECK_THROWS_AS(putting(8, mpi::put{window, next, memory.first(63), of_8}), std::length_error);
    mpi::section const part{window, 1, 200};
    CHECK(mpi::put{part, next, memory, of_8}.capacity() == 7);
    CHECK(mpi::put{mpi::section{window, 65, 1}, next, memory, of_8}.capacity() == 0);
    mpi::peers const both{{next.rank, ranks.rank()}};
    CHECK(mpi::get{window, both, memory, of_8}.capacity() == 4); // each of both returns a result
    CHECK(mpi::put{window, both, memory, of_8}.capacity() == 8);
    CHECK(mpi::get_accumulate{window, next, memory, memory.first(8), {MPI_INT64_T, 1}, MPI_SUM}.capacity() == 1);
    CHECK(mpi::fetch_and_op{window, next, memory.first(4), memory, MPI_INT, MPI_SUM}.capacity() == 1);
    CHECK(mpi::compare_and_swap{window, next, memory, memory.first(12), memory, MPI_INT}.capacity() == 3);
    CHECK(mpi::accumulate{window, next, memory.first(8), {MPI_DOUBLE, 1}, MPI_SUM}.capacity() == 1);
    mpi::created_window const of_44{ranks, memory.first(44)}; // two of 16 bytes with their gaps, a third without
    CHECK(mpi::put{of_44, next, memory, {MPI_DOUBLE_INT, 1}}.capacity() == 3);
}

TEST_CASE_FIXTURE(refused_fixture, "an initiator without a target is refused on all ranks") {
    auto const none = ranks.rank() == 0;
    auto const said = [&](auto f) {
        try {
            f();
        } catch (std::invalid_argument const& e) {
            return std::string{e.what()};
        } catch (other_rank_error const& e) {
            return std::string{e.what()};
        }
        return std::string{};
    };
    auto const refused = [&](auto put) {
        rma pattern{mpi::lock_all{window}, role::initiator, 1, std::move(put)};
        auto const nothing = [](std::size_t) { return std::size_t{0}; };
        auto const text = said([&] { (void)run(ranks, plan<>{}, pattern); });
        CHECK(said([&] { (void)run(ranks, plan<>{}, with_traffic{{.bytes = 1}, pattern}); }) == text);
        CHECK(said([&] {
                  (void)compare(
                      ranks, plan<>{}, [] {}, pattern);
              }) == text);
        CHECK(said([&] { (void)validate(ranks, pattern, nothing, nothing); }) == text);
        return text;
    };
    std::string const text =
        none ? "sonde::rma: an initiator's transfers have no target" : "sonde: an exception was thrown on rank 0";
    mpi::put const put{window, none ? mpi::peer{no_peer} : next, memory, of_8};
    CHECK(refused(put) == text);
    CHECK(refused(mpi::request_based_transfer{put}) == text);
    CHECK(refused(mpi::put{window, none ? mpi::peers{} : mpi::peers{{next.rank}}, memory, of_8}) == text);
    CHECK(refused(mpi::put{window, next, memory, of_8}).empty());
}

TEST_CASE_FIXTURE(refused_fixture, "a block longer than the window, or the memory, is refused") {
    CHECK_THROWS_AS(putting(1, mpi::put{window, next, memory, {MPI_BYTE, 65}}), std::length_error);
    CHECK_THROWS_AS(putting(1, mpi::put{window, next, memory.first(3), {MPI_INT, 1}}), std::length_error);
    CHECK_NOTHROW(putting(1, mpi::put{window, next, memory, {MPI_BYTE, 64}}));
    CHECK_NOTHROW(
        putting(1000, mpi::put{window, next, region{}, {MPI_BYTE, 0}})); // empty transfers fit at any capacity
}

TEST_CASE_FIXTURE(refused_fixture, "a window has room for one transfer of a type without extent, if its data fits") {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    REQUIRE(PMPI_Type_create_resized(MPI_INT, 0, 0, &made) == MPI_SUCCESS);
    mpi::owned_datatype const at_one_place{made};
    mpi::block const one{at_one_place.get(), 1};
    CHECK(mpi::put{window, next, memory, one}.capacity() == 1);
    CHECK(mpi::put{window, next, memory.first(3), one}.capacity() == 0);
    CHECK(mpi::get{mpi::section{window, 61, 3}, next, memory, one}.capacity() == 0);
    CHECK_THROWS_AS(putting(1, mpi::put{window, next, memory.first(3), one}), std::length_error);
}

TEST_CASE_FIXTURE(refused_fixture, "0 transfers are refused") {
    CHECK_THROWS_AS(putting(0, mpi::put{window, next, memory, of_8}), std::invalid_argument);
}

TEST_CASE_FIXTURE(refused_fixture, "a rank that is only a target needs neither memory nor targets") {
    rma pattern{mpi::flush{window, mpi::peer{-1}}, role::responder, 8, mpi::get{window, mpi::peer{-1}, region{}, of_8}};
    CHECK_NOTHROW(pattern());
    CHECK(mpi::put{window, mpi::peer{-1}, region{}, of_8}.traffic().bytes == 8); // the bytes of one transfer
}

TEST_CASE_FIXTURE(refused_fixture, "an invalid or repeated target rank is refused, by epochs and operations") {
    auto const text = "sonde::mpi: target " + std::to_string(ranks.size()) + " is none of the ranks 0 to " +
                      std::to_string(ranks.size() - 1);
    mpi::peer const beyond{ranks.size()};
    CHECK_THROWS_WITH_AS((mpi::put{window, beyond, memory, of_8}), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::lock{window, beyond}), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::flush{window, beyond}), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::flush_local{window, beyond}), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::pscw{window, beyond}), text.c_str(), std::invalid_argument);
    CHECK_THROWS_AS((mpi::get{window, mpi::peers{{0, -1}}, memory, of_8}), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::lock{window, mpi::peers{{0, 0}}}), "sonde::mpi: target 0 is named twice",
                         std::invalid_argument);
}

TEST_CASE_FIXTURE(refused_fixture, "compare_and_swap accepts integer, logical and byte types alone") {
    auto const compare_and_swap_of = [&](MPI_Datatype type) {
        return mpi::compare_and_swap{window, next, memory, memory, memory, type};
    };
    for (auto const type :
         {MPI_INT, MPI_INT64_T, MPI_UNSIGNED_CHAR, MPI_LONG_LONG, MPI_CHAR, MPI_BYTE, MPI_AINT, MPI_COUNT, MPI_C_BOOL})
        CHECK_NOTHROW(compare_and_swap_of(type));
    // Those of the optional types that the library has.
    for (auto const type : {MPI_INTEGER, MPI_LOGICAL, MPI_CXX_BOOL})
        if (type != MPI_DATATYPE_NULL) CHECK_NOTHROW(compare_and_swap_of(type));
    for (auto const type : {MPI_FLOAT, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_C_DOUBLE_COMPLEX,
                            MPI_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_2INT, MPI_DOUBLE_INT, MPI_2REAL, MPI_2INTEGER,
                            MPI_WCHAR, MPI_CHARACTER, MPI_PACKED})
        if (type != MPI_DATATYPE_NULL)
            CHECK_THROWS_WITH_AS(compare_and_swap_of(type),
                                 "sonde::mpi: compare_and_swap takes predefined integer, logical and byte types",
                                 std::invalid_argument);
    mpi::owned_datatype const made = mpi::detail::large_contiguous(MPI_INT, 2);
    CHECK_THROWS_AS(compare_and_swap_of(made.get()), std::invalid_argument);
    CHECK_THROWS_WITH_AS(compare_and_swap_of(MPI_DATATYPE_NULL), "sonde::mpi: the datatype is null",
                         std::invalid_argument);
}

TEST_CASE_FIXTURE(refused_fixture, "Fortran types with a precision are integers and reals according to their names") {
    auto const compare_and_swap_of = [&](MPI_Datatype type) {
        return mpi::compare_and_swap{window, next, memory, memory, memory, type};
    };
    MPI_Datatype integer = MPI_DATATYPE_NULL, real = MPI_DATATYPE_NULL;
    REQUIRE(PMPI_Type_create_f90_integer(9, &integer) == MPI_SUCCESS);
    REQUIRE(PMPI_Type_create_f90_real(12, MPI_UNDEFINED, &real) == MPI_SUCCESS);
    CHECK_NOTHROW(compare_and_swap_of(integer));
    CHECK_THROWS_AS(compare_and_swap_of(real), std::invalid_argument);
    CHECK_NOTHROW((mpi::fetch_and_op{window, next, memory, memory, real, MPI_SUM}));
    CHECK_THROWS_AS((mpi::fetch_and_op{window, next, memory, memory, real, MPI_BOR}), std::invalid_argument);
}

TEST_CASE_FIXTURE(refused_fixture, "each predefined operation accepts the types of MPI's table, and no others") {
    struct row {
        char const* name;
        MPI_Op op;
        std::string takes;
    };
    for (auto const& one : {row{"MPI_MAX", MPI_MAX, "cfra"},
                            {"MPI_MIN", MPI_MIN, "cfra"},
                            {"MPI_SUM", MPI_SUM, "cfrxa"},
                            {"MPI_PROD", MPI_PROD, "cfrxa"},
                            {"MPI_LAND", MPI_LAND, "cl"},
                            {"MPI_LOR", MPI_LOR, "cl"},
                            {"MPI_LXOR", MPI_LXOR, "cl"},
                            {"MPI_BAND", MPI_BAND, "cfba"},
                            {"MPI_BOR", MPI_BOR, "cfba"},
                            {"MPI_BXOR", MPI_BXOR, "cfba"},
                            {"MPI_MINLOC", MPI_MINLOC, "p"},
                            {"MPI_MAXLOC", MPI_MAXLOC, "p"},
                            {"MPI_REPLACE", MPI_REPLACE, "cfrlxbapo"},
                            {"MPI_NO_OP", MPI_NO_OP, "cfrlxbapo"}})
        for (auto const& [letter, types] : predefined_types())
            for (auto const type : types) {
                auto const of_type = mpi::detail::name_of(type);
                CAPTURE(of_type);
                CAPTURE(one.name);
                auto const make = [&] { mpi::get_accumulate{window, next, memory, memory, {type, 1}, one.op}; };
                if (one.takes.find(letter) != std::string::npos) CHECK_NOTHROW(make());
                else
                    CHECK_THROWS_WITH_AS(make(),
                                         ("sonde::mpi: MPI does not define the operation for " + of_type).c_str(),
                                         std::invalid_argument);
            }
}

TEST_CASE_FIXTURE(refused_fixture, "a user-defined operation is refused, since MPI does not support it in windows") {
    MPI_Op own = MPI_OP_NULL;
    REQUIRE(PMPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &own) == MPI_SUCCESS);
    auto const refused = "sonde::mpi: MPI does not define the operation for MPI_INT";
    CHECK_THROWS_WITH_AS((mpi::accumulate{window, next, memory, {MPI_INT, 1}, own}), refused, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::fetch_and_op{window, next, memory, memory, MPI_INT, own}), refused,
                         std::invalid_argument);
    PMPI_Op_free(&own);
}

TEST_CASE_FIXTURE(refused_fixture, "MPI_NO_OP is refused by operations that fetch nothing") {
    CHECK_THROWS_WITH_AS((mpi::accumulate{window, next, memory, {MPI_INT, 1}, MPI_NO_OP}),
                         "sonde::mpi: MPI_NO_OP is for operations that fetch", std::invalid_argument);
    CHECK_NOTHROW((mpi::get_accumulate{window, next, memory, memory, {MPI_INT, 1}, MPI_NO_OP}));
    CHECK_NOTHROW((mpi::fetch_and_op{window, next, memory, memory, MPI_INT, MPI_NO_OP}));
}

TEST_CASE_FIXTURE(refused_fixture,
                  "a derived datatype is combined as its one predefined type, and refused if it has several") {
    auto const adding = [&](MPI_Datatype type, MPI_Op op) {
        return mpi::accumulate{window, next, memory, {type, 1}, op};
    };
    mpi::owned_datatype const doubles = mpi::detail::large_contiguous(MPI_DOUBLE, 3, 2); // structures of arrays
    CHECK_NOTHROW(adding(doubles.get(), MPI_SUM));
    CHECK_THROWS_WITH_AS(adding(doubles.get(), MPI_BAND),
                         "sonde::mpi: MPI does not define the operation for MPI_DOUBLE", std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::fetch_and_op{window, next, memory, memory, doubles.get(), MPI_SUM}),
                         "sonde::mpi: fetch_and_op takes predefined types, not derived ones", std::invalid_argument);
    int const lengths[] = {1, 1};
    MPI_Aint const places[] = {0, 8};
    MPI_Datatype const parts[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype both = MPI_DATATYPE_NULL;
    REQUIRE(MPI_Type_create_struct(2, lengths, places, parts, &both) == MPI_SUCCESS);
    mpi::owned_datatype const mixed{both};
    CHECK_THROWS_WITH_AS(adding(mixed.get(), MPI_REPLACE),
                         "sonde::mpi: one-sided operations combine elements of one predefined type",
                         std::invalid_argument);
}

TEST_CASE_FIXTURE(refused_fixture, "a null operation, a null type and more elements than MPI counts are refused") {
    auto const null_op = "sonde::mpi: the operation is null";
    auto const most = static_cast<std::size_t>(MPI_VERSION < 4 ? INT_MAX : PTRDIFF_MAX);
    auto const too_many = mpi::block{MPI_BYTE, most + 1};
    CHECK_THROWS_WITH_AS((mpi::accumulate{window, next, memory, of_8, MPI_OP_NULL}), null_op, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::get_accumulate{window, next, memory, memory, of_8, MPI_OP_NULL}), null_op,
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::fetch_and_op{window, next, memory, memory, MPI_INT, MPI_OP_NULL}), null_op,
                         std::invalid_argument);
    CHECK_THROWS_AS((mpi::put{window, next, memory, {MPI_DATATYPE_NULL, 1}}), std::invalid_argument);
    CHECK_THROWS_AS((mpi::put{window, next, memory, too_many}), std::length_error);
    CHECK_THROWS_AS((mpi::get{window, next, memory, too_many}), std::length_error);
}

TEST_CASE_FIXTURE(refused_fixture, "a call that the MPI library refuses throws mpi::error with its name") {
    rma pattern{mpi::lock_all{window}, role::initiator, 1,
                mpi::put{window, mpi::peer{ranks.rank()}, memory, {MPI_BYTE, 8}}};
    rma_calls::failing("Put", 0, [&] { CHECK_THROWS_WITH_AS(pattern(), doctest::Contains("MPI_Put: "), mpi::error); });
    mpi::lock_all{window}.close(origin_side{}); // closes the epoch that the exception left open
}

TEST_CASE_FIXTURE(refused_fixture, "a window with the hint no_locks refuses passive-target epochs alone") {
    if (!library::works("MPI_Win_get_info of no_locks")) return;
    auto const text = "sonde::mpi: the window has the hint no_locks, so it has no passive-target epochs";
    mpi::allocated_window const no_locks{ranks, 8, {{"no_locks", "true"}}};
    CHECK_THROWS_WITH_AS((mpi::lock{no_locks, next}), text, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::lock_all{no_locks}), text, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::flush{no_locks, next}), text, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::flush_all{no_locks}), text, std::invalid_argument);
    CHECK_NOTHROW((mpi::fence{no_locks}));
    CHECK_NOTHROW((mpi::pscw{no_locks, next}));
    mpi::allocated_window const told_otherwise{ranks, 8, {{"no_locks", "false"}}};
    CHECK_NOTHROW((mpi::flush{told_otherwise, next}));
}

TEST_CASE_FIXTURE(refused_fixture,
                  "a hint without key or value, or beyond MPI's length, is refused before MPI would abort") {
    std::string const long_key(MPI_MAX_INFO_KEY, 'k'), long_value(MPI_MAX_INFO_VAL, 'v');
    for (mpi::hints const& info :
         {mpi::hints{{"", "x"}}, {{"no_locks", ""}}, {{long_key, "x"}}, {{"no_locks", "true"}, {"x", long_value}}})
        CHECK_THROWS_AS((mpi::allocated_window{ranks, 8, info}), std::invalid_argument);
}
