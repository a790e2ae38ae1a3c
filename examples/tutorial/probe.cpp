// SPDX-License-Identifier: BSL-1.0

// A probe that stays enabled in an application: the time of each scope on all ranks, compared with a reference.

#include "ring.hpp"

#include <sonde/mpi.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

// [application]
/// The application: each step exchanges the arrays of the ring and smooths the received one.
class smoother {
public:
    smoother(ring& neighbors, sonde::probe& probe)
        : ring_{neighbors}, step_{probe.scope("step")}, halo_{step_.scope("halo", {.bytes = neighbors.bytes()})},
          smooth_{step_.scope("smooth")} {}

    void step() {
        auto const pass = step_.enter(); // the pass ends where this object is destroyed
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
    sonde::probe_scope &step_, &halo_, &smooth_; // looked up by name once, in the constructor
    std::vector<double> result_;
};
// [/application]

std::vector<sonde::scope_record> report(sonde::mpi::group& ranks, sonde::probe& probe) {
    auto found = sonde::collect(ranks, probe); // collective; the only communication of a probe
    if (ranks.rank() == 0) sonde::probe_table{stdout}(found);

    // [reference]
    auto& halo = probe.scope("step").scope("halo");
    sonde::host_allocation out{halo.bytes()}, in{halo.bytes()};
    // The reference: an exchange of as many bytes between pairs of ranks, without other work.
    halo.set_reference([&] {
        auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
        return sonde::bidirectional{sonde::mpi::async_link{ranks, pair.peer}, pair.role, 1, out.first(halo.bytes()),
                                    in.first(halo.bytes())};
    });
    sonde::measure_references(ranks, probe, found);
    if (ranks.rank() == 0) {
        std::puts("");
        sonde::probe_table{stdout}(found);
    }
    // [/reference]
    return found;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool correct = false;
    {
        sonde::probe probe;
        ring neighbors{MPI_COMM_WORLD, 1024};
        smoother app{neighbors, probe};
        for (int i = 0; i != 500; ++i) app.step();
        correct = neighbors.correct() && app.middle() > 0;
        sonde::mpi::group ranks{neighbors.comm()};
        auto const found = report(ranks, probe);
        auto const passes = 500 * static_cast<unsigned long>(ranks.size());
        for (auto const& r : found) correct = correct && r.ranks == ranks.size() && r.times.count() == passes;
        correct = correct && found.size() == 3 && found[1].reference.has_value();
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
