// SPDX-License-Identifier: BSL-1.0
#include "osu/collective/collective_driver.hpp"

#include "osu/collective/omb_work.hpp"
#include "osu/driver/buffer_places.hpp"
#include "osu/driver/mpi_library.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "suite/repeated_sums.hpp"

#include <sonde/measure/run.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace osu {

namespace {

std::string name_of(collective const& what, call_modes mode) {
    auto const i = mode == call_modes::nonblocking ? "i" : "";
    auto const persistent = mode == call_modes::persistent ? "_persistent" : "";
    return std::string{"osu_"} + i + what.name + persistent;
}

std::string title_of(collective const& what, call_modes mode) {
    std::string title = what.title;
    if (mode == call_modes::persistent) title += " Persistent";
    if (mode == call_modes::nonblocking)
        title = what.nonblocking_title == nullptr ? "Non-blocking " + title : what.nonblocking_title;
    return "OSU MPI " + title + " Latency Test";
}

/// Options of a program. Persistent requests have a fixed root. Buffers of neighborhood collectives are in host memory,
/// as in OMB.
option_set options_of(collective const& what, call_modes mode) {
    auto const on_host = is_neighborhood(what.operation);
    option_set const memory{option_name::memory_limit, option_name::array_size};
    auto all = common_options | memory | option_name::full | option_name::papi | what.accepted;
    if (what.accepted.contains(option_name::validation)) all = all | option_name::bit_check;
    if (!on_host) all = all | option_name::accelerator | option_name::work_place;
    if (mode == call_modes::persistent) return all - option_name::root_rank;
    if (mode == call_modes::blocking) return all;
    return (all | option_name::test_calls) - what.nonblocking_lacks;
}

} // namespace

program program_of(collective const& what, call_modes mode) {
    auto const with_work = mode == call_modes::nonblocking;
    return {.name = name_of(what, mode),
            .title = title_of(what, mode),
            .moved_by = mpi_library,
            .accepted = options_of(what, mode),
            .shows = with_work ? metric::overlap : metric::collective,
            .largest = std::size_t{1} << 20,
            .rows = what.sized ? rows::sizes : rows::one,
            .needs = ranks::at_least_two,
            .t_means = with_work ? probes::tests : probes::ignored,
            .managed_sides = false,
            .additional = what.additional};
}

namespace {

sonde::root_rank root_of(root_choice const& asked) {
    return asked.rotates ? sonde::root_rank::rotating() : sonde::root_rank{asked.rank};
}

/// Kind of memory of all buffers of a collective.
memory_kind memory_of(options const& asked) {
    if (asked.placement) return asked.placement->source;
    return asked.on ? asked.on->kind : memory_kind::host;
}

void warn(sonde::mpi::group const& world, std::string const& line) {
    if (world.rank() == 0) std::fprintf(stderr, "%s\n", line.c_str());
}

/// OMB's warning for sizes above the limit.
std::string limit_warning(program const& about, std::size_t wanted, std::size_t allowed) {
    if (!about.moved_by.passes_addresses_to_mpi) // in the words of OMB's programs of NCCL
        return "Warning! Increase the Max Memory Limit to be able to run up to " + std::to_string(wanted) +
               " bytes.\nContinuing with max message size of " + std::to_string(allowed) + " bytes";
    return "Warning! Limiting max message size to: " + std::to_string(allowed) +
           ". Increase -M, --mem-limit for higher message sizes.";
}

} // namespace

collective_driver::collective_driver(invocation const& from, collective const& what, sweep_plan const& sweep,
                                     bytes_function const& bytes)
    : driver{from}, what_{what}, sweep_{sweep} {
    require_kernels();
    if (what.sized) limit_memory();
    require_root();
    if (is_neighborhood(what.operation)) topology_.emplace(world(), options().topology);
    buffer_bytes most;
    together(world(), [&] { most = largest(bytes); });
    allocate(most);
    if (options().check.log) log_.emplace(*options().check.log, world().rank());
}

void collective_driver::require_kernels() const {
    if (options().work_on == work_place::cpu || (has_kernels() && interface_of(api_of(options())).is_gpu)) return;
    throw refusal{std::string{interface_of(api_of(options())).name} + " kernels are not built in [-r " +
                  (options().work_on == work_place::gpu ? "gpu" : "both") + "]; accepted: -r cpu"};
}

std::size_t collective_driver::memory_limit() const {
    constexpr std::size_t least = 1048576;
    if (options().memory_limit >= least) return options().memory_limit;
    warn(world(), "Requested memory limit too low, using [1048576] instead.");
    return least;
}

