// SPDX-License-Identifier: BSL-1.0
#include "read_tables.hpp"

#include "imb_text.hpp"
#include "json_tables.hpp"
#include "omb_text.hpp"

#include <stdexcept>

namespace tools::model {

namespace {

bool is_json(text_lines const& in) {
    for (auto const& line : in.lines)
        if (auto const first = line.find_first_not_of(" \t"); first != line.npos) return line[first] == '{';
    return false;
}

tables_read read_any(std::string const& path) {
    auto const in = read_lines(path);
    if (is_json(in)) return read_json_tables(path);
    auto const omb = is_omb_text(in), imb = is_imb_text(in);
    if (omb && imb) throw std::runtime_error{path + ": holds tables of the OSU and of the Intel MPI Benchmarks"};
    if (omb) return read_omb_text(in);
    if (imb) return read_imb_text(in);
    throw std::runtime_error{path +
                             ": is neither JSON lines of Sonde nor output of the OSU or the Intel MPI Benchmarks"};
}

} // namespace

tables_read read_tables(std::string const& path) {
    auto found = read_any(path);
    if (!found.tables.empty() || !found.round_trips.empty()) return found;
    std::string held;
    for (auto const& name : found.unused) held += (held.empty() ? ", only " : ", ") + name;
    throw std::runtime_error{path + ": holds nothing that a model is fitted to" + held};
}

} // namespace tools::model
