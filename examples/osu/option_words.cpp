// SPDX-License-Identifier: BSL-1.0
// The options whose arguments are words.
#include "numbers.hpp"
#include "option_values.hpp"

#include <climits>

namespace osu {

void set_graphs(options& into, program const&, std::string const& text) {
    into.graphs.clear();
    for (auto const& word : split(lower(text), ',')) {
        if (word != "tty" && word != "png" && word != "pdf")
            throw bad_value{"Invalid graph type", "tty, png, pdf, or several with commas"};
        into.graphs.push_back(word);
    }
}

namespace {

std::size_t elements_or(std::string const& text) {
    if (auto const value = number<std::size_t>(text, 1, INT_MAX)) return *value;
    throw bad_value{"Invalid ddt arguments", "vect:STRIDE:BLOCK, both in elements, 1 or more"};
}

derived vector_of(std::vector<std::string> const& parts) {
    if (parts.size() != 3) throw bad_value{"Invalid ddt arguments", "vect:STRIDE:BLOCK"};
    derived const found{layout::vector, elements_or(parts[1]), elements_or(parts[2]), {}};
    if (found.block > found.stride)
        throw bad_value{"Invalid ddt arguments", "a BLOCK of at most STRIDE: blocks must not overlap"};
    return found;
}

derived indexed_of(std::string const& text) {
    auto const colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size()) throw bad_value{"Invalid ddt arguments", "indx:FILE"};
    return {layout::indexed, 0, 0, text.substr(colon + 1)};
}

} // namespace

void set_layout(options& into, program const&, std::string const& text) {
    auto const parts = split(text, ':');
    auto const word = lower(parts.front()).substr(0, 4); // as long as OMB compares
    if (word == "cont" && parts.size() == 1) into.data = {layout::contiguous, 0, 0, {}};
    else if (word == "vect") into.data = vector_of(parts);
    else if (word == "indx") into.data = indexed_of(text);
    else throw bad_value{"Invalid ddt type", "cont, vect:STRIDE:BLOCK or indx:FILE"};
}

void add_types(options& into, program const&, std::string const& text) {
    auto const word = lower(text);
    auto const all = word == "all";
    auto const before = into.types.size();
    if (all || word == "mpi_char") into.types.push_back(element::character);
    if (all || word == "mpi_int") into.types.push_back(element::integer);
    if (all || word == "mpi_float") into.types.push_back(element::real);
    if (into.types.size() == before) throw bad_value{"Invalid datatype", "mpi_char, mpi_int, mpi_float or all"};
}

void add_report(options& into, program const&, std::string const& text) {
    auto const equals = text.find('=');
    auto const form = text.substr(0, equals);
    if (equals == text.npos || equals + 1 == text.size() || (form != "table" && form != "csv" && form != "json"))
        throw bad_value{"Invalid report", "table=FILE, csv=FILE or json=FILE"};
    auto const path = text.substr(equals + 1);
    for (auto const& other : into.reports)
        if (other.path == path) throw bad_value{"Two reports into one file", "a FILE of its own for each"};
    into.reports.push_back({form, path});
}

} // namespace osu
