// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"

#include "osu/driver/osu_program.hpp"
#include "osu/library/library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace osu {

accelerator accelerator_of(device_api api) {
    constexpr accelerator all[] = {accelerator::cuda, accelerator::rocm, accelerator::openacc};
    return all[static_cast<std::size_t>(api)];
}

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

char const* name(memory_kind kind) {
    constexpr char const* names[] = {"H", "D", "MH", "MD"};
    return names[static_cast<std::size_t>(kind)];
}

/// Number of places that the program takes, from the first one: H; H, D, M; or all.
std::size_t known_places(program const& about) {
    if (!about.takes(option_name::accelerator)) return 1;
    return about.managed_sides ? all_places.size() : 3;
}

std::string accepted(program const& about) {
    if (!about.takes(option_name::accelerator)) return "H H";
    auto const host = about.moved_by.takes_host;
    if (is_collective(about)) return host ? "H H, D D or M M" : "D D or M M";
    return std::string{host ? "two of H, D, " : "two of D, "} + (about.managed_sides ? "MH, MD" : "M");
}

/// Throws refusal for an argument that is no buffer place of the program.
memory_kind kind_of(program const& about, std::string const& argument) {
    auto const* const end = all_places.begin() + known_places(about);
    auto const* const found =
        std::find_if(all_places.begin(), end, [&](buffer_place const& p) { return argument == p.name; });
    auto const host = found != end && found->kind == memory_kind::host;
    if (host && !about.moved_by.takes_host)
        throw refusal{std::string{about.moved_by.title} + " takes no pageable memory of the host [" + argument +
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
    if (!placement.any_managed() && about.moved_by.takes_openacc) return osu::accelerator_of(suite::default_api);
    return is_collective(about) && placement.any_managed() ? accelerator::managed : osu::accelerator_of(suite::gpu_api);
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

} // namespace

bool is_buffer_place(std::string const& argument) {
    return std::any_of(all_places.begin(), all_places.end(), [&](buffer_place const& p) { return argument == p.name; });
}

char const* place_name(program const& about, memory_kind kind) {
    return is_managed(kind) && !about.managed_sides ? "M" : name(kind);
}

std::string place_label(program const& about, memory_kind kind) {
    auto const* const label = is_managed(kind) ? "MANAGED" : kind == memory_kind::device ? "DEVICE" : "HOST";
    return std::string{label} + " (" + place_name(about, kind) + ")";
}

void set_buffer_places(options& into, program const& about, std::vector<std::string> const& places) {
    if (places.empty()) return;
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
    if (asked.on == accelerator::none || !about.style.suffixed) return {};
    auto suffix = std::string{"-"} + suite::name(api_of(asked));
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::toupper(c); });
    if (is_device(asked.on)) return suffix;
    if (asked.requested == action::version) return suffix + " MANAGED";
    return about.shows == metric::overlap ? "-MANAGED" : "";
}

std::string buffer_places_help(program const& about) {
    if (!about.takes(option_name::accelerator)) return {};
    std::string text = "SRC says where the buffers of rank 0 or the lower half are, DST those of the others ";
    text += about.moved_by.takes_host ? "(H H):\n" : "(D D):\n";
    if (is_collective(about)) text = "SRC and DST, which are the same, say where all buffers are (as -d does):\n";
    for (std::size_t i = about.moved_by.takes_host ? 0 : 1; i != known_places(about); ++i) {
        std::string place = all_places[i].name;
        place.resize(4, ' ');
        text += "  " + place + all_places[i].help + "\n";
    }
    return text;
}

} // namespace osu
