// SPDX-License-Identifier: BSL-1.0

// A sweep over sizes, and a reporter of one's own beside one of Sonde's.

#include <sonde/mpi/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

// [reporter]
/// Remembers the smallest message that reaches half of the best bandwidth seen, as models of networks ask for.
class half_bandwidth {
public:
    void operator()(sonde::record const& r) {
        if (sonde::bandwidth(r) > best_) best_ = sonde::bandwidth(r);
        if (r.total.messages != 0) seen_.push_back({r.total.bytes / r.total.messages, sonde::bandwidth(r)});
    }
    std::size_t points() const { return seen_.size(); }
    std::size_t bytes() const {
        for (auto const& p : seen_)
            if (p.bandwidth >= best_ / 2) return p.bytes;
        return 0;
    }

private:
    struct point {
        std::size_t bytes;
        double bandwidth;
    };
    double best_ = 0;
    std::vector<point> seen_;
};
// [/reporter]

std::size_t sweep(MPI_Comm comm) {
    sonde::mpi::group ranks{comm};
    // [sweep]
    auto const seat = sonde::pair_up(ranks.rank(), ranks.size() / 2);
    auto const largest = std::size_t{1} << 16;
    sonde::host_allocation const out{largest}, in{largest};

    half_bandwidth half;
    auto const remember = [&half](sonde::record const& r) { half(r); };
    auto report = sonde::on_root{ranks, sonde::tee(sonde::table{stdout}, remember)};
    for (auto const n : sonde::sizes(1, largest)) {
        sonde::ping_pong round_trip{sonde::mpi::link{ranks, seat.peer}, seat.who, out.first(n), in.first(n)};
        report(sonde::run(ranks, sonde::plan<>{}, round_trip, {"ping_pong", {{"bytes", n}}}));
    }
    if (ranks.rank() == 0) std::printf("half of the best bandwidth is reached with %zu bytes\n", half.bytes());
    // [/sweep]
    return ranks.rank() == 0 && ranks.size() > 1 ? half.points() : 17; // one rank has no pair
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const points = sweep(MPI_COMM_WORLD);
    MPI_Finalize();
    return points == 17 ? 0 : 1; // 1 byte to 64 KiB
}
