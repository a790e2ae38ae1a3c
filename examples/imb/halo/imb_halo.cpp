// SPDX-License-Identifier: BSL-1.0
#include "imb/halo/imb_halo.hpp"

#include "imb/driver/imb_table.hpp"
#include "imb/driver/patterns.hpp"
#include "imb/driver/setting.hpp"
#include "imb/driver/thread_options.hpp"
#include "imb/driver/thread_sweep.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
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

/// Ranks of a grid. Those behind them are idle.
int ranks_of(std::vector<int> const& extents) { return product(extents, INT_MAX).value(); }

/// True if n to this power is at most `limit`.
bool power_fits(int n, std::size_t power, int limit) { return product(std::vector<int>(power, n), limit).has_value(); }

} // namespace

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

/// The options of IMB-MT that have a meaning here, and -topo.
std::vector<option_row> option_table(options& o, option_set lacks) {
    auto all = thread_option_table(o, lacks, {"stride", "no effect, as in IMB", unused_number(0, INT_MAX)});
    all.push_back({"topo A.B.C", "relative extents of the grid of ranks, one for each dimension (1)",
                   parsed(o.topology, topology_of, "whole numbers from 1 to 2147483647 with dots between")});
    return all;
}

/// Buffers of a thread, each for the longest part of a message, in both directions of all dimensions. Throws
/// suite::refusal if the ranks do not suffice for the grid.
lengths buffers_of(benchmark const&, options const& asked, sonde::mpi::group const& world, int threads) {
    auto const dimensions = neighbors_of(extents_of(asked.topology, world.size()), world.rank()).size();
    auto const most = *std::max_element(asked.counts.begin(), asked.counts.end());
    auto const part = elements_of_thread(most, threads, 0) * bytes_of(asked.data);
    auto const all = std::max<std::size_t>(1, 2 * dimensions * stride_of(part));
    return {all, all};
}

/// The part of the faces that a thread exchanges.
struct share {
    std::vector<int> extents; // of the grid of ranks
    int threads;              // that exchange something
    std::size_t bytes;        // of a face, on this thread
    bool takes_part;

    explicit share(setting const& s)
        : extents{extents_of(s.options.topology, s.group.size())},
          threads{threads_of(s.bytes / s.element_bytes, s.thread->threads)},
          bytes{elements_of_thread(s.bytes / s.element_bytes, s.thread->threads, s.thread->self.thread()) *
                s.element_bytes},
          takes_part{s.group.rank() < ranks_of(extents) && s.thread->self.thread() < threads} {}
};

/// The exchange of a thread's part of the faces. Both directions have separate tags, because both neighbors may be the
/// same rank.
sonde::mpi::halo exchange_of(setting const& s, share const& mine) {
    std::vector<sonde::mpi::halo_neighbor> all;
    auto const add = [&](int rank, sonde::mpi::tags tag) {
        auto const at = all.size() * stride_of(mine.bytes);
        all.push_back({rank,
                       s.send.on_host().subspan(at, mine.bytes),
                       s.receive.on_host().subspan(at, mine.bytes),
                       {s.data},
                       tag});
    };
    for (auto const& face : neighbors_of(mine.extents, s.group.rank())) {
        add(face.up, {1, 2});
        add(face.down, {2, 1});
    }
    return {s.group, all};
}

sonde::record measure(setting const& s, std::size_t n) {
    share const mine{s};
    auto const plan = thread_plan{}
                          .synchronized(thread_start{.enabled = false})
                          .warmup(s.options.warm_ups)
                          .batch(n)
                          .until(sonde::samples{1});
    unless_idle pattern{mine.takes_part ? sonde::role::initiator : sonde::role::idle, exchange_of(s, mine)};
    return imb::run(s.thread->self, plan, pattern,
                    {s.test.name,
                     {{"bytes", s.bytes},
                      {"processes", ranks_of(mine.extents)},
                      {"threads", mine.threads},
                      {"dimensions", mine.extents.size()}}});
}

work simple_halo(setting& s) {
    return {.measure = [&s](std::size_t n) { return result{measure(s, n)}; }};
}

thread_program const own{
    .memory_options = "-count, -topo, -thread_level",
    .buffers = buffers_of,
    .banner = [](options const&) { return std::string{}; },
    .head =
        [](setting const& s, sonde::record const&) {
            share const mine{s};
            return head(s.test.name, mine.extents, mine.threads);
        },
    .line = [](setting const& s, sonde::record const& r) { return line(s.bytes, messages_of(share{s}.extents), r); },
    .end = {}};

} // namespace

} // namespace imb::halo

imb::component imb::halo_component() {
    component about{.tests = {{.name = "simple_halo", .make = halo::simple_halo}}};
    about.lacks = {option_name::window_size, option_name::barrier, option_name::malloc_algo, option_name::check,
                   option_name::noheader};
    about.defaults.data = element::integer;
    about.syntax = {.rows = halo::option_table, .in_given_order = true, .complete = complete_counts};
    about.list = list("ndim_halo_benchmark", about.tests);
    about.require = [](auto const& asked, auto const& tests, auto& world) {
        require_memory(halo::own, asked, tests, world);
    };
    about.run = [](program_run const& on) { return run_threads(halo::own, on); };
    return about;
}
