// SPDX-License-Identifier: BSL-1.0

// Patterns on simulated ranks: prints "NAME BYTES MEDIAN_SECONDS" for each, for truth.py, which knows the times.

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

namespace mpi = sonde::mpi;

constexpr std::size_t depth = 8; // messages in flight

struct rank_of_all {
    mpi::group ranks{MPI_COMM_WORLD};
    sonde::pairing pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    int next = (ranks.rank() + 1) % ranks.size();
    int previous = (ranks.rank() + ranks.size() - 1) % ranks.size();

    void measure(char const* name, std::size_t bytes, auto pattern) const {
        auto const plan = sonde::plan<>{}.timed_by(mpi::wtime{}).warmup(2).until(sonde::samples{10});
        auto const r = sonde::run(ranks, plan, std::move(pattern));
        if (ranks.rank() == 0) std::printf("%s %zu %.12g\n", name, bytes, sonde::median(r).count());
    }
};

void measure_links(rank_of_all const& me, std::size_t n, sonde::region out, sonde::host_allocation const& in) {
    std::array<std::byte, 1> token{};
    auto const& [ranks, pair, next, previous] = me;
    sonde::slice const from{out};
    me.measure("ping_pong", n, sonde::ping_pong{mpi::link{ranks, pair.peer}, pair.role, from, in.first(n)});
    me.measure("stream", n,
               sonde::stream{mpi::async_link{ranks, pair.peer}, pair.role, depth, from, in.distinct_regions(n, depth),
                             mpi::link{ranks, pair.peer, 1}, sonde::slice{token}});
    me.measure(
        "bidirectional", n,
        sonde::bidirectional{mpi::async_link{ranks, pair.peer}, pair.role, depth, from, in.distinct_regions(n, depth)});
    me.measure("exchange", n, sonde::exchange{mpi::sendrecv_link{ranks, next, previous}, from, in.first(n)});
    auto const into = [&](std::size_t i) { return in.bytes().subspan(i * sonde::host_allocation::stride_of(n), n); };
    me.measure("halo", n,
               mpi::halo{ranks,
                         {{.rank = next, .send = out, .receive = into(0), .tag = {1, 2}},
                          {.rank = previous, .send = out, .receive = into(1), .tag = {2, 1}}}});
}

void measure_windows(rank_of_all const& me, std::size_t n, sonde::region out, sonde::region in) {
    auto const& pair = me.pair;
    mpi::allocated_window const window{me.ranks, n};
    mpi::peer const target{pair.peer};
    mpi::put const put{window, target, out, {MPI_BYTE, n}};
    mpi::get const get{window, target, in, {MPI_BYTE, n}};
    me.measure("put_lock", n, sonde::rma{mpi::lock{window, target}, pair.role, 1, put});
    me.measure("get_lock", n, sonde::rma{mpi::lock{window, target}, pair.role, 1, get});
    me.measure("put_fence", n, sonde::rma{mpi::fence{window}, pair.role, 1, put});
    me.measure("get_fence", n, sonde::rma{mpi::fence{window}, pair.role, 1, get});
}

void measure_collectives(rank_of_all const& me, std::size_t n) {
    auto const ranks = static_cast<std::size_t>(me.ranks.size());
    std::vector<double> one(n / sizeof(double)), all(ranks * one.size());
    auto const bytes_of = [](std::vector<double>& v) { return sonde::slice{std::as_writable_bytes(std::span{v})}; };
    auto const bytes = one.size() * sizeof(double);
    mpi::block const block{MPI_DOUBLE, one.size()};
    std::vector<double> sum(one.size());
    me.measure("broadcast", bytes, mpi::blocking{mpi::bcast{me.ranks, block}, bytes_of(one)});
    me.measure("allreduce", bytes,
               mpi::blocking{mpi::allreduce{me.ranks, block, MPI_SUM}, bytes_of(one), bytes_of(sum)});
    me.measure("allgather", bytes, mpi::blocking{mpi::allgather{me.ranks, block}, bytes_of(one), bytes_of(all)});
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [] {
        rank_of_all const me;
        for (std::size_t const n : {8UL, 1024UL, 65'536UL, 262'144UL, 1'048'576UL}) {
            sonde::host_allocation const out{n}, in{depth * sonde::host_allocation::stride_of(n)};
            measure_links(me, n, out.bytes(), in);
            measure_windows(me, n, out.bytes(), in.bytes().first(n));
            measure_collectives(me, n);
        }
    });
    MPI_Finalize();
}
