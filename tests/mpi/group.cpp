// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../control_conformance.hpp"
#ifdef __linux__
#include "../processor_binding.hpp"
#endif
#include "application.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <sonde/group/pair.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

int class_of(library_error const& e) {
    int c = 0;
    PMPI_Error_class(e.code(), &c);
    return c;
}

/// The call and error class of the error that `f` throws: name, class of the code; "nothing" otherwise.
template <class F>
std::pair<std::string, int> error_of(F f) {
    try {
        f();
    } catch (library_error const& e) {
        return {e.call(), class_of(e)};
    }
    return {"nothing", MPI_SUCCESS};
}

void ignore(MPI_Comm*, int*, ...) {}

MPI_Comm part_of_application(int color) {
    MPI_Comm part = MPI_COMM_NULL;
    PMPI_Comm_split(application::comm(), color, application::rank(), &part);
    return part;
}

/// A measurement with messages among all ranks of a group, with tags that applications often use.
record busy(mpi::group& ranks, std::size_t samples_) {
    auto const around = [to = (ranks.rank() + 1) % ranks.size(),
                         from = (ranks.rank() + ranks.size() - 1) % ranks.size(), &ranks] {
        std::array<std::byte, 8> out{}, in{};
        mpi::async_link next{ranks, to, 0}, previous{ranks, from, 0};
        auto o = next.send_buffer(slice{out});
        auto i = previous.recv_buffer(slice{in});
        previous.irecv(i.next());
        next.isend(o.next());
        previous.wait_all();
        next.wait_all();
    };
    return run(ranks, plan<>{}.warmup(2).until(samples{samples_}).synchronized(dissemination_barrier{}), around);
}

} // namespace

TEST_CASE("the application's receive from any source with any tag matches none of Sonde's messages") {
    int received = -1, pending_completed = 1;
    auto const me = application::rank(), size = application::size();
    MPI_Request any = MPI_REQUEST_NULL;
    PMPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, application::comm(), &any);
    {
        mpi::group ranks{application::comm()};
        busy(ranks, 20);
        PMPI_Test(&any, &pending_completed, MPI_STATUS_IGNORE);
        PMPI_Barrier(application::comm()); // no rank sends before the other has probed
    }
    MPI_Status status{};
    PMPI_Send(&me, 1, MPI_INT, (me + 1) % size, 7, application::comm());
    PMPI_Wait(&any, &status);
    CHECK(pending_completed == 0);
    CHECK(received == (me + size - 1) % size);
    CHECK(status.MPI_SOURCE == received);
    CHECK(status.MPI_TAG == 7);
}

TEST_CASE("a group is one duplicate of the application's communicator, freed by its destructor") {
    auto const before = ledger::current();
    {
        mpi::group const ranks{application::comm()};
        CHECK(ranks.comm() != application::comm());
        int same = MPI_UNEQUAL;
        PMPI_Comm_compare(ranks.comm(), application::comm(), &same);
        CHECK(same == MPI_CONGRUENT);
        CHECK(ranks.rank() == application::rank());
        CHECK(ranks.size() == application::size());
        CHECK(ledger::current().communicators.size() == before.communicators.size() + 1);
    }
    CHECK(ledger::current()[call::comm_dup] == before[call::comm_dup] + 1);
    CHECK(ledger::current().communicators == before.communicators);
}

TEST_CASE("the application keeps its own error handler; the group's returns errors") {
    MPI_Errhandler own = MPI_ERRHANDLER_NULL, seen = MPI_ERRHANDLER_NULL, after = MPI_ERRHANDLER_NULL,
                   groups = MPI_ERRHANDLER_NULL;
    PMPI_Comm_create_errhandler(ignore, &own);
    auto comm = part_of_application(0);
    PMPI_Comm_set_errhandler(comm, own);
    {
        mpi::group const ranks{comm};
        PMPI_Comm_get_errhandler(comm, &seen);
        PMPI_Comm_get_errhandler(ranks.comm(), &groups);
    }
    PMPI_Comm_get_errhandler(comm, &after);
    CHECK(seen == own);
    CHECK(after == own);
    CHECK(groups == MPI_ERRORS_RETURN);
    for (auto* handler : {&own, &seen, &after}) PMPI_Errhandler_free(handler);
    PMPI_Comm_free(&comm);
}

