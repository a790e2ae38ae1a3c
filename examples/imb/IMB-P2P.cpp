// SPDX-License-Identifier: BSL-1.0
#include "header.hpp"
#include "own/launch.hpp"
#include "own/reporting.hpp"
#include "own/selection.hpp"
#include "p2p/benchmarks.hpp"
#include "p2p/options.hpp"
#include "p2p/run.hpp"
#include "p2p/table.hpp"

int main(int argc, char** argv) {
    namespace own = imb::own;
    namespace p2p = imb::p2p;
    return own::launch(argc, argv, [=]() -> own::job {
        auto const asked = p2p::parse(argc, argv);
        auto const tests = own::selected(own::names_of("IMB-P2P", "IMB-P2P part", p2p::rows()), p2p::rows(), asked);
        if (asked.wanted == imb::wish::help) return {.says = p2p::usage(asked)};
        if (asked.wanted == imb::wish::list) return {.says = p2p::list()};
        return {.body = [=](sonde::mpi::group& world) {
            own::reporting const report{world, asked, argc, argv};
            own::print(world, p2p::header(asked, tests, report.command_line()));
            auto right = true;
            for (auto const* test : tests) right = p2p::run(*test, asked, world, report) && right;
            own::print(world, imb::closing());
            return right ? 0 : 1;
        }};
    });
}
