// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "connected.hpp"

#include <sonde/memory.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

using namespace sonde;

TEST_CASE("a call that oneCCL refuses throws on each rank, with the name of the call") {
    ranks::connected c;
    host_allocation region{64};
    oneccl::link nobody{c.comm, c.size() + 5};
    std::string call, text;
    try {
        nobody.isend(region.bytes());
    } catch (library_error const& e) {
        call = e.call();
        text = e.what();
    }
    CHECK(call == "ccl::send");
    CHECK(text.rfind("ccl::send: ", 0) == 0);
}

TEST_CASE("roots that are no ranks and regions that are too small are refused") {
    ranks::connected c;
    oneccl::block const numbers{ccl::datatype::float32, 100};
    CHECK_THROWS_AS((oneccl::bcast{c.comm, numbers, c.size()}), std::invalid_argument);
    host_allocation region{399};
    oneccl::allreduce const sum{c.comm, numbers, ccl::reduction::sum};
    CHECK_THROWS_AS((oneccl::nonblocking{sum, c.comm, region.first(399), region.first(399)}), std::length_error);
}

TEST_CASE("a communicator that cannot be made on one rank throws the same on all") {
    mpi::group all{application::comm()};
    /// Fails on its second rank in the first part of the construction.
    struct failing {
        mpi::group& all;
        int calls = 0;
        int rank() {
            if (all.rank() == 1 && calls++ == 0) throw std::runtime_error{"the fifth wheel came off"};
            return all.rank();
        }
        int size() const { return all.size(); }
        void barrier() { all.barrier(); }
        void all_reduce(std::span<double> values, reduction op) { all.all_reduce(values, op); }
    } group{all};
    std::string text;
    try {
        oneccl::communicator const made{group};
    } catch (oneccl::error const& e) {
        text = e.what();
    }
    CHECK(text == "rank 1: the fifth wheel came off");
}