void collective_driver::limit_memory() {
    auto const blocks = what_.size_of == size_of::block ? static_cast<std::size_t>(world().size()) : 1;
    auto const most = memory_limit() / blocks;
    if (options().max_size <= most) return;
    if (options().min_size > most)
        throw refusal{"Memory limit smaller than one message [-M " + std::to_string(options().memory_limit) +
                      "]: it allows sizes up to " + std::to_string(most) + "; accepted: a MIN of at most that [-m]"};
    if (what_.warns_of_limit) warn(world(), limit_warning(about(), options().max_size, most));
    limit_sizes(most);
}

void collective_driver::require_root() const {
    auto const last = world().size() - 1;
    if (options().root.rank > last)
        throw refusal{
            "Root rank cannot be more than number of processes [-k fixed:" + std::to_string(options().root.rank) +
            "]; accepted: rotate, and fixed:0 to fixed:" + std::to_string(last)};
}

buffer_bytes collective_driver::largest(bytes_function const& bytes) const try {
    buffer_bytes most;
    for (auto const& type : types()) {
        auto const all = sizes_of(about(), options(), type);
        if (all.empty()) continue;
        auto const needed = bytes(recipe_of({type, all.back(), 1, 1, layout().describe(type, all.back())}));
        most = {std::max(most.send, needed.send), std::max(most.receive, needed.receive)};
    }
    return most;
} catch (std::length_error const& e) { // more elements than an int counts
    throw refusal{std::string{"Too many elements [-m]: "} + e.what() + "; accepted: smaller sizes"};
}

void collective_driver::allocate(buffer_bytes const& most) {
    auto const where = memory_of(options());
    auto const messages = static_cast<double>(most.send) + static_cast<double>(most.receive);
    // MPICH refuses a null address also on a rank without neighbors, where nothing is sent or received.
    auto const at_least_one = [](std::size_t n) { return region_layout{std::max<std::size_t>(n, 1), 1}; };
    take_memory((suite::is_in_host(where) ? messages : 0) + bytes_of_times(), [&] {
        out_.emplace(at_least_one(most.send), where);
        in_.emplace(at_least_one(most.receive), where);
    });
}

recipe collective_driver::recipe_of(point const& at) const {
    auto const count = layout().plain() ? at.size / at.type.bytes : 1; // one element of a derived datatype
    return {.ranks = topology_ ? topology_->ranks() : world(),
            .each = {at.elements().type, count},
            .root = root_of(options().root),
            .where = options().in_place ? sonde::in_place : sonde::placement::out_of_place};
}

sonde::point collective_driver::point_of(point const& at) const {
    sonde::point found{about().name, {}};
    auto& all = found.parameters;
    if (what_.sized) all = {{"bytes", at.size}, {"datatype", at.type.name}};
    if (!layout().plain()) all.emplace_back("transmitted", at.message.transmitted);
    if (about().takes(option_name::root_rank))
        all.emplace_back("root", options().root.rotates ? "rotating" : std::to_string(options().root.rank));
    if (about().takes(option_name::in_place)) all.emplace_back("buffers", options().in_place ? "in place" : "apart");
    add_placement(found, about(), options(), {memory_of(options()), memory_of(options())});
    if (is_neighborhood(what_.operation)) all.emplace_back("neighbors", options().topology.text());
    return found;
}

size_plan collective_driver::plan_of(std::size_t size) const {
    return plan(sweep_, size).keep({.sample_means = !options().percentiles.empty()});
}

collective_buffers collective_driver::buffers(buffer_bytes const& bytes) {
    region_layout const sent{bytes.send, 1}, received{bytes.receive, 1};
    if (bytes.send != 0) out_->fill(sent, 1);
    if (bytes.receive != 0) in_->fill(received, 0);
    return {out_->region(sent, 0), in_->region(received, 0)};
}

std::vector<suite::named_program> collective_programs(call_modes mode, collective_measurement const& measure) {
    std::vector<suite::named_program> all;
    for (auto const& what : collectives) {
        if (!contains(what.modes, mode)) continue;
        all.push_back(named(program_of(what, mode), [&what, mode, measure](invocation const& from) {
            auto const bytes = [&what](recipe const& r) {
                return with_any_operation(what.operation, r, [](auto const& op) { return bytes_of_buffers(op); });
            };
            auto const on = std::make_shared<collective_driver>(from, what, plan_of(what, mode), bytes);
            return prepared_run{on, on->preamble(), [measure, mode, on] {
                                    if (mode == call_modes::nonblocking)
                                        on->table().line("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n");
                                    on->each_point([&](point const& at) { return on->report(at, measure(*on, at)); });
                                }};
        }));
    }
    return all;
}

namespace {

std::vector<sonde::contribution> contributions_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.contributions(root); });
}

std::vector<sonde::expected_block> expected_blocks_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.expected_blocks(root); });
}

} // namespace

