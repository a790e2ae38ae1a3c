// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_program.hpp"
#include "imb/halo/imb_halo.hpp"
#include "imb/imb.hpp"
#include "imb/mt/mt_setting.hpp"
#include "imb/mt/mt_team.hpp"
#include "suite/hosts.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace imb::halo {

namespace {

struct benchmark {
    std::string name;
};

using halo_run = program_run<options, benchmark>;

constexpr auto memory_options = "-count, -topo, -thread_level";

/// A rank's grid and its threads.
struct process {
    halo_run const& on;
    std::vector<int> extents;
    std::vector<neighbors> faces;
    std::vector<sonde::mpi::group> communicators; // one for each thread

    int threads() const { return static_cast<int>(communicators.size()); }
};

/// Buffers of a thread, each for the longest part of a message, in both directions of all dimensions.
lengths lengths_of(options const& asked, std::size_t dimensions, int threads) {
    auto const most = *std::max_element(asked.counts.begin(), asked.counts.end());
    auto const part = elements_of_thread(most, threads, 0) * asked.element_bytes();
    auto const all = std::max<std::size_t>(1, 2 * dimensions * mt::stride_of(part));
    return {all, all};
}

/// Throws suite::refusal on all ranks if the ranks do not suffice for the grid, or a host lacks the memory for the
/// longest size. Collective over the world.
void require_grid(options const& asked, std::vector<benchmark const*> const&, sonde::mpi::group& world) {
    auto const extents = extents_of(asked.topology, world.size());
    auto const threads = mt::threads_of(asked, world);
    auto const each = lengths_of(asked, neighbors_of(extents, world.rank()).size(), threads);
    suite::require_memory(world, threads * (static_cast<double>(each.send) + static_cast<double>(each.receive)),
                          memory_options);
}

/// The exchange of a thread's part of the faces. Both directions have separate tags, because both neighbors may be the
/// same rank.
sonde::mpi::halo exchange_of(process const& in, int thread, mt::regions const& buffers, std::size_t bytes) {
    std::vector<sonde::mpi::halo_neighbor> all;
    auto const add = [&](int rank, sonde::mpi::tags tag) {
        auto const at = all.size() * mt::stride_of(bytes);
        all.push_back(
            {rank, buffers.out.subspan(at, bytes), buffers.in.subspan(at, bytes), mt::elements_of(in.on.options), tag});
    };
    for (auto const& face : in.faces) {
        add(face.up, {1, 2});
        add(face.down, {2, 1});
    }
    return {in.communicators[static_cast<std::size_t>(thread)], all};
}

/// Measure a size on one thread of a rank. Collective over all threads.
sonde::record measure(process const& in, benchmark const& test, mt::member& self, mt::regions const& buffers,
                      std::size_t elements) {
    auto const& asked = in.on.options;
    auto const part = elements_of_thread(elements, in.threads(), self.thread()) * asked.element_bytes();
    auto const active = in.on.world.rank() < ranks_of(in.extents) && self.thread() < threads_of(elements, in.threads());
    auto const plan = mt::plan{}
                          .synchronized(mt::start_barriers{.enabled = false})
                          .warmup(asked.warm_ups)
                          .batch(asked.repeats)
                          .until(sonde::samples{1});
    mt::unless_idle pattern{active ? sonde::role::initiator : sonde::role::idle,
                            exchange_of(in, self.thread(), buffers, part)};
    return mt::run(self, plan, pattern,
                   {test.name,
                    {{"bytes", elements * asked.element_bytes()},
                     {"processes", ranks_of(in.extents)},
                     {"threads", threads_of(elements, in.threads())},
                     {"dimensions", in.extents.size()}}});
}

/// All sizes on one thread of a rank. Rank 0's thread 0 prints and reports.
void run_sizes(process const& in, benchmark const& test, mt::member& self, mt::regions const& buffers) {
    auto const& counts = in.on.options.counts;
    auto const prints = self.rank() == 0;
    if (prints) in.on.print(head(test.name, in.extents, threads_of(counts.front(), in.threads())));
    for (auto const elements : counts) {
        auto const record = measure(in, test, self, buffers, elements);
        if (!prints) continue;
        in.on.print(line(elements * in.on.options.element_bytes(), messages_of(in.extents), record));
        in.on.report(record);
    }
}

bool run_all(halo_run const& on) {
    auto& world = on.world;
    auto const extents = extents_of(on.options.topology, world.size());
    process const in{on, extents, neighbors_of(extents, world.rank()),
                     mt::communicators(mt::threads_of(on.options, world))};
    auto const each = lengths_of(on.options, in.faces.size(), in.threads());
    for (auto const* test : on.tests)
        mt::run_threads({world, on.options, in.threads(), each, memory_options},
                        [&](mt::member& self, mt::regions const& buffers) { run_sizes(in, *test, self, buffers); });
    return true;
}

std::vector<benchmark> const& rows() {
    static std::vector<benchmark> const all{{"simple_halo"}};
    return all;
}

} // namespace

} // namespace imb::halo

int imb::launch_halo(std::string const& name, int argc, char** argv) {
    return launch(argc, argv,
                  program<halo::options, halo::benchmark>{.name = name,
                                                          .rows = halo::rows(),
                                                          .options = halo::option_table,
                                                          .parse = halo::parse,
                                                          .list = list("ndim_halo_benchmark", entries_of(halo::rows())),
                                                          .require = halo::require_grid,
                                                          .run = halo::run_all});
}
