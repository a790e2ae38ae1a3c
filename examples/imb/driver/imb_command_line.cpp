// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_command_line.hpp"

#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <algorithm>
#include <array>

namespace imb {

namespace {

using texts = std::vector<std::string>;

std::string without_dashes(std::string const& word) {
    auto const from = word.find_first_not_of('-');
    return from == word.npos ? "" : word.substr(from);
}

bool same(std::string const& a, std::string const& b, option_style style) {
    return style == option_style::one_dash ? a == b : lower(a) == lower(b);
}

/// The command line of -help, --help or -h, whatever else is given.
std::optional<command_line> help_request(texts const& all, option_style style) {
    auto const is_help = [&](auto const& w) {
        return same(w, "-help", style) || same(w, "--help", style) || same(w, "-h", style);
    };
    auto const found = std::find_if(all.begin(), all.end(), is_help);
    if (found == all.end()) return std::nullopt;
    if (found + 1 == all.end()) return command_line{.help = true};
    return command_line{.help = true, .explained = without_dashes(found[1])};
}

[[noreturn]] void refuse_unknown(std::vector<option_row> const& rows, std::string const& word) {
    texts names{"help"};
    for (auto const& o : rows)
        if (o.taken) names.push_back(o.name);
    throw refusal{"Invalid option " + word + hint(without_dashes(word), names, "-") + " (-help lists all)"};
}

/// The option of this name, without the dash, or null.
option_row const* find(std::vector<option_row> const& rows, std::string const& name, option_style style) {
    auto const is_it = [&](option_row const& o) { return same(o.name, name, style); };
    auto const found = std::find_if(rows.begin(), rows.end(), is_it);
    return found == rows.end() ? nullptr : &*found;
}

/// Options that IMB lacks may have two dashes, as those of Sonde's other programs: one dash is left.
texts with_one_dash(texts all, option_style style) {
    constexpr std::array names{"--check", "--dir", "--group_start", "--hint", "--report"};
    for (auto& word : all)
        if (std::any_of(names.begin(), names.end(), [&](auto const* name) { return same(word, name, style); }))
            word.erase(0, 1);
    return all;
}

void require_taken(std::vector<option_row> const& rows, std::string const& name, option_style style) {
    auto const* const found = find(rows, name, style);
    if (found == nullptr) refuse_unknown(rows, std::string{'-'} + name);
    if (!found->taken) throw refusal{"This program has no option -" + found->name + " (-help lists all)"};
}

[[noreturn]] void refuse_without_value(option_row const& o) {
    throw refusal{"Option -" + o.name + " needs a value: -" + o.name + " " + o.argument};
}

std::vector<given_option> arguments_of(std::vector<option_row> const& rows, texts const& all, option_style style) {
    try {
        return read_options(rows, all, style);
    } catch (syntax_error const& e) {
        if (e.fault == syntax_fault::unknown_option || e.fault == syntax_fault::other) // "-="
            throw refusal{std::string{"Invalid option: "} + e.what() + " (-help lists all)"};
        auto const full = without_dashes(e.option);
        auto const name = full.substr(0, full.find('='));
        if (e.fault == syntax_fault::malformed_option)
            refuse_unknown(rows, std::string{'-'} + name + "="); // -name=VALUE
        require_taken(rows, name, style);
        refuse_without_value(*find(rows, name, style));
    }
}

/// Refuses forms that Boost accepts and IMB does not: -name=VALUE, and the name of an option as a value.
void require_valid(std::vector<option_row> const& rows, given_option const& given, option_style style) {
    if (given.written.find('=') != std::string::npos)
        refuse_unknown(rows, std::string{'-'} + without_dashes(given.written));
    require_taken(rows, given.row->name, style);
    if (given.text.starts_with('-') && find(rows, given.text.substr(1), style) != nullptr)
        refuse_without_value(*given.row);
}

/// Benchmarks among the arguments, with commas between. Throws refusal for an empty name.
texts benchmark_names(texts const& operands) {
    texts all;
    for (auto const& operand : operands)
        if (!name_list(all).set(operand))
            throw refusal{"Invalid names of benchmarks: " + operand + "; accepted: names with commas between"};
    return all;
}

/// The options given, in the order of the rows. The values of one that continues when it is repeated are joined.
std::vector<given_option> in_order_of(std::vector<option_row> const& rows, command_line const& line) {
    std::vector<given_option> all;
    for (auto const& o : rows)
        for (auto const& given : line.options) {
            if (given.row != &o) continue;
            auto const continues = o.value.joined_by != 0 && !all.empty() && all.back().row == &o;
            if (continues) all.back().text += o.value.joined_by + given.text;
            else all.push_back(given);
        }
    return all;
}

/// The option and its accepted values, if it takes any.
std::string explanation(option_row const& o) {
    auto const line = help_line(o, option_style::one_dash);
    return o.value.takes == arity::none ? line : line + "  Accepted: " + o.value.accepted + "\n";
}

} // namespace

command_line read(std::vector<option_row> const& rows, int argc, char const* const* argv, option_style style,
                  std::vector<benchmark> const& benchmarks) {
    auto const all = with_one_dash({argv + std::min(argc, 1), argv + argc}, style);
    if (auto help = help_request(all, style)) {
        auto& name = help->explained;
        auto const is_named = [&](benchmark const& b) { return lower(b.name) == lower(*name); };
        if (name && std::any_of(benchmarks.begin(), benchmarks.end(), is_named)) name.reset();
        if (name && !same(*name, "help", style)) {
            require_taken(rows, *name, style);
            name = find(rows, *name, style)->name;
        }
        return *help;
    }
    command_line found;
    for (auto const& given : arguments_of(rows, all, style)) {
        if (given.row == nullptr) {
            if (given.text.starts_with('-')) refuse_unknown(rows, given.text);
            found.operands.push_back(given.text);
        } else {
            require_valid(rows, given, style);
            found.options.push_back(given);
        }
    }
    return found;
}

options parse(component const& about, int argc, char const* const* argv) {
    auto found = about.defaults;
    auto const& [rows_of, style, in_given_order, complete] = about.syntax;
    auto const rows = rows_of(found, about.lacks);
    auto const line = read(rows, argc, argv, style, about.tests);
    found.explained = line.explained;
    auto const add_names = [&] {
        for (auto const& name : benchmark_names(line.operands)) found.names.push_back(name);
    };
    if (!in_given_order) add_names();
    for (auto const& given : in_given_order ? line.options : in_order_of(rows, line))
        set_option(*given.row, given.text, style);
    if (in_given_order) add_names();
    if (line.help) found.requested = action::help;
    if (complete != nullptr) complete(found);
    if (found.bits && (found.contiguous == layout::resize || found.contiguous == layout::resize_vec))
        throw suite::refusal{"Bits between the elements of a type are not sent [-check_bits -contig_type resize]; "
                             "accepted: one of the two"};
    return found;
}

std::string usage(std::string const& program, std::vector<option_row> const& rows,
                  std::optional<std::string> const& explained) {
    std::string all = "Usage: " + program + " [options] [benchmarks]\nOptions:\n";
    for (auto const& o : rows) {
        if (explained == o.name) return explanation(o);
        if (o.taken) all += help_line(o, option_style::one_dash);
    }
    return all;
}

} // namespace imb
