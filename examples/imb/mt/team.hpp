// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/group.hpp>
#include <sonde/groups/threads.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace imb::mt {

/// The ranks of a team of threads, with the barrier that was asked for.
class processes {
public:
    processes(sonde::mpi::group const& world, barrier meet) : world_{&world}, meet_{meet} {}

    int rank() const { return world_->rank(); }
    int size() const { return world_->size(); }
    bool allows_threads() const { return world_->allows_threads(); }
    void barrier() const {
        if (meet_ == mt::barrier::disseminated) sonde::mpi::dissemination_barrier (*world_)(*world_, 0);
        else world_->barrier();
    }
    void all_reduce(std::span<double> values, sonde::reduction how) const { world_->all_reduce(values, how); }

private:
    sonde::mpi::group const* world_;
    mt::barrier meet_;
};

using team = sonde::thread_team<processes>;
using member = team::member;

/// A duplicate of MPI_COMM_WORLD for each thread, which tells the library by the info key `thread_id` that only this
/// thread uses it. Collective over the world, before there are threads.
inline std::vector<sonde::mpi::group> communicators(int threads) {
    std::vector<sonde::mpi::group> all;
    for (int t = 0; t != threads; ++t) {
        auto const& made = all.emplace_back(MPI_COMM_WORLD);
        MPI_Info info = MPI_INFO_NULL;
        sonde::mpi::check(MPI_Info_create(&info), "MPI_Info_create");
        sonde::mpi::check(MPI_Info_set(info, "thread_id", std::to_string(t).c_str()), "MPI_Info_set");
        sonde::mpi::check(MPI_Comm_set_info(made.comm(), info), "MPI_Comm_set_info");
        sonde::mpi::check(MPI_Info_free(&info), "MPI_Info_free");
    }
    return all;
}

} // namespace imb::mt
