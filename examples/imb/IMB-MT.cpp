// SPDX-License-Identifier: BSL-1.0
#include "job.hpp"
#include "mt/options.hpp"
#include "mt/rows.hpp"
#include "mt/run.hpp"
#include "mt/table.hpp"
#include "mt/team.hpp"
#include "own/selection.hpp"
#include "reports.hpp"
#include "say.hpp"

#include <sonde/mpi/environment.hpp>

namespace {

/// As many threads on every rank: rank 0's.
int threads_of(imb::mt::options const& asked, sonde::mpi::group& world) {
    double threads[] = {static_cast<double>(asked.threads())};
    sonde::broadcast(world, threads);
    return static_cast<int>(threads[0]);
}

} // namespace

int main(int argc, char** argv) {
    namespace own = imb::own;
    namespace mt = imb::mt;
    return imb::launch(argc, argv, [=]() -> imb::job {
        auto const asked = mt::parse(argc, argv);
        auto const known = own::names_of("IMB-MT", "MT part", mt::rows());
        if (asked.wanted == imb::wish::help) return {.says = mt::usage(asked)};
        if (asked.wanted == imb::wish::list) return {.says = imb::list(known)};
        auto const tests = own::selected(known, mt::rows(), asked);
        return {.level = asked.level, .body = [=](sonde::mpi::group& world) {
                    auto const threads = threads_of(asked, world);
                    mt::require_memory(tests, asked, threads, world);
                    auto const where = sonde::mpi::environment_of(world, argc, argv);
                    auto const report = imb::open_reports(world, asked, where);
                    auto const communicators = mt::communicators(threads);
                    if (asked.header) imb::say(world, mt::banner());
                    auto right = true;
                    for (auto const* test : tests)
                        right = mt::run(*test, {world, communicators, asked}, report) && right;
                    imb::say(world, "\n");
                    report.finish(world);
                    return right ? 0 : 1;
                }};
    });
}
