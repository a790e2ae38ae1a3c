// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/buffer_places.hpp"

#include "osu/driver/library.hpp"
#include "osu/driver/osu_program.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace osu {

namespace {

using rows_of_places = std::vector<memory_row const*>;

/// The places that the program takes: of programs without -d the host's; managed memory by the side that uses it only
/// if they distinguish that.
rows_of_places rows_of(program const& about) {
    rows_of_places rows;
    for (auto const& row : suite::memory_table()) {
        auto const sided = is_managed(row.kind) && row.kind != memory_kind::managed;
        auto const taken = about.takes(option_name::accelerator) || row.kind == memory_kind::host;
        if (!row.place.empty() && taken && (about.managed_sides || !sided)) rows.push_back(&row);
    }
    return rows;
}

/// True if the program's library takes memory of the kind.
bool takes(program const& about, memory_kind kind) { return about.moved_by.takes_host || needs_device(kind); }

/// "H H"
std::string twice(memory_row const& row) { return std::string{row.place}.append(" ").append(row.place); }

std::string accepted(program const& about) {
    if (!about.takes(option_name::accelerator)) return "H H";
    std::vector<std::string> places;
    for (auto const* const row : rows_of(about)) {
        if (!takes(about, row->kind) || (row->kind == memory_kind::managed && about.managed_sides)) continue;
        places.push_back(is_collective(about) ? twice(*row) : std::string{row->place});
    }
    return is_collective(about) ? suite::detail::joined(places, ", ", " or ")
                                : "two of " + suite::detail::joined(places, ", ", ", ");
}

/// Throws refusal for an argument that is no buffer place of the program.
memory_kind kind_of(program const& about, std::string const& argument) {
    for (auto const* const row : rows_of(about)) {
        if (row->place != argument) continue;
        if (takes(about, row->kind)) return row->kind;
        throw refusal{std::string{about.moved_by.title} + " takes no pageable memory of the host [" + argument +
                      "]; accepted beside options: " + accepted(about)};
    }
    auto const* const why = is_buffer_place(argument) && !about.takes(option_name::accelerator)
                                ? "Benchmark Does Not Support Accelerator Transfers"
                                : "Invalid word";
    throw refusal{std::string{why} + " [" + argument + "]; accepted beside options: " + accepted(about)};
}

/// M is read as MH.
memory_kind with_side(memory_kind kind) { return kind == memory_kind::managed ? memory_kind::managed_host : kind; }

/// Word of -d.
std::string accelerator_name(memory_choice const& on) {
    auto const rows = suite::memory_table();
    return std::string{std::find_if(rows.begin(), rows.end(), [&](memory_row const& r) {
                           return r.kind == on.kind && r.api == on.api && !r.word.empty();
                       })->word};
}

/// The memory that buffer places select without -d.
std::optional<memory_choice> selected(program const& about, buffer_placement const& placement) {
    if (placement.all_host()) return std::nullopt;
    if (!placement.needs_device()) return memory_choice{placement.source}; // further memory of the host
    if (!placement.any_managed())
        return memory_choice{memory_kind::device, about.moved_by.takes_gpus_only ? suite::gpu_api : suite::default_api};
    return memory_choice{is_collective(about) ? memory_kind::managed : memory_kind::device, suite::gpu_api};
}

/// The places as they were given, in brackets.
std::string bracketed(program const& about, buffer_placement const& placement) {
    return " [" + place_name(about, placement.source) + " " + place_name(about, placement.destination) + "]";
}

/// "-d cuda, rocm, openacc or D D, -d managed or M M"
std::string accelerators_and_places(program const& about) {
    std::vector<std::string> all;
    for (auto const* const place : rows_of(about)) {
        std::vector<std::string> words;
        for (auto const& row : suite::memory_table())
            if (row.kind == place->kind && !row.word.empty()) words.emplace_back(row.word);
        if (!words.empty()) all.push_back("-d " + suite::detail::joined(words, ", ", ", ") + " or " + twice(*place));
    }
    return suite::detail::joined(all, ", ", ", ");
}

/// Throws refusal unless all buffers of a collective are of one kind, with -d of its accelerator.
void require_one_kind(options const& asked, program const& about) {
    auto const& places = *asked.placement;
    if (places.source != places.destination)
        throw refusal{"Buffers of a collective are of one kind" + bracketed(about, places) +
                      "; accepted: " + accepted(about)};
    if (asked.on && with_side(asked.on->kind) != places.source)
        throw refusal{"Buffers of a collective are where -d says" + bracketed(about, places) +
                      "; accepted: " + accelerators_and_places(about)};
}

} // namespace

