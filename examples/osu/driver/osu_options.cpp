// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_options.hpp"

#include "osu/driver/buffer_places.hpp"
#include "osu/driver/library.hpp"
#include "osu/driver/osu_option_table.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/driver/plan.hpp"
#include "suite/launch.hpp"

#include <algorithm>
#include <utility>

namespace osu {

namespace {

constexpr auto style = option_style::letters_and_names;

std::string option_names(std::vector<option_row> const& table) {
    std::string all;
    for (auto const& o : table) all += (all.empty() ? "" : " ") + written(o, "", style);
    return all;
}

/// The command line's options and other arguments. Throws refusal for an unknown option and for a missing argument.
std::vector<given_option> read(std::vector<option_row> const& table, std::vector<std::string> const& words) {
    try {
        return read_options(table, words, style);
    } catch (syntax_error const& e) {
        if (e.fault == syntax_fault::unknown_option)
            throw refusal{"Invalid option [" + e.option + "]; accepted: " + option_names(table)};
        if (e.fault != syntax_fault::missing_value)
            throw refusal{std::string{"Invalid option: "} + e.what() + "; see -h"};
        auto const is_it = [&](option_row const& o) { return e.option == "--" + o.name; };
        auto const o = std::find_if(table.begin(), table.end(), is_it);
        throw refusal{"Option Missing Required Argument [" + written(*o, "", style) + "]; see -h"};
    }
}

/// Boost takes the word after an option with an optional argument for that argument: -z H H.
bool takes_place(given_option const& given) {
    return given.row->value.takes >= arity::optional && is_buffer_place(given.text);
}

void require_fitting_check(options const& asked) {
    if (asked.check.on && asked.data.kind != layout::plain)
        throw refusal{"Derived data type does not support validation [-c -D]; accepted: one of the two"};
    if (!asked.check.bits) return;
    if (asked.data.kind != layout::plain)
        throw refusal{"Bits between the blocks of a datatype are not sent [--check-bits -D]; accepted: one of the two"};
    if (asked.check.log)
        throw refusal{"Wrong bits are on stdout [--check-bits -clog]; accepted: one of the two, and -c with both"};
    if (asked.message != payload::bytes)
        throw refusal{"Objects are not compared bit by bit [--check-bits --payload]; accepted: one of the two"};
}

void require_fitting(options const& asked) {
    if (asked.session && !has_sessions())
        throw refusal{"MPI sessions need an MPI-4 library [-I]; accepted: every option but -I"};
    if (asked.vary_window && asked.statistics)
        throw refusal{"The table of -V has no place for more columns [-V --honest]; accepted: one of the two, and "
                      "--report with both"};
    require_fitting_check(asked);
    if (asked.staged && !(asked.placement && asked.placement->any_device()))
        throw refusal{"No buffer is on a device [--staged]; accepted beside it: words of which one is D"};
    if (asked.beside && !device_request(asked).empty())
        throw refusal{"Slowdowns are of messages in the host's memory [--beside -d]; accepted: one of the two"};
    if (asked.beside && (asked.witness || asked.expected_device))
        throw refusal{"The devices carry the load, too [--beside --" +
                      std::string{asked.witness ? "witness" : "expect-device"} + "]; accepted: one of the two"};
    auto const only_characters = std::all_of(asked.types.begin(), asked.types.end(),
                                             [](element const& type) { return type == element::character; });
    auto const plain = only_characters && asked.data.kind == layout::plain && device_request(asked).empty() &&
                       !asked.buffers_apart && asked.cache != sonde::cache::rotate;
    if (asked.message != payload::bytes && !plain)
        throw refusal{"Objects are one at a time, of characters, in ordinary memory [--payload " + name(asked.message) +
                      "]; accepted: it without -T, -D, -d, SRC DST, -b multiple and --cache rotating"};
    if (asked.message != payload::bytes && asked.beside)
        throw refusal{"Objects are measured alone [--beside --payload " + name(asked.message) +
                      "]; accepted: one of the two"};
}

} // namespace

options parse(program const& about, int argc, char const* const* argv) {
    options found;
    found.min_size = about.smallest;
    found.max_size = about.largest;
    auto const table = option_table(found, about);
    std::vector<std::string> words;
    for (auto& given : read(table, {argv + 1, argv + argc})) {
        if (given.row == nullptr || takes_place(given)) words.push_back(std::exchange(given.text, {}));
        if (given.row != nullptr) set_option(*given.row, given.text, style);
        if (found.requested != action::measure) return found;
    }
    about.moved_by.read_words(found, about, words);
    require_fitting(found);
    require_fitting_cache(found, about);
    return found;
}

bool program::takes(option_name one) const { return accepted.contains(one) && !moved_by.lacks.contains(one); }

std::string usage(program const& about) {
    auto const places = buffer_places_help(about);
    auto text =
        "Usage: " + about.name + (about.heap_or_global ? " <heap|global>" : "") + " [options]" +
        (places.empty() ? "" : " [SRC DST]") + "\n" +
        (about.additional ? "OMB has no program of this name; this one has the columns of its collectives.\n" : "") +
        places + "Options:\n";
    options defaults;
    for (auto const& o : option_table(defaults, about)) text += help_line(o, style);
    return text;
}

} // namespace osu
