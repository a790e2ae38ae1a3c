// SPDX-License-Identifier: BSL-1.0
#include "stage.hpp"

#include "device_work.hpp"

#include <cstdio>
#include <stdexcept>

namespace osu {

namespace {

/// The root as a kind is told.
sonde::mpi::root_rank told(root_choice const& asked) {
    return asked.rotates ? sonde::mpi::root_rank::rotating() : sonde::mpi::root_rank{asked.rank};
}

/// Buffers of a collective are all of one kind.
placement placement_of(options const& asked) {
    if (asked.words) return asked.words->source;
    if (asked.on == accelerator::none) return placement::host;
    return asked.on == accelerator::cuda ? placement::device : placement::managed_device;
}

void warn(sonde::mpi::group const& world, std::string const& line) {
    if (world.rank() == 0) std::fprintf(stderr, "%s\n", line.c_str());
}

/// What OMB says of sizes that memory for so many bytes leaves out.
std::string warning(program const& about, std::size_t wanted, std::size_t allowed) {
    if (about.nccl)
        return "Warning! Increase the Max Memory Limit to be able to run up to " + std::to_string(wanted) +
               " bytes.\nContinuing with max message size of " + std::to_string(allowed) + " bytes";
    return "Warning! Limiting max message size to: " + std::to_string(allowed) +
           ". Increase -M, --mem-limit for higher message sizes.";
}

/// f(); more elements than MPI counts are a refusal.
template <class F>
void require_countable(F f) {
    try {
        f();
    } catch (std::length_error const& e) {
        throw refusal{std::string{"Too many elements [-m]: "} + e.what() + "; accepted: smaller sizes"};
    }
}

} // namespace

collective_stage::collective_stage(given const& g, collective const& what, need_of const& needs)
    : stage{g}, what_{what} {
    require_kernels();
    if (what.sized) limit_memory();
    require_root();
    if (what.has('N')) near_.emplace(world(), asked().topology);
    extents most;
    together(world(), [&] { require_countable([&] { most = largest(needs); }); });
    take_buffers(most);
    if (asked().check.log) log_.emplace(*asked().check.log, world().rank());
}

extents collective_stage::largest(need_of const& needs) const {
    extents most;
    for (auto const& type : types()) {
        auto const all = sizes(type);
        if (all.empty()) continue;
        auto const here = needs(of({type, all.back()}).recipe);
        most = {std::max(most.sends, here.sends), std::max(most.receives, here.receives)};
    }
    return most;
}

void collective_stage::take_buffers(extents const& most) {
    auto const where = placement_of(asked());
    auto const messages = static_cast<double>(most.sends) + static_cast<double>(most.receives);
    take_memory((where == placement::device ? 0 : messages) + bytes_of_times(), [&] {
        out_.emplace(osu::places{most.sends, 1}, where);
        in_.emplace(osu::places{most.receives, 1}, where);
    });
}

void collective_stage::require_kernels() const {
    if (asked().work_on == work_place::cpu || has_kernels()) return;
    throw refusal{std::string{"CUDA kernels are not built in [-r "} +
                  (asked().work_on == work_place::gpu ? "gpu" : "both") + "]; accepted: -r cpu"};
}

std::size_t collective_stage::bytes_allowed() const {
    constexpr std::size_t least = 1048576;
    if (asked().memory_limit >= least) return asked().memory_limit;
    warn(world(), "Requested memory limit too low, using [1048576] instead.");
    return least;
}

void collective_stage::limit_memory() {
    auto const blocks = what_.size_is == meaning::block ? static_cast<std::size_t>(world().size()) : 1;
    auto const most = bytes_allowed() / blocks;
    if (asked().max_size <= most) return;
    if (asked().min_size > most)
        throw refusal{"Memory limit smaller than one message [-M " + std::to_string(asked().memory_limit) +
                      "]: it allows sizes up to " + std::to_string(most) + "; accepted: a MIN of at most that [-m]"};
    if (what_.says_limit) warn(world(), warning(about(), asked().max_size, most));
    limit_sizes(most);
}

void collective_stage::require_root() {
    auto const last = world().size() - 1;
    if (asked().root.rank > last)
        throw refusal{
            "Root rank cannot be more than number of processes [-k fixed:" + std::to_string(asked().root.rank) +
            "]; accepted: rotate, and fixed:0 to fixed:" + std::to_string(last)};
}

collective_stage::ingredients collective_stage::of(spot const& at) const {
    auto message = layout().describe(at.type, at.size);
    auto const count = layout().plain() ? at.size / at.type.bytes : 1;
    auto const type = message.as.type;
    auto const where = asked().in_place ? sonde::mpi::in_place : sonde::mpi::buffers::out_of_place;
    return {std::move(message), {near_ ? near_->ranks() : world(), {type, count}, told(asked().root), where}};
}

sonde::point collective_stage::point(spot const& at) const {
    sonde::point found{about().name, {}};
    auto& all = found.parameters;
    if (what_.sized) all = {{"bytes", at.size}, {"datatype", at.type.name}};
    if (!layout().plain()) all.emplace_back("transmitted", of(at).message.transmitted);
    if (about().takes('k'))
        all.emplace_back("root", asked().root.rotates ? "rotating" : std::to_string(asked().root.rank));
    if (about().takes('l')) all.emplace_back("buffers", asked().in_place ? "in place" : "apart");
    auto const where = placement_of(asked());
    say_places(found, about(), asked(), {where, where});
    if (about().takes('N')) all.emplace_back("neighbours", asked().topology.text());
    return found;
}

collective_stage::places collective_stage::regions(extents const& needed) {
    osu::places const sent{needed.sends, 1}, received{needed.receives, 1};
    if (needed.sends != 0) out_->fill(sent, 1);
    if (needed.receives != 0) in_->fill(received, 0);
    return {out_->region(sent, 0), in_->region(received, 0)};
}

collective_stage::copies collective_stage::read(places const& here) const {
    copies found{std::vector<std::byte>(here.out.size()), std::vector<std::byte>(here.in.size())};
    out_->read({here.out.size(), 1}, 0, found.out);
    in_->read({here.in.size(), 1}, 0, found.in);
    return found;
}

void collective_stage::write(places const& here, copies const& from) {
    out_->write({here.out.size(), 1}, 0, from.out);
    in_->write({here.in.size(), 1}, 0, from.in);
}

int collective_stage::root_at(std::size_t call) const {
    auto const& root = asked().root;
    return root.rotates ? static_cast<int>(call % static_cast<std::size_t>(world().size())) : root.rank;
}

} // namespace osu
