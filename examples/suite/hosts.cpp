// SPDX-License-Identifier: BSL-1.0
#include "suite/hosts.hpp"

#include "suite/host_memory.hpp"
#include "suite/refusal.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/report/text.hpp>

#include <array>
#include <new>

namespace suite {

sonde::mpi::group ranks_of_host(sonde::mpi::group const& all) {
    MPI_Comm host = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split_type(all.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
                      "MPI_Comm_split_type");
    sonde::mpi::group found{host};
    sonde::mpi::check(MPI_Comm_free(&host), "MPI_Comm_free");
    return found;
}

void require_memory(sonde::mpi::group const& world, double bytes, std::string const& options) {
    auto const ranks = ranks_of_host(world);
    std::array needed{bytes};
    ranks.all_reduce(needed, sonde::reduction::sum);
    auto const there = host_memory();
    auto const megabytes = [](double b) { return sonde::detail::fixed(1e-6 * b, 0); };
    agree(world, needed[0] <= there ? ""
                                    : "Not enough memory [" + options + "]: " + std::to_string(ranks.size()) +
                                          " ranks of a host need " + megabytes(needed[0]) + " MB, it has " +
                                          megabytes(there) + "; accepted: what fits");
}

void allocate(sonde::mpi::group const& world, std::string const& options, std::function<void()> const& take) {
    auto const refuse = [&] {
        throw refusal{"Error allocating host memory [" + options + "]; accepted: sizes that fit into memory"};
    };
    together(world, [&] {
        try {
            take();
        } catch (std::bad_alloc const&) {
            refuse();
        } catch (sonde::mpi::error const&) { // of MPI_Alloc_mem
            refuse();
        }
    });
}

} // namespace suite
