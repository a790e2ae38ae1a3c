// SPDX-License-Identifier: BSL-1.0

// The only file of the application that includes Sonde.

#include "measuring.hpp"
#include "rod.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/measure.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>

// [scopes]
/// A probe, and its scopes in the order of `phase`.
struct measuring::scopes {
    struct timed {
        sonde::probe_scope& scope;
        sonde::probe_scope::pass pass{}; // active from begin to end
    };

    sonde::probe probe{};
    sonde::probe_scope& step = probe.scope("step");
    timed all[4] = {{step}, {step.scope("halo")}, {step.scope("inner")}, {step.scope("edges")}};
};

measuring::measuring() : scopes_{new scopes} {}
measuring::~measuring() = default;

void measuring::begin(phase p) {
    auto& timed = scopes_->all[static_cast<std::size_t>(p)];
    timed.pass = timed.scope.enter();
}
void measuring::end(phase p) { scopes_->all[static_cast<std::size_t>(p)].pass.end(); }
// [/scopes]

void measuring::print(MPI_Comm comm) const {
    sonde::mpi::group ranks{comm};
    auto const found = sonde::collect(ranks, scopes_->probe); // the only communication of a probe
    if (ranks.rank() == 0) sonde::probe_table{stdout}(found);
}

// [sum]
void measuring::measure_sum(MPI_Comm comm, rod& r) {
    auto const kept = sonde::borrow(r.heat());        // restores the heat at the end of this function
    std::fill(r.heat().begin(), r.heat().end(), 0.0); // 0 + 0 stays 0, as often as the exchange is repeated
    auto const bytes = r.neighbors() * r.heat().size() / 2 * sizeof(double); // that this rank sends
    sonde::mpi::measure(comm, "sum of heat", {.bytes = bytes}, [&] { r.sum_heat(); });
}
// [/sum]