TEST_CASE("a failed call throws mpi::error with its routine and code") {
    mpi::group ranks{application::comm()};
    std::array<std::byte, 8> bytes{};
    MPI_Datatype type = MPI_DATATYPE_NULL; // is not committed
    PMPI_Type_contiguous(8, MPI_BYTE, &type);
    mpi::elements const elements{type, 1};
    auto const sent = [&](auto link) {
        auto out = link.send_buffer(slice{bytes});
        return error_of([&] { link.send(out.next()); });
    };
    CHECK(sent(mpi::link{ranks, 0, 0, elements}) == std::pair<std::string, int>{"MPI_Send", MPI_ERR_TYPE});
    CHECK(sent(mpi::sync_link{ranks, 0, 0, elements}) == std::pair<std::string, int>{"MPI_Ssend", MPI_ERR_TYPE});
    CHECK(error_of([&] {
              mpi::persistent_link{ranks, 0, 0, elements}.send_buffer(slice{bytes});
          }) == std::pair<std::string, int>{"MPI_Send_init", MPI_ERR_TYPE});
    PMPI_Type_free(&type);
}

TEST_CASE("a message longer than its receive throws from the receive, and is not truncated") {
    mpi::group ranks{application::comm()};
    std::array<std::byte, 8> out{}, in{};
    mpi::async_link to_self{ranks, ranks.rank()};
    mpi::link from_self{ranks, ranks.rank()};
    auto whole = to_self.send_buffer(slice{out});
    auto half = from_self.recv_buffer(slice{region{in}.first(4)});
    to_self.isend(whole.next());
    CHECK(error_of([&] { from_self.recv(half.next()); }) == std::pair<std::string, int>{"MPI_Recv", MPI_ERR_TRUNCATE});
    to_self.wait_all();
}

TEST_CASE("a message longer than its receive throws from the wait, and no request stays active") {
    if (application::size() == 1) return; // Open MPI 4.1 ignores a short message to oneself
    if (!library::works("MPI_Waitall of a receive that is too short")) return;
    // MPICH raises errors of a wait on MPI_COMM_WORLD, whose handler the application sets.
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    mpi::group ranks{application::comm()};
    std::array<std::byte, 8> out{}, in{};
    {
        mpi::async_link next{ranks, (ranks.rank() + 1) % ranks.size()};
        mpi::async_link previous{ranks, (ranks.rank() + ranks.size() - 1) % ranks.size()};
        auto whole = next.send_buffer(slice{out});
        auto half = previous.recv_buffer(slice{region{in}.first(4)});
        previous.irecv(half.next());
        next.isend(whole.next());
        CHECK(error_of([&] { previous.wait_all(); }).first == "MPI_Waitall");
        next.wait_all();
    }
    CHECK(ledger::current().active_requests == 0);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    PMPI_Errhandler_free(&before);
}

TEST_CASE("a receive that nobody waits for is canceled, and a send only before MPI 4.0, which deprecates that") {
    mpi::group const ranks{application::comm()};
    std::vector<std::byte> out(1 << 20), in(8), late(1 << 20); // the send needs its receive
    auto const canceled_by = [](auto start) {
        auto const before = ledger::current()[call::cancel];
        start();
        return ledger::current()[call::cancel] - before;
    };
    CHECK(canceled_by([&] {
              mpi::async_link link{ranks, ranks.rank(), 5};
              for (int i = 0; i != 9; ++i) link.irecv(link.recv_buffer(slice{in}).next());
          }) == 9);
    CHECK(canceled_by([&] {
              mpi::async_link link{ranks, ranks.rank(), 6};
              link.isend(link.send_buffer(slice{out}).next());
          }) == (MPI_VERSION >= 4 ? 0 : 1));
    CHECK(canceled_by([&] {
              mpi::async_link link{ranks, ranks.rank(), mpi::tags{6, 7}}; // nothing comes with tag 7
              link.isend(link.send_buffer(slice{out}).next());
              for (int i = 0; i != 2; ++i) link.irecv(link.recv_buffer(slice{in}).next());
          }) == (MPI_VERSION >= 4 ? 2 : 3));
    CHECK(ledger::current().active_requests == 0);
    int found = 1;
    while (found != 0) { // sends that were not canceled
        PMPI_Iprobe(ranks.rank(), 6, ranks.comm(), &found, MPI_STATUS_IGNORE);
        if (found != 0) PMPI_Recv(late.data(), 1 << 20, MPI_BYTE, ranks.rank(), 6, ranks.comm(), MPI_STATUS_IGNORE);
    }
}

TEST_CASE("MPI_COMM_NULL is refused") { CHECK_THROWS_AS(mpi::group{MPI_COMM_NULL}, std::invalid_argument); }

