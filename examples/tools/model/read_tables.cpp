// SPDX-License-Identifier: BSL-1.0
#include "read_tables.hpp"

#include <stdexcept>

namespace tools::model {

namespace {

bool is_json(std::string const& text) { return text[text.find_first_not_of(" \t\r\n")] == '{'; }

tables_read read_any(std::string const& path) {
    auto const text = read_text(path);
    if (is_json(text)) return read_json_tables(path, text);
    auto const in = lines_of(path, text);
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