known_values collective_driver::values_in(std::size_t round) const {
    return {round, what_.size_of == size_of::vector ? world().size() : 1};
}

int collective_driver::root_in(std::size_t round) const {
    auto const& root = options().root;
    if (!root.rotates) return root.rank;
    auto const call = round * (options().check.unchecked() + 1) + options().check.unchecked();
    return static_cast<int>(call % static_cast<std::size_t>(world().size()));
}

void collective_driver::write_each(point const& at, collective_buffers const& buffers, std::size_t round,
                                   contribution_writer const& write) {
    auto out = out_->view(buffers.out), in = in_->view(buffers.in);
    out.load(); // gaps between contributions stay as they are
    sonde::host_memory{}.fill(in.bytes(), std::byte{0});
    for (auto const& c : contributions_of(what_.operation, recipe_of(at), root_in(round)))
        if (c.bytes != 0) // its offset may lie beyond the region
            write((c.in_recvbuf ? in : out).bytes().subspan(c.offset, c.bytes), c);
    out.store();
    in.store();
}

void collective_driver::write_contributions(point const& at, collective_buffers const& buffers, std::size_t round) {
    write_each(at, buffers, round, [&](sonde::region block, sonde::contribution const& c) {
        if (checks_bits()) suite::write_bits(block, {round, world().rank(), c.destination}, c.source_offset);
        else suite::write_contribution(block, {at.type.kind}, values_in(round), world().rank(), c.destination);
    });
}

std::size_t collective_driver::count_wrong_in(point const& at, collective_buffers const& buffers, std::size_t round) {
    auto in = in_->view(buffers.in);
    in.load();
    auto const blocks = expected_blocks_of(what_.operation, recipe_of(at), root_in(round));
    if (checks_bits()) return count_wrong_words(in.bytes(), blocks, round);
    std::vector<wrong_element> wrong;
    for (auto const& block : blocks)
        compare_block(in.bytes(), {at.type.kind}, values_in(round), block, append_to(wrong));
    if (log_) (*log_)({at.type.kind, at.size, round}, wrong);
    if (bits() && suite::has_bytes(blocks)) bits()->add_sum(wrong_words(at, wrong, round));
    return wrong.size();
}

bool collective_driver::checks_bits() { return bits() && what_.size_of != size_of::vector; }

std::size_t collective_driver::count_wrong_words(sonde::region in, std::vector<sonde::expected_block> const& blocks,
                                                 std::size_t round) {
    std::size_t wrong = 0;
    for (auto const& b : blocks)
        if (b.bytes != 0) // its offset may lie beyond the region
            wrong += bits()->compare(in.subspan(b.offset, b.bytes), {round, b.first_source, b.destination},
                                     b.source_offset, suite::message_path::collective);
    return wrong;
}

void collective_driver::repeat_sums(point const& at, collective_buffers const& buffers,
                                    std::function<void()> const& call) {
    auto const prepare = [&] {
        write_each(at, buffers, 0, [&](sonde::region block, sonde::contribution const&) {
            suite::write_rounded(block, at.type.kind, world().rank());
        });
    };
    auto const result = [&] {
        auto in = in_->view(buffers.in);
        in.load();
        return suite::bytes_of_blocks(in.bytes(), expected_blocks_of(what_.operation, recipe_of(at), root_in(0)));
    };
    auto const is_same_on_all = what_.operation == operation::allreduce;
    bits()->add_repeated(
        suite::compare_runs(world(), {prepare, call, result, is_same_on_all}, check_rounds(options())));
}

std::vector<suite::wrong_word> collective_driver::wrong_words(point const& at, std::vector<wrong_element> const& wrong,
                                                              std::size_t round) const {
    std::vector<suite::wrong_word> all;
    for (auto const& w : wrong)
        all.push_back({round, -1, world().rank(), 0, w.at * at.type.bytes, suite::wrong_bits(at.type.kind, w)});
    return all;
}

std::size_t collective_driver::count_wrong(point const& at, collective_buffers const& buffers,
                                           std::function<void()> const& call) {
    auto const prepare = [&](std::size_t round) {
        write_contributions(at, buffers, round);
        if (options().check.unchecked() == 0) return;
        for (std::size_t i = 0; i != options().check.unchecked(); ++i) call();
        write_contributions(at, buffers, round);
    };
    auto const verify = [&](std::size_t round) { return count_wrong_in(at, buffers, round); };
    auto pattern = call;
    auto const wrong = sonde::validate(world(), pattern, prepare, verify, check_rounds(options()));
    auto const adds_reals = what_.size_of == size_of::vector && at.type.kind == element::real;
    auto const has_bytes = recipe_of(at).each.count != 0;
    if (bits() && adds_reals && has_bytes && !options().root.rotates) repeat_sums(at, buffers, call);
    return wrong;
}

} // namespace osu
