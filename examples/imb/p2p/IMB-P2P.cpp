// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/reports.hpp"
#include "imb/driver/selection.hpp"
#include "imb/driver/table.hpp"
#include "imb/p2p/benchmarks.hpp"
#include "imb/p2p/options.hpp"
#include "imb/p2p/table.hpp"
#include "suite/hosts.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/record.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace imb::p2p {

namespace {

constexpr auto size_options = "-msglog, -msglen, -msgsz";

std::size_t longest(options const& asked) { return *std::max_element(asked.sizes.begin(), asked.sizes.end()); }

/// Throws suite::refusal on all ranks if a host lacks the memory for the longest size. Collective over the group.
void require_memory(std::vector<benchmark const*> const& tests, options const& asked, sonde::mpi::group const& world) {
    std::size_t buffers = 0;
    for (auto const* test : tests)
        if (test->fits(world.size())) buffers = std::max(buffers, test->buffers);
    suite::require_memory(world, 2.0 * static_cast<double>(buffers) * static_cast<double>(longest(asked)),
                          size_options);
}

void pause(options const& asked) {
    if (asked.pause_us > 0) std::this_thread::sleep_for(std::chrono::microseconds{asked.pause_us});
}

/// Measure one size, with pauses before and after, and check its contents. Collective over the group.
sonde::record measure(setting const& s) {
    auto const work = s.test.make(s);
    pause(s.options);
    auto record = work.measure(s.options.repeats.of(s.bytes)).pure;
    pause(s.options);
    start_barrier{}(s.group, 0);
    if (s.options.check) record.errors = static_cast<std::size_t>(work.defects());
    return record;
}

/// Run a benchmark over all sizes, print its table, and report the records. Returns false if contents were wrong.
/// Throws suite::refusal on all ranks if memory is not available. Collective over the group.
bool run(benchmark const& test, options const& asked, sonde::mpi::group& world, reports const& report) {
    if (!test.fits(world.size())) {
        suite::print(world, invalid(test, world.size()));
        return true;
    }
    suite::print(world, head(test, world.size(), asked.check));
    std::optional<message_buffers> buffers;
    suite::allocate(world, size_options, [&] { buffers.emplace(test.buffers, longest(asked), mark_of(world.rank())); });
    auto right = true;
    for (auto const bytes : asked.sizes) {
        auto const record = measure({world, asked, test, *buffers, bytes});
        suite::print(world, line(bytes, record));
        report(record);
        right = right && record.errors.value_or(0) == 0;
    }
    return right;
}

} // namespace

} // namespace imb::p2p

int main(int argc, char** argv) {
    namespace p2p = imb::p2p;
    return suite::launch(argc, argv, [=]() -> suite::request {
        auto const asked = p2p::parse(argc, argv);
        if (asked.requested == imb::action::help) return {.text = p2p::usage(asked)};
        if (asked.requested == imb::action::list) return {.text = p2p::list()};
        auto const tests =
            imb::selected_rows(imb::component_of("IMB-P2P", "IMB-P2P part", p2p::rows()), p2p::rows(), asked);
        return {.run = [=](suite::mpi_job const& job) {
            auto& world = job.world;
            p2p::require_memory(tests, asked, world);
            auto const where = sonde::mpi::environment_of(world, argc, argv);
            auto const report = imb::open_reports(world, asked, where);
            suite::print(world, p2p::header(asked, tests, where.command_line));
            auto right = true;
            for (auto const* test : tests) right = p2p::run(*test, asked, world, report) && right;
            suite::print(world, imb::closing());
            report.finish(world);
            return right ? 0 : 1;
        }};
    });
}
