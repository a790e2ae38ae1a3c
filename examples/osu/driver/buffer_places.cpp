// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"

#include "osu/driver/program.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace osu {

namespace {

struct buffer_place {
    char const* name;
    memory_kind kind;
    char const* help;
};

constexpr std::array<buffer_place, 5> all_places{
    {{"H", memory_kind::host, "host memory"},
     {"D", memory_kind::device, "device memory"},
     {"M", memory_kind::managed_host, "managed memory"},
     {"MH", memory_kind::managed_host, "managed memory, used by the host"},
     {"MD", memory_kind::managed_device, "managed memory, used by the device"}}};

char const* name(memory_kind kind) {
    constexpr char const* names[] = {"H", "D", "MH", "MD"};
    return names[static_cast<std::size_t>(kind)];
}

/// NCCL takes page-locked memory of the host only. The memory of H is pageable.
bool takes_host(program const& about) { return !uses_nccl(about); }

/// True if M is the only place in managed memory: the command line does not tell which side uses it.
bool has_one_managed(program const& about) { return is_collective(about) || about.one_sided; }

/// Number of places that the program takes, from the first one: H; H, D, M; or all.
std::size_t known_places(program const& about) {
    if (!about.takes(option_name::accelerator)) return 1;
    return has_one_managed(about) ? 3 : all_places.size();
}

std::string accepted(program const& about) {
    if (!about.takes(option_name::accelerator)) return "H H";
    if (is_collective(about)) return takes_host(about) ? "H H, D D or M M" : "D D or M M";
    if (about.one_sided) return "two of H, D, M";
    return takes_host(about) ? "two of H, D, MH, MD" : "two of D, MH, MD";
}

/// Throws refusal for an argument that is no buffer place of the program.
memory_kind kind_of(program const& about, std::string const& argument) {
    auto const* const end = all_places.begin() + known_places(about);
    auto const* const found =
        std::find_if(all_places.begin(), end, [&](buffer_place const& p) { return argument == p.name; });
    auto const host = found != end && found->kind == memory_kind::host;
    if (host && !takes_host(about))
        throw refusal{"NCCL takes no pageable memory of the host [" + argument +
                      "]; accepted beside options: " + accepted(about)};
    if (found != end) return found->kind;
    auto const* const why = is_buffer_place(argument) && !about.takes(option_name::accelerator)
                                ? "Benchmark Does Not Support Accelerator Transfers"
                                : "Invalid word";
    throw refusal{std::string{why} + " [" + argument + "]; accepted beside options: " + accepted(about)};
}

/// The accelerator that buffer places select without -d.
accelerator accelerator_of(program const& about, buffer_placement placement) {
    if (placement.all_host()) return accelerator::none;
    return is_collective(about) && placement.any_managed() ? accelerator::managed : accelerator::cuda;
}

/// Throws refusal unless all buffers of a collective are of one kind, with -d of its accelerator.
void require_one_kind(options const& asked, program const& about, accelerator selected) {
    auto const [source, destination] = *asked.placement;
    auto const places = " [" + std::string{place_name(about, source)} + " " + place_name(about, destination);
    if (source != destination)
        throw refusal{"Buffers of a collective are of one kind" + places + "]; accepted: " + accepted(about)};
    if (asked.on != accelerator::none && asked.on != selected)
        throw refusal{"Buffers of a collective are where -d says" + places +
                      "]; accepted: -d cuda or D D, -d managed or M M"};
}

/// The default of NCCL programs is device memory.
void set_nccl_default(options& into, program const& about) {
    if (into.on == accelerator::none) into.on = accelerator::cuda;
    if (!is_collective(about)) into.placement = buffer_placement{memory_kind::device, memory_kind::device};
}

} // namespace

bool is_buffer_place(std::string const& argument) {
    return std::any_of(all_places.begin(), all_places.end(), [&](buffer_place const& p) { return argument == p.name; });
}

char const* place_name(program const& about, memory_kind kind) {
    return is_managed(kind) && has_one_managed(about) ? "M" : name(kind);
}

std::string place_label(program const& about, memory_kind kind) {
    auto const* const label = is_managed(kind) ? "MANAGED" : kind == memory_kind::device ? "DEVICE" : "HOST";
    return std::string{label} + " (" + place_name(about, kind) + ")";
}

void set_buffer_places(options& into, program const& about, std::vector<std::string> const& places) {
    if (places.empty()) {
        if (uses_nccl(about)) set_nccl_default(into, about);
        return;
    }
    for (auto const& place : places) static_cast<void>(kind_of(about, place)); // refuses the first invalid one
    if (places.size() != 2)
        throw refusal{"Invalid word [" + places.back() + "]; accepted beside options: " + accepted(about)};
    into.placement = buffer_placement{kind_of(about, places[0]), kind_of(about, places[1])};
    into.bare_managed = places[0] == "M" || places[1] == "M";
    auto const selected = accelerator_of(about, *into.placement);
    if (is_collective(about)) require_one_kind(into, about, selected);
    if (into.on == accelerator::none) into.on = selected;
    if (into.placement->any_managed()) into.buffers_apart = true;
}

std::string device_request(options const& asked) {
    std::string const staged = asked.staged ? " --staged" : "";
    if (asked.placement && !asked.placement->all_host())
        return std::string{name(asked.placement->source)} + " " + name(asked.placement->destination) + staged;
    if (asked.on != accelerator::none) return asked.on == accelerator::cuda ? "-d cuda" : "-d managed";
    if (asked.work_on != work_place::cpu) return asked.work_on == work_place::gpu ? "-r gpu" : "-r both";
    return {};
}

std::string title_suffix(program const& about, options const& asked) {
    if (asked.on == accelerator::none || !about.suffixed) return {};
    if (asked.on == accelerator::cuda) return "-CUDA";
    if (asked.requested == action::version) return "-CUDA MANAGED";
    return about.shows == metric::overlap ? "-MANAGED" : "";
}

std::string buffer_places_help(program const& about) {
    if (!about.takes(option_name::accelerator)) return {};
    std::string text = "SRC says where the buffers of rank 0 or the lower half are, DST those of the others ";
    text += takes_host(about) ? "(H H):\n" : "(D D):\n";
    if (is_collective(about)) text = "SRC and DST, which are the same, say where all buffers are (as -d does):\n";
    for (std::size_t i = takes_host(about) ? 0 : 1; i != known_places(about); ++i) {
        std::string place = all_places[i].name;
        place.resize(4, ' ');
        text += "  " + place + all_places[i].help + "\n";
    }
    return text;
}

} // namespace osu
