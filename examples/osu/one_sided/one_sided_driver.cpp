// SPDX-License-Identifier: BSL-1.0
#include "osu/one_sided/one_sided_driver.hpp"
#include "osu/driver/osu_option_table.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/mpi_library.hpp"
#include "osu/one_sided/one_sided_rows.hpp"
#include "suite/hosts.hpp"
#include "suite/one_sided.hpp"

#include <sonde/group.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace osu {

namespace {

option_set options_of(one_sided const& row) {
    auto all = common_options | option_set{option_name::window_creation, option_name::window_synchronization,
                                           option_name::accelerator, option_name::validation, option_name::papi};
    if (row.pattern != rma_pattern::latency) all = all | option_name::window_size;
    return row.typed ? all | option_name::type : all;
}

} // namespace

program program_of(one_sided const& row) {
    auto const latency = row.pattern == rma_pattern::latency;
    auto style = one_sided_style;
    style.suffixed = row.shows_type;
    return {.name = std::string{"osu_"} + row.name,
            .title = std::string{"OSU "} + row.title + " Test",
            .moved_by = mpi_library,
            .accepted = options_of(row),
            .shows = latency ? metric::latency : metric::bandwidth,
            .rows = row.one_element() ? rows::one_element : rows::sizes,
            .style = style,
            .passive_targets = row.pattern != rma_pattern::bidirectional,
            .reals = !compares(row.operation),
            .managed_sides = false};
}

namespace {

void require_countable(options const& asked) {
    if (MPI_VERSION < 4 && asked.max_size > INT_MAX)
        throw refusal{"Too many elements [-m " + std::to_string(asked.max_size) + "]; accepted: sizes up to " +
                      std::to_string(INT_MAX)};
}

void fill(sonde::allocation<memory>& all, char value) {
    if (!all.bytes().empty()) all.fill(static_cast<std::byte>(value));
}

} // namespace

one_sided_driver::one_sided_driver(invocation const& from, one_sided const& what) : driver{from}, what_{what} {
    require_countable(options());
    auto const op = what.operation;
    auto const regions = 1 + int{reads_origin(op)} + int{fetches(op)} + int{compares(op)};
    auto const host_bytes = suite::is_in_host(kind()) ? static_cast<double>(options().max_size) : 0;
    std::optional<memory_blocks> all; // freed when all ranks have theirs, because ranks may share a device
    take_memory(regions * host_bytes * static_cast<double>(transfers()) + bytes_of_times(),
                [&] { all.emplace(allocate(bytes_of(largest()))); });
    if (window() == creation::allocate)
        suite::require_window_memory(world(), static_cast<double>(bytes_of(largest())), "-m, -W");
    if (options().check.log) log_.emplace(*options().check.log, world().rank());
}

sonde::point one_sided_driver::point_of(point const& at) const {
    sonde::point found{about().name, {{"bytes", at.size}, {"datatype", at.type.name}}};
    if (is_rate(about().shows)) found.parameters.emplace_back("window", transfers());
    found.parameters.emplace_back("creation", name(window()));
    found.parameters.emplace_back("synchronization", name(sync()));
    add_placement(found, about(), options(), placement());
    return found;
}

void one_sided_driver::begin_table(datatype const& type) {
    if (has_table_) table().title(about());
    has_table_ = true;
    table().line("# Window creation: " + mpi_name(requested_window()));
    table().line("# Synchronization: " + mpi_name(sync()));
    if (what_.shows_type) table().datatype(type.name);
    if (is_on_device(options()))
        table().line(std::string{"# Rank 0 Memory on "}
                         .append(place_label(about(), placement().source))
                         .append(" and Rank 1 Memory on ")
                         .append(place_label(about(), placement().destination)));
    table().titles();
}

/// Bytes of the largest size, or of an element.
std::size_t one_sided_driver::largest() const {
    auto most = options().max_size;
    for (auto const& type : types()) most = std::max(most, type.bytes);
    return most;
}

/// As OMB does, `-w allocate` creates the window over memory of its own if that is not the host's, because the MPI
/// library allocates memory of the host only.
creation one_sided_driver::window() const {
    auto const requested = requested_window();
    return requested == creation::allocate && !placement().all_host() ? creation::create : requested;
}