bool is_buffer_place(std::string const& argument) {
    auto const rows = suite::memory_table();
    return !argument.empty() &&
           std::any_of(rows.begin(), rows.end(), [&](auto const& r) { return r.place == argument; });
}

std::string place_name(program const& about, memory_kind kind) {
    auto const shown = is_managed(kind) && !about.managed_sides ? memory_kind::managed : kind;
    return std::string{row_of(shown, &memory_row::place)->place};
}

std::string place_label(program const& about, memory_kind kind) {
    return std::string{row_of(kind, &memory_row::label)->label} + " (" + place_name(about, kind) + ")";
}

void set_buffer_places(options& into, program const& about, std::vector<std::string> const& places) {
    if (places.empty()) return;
    for (auto const& place : places) static_cast<void>(kind_of(about, place)); // refuses the first invalid one
    if (places.size() != 2)
        throw refusal{"Invalid word [" + places.back() + "]; accepted beside options: " + accepted(about)};
    auto const source = kind_of(about, places[0]), destination = kind_of(about, places[1]);
    into.placement = buffer_placement{with_side(source), with_side(destination)};
    into.bare_managed = source == memory_kind::managed || destination == memory_kind::managed;
    if (is_collective(about)) require_one_kind(into, about);
    if (!into.on) into.on = selected(about, *into.placement);
    auto const& api = interface_of(api_of(into));
    if (!api.is_gpu && into.placement->any_managed())
        throw refusal{std::string{api.name} + " has no managed memory" + bracketed(about, *into.placement) +
                      "; accepted: words of H and D"};
    if (into.placement->any_managed()) into.buffers_apart = true;
}

std::string device_request(options const& asked) {
    auto const place = [](memory_kind kind) { return std::string{row_of(kind, &memory_row::place)->place}; };
    if (asked.placement && asked.placement->needs_device())
        return place(asked.placement->source) + " " + place(asked.placement->destination) +
               (asked.staged ? " --staged" : "");
    if (asked.on && needs_device(asked.on->kind)) return "-d " + accelerator_name(*asked.on);
    if (asked.work_on != work_place::cpu) return asked.work_on == work_place::gpu ? "-r gpu" : "-r both";
    return {};
}

device_api api_of(options const& asked) { return asked.on ? asked.on->api : suite::gpu_api; }

std::string title_suffix(program const& about, options const& asked) {
    if (!asked.on || !needs_device(asked.on->kind) || !about.style.suffixed) return {};
    auto suffix = std::string{"-"} + interface_of(asked.on->api).name;
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::toupper(c); });
    if (is_on_device(asked)) return suffix;
    if (asked.requested == action::version) return suffix + " MANAGED";
    return about.shows == metric::overlap ? "-MANAGED" : "";
}

std::string buffer_places_help(program const& about) {
    if (!about.takes(option_name::accelerator))
        return about.moved_by.read_words == set_buffer_places ? "SRC DST can only be H H, in host memory.\n\n" : "";
    std::string text = "SRC says where the buffers of rank 0 or the lower half are, DST those of the others ";
    text += about.moved_by.takes_host ? "(H H):\n" : "(D D):\n";
    if (is_collective(about)) text = "SRC and DST, which are the same, say where all buffers are (as -d does):\n";
    for (auto const* const row : rows_of(about)) {
        if (!takes(about, row->kind)) continue;
        std::string place{row->place};
        place.resize(4, ' ');
        text.append("  ").append(place).append(row->help).append("\n");
    }
    return text;
}

} // namespace osu
