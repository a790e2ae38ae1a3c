// SPDX-License-Identifier: BSL-1.0
// The options whose arguments are words.
#include "common.hpp"
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

void set_accelerator(options& into, program const&, std::string const& text) {
    auto const word = lower(text);
    constexpr auto built = "cuda, managed";
    if (word == "openacc") throw bad_value{"OpenACC Support Not Enabled", built};
    if (word == "rocm") throw bad_value{"ROCm Support Not Enabled", built};
    if (word != "cuda" && word != "managed") throw bad_value{"Invalid Accel Type Specified", built};
    into.on = word == "cuda" ? accelerator::cuda : accelerator::managed;
}

void set_work_place(options& into, program const&, std::string const& text) {
    auto const word = lower(text);
    if (word == "cpu") into.work_on = work_place::cpu;
    else if (word == "gpu") into.work_on = work_place::gpu;
    else if (word == "both") into.work_on = work_place::both;
    else throw bad_value{"Please use cpu, gpu, or both", "one of them"};
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

void set_start(options& into, program const& about, std::string const& text) {
    auto const word = lower(text);
    auto const threads = about.t_means == probes::threads; // their barrier is not one of messages
    if (word == "none") into.sync_start = start::none;
    else if (word == "barrier") into.sync_start = start::barrier;
    else if (word == "dissemination" && !threads) into.sync_start = start::dissemination;
    else if (word == "window" && !threads) into.sync_start = start::window;
    else throw bad_value{"Invalid start", threads ? "none, barrier" : "none, barrier, dissemination, window"};
}

void set_root(options& into, program const&, std::string const& text) {
    auto const parts = split(text, ':');
    auto const rank = parts.size() == 2 && parts[0] == "fixed" ? number<int>(parts[1], 0, INT_MAX) : std::nullopt;
    if (!rank && text != "rotate") throw bad_value{"Invalid root rank", "rotate, or fixed:R with a rank R"};
    into.root = {text == "rotate", rank.value_or(0)};
}

void set_topology(options& into, program const&, std::string const& text) {
    auto const parts = split(text, ':');
    if (parts.size() >= 2 && parts[0] == "graph" && text != "graph:") {
        into.topology = {0, 0, text.substr(std::string{"graph:"}.size())};
        return;
    }
    auto const grid = parts.size() == 3 && parts[0] == "cart";
    auto const dimensions = grid ? number<int>(parts[1], 1, 64) : std::nullopt;
    auto const radius = grid ? number<int>(parts[2], 1, INT_MAX) : std::nullopt;
    if (!dimensions || !radius)
        throw bad_value{"Invalid topology",
                        "graph:FILE, or cart:DIMENSIONS:RADIUS with 1 to 64 dimensions, radius 1 or more"};
    into.topology = {*dimensions, *radius, {}};
}

void set_layout(options& into, program const&, std::string const& text) {
    auto const parts = split(text, ':');
    auto const word = lower(parts.front()).substr(0, 4); // as long as OMB compares
    if (word == "cont" && parts.size() == 1) into.data = {layout::contiguous, 0, 0, {}};
    else if (word == "vect") into.data = vector_of(parts);
    else if (word == "indx") into.data = indexed_of(text);
    else throw bad_value{"Invalid ddt type", "cont, vect:STRIDE:BLOCK or indx:FILE"};
}

void add_types(options& into, program const& about, std::string const& text) {
    auto const word = lower(text);
    auto const all = word == "all";
    auto const before = into.types.size();
    if (all || word == "mpi_char") into.types.push_back(element::character);
    if (all || word == "mpi_int") into.types.push_back(element::integer);
    if (about.reals && (all || word == "mpi_float")) into.types.push_back(element::real);
    if (into.types.size() == before)
        throw bad_value{"Invalid datatype",
                        std::string{"mpi_char, mpi_int"} + (about.reals ? ", mpi_float" : "") + " or all"};
}

void add_report(options& into, program const&, std::string const& text) {
    auto const equals = text.find('=');
    auto const form = text.substr(0, equals);
    if (equals == text.npos || equals + 1 == text.size() || !common::is_report_form(form))
        throw bad_value{"Invalid report", common::report_accepted};
    auto const path = text.substr(equals + 1);
    for (auto const& other : into.reports)
        if (other.path == path) throw bad_value{"Two reports into one file", "a FILE of its own for each"};
    into.reports.push_back({form, path});
}

} // namespace osu
