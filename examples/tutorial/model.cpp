// SPDX-License-Identifier: BSL-1.0

// A model of the exchange, fitted to measured times, and its prediction for a size that was not measured.

// [includes]
#include "ring.hpp"

#include <sonde/model/fit/hockney.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

using sonde::model::hockney;
// [/includes]

// [points]
std::vector<hockney::point> measure() {
    std::vector<hockney::point> points;
    auto const plan = sonde::plan<>{}.until(sonde::relative_error{0.02}.within(sonde::seconds{0.05}));
    for (std::size_t elements = 512; elements < 32768; elements += elements / 2) { // from 4 KiB on
        ring app{MPI_COMM_WORLD, static_cast<int>(elements)};
        sonde::mpi::group ranks{app.comm()};
        auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
        points.push_back({sonde::model::bytes{app.bytes()}, sonde::median(r)});
    }
    return points;
}
// [/points]

// [print]
void print(sonde::model::fit_result<sonde::model::piecewise_hockney> const& found) {
    for (auto const& p : found.parameters)
        if (p.status == sonde::model::parameter_status::determined)
            std::printf("segment %zu: %-6s %9.3g %-3s, 95 %% interval %.3g to %.3g\n", p.segment + 1, p.name.c_str(),
                        p.value, p.unit.c_str(), p.low, p.high);
    std::printf("%zu sizes, RMS of the residuals %.1f %%\n", found.points, 100 * found.residual_rms);
    if (!found.note.empty()) std::printf("note: %s\n", found.note.c_str());
    if (found.determined())
        std::printf("predicted time of 100,000 bytes: %.1f us\n", 1e6 * found.model.time(100'000).count());
}
// [/print]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto const points = measure();
    auto correct = points.size() == 11;
    if (rank == 0) {
        auto const found = sonde::model::fit(points);
        print(found);
        // Outliers are left out, and the note lists them.
        auto const complete = found.points == points.size() || !found.note.empty();
        correct = correct && complete && !found.model.segments.empty();
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
