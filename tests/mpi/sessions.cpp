// SPDX-License-Identifier: BSL-1.0

// A group of a communicator that a session of MPI 4.0 makes, without MPI_Init: all parts of the library that use a
// group work there. Ends with 77 before MPI 4.0.

#include <mpi.h>

#include <cstdio>

#if MPI_VERSION >= 4
#include <sonde/mpi.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace {

int failures = 0;

void require(bool good, char const* what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    ++failures;
}

void messages(sonde::mpi::group const& ranks) {
    std::vector<std::byte> out(8), in(8);
    sonde::slice const out_bytes{out}, in_bytes{in};
    auto const pair = sonde::pair_of(ranks.rank(), 1);
    sonde::mpi::link const link{ranks, pair.peer};
    auto const r =
        sonde::run(ranks, sonde::plan<sonde::mpi::wtime>{}, sonde::ping_pong{link, pair.role, out_bytes, in_bytes});
    require(sonde::median(r).count() > 0 && r.ranks == ranks.size(), "a record of messages");
}

void collectives(sonde::mpi::group const& ranks) {
    int mine = ranks.rank() + 1, all = 0;
    auto const bytes = [](int& n) { return sonde::slice{std::as_writable_bytes(std::span{&n, 1})}; };
    sonde::mpi::allreduce const sum{ranks, {MPI_INT, 1}, MPI_SUM};
    static_cast<void>(sonde::run(ranks, sonde::plan<>{}, sonde::mpi::blocking{sum, bytes(mine), bytes(all)}));
    require(all == ranks.size() * (ranks.size() + 1) / 2, "a sum over ranks");
    require(sonde::mpi::local_ranks::of(ranks).size == ranks.size(), "ranks of the host");
}

void one_sided(sonde::mpi::group const& ranks) {
    std::vector<std::byte> value(1, std::byte{7});
    sonde::mpi::allocated_window window{ranks, 1};
    auto const pair = sonde::pair_of(ranks.rank(), 1);
    sonde::mpi::peer const target{pair.role == sonde::role::initiator ? pair.peer : -1};
    sonde::mpi::put const put{window, target, sonde::region{value}, {MPI_BYTE, 1}};
    sonde::mpi::fence const epoch{window};
    static_cast<void>(sonde::run(ranks, sonde::plan<>{}, sonde::rma{epoch, pair.role, 1, put}));
    require(pair.role != sonde::role::responder || window.region()[0] == std::byte{7}, "a byte that was put");
}

void others(sonde::mpi::group const& ranks) {
    auto const memory = sonde::mpi::alloc_mem{};
    memory.deallocate(memory.allocate(8), 8);
    static_cast<void>(sonde::mpi::device_support_of(sonde::device_runtime::cuda));
    auto const e = sonde::mpi::environment_of(ranks);
    require(ranks.rank() != 0 || !e.hosts.empty(), "the hosts in the environment");
    require(ranks.allows_threads(), "threads");
}

int run(MPI_Comm comm) {
    sonde::mpi::group const ranks{comm};
    messages(ranks);
    collectives(ranks);
    one_sided(ranks);
    others(ranks);
    return failures == 0 ? 0 : 1;
}

MPI_Comm all_of(MPI_Session session) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Group_from_session_pset(session, "mpi://WORLD", &all), "MPI_Group_from_session_pset");
    sonde::mpi::check(MPI_Comm_create_from_group(all, "sonde", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm),
                      "MPI_Comm_create_from_group");
    MPI_Group_free(&all);
    return comm;
}

} // namespace

int main() {
    MPI_Session session = MPI_SESSION_NULL;
    sonde::mpi::check(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), "MPI_Session_init");
    auto comm = all_of(session);
    auto const status = sonde::mpi::abort_on_exception(comm, [comm] { return run(comm); });
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return status;
}
#else
int main() {
    std::puts("skipped: sessions need MPI 4.0");
    return 77;
}
#endif
