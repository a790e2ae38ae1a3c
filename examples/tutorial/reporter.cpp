// SPDX-License-Identifier: BSL-1.0

// A sweep over message sizes with two reporters: a table, and a user-defined one.

#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

// [reporter]
/// Finds n_1/2, the smallest message size that reaches half of the largest bandwidth (Hockney).
class half_bandwidth {
public:
    void operator()(sonde::record const& r) {
        if (r.total.messages == 0) return; // all ranks are idle
        points_.push_back({r.total.bytes / r.total.messages, sonde::bandwidth(r)});
        if (sonde::bandwidth(r) > largest_) largest_ = sonde::bandwidth(r);
    }
    std::size_t points() const { return points_.size(); }
    std::size_t bytes() const {
        for (auto const& p : points_)
            if (p.bandwidth >= largest_ / 2) return p.bytes;
        return 0;
    }

private:
    struct point {
        std::size_t bytes;
        double bandwidth;
    };
    double largest_ = 0;
    std::vector<point> points_;
};
// [/reporter]

std::size_t sweep(MPI_Comm comm) {
    sonde::mpi::group ranks{comm};
    // [sweep]
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    auto const largest = std::size_t{1} << 16;
    sonde::host_allocation const out{largest}, in{largest};

    half_bandwidth half;
    auto report = sonde::on_root{ranks, sonde::tee(sonde::table{stdout}, std::ref(half))}; // not a copy of `half`
    for (auto const n : sonde::sizes(1, largest)) {
        sonde::ping_pong pattern{sonde::mpi::link{ranks, pair.peer}, pair.role, out.first(n), in.first(n)};
        report(sonde::run(ranks, sonde::plan<>{}, pattern, {"ping_pong", {{"bytes", n}}}));
    }
    if (half.points() != 0) std::printf("half of the largest bandwidth: %zu bytes\n", half.bytes());
    // [/sweep]
    return ranks.rank() == 0 && ranks.size() > 1 ? half.points() : 17; // a single rank has no peer
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const points = sweep(MPI_COMM_WORLD);
    MPI_Finalize();
    return points == 17 ? 0 : 1; // one for each size from 1 byte to 64 KiB
}
