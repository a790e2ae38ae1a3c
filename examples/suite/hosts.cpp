// SPDX-License-Identifier: BSL-1.0
#include "suite/hosts.hpp"

#include "suite/agreement.hpp"
#include "suite/memory_limits.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <array>
#include <new>
#include <vector>

namespace suite {

sonde::mpi::group ranks_of_host(sonde::mpi::group const& all) {
    MPI_Comm host = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split_type(all.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
                      "MPI_Comm_split_type");
    sonde::mpi::group found{host};
    sonde::mpi::check(MPI_Comm_free(&host), "MPI_Comm_free");
    return found;
}

namespace {

/// The shortage of the ranks of this host, on its first rank; "" on the others. Collective over the group.
std::string shortage_on_host(sonde::mpi::group const& world, memory_need const& mine) {
    auto const host = ranks_of_host(world);
    auto const texts = sonde::gather(host, text_of(mine));
    if (!texts) return "";
    std::vector<memory_need> all;
    for (auto const& text : *texts) all.push_back(need_of(text));
    return shortage(all);
}

/// Throws refusal, on all ranks, if there is a shortage on one of them. Collective over the group.
void refuse_shortage(sonde::mpi::group const& world, std::string const& why, std::string const& options) {
    agree(world, why.empty() ? "" : "Not enough memory [" + options + "]: " + why + "; accepted: what fits");
}

} // namespace

std::string memory_shortage(sonde::mpi::group const& world, double bytes) {
    return shortage_on_host(world, {bytes, memory_limits()});
}

void require_memory(sonde::mpi::group const& world, double bytes, std::string const& options) {
    refuse_shortage(world, memory_shortage(world, bytes), options);
}

std::string shared_memory_shortage(sonde::mpi::group const& world, double bytes) {
    auto const limit = shared_memory_limit();
    return shortage_on_host(world, {bytes, limit ? std::vector{*limit} : std::vector<memory_limit>{}});
}

void require_shared_memory(sonde::mpi::group const& world, std::string const& why, std::string const& options,
                           std::function<bool()> const& in_shared_files) {
    std::array exceeded{why.empty() ? 0.0 : 1.0};
    world.all_reduce(exceeded, sonde::reduction::max);
    if (exceeded[0] == 0) return;
    std::array shared{in_shared_files() ? 1.0 : 0.0};
    world.all_reduce(shared, sonde::reduction::max);
    if (shared[0] != 0) refuse_shortage(world, why, options);
}

void require_window_memory(sonde::mpi::group const& world, double bytes, std::string const& options) {
    require_shared_memory(world, shared_memory_shortage(world, bytes), options, [&] {
        sonde::mpi::allocated_window const window{world, 64};
        return is_in_shared_files(window.region().data());
    });
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
