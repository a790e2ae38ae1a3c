// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"

#include "osu/driver/program.hpp"

#include <algorithm>
#include <array>
#include <cctype>
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

/// Argument of -d.
char const* name(accelerator on) {
    constexpr char const* names[] = {"", "cuda", "managed", "openacc", "rocm"};
    return names[static_cast<std::size_t>(on)];
}

/// The accelerator of an interface.
accelerator accelerator_of(device_api api) {
    constexpr accelerator all[] = {accelerator::cuda, accelerator::rocm, accelerator::openacc};
    return all[static_cast<std::size_t>(api)];
}

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
        throw refusal{std::string{xccl_name} + " takes no pageable memory of the host [" + argument +
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
    if (!placement.any_managed() && !uses_nccl(about)) return accelerator_of(suite::default_api);
    return is_collective(about) && placement.any_managed() ? accelerator::managed : accelerator_of(suite::gpu_api);
}

/// The places as they were given, in brackets.
std::string bracketed(program const& about, buffer_placement placement) {
    return std::string{" ["} + place_name(about, placement.source) + " " + place_name(about, placement.destination) +
           "]";
}

/// Throws refusal unless all buffers of a collective are of one kind, with -d of its accelerator.
void require_one_kind(options const& asked, program const& about) {
    auto const& places = *asked.placement;
    if (places.source != places.destination)
        throw refusal{"Buffers of a collective are of one kind" + bracketed(about, places) +
                      "; accepted: " + accepted(about)};
    auto const selected = is_device(asked.on) ? places.any_device() : places.any_managed();
    if (asked.on != accelerator::none && !selected)
        throw refusal{"Buffers of a collective are where -d says" + bracketed(about, places) +
                      "; accepted: -d cuda, rocm, openacc or D D, -d managed or M M"};
}

/// The default of NCCL programs is device memory.
void set_nccl_default(options& into, program const& about) {
    if (into.on == accelerator::none) into.on = accelerator_of(suite::gpu_api);
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
    if (is_collective(about)) require_one_kind(into, about);
    if (into.on == accelerator::none) into.on = accelerator_of(about, *into.placement);
    if (into.on == accelerator::openacc && into.placement->any_managed())
        throw refusal{"OpenACC has no managed memory" + bracketed(about, *into.placement) +
                      "; accepted: words of H and D"};
    if (into.placement->any_managed()) into.buffers_apart = true;
}

std::string device_request(options const& asked) {
    std::string const staged = asked.staged ? " --staged" : "";
    if (asked.placement && !asked.placement->all_host())
        return std::string{name(asked.placement->source)} + " " + name(asked.placement->destination) + staged;
    if (asked.on != accelerator::none) return std::string{"-d "} + name(asked.on);
    if (asked.work_on != work_place::cpu) return asked.work_on == work_place::gpu ? "-r gpu" : "-r both";
    return {};
}

device_api api_of(options const& asked) {
    constexpr device_api all[] = {suite::gpu_api, device_api::cuda, suite::gpu_api, device_api::openacc,
                                  device_api::rocm};
    return all[static_cast<std::size_t>(asked.on)];
}

std::string title_suffix(program const& about, options const& asked) {
    if (asked.on == accelerator::none || !about.suffixed) return {};
    auto suffix = std::string{"-"} + suite::name(api_of(asked));
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::toupper(c); });
    if (is_device(asked.on)) return suffix;
    if (asked.requested == action::version) return suffix + " MANAGED";
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
