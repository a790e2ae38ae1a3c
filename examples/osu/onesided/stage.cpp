// SPDX-License-Identifier: BSL-1.0
#include "stage.hpp"

#include "../words.hpp"

#include <sonde/mpi/rma/epochs.hpp>

#include <algorithm>
#include <climits>
#include <optional>
#include <utility>

namespace osu {

namespace {

void require_countable(options const& asked) {
    if (asked.max_size > INT_MAX)
        throw refusal{"Too many elements [-m " + std::to_string(asked.max_size) + "]; accepted: sizes up to " +
                      std::to_string(INT_MAX)};
}

void fill(sonde::allocation<memory>& all, char value) {
    if (!all.bytes().empty()) all.fill(static_cast<std::byte>(value));
}

} // namespace

one_sided_stage::one_sided_stage(given const& g, one_sided const& what) : stage{g}, what_{what}, counted_{about()} {
    counted_.counted = what.counts_under(under());
    require_countable(asked());
    auto const parts = 1 + int{what.sends()} + int{what.fetches} + int{what.compares()};
    auto const of_host = here() == placement::device ? 0 : static_cast<double>(asked().max_size);
    std::optional<bytes> all; // not given back before all ranks have theirs: some may share a device
    take_memory(parts * of_host * static_cast<double>(transfers()) + bytes_of_times(),
                [&] { all.emplace(take(bytes_of(largest()))); });
    if (asked().check.log) log_.emplace(*asked().check.log, world().rank());
}

sonde::point one_sided_stage::point(spot const& at) const {
    sonde::point found{about().name, {{"bytes", at.size}, {"datatype", at.type.name}}};
    if (is_rate(about().shows)) found.parameters.emplace_back("window", transfers());
    found.parameters.emplace_back("creation", word(really_made_by()));
    found.parameters.emplace_back("synchronization", word(under()));
    say_places(found, about(), asked(), where());
    return found;
}

void one_sided_stage::begin(datatype const& type) {
    if (begun_) table().title(about());
    begun_ = true;
    table().line("# Window creation: " + called(made_by()));
    table().line("# Synchronization: " + called(under()));
    if (what_.names_type) table().datatype(type.name);
    if (asked().on == accelerator::cuda)
        table().line(std::string{"# Rank 0 Memory on "}
                         .append(spelt(about(), where().source))
                         .append(" and Rank 1 Memory on ")
                         .append(spelt(about(), where().destination)));
    table().titles();
}

std::size_t one_sided_stage::largest() const {
    auto most = asked().max_size;
    for (auto const& type : types()) most = std::max(most, type.bytes);
    return most;
}

creation one_sided_stage::really_made_by() const {
    return made_by() == creation::allocate && !where().all_host() ? creation::create : made_by();
}

one_sided_stage::bytes one_sided_stage::take(std::size_t each) const {
    auto const some = [&](bool wanted) { return sonde::allocation<memory>{wanted ? each : 0, memory{here()}}; };
    return {some(what_.sends()), some(what_.fetches), some(what_.compares()),
            some(really_made_by() != creation::allocate)};
}

one_sided_stage::place one_sided_stage::place_of(spot const& at) const {
    auto const size = bytes_of(at.size);
    std::optional<bytes> taken;
    together(world(), [&] { taken.emplace(take(size)); });
    place on{std::move(taken->out), std::move(taken->in), std::move(taken->compared),
             chosen_window{world(), really_made_by(), size, here(), std::move(taken->window)}};
    fill(on.out, 'a');
    fill(on.in, 'c');
    fill(on.compared, 'a');
    {
        // In MPI's model of separate copies, what is stored is there for others when a lock ends.
        sonde::mpi::scoped_locks const own{on.window, sonde::mpi::peer{world().rank()},
                                           sonde::mpi::lock_type::exclusive};
        on.window.fill(static_cast<std::byte>('b'));
    }
    world().barrier(); // before others take locks that last, which this rank would wait for, and they for it
    return on;
}

ingredients one_sided_stage::of(spot const& at, place const& here) const {
    auto const count = what_.one_element ? 1 : at.size / at.type.bytes;
    return {here.window, target(), {at.type.handle, count}, here.out.bytes(), here.in.bytes(), here.compared.bytes()};
}

} // namespace osu
