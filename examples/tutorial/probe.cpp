// SPDX-License-Identifier: BSL-1.0

// A probe that stays in the application: what each part of it takes on all ranks, and how good that is.

#include "ring.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/probe.hpp>
#include <sonde/report/probe_table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

// [application]
/// Passes an array on and smooths it, step by step.
class smoother {
public:
    smoother(ring& around, sonde::probe& probe)
        : ring_{around}, step_{probe.region("step")},
          halo_{step_.region("halo", {.bytes = around.mine().size_bytes()})}, smooth_{step_.region("smooth")} {}

    void step() {
        auto const whole = step_.enter(); // a pass ends with its scope
        exchange();
        smooth();
    }
    double middle() const { return result_[result_.size() / 2]; }

private:
    void exchange() {
        auto const pass = halo_.enter();
        ring_.exchange();
    }
    void smooth() {
        auto const pass = smooth_.enter();
        auto const u = ring_.theirs();
        result_.resize(u.size());
        for (std::size_t i = 1; i + 1 < u.size(); ++i) result_[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    }

    ring& ring_;
    sonde::probe_region &step_, &halo_, &smooth_; // looked up once
    std::vector<double> result_;
};
// [/application]

std::vector<sonde::region_record> report(sonde::mpi::group& ranks, sonde::probe& probe) {
    // [collect]
    auto found = sonde::collect(ranks, probe); // the first time that ranks talk about it
    if (ranks.rank() == 0) sonde::probe_table{stdout}(found);
    // [/collect]

    // [best]
    auto& halo = probe.region("step").region("halo");
    sonde::host_allocation there{halo.bytes()}, here{halo.bytes()};
    halo.like([&] { // as much, between pairs of ranks and with nothing else to wait for; idle where a rank is left over
        auto const at = sonde::pair_up(ranks.rank(), ranks.size() / 2);
        return sonde::bidirectional{sonde::mpi::async_link{ranks, at.peer}, at.who, 1, there.first(halo.bytes()),
                                    here.first(halo.bytes())};
    });
    sonde::measure_best(ranks, probe, found);
    if (ranks.rank() == 0) std::puts(""), sonde::probe_table{stdout}(found);
    // [/best]
    return found;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool right = false;
    {
        // [main]
        sonde::probe probe;
        ring around{MPI_COMM_WORLD, 1024};
        smoother app{around, probe};
        for (int i = 0; i != 500; ++i) app.step();
        // [/main]
        right = around.right() && app.middle() > 0;
        sonde::mpi::group ranks{around.comm()};
        auto const found = report(ranks, probe);
        auto const passes = 500 * static_cast<unsigned long>(ranks.size());
        for (auto const& r : found) right = right && r.ranks == ranks.size() && r.times.count() == passes;
        right = right && found.size() == 3 && found[1].best.has_value();
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
