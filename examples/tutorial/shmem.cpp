// SPDX-License-Identifier: BSL-1.0

// OpenSHMEM: puts, gets and atomic operations between pairs of PEs, and collectives of all.

#include <sonde/report/table.hpp>
#include <sonde/shmem.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>

namespace shmem = sonde::shmem;

// [pairs]
long global_counters[64]; // global arrays are symmetric, as memory of the symmetric heap is

/// One-sided communication of pairs of PEs; PEs without a partner are idle. Returns false for wrong data.
bool between_pairs(shmem::group& pes) {
    auto report = sonde::on_root{pes, sonde::table{stdout}};
    auto const pair = sonde::pair_of(pes.rank(), pes.size() / 2);
    auto const plan = sonde::plan<>{}.batch(100); // a single put is too short for the clock
    auto const measure = [&](char const* name, char const* kind, auto epoch, std::size_t transfers, auto transfer) {
        sonde::rma pattern{epoch, pair.role, transfers, transfer};
        auto const bytes = transfer.traffic().bytes;
        report(sonde::run(pes, plan, pattern, {name, {{"epoch", kind}, {"transfers", transfers}, {"bytes", bytes}}}));
    };
    std::size_t const many = 64;
    shmem::symmetric_allocation const from{many * 8}, into{many * 8}; // collective over all PEs
    shmem::symmetric_array<long> counters{many}, previous{many};

    // Atomic operations: transfer i adds 1 to element i of the peer's array, and stores what was there before.
    auto const add_to = [&](std::span<long> target) {
        return shmem::fetch_add{pair.peer, target, 1, previous.elements()};
    };
    measure("fetch_add", "none", shmem::no_completion{}, 1, add_to(counters.elements()));
    measure("fetch_add", "none", shmem::no_completion{}, many, add_to(counters.elements()));
    measure("global", "none", shmem::no_completion{}, 1, add_to(global_counters));

    shmem::put const put{pair.peer, into.bytes(), from.bytes(), 8}; // transfer i moves block i of both
    measure("put", "quiet", shmem::quiet{}, 1, put);
    measure("put", "quiet", shmem::quiet{}, many, put);
    measure("get", "none", shmem::no_completion{}, 1, shmem::get{pair.peer, into.bytes(), from.bytes(), 8});
    measure("get_nbi", "quiet", shmem::quiet{}, many, shmem::get_nbi{pair.peer, into.bytes(), from.bytes(), 8});

    // Each context orders and completes its own transfers.
    shmem::context const own;
    shmem::context_ref const context{own};
    measure("context", "quiet", shmem::quiet{context}, many,
            shmem::put{pair.peer, into.bytes(), from.bytes(), 8, context});
    return pair.role != sonde::role::responder || counters.elements()[0] > counters.elements()[many - 1];
}
// [/pairs]

/// Collectives of all PEs. Returns false for wrong data.
bool of_all(shmem::group& pes) {
    auto report = sonde::on_root{pes, sonde::table{stdout}};
    std::size_t const n = 256;
    auto const size = static_cast<std::size_t>(pes.size());
    shmem::symmetric_array<float> mine{n, 1}, all{size * n};
    sonde::slice const out{std::as_writable_bytes(mine.elements())}, in{std::as_writable_bytes(all.elements())};
    auto const measure = [&](char const* name, auto operation) {
        shmem::blocking pattern{operation, out, in}; // takes its work arrays: collective over all PEs
        report(sonde::run(pes, sonde::plan<>{}.batch(10), pattern, {name, {{"bytes", operation.send_bytes()}}}));
    };
    measure("collect", shmem::fcollect<float>{pes, n});
    measure("bcast", shmem::broadcast<float>{pes, n, 0});
    measure("sum", shmem::reduce<float, shmem::sum>{pes, n});
    return all.elements()[n - 1] == static_cast<float>(size);
}

int main() {
    shmem::session const session; // shmem_init_thread; shmem_finalize at the end
    return shmem::abort_on_exception([] {
        shmem::group pes;
        auto const correct = between_pairs(pes);
        return of_all(pes) && correct ? 0 : 1;
    });
}