TEST_CASE("an inter-communicator is refused on both sides") {
    if (application::size() == 1) return; // two sides need two ranks
    auto const side = application::rank() % 2;
    auto mine = part_of_application(side);
    MPI_Comm between = MPI_COMM_NULL;
    PMPI_Intercomm_create(mine, 0, application::comm(), 1 - side, 3, &between);
    CHECK_THROWS_AS(mpi::group{between}, std::invalid_argument);
    PMPI_Comm_free(&between);
    PMPI_Comm_free(&mine);
}

TEST_CASE("groups without a common rank measure at the same time, each for its own duration") {
    auto const color = application::rank() % 2;
    auto part = part_of_application(color);
    int size = 0;
    PMPI_Comm_size(part, &size);
    {
        mpi::group ranks{part};
        auto const found = busy(ranks, color == 0 ? 5 : 50);
        CHECK(found.ranks == size);
        CHECK(found.stop.samples == (color == 0 ? 5u : 50u));
    }
    PMPI_Comm_free(&part);
}

TEST_CASE("a rank measures in nested groups: all ranks, some, and itself") {
    mpi::group all{application::comm()};
    mpi::group self{MPI_COMM_SELF};
    auto const within = run(all, plan<>{}.warmup(1).until(samples{3}), [&] { busy(self, 4); });
    CHECK(within.ranks == application::size());
    CHECK(within.stop.samples == 3);
}

TEST_CASE("a moved group has the same communicator, which the new owner frees") {
    auto const foreign_calls = ledger::current().foreign_calls;
    std::optional<mpi::group> first{application::comm()};
    auto const comm = first->comm();
    {
        mpi::group second{std::move(*first)};
        first.reset();
        CHECK(second.comm() == comm);
        CHECK(busy(second, 3).ranks == application::size());
    }
    CHECK(ledger::current().communicators.count(comm) == 0);
    CHECK(ledger::current().foreign_calls == foreign_calls);
}

TEST_CASE("a group conforms") {
    mpi::group ranks{application::comm()};
    conformance::check_group(ranks);
    conformance::check_control(ranks, "mpi_control.json");
}

TEST_CASE("a group has the info hints of its communicator") {
    auto comm = part_of_application(0);
    MPI_Info asked = MPI_INFO_NULL, kept = MPI_INFO_NULL, seen = MPI_INFO_NULL;
    PMPI_Info_create(&asked);
    PMPI_Info_set(asked, "mpi_assert_no_any_source", "true");
    PMPI_Comm_set_info(comm, asked);
    PMPI_Comm_get_info(comm, &kept);
    {
        mpi::group const ranks{comm};
        PMPI_Comm_get_info(ranks.comm(), &seen);
    }
    auto const value = [](MPI_Info info) { return mpi::detail::hint_in(info, "mpi_assert_no_any_source"); };
    if (value(kept) != "true") MESSAGE("this MPI library does not keep the hint");
    CHECK(value(seen) == value(kept));
    for (auto* info : {&asked, &kept, &seen}) PMPI_Info_free(info);
    PMPI_Comm_free(&comm);
}

#ifdef __linux__

TEST_CASE("a group is oversubscribed if its ranks share too few processors of their host, on all ranks alike") {
    auto const size = application::size();
    mpi::group everyone{application::comm()};
    {
        processor_binding const one{everyone, true};
        CHECK(mpi::group{application::comm()}.oversubscribed() == (size > 1));
        CHECK_FALSE(mpi::group{MPI_COMM_SELF}.oversubscribed());
    }
    {
        processor_binding const of_two{everyone, application::rank() <
                                                     2}; // two ranks on one processor, the others where they were
        mpi::group const ranks{application::comm()};
        CHECK(ranks.oversubscribed() == (size > 1));
        CHECK(pair_group{mpi::control_channel{ranks}, 0, 1}.oversubscribed() == (size > 1));
    }
    processor_binding const none{everyone, false};
    auto const all = none.processors(everyone);
    // Launchers bind ranks apart, or not at all if they are more than the processors.
    CHECK(mpi::group{application::comm()}.oversubscribed() == (size > all));
}

#endif

TEST_CASE("a group has the topology of a Cartesian communicator") {
    std::array<int, 1> dims{application::size()}, periods{1};
    MPI_Comm ring = MPI_COMM_NULL;
    PMPI_Cart_create(application::comm(), 1, dims.data(), periods.data(), 0, &ring);
    int kind = MPI_UNDEFINED;
    {
        mpi::group const ranks{ring};
        PMPI_Topo_test(ranks.comm(), &kind);
    }
    PMPI_Comm_free(&ring);
    CHECK(kind == MPI_CART);
}
