// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/machine_parameters.hpp"

#include "tools/ranks.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace tools::replay {

namespace {

using sonde::seconds;
using sonde::mpi::check;

constexpr std::size_t largest_message = std::size_t{4} << 20;

auto short_plan() { return sonde::plan<>{}.warmup(10).until(sonde::samples{200} || sonde::time_budget{seconds{0.05}}); }

/// Measurements of one time, each a median, of which the shortest counts: load makes times longer for a while.
constexpr int passes = 3;

/// The time of a message of each size, on both ranks of a pair.
std::vector<double> message_times(sonde::mpi::group& pair) {
    sonde::host_allocation out{largest_message}, in{largest_message};
    out.fill(std::byte{1});
    in.fill(std::byte{0});
    auto const side = sonde::pair_of(pair.rank(), 1);
    std::vector<double> found;
    for (int pass = 0; pass != passes; ++pass)
        for (std::size_t size = 1, i = 0; size <= largest_message; size *= 4, ++i) {
            sonde::ping_pong pattern{sonde::mpi::link{pair, side.peer}, side.role, out.first(size), in.first(size)};
            auto const time = sonde::median(sonde::run(pair, short_plan(), pattern)).count() / 2;
            if (pass == 0) found.push_back(time);
            else found[i] = std::min(found[i], time);
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
        for (int pass = 0; pass != passes; ++pass) {
            auto const found = sonde::median(sonde::run(alone, short_plan(), reduce)).count();
            time[0] = pass == 0 ? found : std::min(time[0], found);
        }
    }
    sleeping_barrier(world);
    sonde::broadcast(world, time);
    return seconds{time[0] / static_cast<double>(elements * sizeof(double))};
}

} // namespace tools::replay
