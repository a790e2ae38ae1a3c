// SPDX-License-Identifier: BSL-1.0
#include "course.hpp"

#include "figures.hpp"
#include "processes.hpp"
#include "sizes.hpp"

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <new>
#include <thread>
#include <utility>

namespace imb {

namespace {

sonde::seconds now() { return sonde::mpi::wtime{}.now(); }

count_rules rules_of(stage const& on, benchmark const& test, mode in, std::size_t ranks) {
    return {.iter = on.asked.iter,
            .by = policy_of(on.asked.counted, test.rooted),
            .time = on.asked.time,
            .max_log = on.asked.max_log,
            .ranks = ranks,
            .estimated = on.about.estimated_repetitions,
            .nonaggregate = in == mode::non_aggregate || test.counts_nonaggregate,
            .sized = test.kind != family::synchronization,
            .users_sizes = !on.asked.sizes.empty()};
}

element element_of(stage const& on, benchmark const& test) { return test.reduces ? on.asked.reduced : on.asked.data; }

std::size_t unit_of(stage const& on, benchmark const& test) {
    if (test.kind == family::single_element) return bytes_of(on.asked.reduced);
    return std::max(bytes_of(element_of(on, test)), on.about.smallest_unit);
}

bool with_gaps(options const& asked) {
    return asked.contiguous == layout::resize || asked.contiguous == layout::resize_vec;
}

lengths lengths_of(stage const& on, benchmark const& test, std::size_t bytes, std::size_t ranks) {
    auto const spread = with_gaps(on.asked) ? std::size_t{2} : std::size_t{1};
    auto const one = test.needs(std::max<std::size_t>(bytes, 4), ranks);
    return {one.send * spread, one.receive * spread};
}

places places_of(stage const& on, benchmark const& test, lengths const& of_one, std::size_t most) {
    auto const rotates = !on.about.io && test.kind != family::synchronization;
    return {of_one, most, rotates ? on.asked.off_cache : std::nullopt, test.disjoint, room_of(on.asked)};
}

std::string advice(stage const& on, benchmark const& test) {
    auto const& lacks = on.about.lacks;
    if (std::find(lacks.begin(), lacks.end(), "data_type") != lacks.end()) return {};
    if (element_of(on, test) == element::double_real) return " Stopping benchmark";
    return test.reduces ? " use \"-red_data_type double\"" : " use \"-data_type double\"";
}

double largest_defect(std::vector<finding> const& found) {
    double most = 0;
    for (auto const& f : found) most = std::max(most, f.defects.value_or(0));
    return most;
}

} // namespace

void stage::say(std::string const& text) const {
    if (world.rank() != 0) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

course::course(stage& on, benchmark const& test, mode in, teams& ranks)
    : on_{on}, test_{test}, mode_{in}, ranks_{ranks}, counts_{rules_of(on, test, in, ranks.members().front().size())},
      shows_{layout_of(test, on.asked)}, begun_{now()} {}

bool course::run() {
    for (auto const bytes : sizes_of(test_.kind, on_.asked, unit_of(on_, test_)))
        if (!one_size(bytes)) return false;
    return true;
}

/// The worst of all ranks.
failure course::agree(failure mine) const {
    std::array worst{static_cast<double>(mine)};
    on_.world.all_reduce(worst, sonde::reduction::max);
    return static_cast<failure>(worst[0]);
}

/// Memory and the benchmark, where this rank is in a group.
failure course::begin(std::size_t bytes, space const& needed, std::size_t most, std::optional<trial>& into) {
    if (!ranks_.number()) return failure::none;
    try {
        into.emplace(circumstance{on_.asked, test_, mode_, on_.world, ranks_, on_.data, on_.reduced, on_.about.io,
                                  on_.about.warms_up},
                     bytes, needed, most, kept_);
    } catch (sonde::mpi::error const&) { // of MPI_Alloc_mem
        return failure::memory;
    }
    return failure::none;
}

bool course::one_size(std::size_t bytes) {
    auto const most = counts_.most(bytes);
    auto const of_one = lengths_of(on_, test_, bytes, ranks_.members().front().size());
    auto const needed = space_of(places_of(on_, test_, of_one, most));
    std::optional<trial> one;
    auto why = failure_of(of_one, bytes_of(element_of(on_, test_)), needed, room_of(on_.asked));
    if (why == failure::none) why = agree(begin(bytes, needed, most, one));
    std::size_t n = 0;
    if (why == failure::none && one) {
        one->prepare();
        n = one->estimate(counts_);
    }
    if (why == failure::none) why = agree(now() - begun_ > time_out(on_.asked) ? failure::time_out : failure::none);
    if (why != failure::none) {
        show_failure(why, bytes, needed.bytes());
        return false;
    }
    finding mine;
    if (one) {
        counts_.took(bytes, n);
        mine = one->report(n);
    }
    pause(one);
    auto const found = gather(mine);
    if (on_.world.rank() == 0) show(bytes, found);
    return true;
}

void course::pause(std::optional<trial> const& one) const {
    on_.world.barrier();
    if (!on_.asked.pause) return;
    auto const lasted = one ? one->lasted() : sonde::seconds{};
    std::this_thread::sleep_for(std::max(sonde::seconds{0.1}, lasted / 10));
}

/// What each group found, on world rank 0, which is in group 0.
std::vector<finding> course::gather(finding const& mine) const {
    boost::mpi::communicator const world{on_.world.comm(), boost::mpi::comm_attach};
    auto const& groups = ranks_.members();
    std::vector<finding> all;
    for (std::size_t g = 0; g != groups.size(); ++g) {
        auto const leader = groups[g].front();
        if (leader == world.rank() && world.rank() != 0) world.send(0, 0, packed(mine));
        if (world.rank() != 0) continue;
        std::string text;
        if (leader != 0) world.recv(leader, 0, text);
        all.push_back(leader == 0 ? mine : unpacked(text));
    }
    return all;
}

void course::head(bool defects) {
    if (std::exchange(headed_, true)) return;
    auto const transposed = transposes(on_.asked.map) && ranks_.members().size() == 1;
    on_.say(head_of({test_, mode_, on_.world.size(), ranks_.members(), transposed, by_group(), defects}, shows_));
}

void course::row(std::string const& group, std::size_t bytes, std::size_t n, std::vector<finding> const& found) const {
    std::vector<outcome> outcomes;
    for (auto const& f : found) outcomes.push_back(f.found);
    auto const ranks = static_cast<int>(ranks_.members().front().size());
    auto line = group + (is_sized(shows_) ? cell_of(bytes) : std::string{}) + cell_of(n);
    line += figures_of(test_, shows_, {bytes, ranks, on_.asked.window}, outcomes);
    if (is_sized(shows_) && found.front().defects) line += cell_of(largest_defect(found));
    on_.say(line + "\n");
}

void course::show(std::size_t bytes, std::vector<finding> const& groups) {
    head(is_sized(shows_) && groups.front().defects);
    if (by_group()) on_.say("\n");
    for (std::size_t g = 0; g != groups.size() && by_group(); ++g)
        row(cell_of(g), bytes, groups[g].repetitions, {groups[g]});
    if (!by_group()) row({}, bytes, groups.front().repetitions, groups);
    on_.defects = on_.defects || largest_defect(groups) > 0;
    for (auto const& g : groups) on_.report(g, groups.size());
}

void course::show_failure(failure why, std::size_t bytes, std::size_t needed) {
    head(false);
    auto const line = cell_of(bytes) + failure_text(why, needed, advice(on_, test_)) + "\n";
    if (!by_group()) return on_.say(line);
    on_.say("\n");
    for (std::size_t g = 0; g != ranks_.members().size(); ++g) on_.say(cell_of(g) + line);
}

} // namespace imb
