// SPDX-License-Identifier: BSL-1.0
#include "header.hpp"
#include "job.hpp"
#include "own/selection.hpp"
#include "p2p/benchmarks.hpp"
#include "p2p/options.hpp"
#include "p2p/run.hpp"
#include "p2p/table.hpp"
#include "reports.hpp"
#include "say.hpp"

#include <sonde/mpi/environment.hpp>

int main(int argc, char** argv) {
    namespace own = imb::own;
    namespace p2p = imb::p2p;
    return imb::launch(argc, argv, [=]() -> imb::job {
        auto const asked = p2p::parse(argc, argv);
        if (asked.wanted == imb::wish::help) return {.says = p2p::usage(asked)};
        if (asked.wanted == imb::wish::list) return {.says = p2p::list()};
        auto const tests = own::selected(own::names_of("IMB-P2P", "IMB-P2P part", p2p::rows()), p2p::rows(), asked);
        return {.body = [=](sonde::mpi::group& world) {
            p2p::require_memory(tests, asked, world);
            auto const where = sonde::mpi::environment_of(world, argc, argv);
            auto const report = imb::open_reports(world, asked, where);
            imb::say(world, p2p::header(asked, tests, where.command_line));
            auto right = true;
            for (auto const* test : tests) right = p2p::run(*test, asked, world, report) && right;
            imb::say(world, imb::closing());
            report.finish(world);
            return right ? 0 : 1;
        }};
    });
}
