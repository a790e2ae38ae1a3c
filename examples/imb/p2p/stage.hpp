// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "post.hpp"
#include "touch.hpp"

#include <sonde/memory.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>

#include <cstddef>
#include <vector>

namespace imb::p2p {

/// What benchmarks are made of: the ranks, and memory for so many messages each way, of the longest size.
class stage {
public:
    stage(sonde::mpi::group& ranks, touches touched, std::size_t slots, std::size_t longest)
        : ranks_{&ranks}, touched_{touched}, slots_{slots}, stride_{(longest + 63) / 64 * 64}, send_{slots * stride_},
          receive_{slots * stride_} {
        send_.fill(mark_of(ranks.rank()));
        receive_.fill(mark_of(ranks.rank()));
    }

    sonde::mpi::group& ranks() const { return *ranks_; }
    std::size_t slots() const { return slots_; }
    std::vector<sonde::region> out(std::size_t bytes) const { return places(send_, bytes); }
    std::vector<sonde::region> in(std::size_t bytes) const { return places(receive_, bytes); }
    imb::p2p::post post(std::size_t bytes) const { return {*ranks_, touched_, out(bytes), in(bytes)}; }

private:
    using memory = sonde::allocation<sonde::mpi::alloc_mem>;

    std::vector<sonde::region> places(memory const& of, std::size_t bytes) const {
        std::vector<sonde::region> all;
        for (std::size_t i = 0; i != slots_; ++i) all.push_back(of.bytes().subspan(i * stride_, bytes));
        return all;
    }

    sonde::mpi::group* ranks_;
    touches touched_;
    std::size_t slots_;
    std::size_t stride_;
    memory send_;
    memory receive_;
};

} // namespace imb::p2p
