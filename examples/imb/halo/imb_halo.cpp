// SPDX-License-Identifier: BSL-1.0
#include "imb/halo/imb_halo.hpp"

#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_program.hpp"
#include "imb/driver/imb_table.hpp"
#include "imb/imb.hpp"
#include "imb/mt/mt_setting.hpp"
#include "imb/mt/mt_team.hpp"
#include "suite/hosts.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <numeric>
#include <optional>
#include <vector>

namespace imb::halo {

namespace {

/// The product; none above `most`.
std::optional<int> product(std::vector<int> const& factors, int most) {
    auto all = 1;
    for (auto const f : factors) {
        if (f > most / all) return std::nullopt;
        all *= f;
    }
    return all;
}

/// "A.B.C"
std::optional<std::vector<int>> topology_of(std::string const& text) {
    std::vector<int> all;
    for (auto const& part : split(text, '.')) {
        auto const extent = number<int>(part, 1, INT_MAX);
        if (!extent) return std::nullopt;
        all.push_back(*extent);
    }
    return all;
}

/// True if n to this power is at most `limit`.
bool power_fits(int n, std::size_t power, int limit) { return product(std::vector<int>(power, n), limit).has_value(); }

} // namespace

std::vector<option_row> option_table(options& o) {
    constexpr std::array unsupported{"window_size", "barrier", "malloc_algo", "check", "noheader"};
    auto all = mt::option_table(o);
    for (auto& row : all) {
        row.taken = std::find(unsupported.begin(), unsupported.end(), row.name) == unsupported.end();
        if (row.name == "stride") row = {"stride", "no effect, as in IMB", suite::unused_number(0, INT_MAX)};
    }
    all.push_back({"topo A.B.C", "relative extents of the grid of ranks, one for each dimension (1)",
                   parsed(o.topology, topology_of, "whole numbers from 1 to 2147483647 with dots between")});
    return all;
}

options parse(int argc, char const* const* argv) {
    options found;
    parse_in_order(found, option_table(found), argc, argv, option_style::one_dash);
    if (found.counts.empty()) found.counts = {1, 2, 4, 8};
    return found;
}

int whole_root(int n, std::size_t power) {
    auto root = 1;
    for (auto bit = 1 << 30; bit != 0; bit /= 2)
        if (root <= INT_MAX - bit && power_fits(root + bit, power, n)) root += bit;
    return root;
}

std::vector<int> extents_of(std::vector<int> const& topology, int ranks) {
    auto all = topology;
    auto const divisor = std::accumulate(all.begin(), all.end(), 0, [](int a, int b) { return std::gcd(a, b); });
    for (auto& extent : all) extent /= divisor;
    auto const least = product(all, INT_MAX);
    if (!least || *least > ranks)
        throw suite::refusal{"Not enough processes for -topo: " + std::to_string(ranks) +
                             "; accepted: " + (least ? "at least " + std::to_string(*least) : "more than 2147483647")};
    auto const factor = whole_root(ranks / *least, all.size());
    for (auto& extent : all) extent *= factor;
    return all;
}

int ranks_of(std::vector<int> const& extents) { return product(extents, INT_MAX).value(); }

std::vector<neighbors> neighbors_of(std::vector<int> const& extents, int rank) {
    std::vector<neighbors> all;
    auto below = ranks_of(extents); // ranks per step of the dimension before
    if (rank >= below) return all;
    for (auto const extent : extents) {
        auto const step = below / extent, here = rank % below / step;
        auto const at = [&](int subscript) { return rank + (subscript - here) * step; };
        if (extent > 1) all.push_back({at((here + 1) % extent), at((here + extent - 1) % extent)});
        below = step;
    }
    return all;
}

int threads_of(std::size_t elements, int threads) {
    return static_cast<int>(std::clamp(elements, std::size_t{1}, static_cast<std::size_t>(threads)));
}

std::size_t elements_of_thread(std::size_t elements, int threads, int thread) {
    auto const parts = static_cast<std::size_t>(threads_of(elements, threads)), t = static_cast<std::size_t>(thread);
    return t >= parts ? 0 : elements / parts + (t < elements % parts ? 1 : 0);
}

std::size_t messages_of(std::vector<int> const& extents) { return 4 * neighbors_of(extents, 0).size(); }

std::string head(std::string const& benchmark, std::vector<int> const& extents, int threads) {
    return "\n# Benchmarking " + benchmark + " (processes: " + std::to_string(ranks_of(extents)) +
           "; threads: " + std::to_string(threads) + "; dimensions: " + std::to_string(extents.size()) + ")\n";
}

std::string line(std::size_t bytes, std::size_t messages, sonde::record const& r) {
    auto const microseconds = 1e6 * r.over_ranks.mean.count();
    auto const moved = static_cast<double>(bytes) * static_cast<double>(messages);
    return formatted("%zu(x%zu)(bytes) %g(usec) %g(Mb/s)\n", bytes, messages, microseconds, moved / microseconds);
}

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
