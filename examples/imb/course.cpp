// SPDX-License-Identifier: BSL-1.0
#include "course.hpp"

#include "../common/refusal.hpp"
#include "demands.hpp"
#include "sizes.hpp"

#include <sonde/mpi/error.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <thread>

namespace imb {

namespace {

sonde::seconds now() { return sonde::mpi::wtime{}.now(); }

} // namespace

course::course(stage& on, benchmark const& test, mode in, teams& ranks)
    : on_{on}, test_{test}, mode_{in}, ranks_{ranks},
      counts_{rules_of(on.about, test, on.asked, in, ranks.members().front().size())},
      table_{on, test, in, ranks.members()}, begun_{now()} {}

bool course::run() {
    for (auto const bytes : sizes_of(test_.kind, on_.asked, unit_of(on_.about, test_, on_.asked)))
        if (!one_size(need_of(bytes))) return false;
    return true;
}

course::need course::need_of(std::size_t bytes) const {
    auto const rank = ranks_.number() ? ranks_.mine().rank() : 0; // of those that wait, nothing is allocated
    auto const of_one = lengths_of(test_, on_.asked, bytes, ranks_.members().front().size(), rank);
    return {bytes, of_one, space_of(places_of(on_.about, test_, on_.asked, of_one, counts_.most(bytes)))};
}

/// What is worst on any rank.
failure course::agree(failure mine) const {
    std::array worst{static_cast<double>(mine)};
    on_.world.all_reduce(worst, sonde::reduction::max);
    return static_cast<failure>(worst[0]);
}

failure course::watch() const { return now() - begun_ > time_out(on_.asked) ? failure::time_out : failure::none; }

/// Memory, where there is enough and this rank is in a group.
failure course::begin(need const& n, std::optional<trial>& into) {
    auto const why = failure_of(n.of_one, bytes_of(element_of(test_, on_.asked)), n.all, room_of(on_.asked));
    if (why != failure::none || !ranks_.number()) return why;
    try {
        into.emplace(circumstance{on_.about, on_.asked, test_, mode_, on_.world, ranks_, on_.data, on_.reduced},
                     n.bytes, n.all, kept_);
    } catch (sonde::mpi::error const&) { // of MPI_Alloc_mem
        return failure::memory;
    }
    return failure::none;
}

bool course::one_size(need const& n) {
    std::optional<trial> one;
    auto why = agree(begin(n, one));
    std::size_t repetitions = 0;
    if (why == failure::none) {
        together(one, [&](trial& t) { repetitions = t.estimate(counts_); });
        why = agree(watch());
    }
    if (why != failure::none) {
        table_.show(why, n.bytes, n.all.bytes());
        return false;
    }
    show(n, one, repetitions);
    return true;
}

/// The run that is reported.
void course::show(need const& n, std::optional<trial>& one, std::size_t repetitions) {
    finding mine;
    if (one) repetitions = one->agreed(repetitions);
    counts_.took(n.bytes, repetitions);
    together(one, [&](trial& t) { t.warm_up(repetitions); });
    together(one, [&](trial& t) { mine = t.report(repetitions); });
    pause(one);
    auto const found = gather(mine);
    common::together(on_.world, [&] { // what cannot be written ends all ranks
        try {
            if (on_.world.rank() == 0) table_.show(n.bytes, found);
        } catch (std::system_error const& e) {
            throw common::refusal{e.what()};
        }
    });
}

/// A step of those that measure. What it refuses, a disk that is full, comes out of all ranks.
void course::together(std::optional<trial>& one, std::function<void(trial&)> const& step) const {
    common::together(on_.world, [&] {
        if (one) step(*one);
    });
}

void course::pause(std::optional<trial> const& one) const {
    if (!on_.asked.pause) return;
    auto const lasted = one ? one->lasted() : sonde::seconds{};
    std::this_thread::sleep_for(std::max(sonde::seconds{0.1}, lasted / 10));
}

/// What each group found, on world rank 0, which is in group 0.
std::vector<finding> course::gather(finding const& mine) const {
    boost::mpi::communicator const world{on_.world.comm(), boost::mpi::comm_attach};
    std::vector<finding> all{mine};
    for (std::size_t g = 1; g != ranks_.members().size(); ++g) {
        auto const leader = ranks_.members()[g].front();
        if (leader == world.rank()) world.send(0, 0, packed(mine));
        if (world.rank() != 0) continue;
        std::string text;
        world.recv(leader, 0, text);
        all.push_back(unpacked(text));
    }
    return all;
}

} // namespace imb
