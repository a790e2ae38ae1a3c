// SPDX-License-Identifier: BSL-1.0

// What the exchange's times say of sizes that were not measured, and how far that goes.

#include "ring.hpp"

#include <sonde/model/fit/hockney.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

using sonde::model::hockney;

// [points]
std::vector<hockney::point> measure() {
    std::vector<hockney::point> points;
    auto const plan = sonde::plan<>{}.until(sonde::relative_error{0.02} || sonde::time_budget{sonde::seconds{0.05}});
    for (auto const elements : sonde::sizes(16, 16384)) { // the application's own exchange, at each size
        ring app{MPI_COMM_WORLD, static_cast<int>(elements)};
        sonde::mpi::group ranks{app.comm()};
        auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
        points.push_back({sonde::model::bytes{app.bytes()}, sonde::typical(r)});
    }
    return points;
}
// [/points]

// [tell]
void tell(sonde::model::fitted<sonde::model::piecewise_hockney> const& found) {
    for (auto const& p : found.parameters)
        if (p.stands == sonde::model::standing::determined)
            std::printf("range %zu: %-6s %9.3g %-3s with 95 %% from %.3g to %.3g\n", p.segment + 1, p.name.c_str(),
                        p.value, p.unit.c_str(), p.low, p.high);
    std::printf("%zu sizes, residuals of %.1f %%. %s\n", found.points, 100 * found.residual_rms, found.note.c_str());
    if (found.determined()) std::printf("100,000 bytes would take %.1f us\n", 1e6 * found.model.time(100'000).count());
}
// [/tell]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto const points = measure();
    auto right = points.size() == 11;
    if (rank == 0) {
        auto const found = sonde::model::fit(points);
        tell(found);
        right = right && found.points == points.size() && !found.model.segments.empty();
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
