// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/machine_parameters.hpp"

#ifdef SONDE_REPLAY_HAS_FITS
#include "tools/model/fit/fit.hpp"
#include "tools/model/output/model_output.hpp"
#endif
#include "tools/ranks.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <stdexcept>

namespace tools::replay {

namespace {

using sonde::seconds;
using sonde::mpi::check;

constexpr std::size_t largest_message = std::size_t{4} << 20;

auto short_plan() { return sonde::plan<>{}.warmup(10).until(sonde::samples{200} || sonde::time_budget{seconds{0.05}}); }

/// The time of a message of each size, on both ranks of a pair.
std::vector<double> message_times(sonde::mpi::group& pair) {
    sonde::host_allocation out{largest_message}, in{largest_message};
    out.fill(std::byte{1});
    in.fill(std::byte{0});
    auto const side = sonde::pair_of(pair.rank(), 1);
    std::vector<double> found;
    for (std::size_t size = 1; size <= largest_message; size *= 4) {
        sonde::ping_pong pattern{sonde::mpi::link{pair, side.peer}, side.role, out.first(size), in.first(size)};
        found.push_back(sonde::median(sonde::run(pair, short_plan(), pattern)).count() / 2);
    }
    return found;
}

std::string text_of(sonde::model::hockney const& h) {
    return "alpha " + sonde::detail::fixed(h.alpha.count() * 1e6, 2) + " us, r_inf " +
           sonde::detail::fixed(h.r_inf.count() / 1e9, 2) + " GB/s";
}

} // namespace

machine measured_machine(sonde::mpi::group& world, std::vector<int> const& host_of_rank) {
    machine found;
    found.host_of_rank = host_of_rank;
    auto const last = world.size() - 1;
    std::vector<double> times;
    if (last != 0) {
        auto pair = split(world, world.rank() == 0 || world.rank() == last ? 0 : MPI_UNDEFINED, world.rank());
        if (pair) times = message_times(*pair);
        pair.reset();
        sleeping_barrier(world);
        sonde::broadcast(world, times);
    }
    std::vector<std::pair<double, seconds>> sizes;
    double size = 1;
    for (auto const t : times) {
        sizes.emplace_back(size, t);
        size *= 4;
    }
    auto const line = line_below(sizes);
    found.message.segments = {{sonde::model::bytes{0}, line}};
    found.source = "Hockney, " + text_of(line) + ", measured between ranks 0 and " + std::to_string(last);
    return found;
}

seconds measured_reduction(sonde::mpi::group& world) {
    constexpr std::size_t elements = 8192;
    std::vector<double> time{0}, more(elements, 1.0), sum(elements, 0.0);
    auto const own = split(world, world.rank() == 0 ? 0 : MPI_UNDEFINED, 0);
    if (own) {
        auto alone = *split(*own, 0, 0);
        auto const reduce = [&] {
            check(MPI_Reduce_local(more.data(), sum.data(), static_cast<int>(elements), MPI_DOUBLE, MPI_SUM),
                  "MPI_Reduce_local");
        };
        time[0] = sonde::median(sonde::run(alone, short_plan(), reduce)).count();
    }
    sleeping_barrier(world);
    sonde::broadcast(world, time);
    return seconds{time[0] / static_cast<double>(elements * sizeof(double))};
}

#ifdef SONDE_REPLAY_HAS_FITS

namespace {

sonde::model::hockney hockney_of(sonde::model::log_gp const& g) {
    auto const per_byte = g.gap_per_byte.count();
    auto const alpha = g.latency + g.send_overhead + g.receive_overhead - g.gap_per_byte;
    return {alpha, sonde::model::rate{per_byte > 0 ? 1 / per_byte : sonde::model::unlimited}};
}

/// The smallest size of a range.
double begin_of(tools::model::fit_result const& f, std::size_t segment) {
    for (auto const& p : f.fit.parameters)
        if (p.segment == segment && p.name == "breakpoint") return p.value;
    return 0;
}

void add_segment(machine& to, tools::model::model_variant const& by, double from) {
    using sonde::model::bytes;
    if (auto const* const h = std::get_if<sonde::model::piecewise_hockney>(&by))
        to.message.segments.push_back({bytes{from}, h->segments.front().model});
    if (auto const* const g = std::get_if<sonde::model::piecewise_log_gp>(&by))
        to.message.segments.push_back({bytes{from}, hockney_of(g->segments.front().model)});
    if (auto const* const m = std::get_if<sonde::model::max_rate>(&by)) {
        to.message.segments.push_back({bytes{from}, {m->alpha, m->process_rate}});
        to.node_rate = m->node_rate;
    }
}

} // namespace

machine machine_of_file(std::string const& path) {
    auto const stored = tools::model::read_fit(path);
    auto const& f = stored.fit;
    if (f.kind == tools::model::model_kind::multi)
        throw std::runtime_error{path + ": is a fit of the model multi; assess takes hockney, max-rate or loggp"};
    machine found;
    for (std::size_t segment = 0; segment != f.segments(); ++segment)
        if (f.determined(segment)) add_segment(found, model_of(f, stored.form, segment), begin_of(f, segment));
    if (found.message.segments.empty())
        throw std::runtime_error{path + ": its parameters are not determined in any range of sizes"};
    found.source = name(f.kind) + ", of " + path;
    return found;
}

#else

machine machine_of_file(std::string const& path) {
    throw std::runtime_error{path + ": this build has no Eigen or Boost.Math, which --model needs"};
}

#endif

} // namespace tools::replay
