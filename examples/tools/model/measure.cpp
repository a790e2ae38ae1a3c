// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"

#include "../../common/host_memory.hpp"
#include "measure_bench.hpp"
#include "measure_places.hpp"
#include "measure_refusal.hpp"
#include "measure_report.hpp"
#include "measure_request.hpp"
#include "measure_tasks.hpp"
#include "measure_team.hpp"
#include "measure_words.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report.hpp>

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace tools::model {

namespace {

/// Rank 0 writes whole lines, there when the call returns.
void say(sonde::mpi::group const& world, std::string const& text, std::FILE* to = stdout) {
    if (world.rank() != 0) return;
    std::fputs(text.c_str(), to);
    std::fflush(to);
}

sonde::environment environment_of(sonde::mpi::group const& world, std::vector<std::string> const& words) {
    std::vector<char const*> argv{"sonde-model", "measure"};
    for (auto const& w : words) argv.push_back(w.c_str());
    return sonde::mpi::environment_of(world, static_cast<int>(argv.size()), argv.data());
}

/// What `make` makes on rank 0. Throws refusal, on all ranks, where it cannot.
template <class Make>
auto on_first_rank(sonde::mpi::group const& world, Make make) {
    try {
        return sonde::on_root{world, make};
    } catch (std::exception const& e) {
        throw refusal{e.what()};
    }
}

/// Throws refusal, on all ranks, where one of them has no memory for messages.
bench bench_of(sonde::mpi::group const& world, measure_request const& asked, bool takes_part) {
    std::optional<bench> made;
    auto const largest = asked.sizes.back();
    try {
        made.emplace(asked, takes_part ? largest : 0);
    } catch (std::bad_alloc const&) {
    }
    if (!on_any(world, !made)) return std::move(*made);
    throw refusal{"--sizes: no memory for two messages of " + std::to_string(largest) + " bytes on every rank"};
}

bool takes_part(sonde::mpi::group const& world, places const& where) {
    for (auto const& p : where.pairs)
        if (p.initiator == world.rank() || p.responder == world.rank()) return true;
    return false;
}

void measure_all(sonde::mpi::group const& world, measure_request const& asked, sonde::environment const& where) {
    auto const ranks = pair_off(where.host_of_rank, most_pairs(asked.model));
    require_pairs(asked, ranks, where.ranks_per_host);
    require_memory(asked, where.ranks_per_host, common::host_memory());
    auto const tasks = tasks_of(asked, ranks.pairs.size());
    auto on = bench_of(world, asked, takes_part(world, ranks));
    auto report =
        on_first_rank(world, [&] { return open_reports(asked, where, records_of(asked.model) * tasks.size()); });
    on.gather_teams(world, ranks, tasks);
    say(world, heading(asked, ranks, world.size()));
    std::vector<task> late;
    for (auto const& t : tasks)
        for (auto const& found : on.measure(world, t)) {
            report(found);
            if (found.stop.reason == sonde::stop_reason::time_budget) late.push_back(t);
        }
    meet(world);
    say(world, closing(asked, late));
}

measure_request read(std::vector<std::string> const& words) {
    try {
        return parse_measure(words);
    } catch (std::exception const& e) { // the same on all ranks
        throw refusal{e.what()};
    }
}

int measure_on(sonde::mpi::group const& world, std::vector<std::string> const& words) {
    try {
        auto const asked = read(words);
        if (asked.help) say(world, measure_usage());
        else measure_all(world, asked, environment_of(world, words));
        return 0;
    } catch (refusal const& e) {
        say(world, std::string{"sonde-model measure: "} + e.what() + "; see --help\n", stderr);
    }
    world.barrier(); // a launcher may end the others as soon as one rank exits with 2: rank 0 has said why
    return 2;
}

} // namespace

int measure(std::vector<std::string> const& words) {
    MPI_Init(nullptr, nullptr);
    auto const status = sonde::mpi::abort_on_exception(
        MPI_COMM_WORLD, [&] { return measure_on(sonde::mpi::group{MPI_COMM_WORLD}, words); });
    MPI_Finalize();
    return status;
}

} // namespace tools::model
