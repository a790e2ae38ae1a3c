// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "rma_calls.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde;

namespace {

/// 64 bytes of each rank, and memory for 64; nothing is transferred in these tests.
struct place : rma_calls::nothing_left {
    mpi::group ranks{application::comm()};
    mpi::allocated_window window{ranks, 64};
    std::vector<std::byte> bytes = std::vector<std::byte>(64);
    region memory{bytes};
    mpi::peer next{(ranks.rank() + 1) % ranks.size()};
    mpi::block of_8{MPI_BYTE, 8};

    auto putting(std::size_t many, auto const& put) { return rma{mpi::fence{window}, role::initiator, many, put}; }
};

} // namespace

TEST_CASE_FIXTURE(place, "more transfers than a window, or the memory of the origin, has places for are refused") {
    auto const refused = "sonde::rma: more transfers than there are disjoint places for them";
    mpi::put const all{window, next, memory, of_8};
    CHECK(all.places() == 8);
    CHECK_NOTHROW(putting(8, all));
    CHECK_THROWS_WITH_AS(putting(9, all), refused, std::length_error);
    CHECK_THROWS_WITH_AS(putting(8, mpi::put{window, next, memory.first(63), of_8}), refused, std::length_error);
    mpi::section const part{window, 1, 200};
    CHECK(mpi::put{part, next, memory, of_8}.places() == 7);
    CHECK(mpi::put{mpi::section{window, 65, 1}, next, memory, of_8}.places() == 0);
    mpi::peers const both{{next.rank, ranks.rank()}};
    CHECK(mpi::get{window, both, memory, of_8}.places() == 4); // of both there comes something back
    CHECK(mpi::put{window, both, memory, of_8}.places() == 8);
    CHECK(mpi::get_accumulate{window, next, memory, memory.first(8), of_8, MPI_SUM}.places() == 1);
    CHECK(mpi::fetch_and_op{window, next, memory.first(4), memory, MPI_INT, MPI_SUM}.places() == 1);
    CHECK(mpi::compare_and_swap{window, next, memory, memory.first(12), memory, MPI_INT}.places() == 3);
    CHECK(mpi::accumulate{window, next, memory.first(8), {MPI_DOUBLE, 1}, MPI_SUM}.places() == 1);
}

TEST_CASE_FIXTURE(place, "a block longer than the window, or the memory, is refused") {
    CHECK_THROWS_AS(putting(1, mpi::put{window, next, memory, {MPI_BYTE, 65}}), std::length_error);
    CHECK_THROWS_AS(putting(1, mpi::put{window, next, memory.first(3), {MPI_INT, 1}}), std::length_error);
    CHECK_NOTHROW(putting(1, mpi::put{window, next, memory, {MPI_BYTE, 64}}));
    CHECK_NOTHROW(putting(1000, mpi::put{window, next, region{}, {MPI_BYTE, 0}})); // nothing has room everywhere
}

TEST_CASE_FIXTURE(place, "no transfer is refused") {
    CHECK_THROWS_AS(putting(0, mpi::put{window, next, memory, of_8}), std::invalid_argument);
}

TEST_CASE_FIXTURE(place, "a rank that is only a target needs neither memory nor targets") {
    rma pattern{mpi::flush{window, mpi::peer{-1}}, role::responder, 8, mpi::get{window, mpi::peer{-1}, region{}, of_8}};
    CHECK_NOTHROW(pattern());
    CHECK(mpi::put{window, mpi::peer{-1}, region{}, of_8}.moves().bytes == 8); // what one transfer would move
}

TEST_CASE_FIXTURE(place, "a target that is no rank, or named twice, is refused, by epochs and operations") {
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

TEST_CASE_FIXTURE(place, "compare_and_swap takes integers and bytes, no reals, no pairs and no types of parts") {
    auto const swapping = [&](MPI_Datatype type) {
        return mpi::compare_and_swap{window, next, memory, memory, memory, type};
    };
    for (auto const type : {MPI_INT, MPI_INT64_T, MPI_UNSIGNED_CHAR, MPI_CHAR, MPI_BYTE, MPI_AINT, MPI_C_BOOL})
        CHECK_NOTHROW(swapping(type));
    for (auto const type : {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_2INT, MPI_DOUBLE_INT})
        CHECK_THROWS_WITH_AS(swapping(type),
                             "sonde::mpi: compare_and_swap takes integers, no reals and no types of parts",
                             std::invalid_argument);
    mpi::owned_datatype const made = mpi::detail::many(MPI_INT, 2);
    CHECK_THROWS_AS(swapping(made.get()), std::invalid_argument);
    CHECK_THROWS_WITH_AS(swapping(MPI_DATATYPE_NULL), "sonde::mpi: the datatype is null", std::invalid_argument);
}

TEST_CASE_FIXTURE(place, "a null operation, a null type and more elements than an int counts are refused") {
    auto const null_op = "sonde::mpi: the operation is null";
    auto const too_many = mpi::block{MPI_BYTE, static_cast<std::size_t>(INT_MAX) + 1};
    CHECK_THROWS_WITH_AS((mpi::accumulate{window, next, memory, of_8, MPI_OP_NULL}), null_op, std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::get_accumulate{window, next, memory, memory, of_8, MPI_OP_NULL}), null_op,
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::fetch_and_op{window, next, memory, memory, MPI_INT, MPI_OP_NULL}), null_op,
                         std::invalid_argument);
    CHECK_THROWS_AS((mpi::put{window, next, memory, {MPI_DATATYPE_NULL, 1}}), std::invalid_argument);
    CHECK_THROWS_AS((mpi::put{window, next, memory, too_many}), std::length_error);
    CHECK_THROWS_AS((mpi::get{window, next, memory, too_many}), std::length_error);
}

TEST_CASE_FIXTURE(place, "a call that the MPI library refuses is an mpi::error that names it") {
    rma pattern{mpi::lock_all{window}, role::initiator, 1,
                mpi::put{window, mpi::peer{ranks.rank()}, memory, {MPI_BYTE, 8}}};
    rma_calls::failing("Put", 0, [&] { CHECK_THROWS_WITH_AS(pattern(), doctest::Contains("MPI_Put: "), mpi::error); });
    mpi::lock_all{window}.close(origin_side{}); // what the exception left open
}

TEST_CASE_FIXTURE(place, "a hint without key or value, or longer than MPI takes, is refused before MPI would abort") {
    std::string const long_key(MPI_MAX_INFO_KEY, 'k'), long_value(MPI_MAX_INFO_VAL, 'v');
    for (mpi::hints const& told :
         {mpi::hints{{"", "x"}}, {{"no_locks", ""}}, {{long_key, "x"}}, {{"no_locks", "true"}, {"x", long_value}}})
        CHECK_THROWS_AS((mpi::allocated_window{ranks, 8, told}), std::invalid_argument);
}