one_sided_driver::memory_blocks one_sided_driver::allocate(std::size_t bytes) const {
    auto const op = what_.operation;
    auto const block = [&](bool needed) { return sonde::allocation<memory>{needed ? bytes : 0, memory{kind()}}; };
    return {block(reads_origin(op)), block(fetches(op)), block(compares(op)), block(window() != creation::allocate)};
}

rma_buffers one_sided_driver::make_buffers(point const& at) const {
    auto const bytes = bytes_of(at.size);
    std::optional<memory_blocks> blocks;
    suite::allocate(world(), "-m, -W", [&] { blocks.emplace(allocate(bytes)); });
    rma_buffers made{std::move(blocks->origin), std::move(blocks->result), std::move(blocks->compare),
                     rma_window{world(), window(), bytes, kind(), std::move(blocks->window)}};
    fill(made.origin, 'a');
    fill(made.result, 'c');
    fill(made.compare, 'a');
    {
        auto const lock = suite::lock_own_memory(made.window, world().rank());
        made.window.memory().fill(made.window.region(), static_cast<std::byte>('b'));
    }
    world().barrier(); // before the other rank takes a lasting lock, for which this lock would wait
    return made;
}

suite::rma_arguments<rma_window> one_sided_driver::arguments(point const& at, rma_buffers const& buffers) const {
    auto const& window = buffers.window;
    return {.window = {window, 0, window.region().size()},
            .target = epoch(buffers).target,
            .block = {at.type.handle, what_.one_element() ? 1 : at.size / at.type.bytes},
            .origin = buffers.origin.bytes(),
            .result = buffers.result.bytes(),
            .compare = buffers.compare.bytes(),
            .op = MPI_SUM};
}

suite::epoch_arguments<rma_window> one_sided_driver::epoch(rma_buffers const& buffers) const {
    auto const peer = pairing().peer;
    return {.window = buffers.window,
            .target = {is_origin(world().rank()) ? peer : -1},
            .targets = {},
            .peer = {peer},
            .lock = sync() == synchronization::lock ? what_.lock : what_.flush_lock};
}

namespace {

void print_failures(validation_count const& c, table& to) {
    char text[200];
    std::snprintf(text, sizeof text, "FAILED: MPI_SUM on %s had %.0f of %.0f tests fail data validation.",
                  c.type.c_str(), c.failed, c.rounds);
    to.line(text);
    std::snprintf(text, sizeof text, "\t\tFirst failure at trial %.0f, last failure at trial %.0f.", c.first, c.last);
    to.line(text);
}

/// The validations of one rank; nothing if there are none.
void print_rank(std::vector<validation_count> const& all, table& to) {
    std::size_t checked = 0, failed = 0;
    for (auto const& c : all) {
        checked += c.rounds != 0 ? 1 : 0;
        failed += c.failed != 0 ? 1 : 0;
        if (c.failed != 0) print_failures(c, to);
    }
    auto const of_all = std::to_string(checked) + " combinations of ops and datatypes tested ";
    if (failed != 0) to.line("FAILED: " + std::to_string(failed) + " of the " + of_all + "failed.");
    else if (checked != 0) to.line("PASSED: All " + of_all + "passed.");
}

/// The counts of `root`, on all ranks. Collective over the group.
std::vector<validation_count> counts_of(int root, sonde::mpi::group const& world, std::vector<validation_count> all) {
    for (auto& c : all) {
        std::array<double, 4> counts{c.rounds, c.failed, c.first, c.last};
        sonde::broadcast(world, counts, root);
        c = {c.type, counts[0], counts[1], counts[2], counts[3]};
    }
    return all;
}

} // namespace

void validation_summary::print(sonde::mpi::group const& world, table& to) const {
    std::string const rule(43, '-');
    for (int rank = 0; rank != world.size(); ++rank) {
        auto const counts = counts_of(rank, world, all_);
        to.line(rule);
        to.line("Atomic Data Validation results for Rank=" + std::to_string(rank) + ":");
        print_rank(counts, to);
        to.line(rule);
    }
}

} // namespace osu
