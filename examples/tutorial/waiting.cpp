// SPDX-License-Identifier: BSL-1.0

// Who made the ranks of a loop wait: a ring of exchanges, in which the last rank has three times the work in every
// tenth step. `--healthy`: without this work.

#include "ring.hpp"

#include <sonde/drawing.hpp>
#include <sonde/lateness.hpp>
#include <sonde/mpi.hpp>
#include <sonde/report/lateness_table.hpp>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

// [application]
/// The application: each step computes, and exchanges the arrays of the ring.
class relaxation {
public:
    relaxation(sonde::mpi::group const& ranks, ring& neighbors, sonde::probe& probe)
        : last_{ranks.rank() + 1 == ranks.size()}, ring_{neighbors}, smooth_{probe.work("smooth")},
          halo_{probe.exchange("halo", {.bytes = neighbors.bytes(), .partners = neighbors.partners()})} {}

    void step(bool output) {
        {
            auto const pass = smooth_.enter();
            std::this_thread::sleep_for(std::chrono::microseconds{last_ && output ? 3000 : 1000});
        }
        auto const pass = halo_.enter();
        ring_.exchange();
    }

private:
    bool last_;
    ring& ring_;
    sonde::probe_scope &smooth_, &halo_;
};
// [/application]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool correct = false;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        ring neighbors{MPI_COMM_WORLD, 1024};
        auto const healthy = argc > 1 && argv[1] == std::string_view{"--healthy"};
        // [collect]
        sonde::probe probe;
        relaxation app{ranks, neighbors, probe};
        for (int i = 0; i != 400; ++i) app.step(!healthy && i % 10 == 9);
        auto const found = sonde::collect_lateness(ranks, probe); // collective; equal on all ranks
        if (ranks.rank() == 0) {
            sonde::lateness_table{stdout}(found);
            sonde::html{"waiting.html"}(found); // figures need gnuplot
        }
        // [/collect]
        correct = neighbors.correct() && found.steps == 400;
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
