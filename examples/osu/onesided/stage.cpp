// SPDX-License-Identifier: BSL-1.0
#include "stage.hpp"

#include <sonde/mpi/rma/lasting_lock.hpp>

#include <algorithm>
#include <climits>

namespace osu {

namespace {

void require_countable(options const& asked) {
    if (asked.max_size > INT_MAX)
        throw refusal{"Too many elements [-m " + std::to_string(asked.max_size) + "]; accepted: sizes up to " +
                      std::to_string(INT_MAX)};
}

} // namespace

one_sided_stage::one_sided_stage(given const& g, one_sided const& what) : stage{g}, what_{what}, counted_{about()} {
    counted_.counted = what.counts_under(under());
    require_countable(asked());
    auto const parts = 1 + int{what.sends()} + int{what.fetches} + int{what.compares()};
    auto const each = static_cast<double>(asked().max_size) * static_cast<double>(transfers());
    take_memory(parts * each + bytes_of_times(), [] {});
    if (asked().check.log) log_.emplace(*asked().check.log, world().rank());
}

sonde::point one_sided_stage::point(spot const& at) const {
    sonde::point found{about().name, {{"bytes", at.size}, {"datatype", at.type.name}}};
    if (is_rate(about().shows)) found.parameters.emplace_back("window", transfers());
    found.parameters.emplace_back("creation", word(made_by()));
    found.parameters.emplace_back("synchronization", word(under()));
    return found;
}

void one_sided_stage::begin(datatype const& type) {
    if (begun_) table().title(about());
    begun_ = true;
    table().line("# Window creation: " + called(made_by()));
    table().line("# Synchronization: " + called(under()));
    if (what_.names_type) table().datatype(type.name);
    table().titles();
}

std::size_t one_sided_stage::largest() const {
    auto most = asked().max_size;
    for (auto const& type : types()) most = std::max(most, type.bytes);
    return most;
}

one_sided_stage::place one_sided_stage::place_of(spot const& at) const {
    auto const bytes = bytes_of(at.size);
    auto const filled = [&](bool wanted, char value) {
        sonde::host_allocation made{wanted ? bytes : 0};
        made.fill(static_cast<std::byte>(value));
        return made;
    };
    place here{{world(), made_by(), bytes},
               filled(what_.sends(), 'a'),
               filled(what_.fetches, 'c'),
               filled(what_.compares(), 'a')};
    {
        // In MPI's model of separate copies, what is stored is there for others when a lock ends.
        sonde::mpi::lasting_locks const own{here.window, sonde::mpi::peer{world().rank()},
                                            sonde::mpi::lock_type::exclusive};
        sonde::host_memory{}.fill(here.window.region(), static_cast<std::byte>('b'));
    }
    world().barrier(); // before others take locks that last, which this rank would wait for, and they for it
    return here;
}

ingredients one_sided_stage::of(spot const& at, place const& here) const {
    auto const count = what_.one_element ? 1 : at.size / at.type.bytes;
    return {here.window, target(), {at.type.handle, count}, here.out.bytes(), here.in.bytes(), here.compared.bytes()};
}

} // namespace osu
