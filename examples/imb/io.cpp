// SPDX-License-Identifier: BSL-1.0
#include "io.hpp"

#include "io/open_close.hpp"
#include "io/part.hpp"
#include "io/row.hpp"
#include "io/surroundings.hpp"
#include "io/task.hpp"

#include <memory>
#include <string>

namespace imb {

namespace {

namespace mio = sonde::mpi::io;
using mio::positioning;

/// A name is how many, S_, P_ or C_; what, Write or IWrite, Read or IRead; and by which pointer.
struct kind {
    char const* who;
    char const* by;
    positioning where;
    bool own_file;
};

/// In the order of the list: each of them blocking, then non-blocking.
constexpr kind kinds[] = {
    {"S_", "Indv", positioning::individual, true},      {"S_", "Expl", positioning::explicit_offset, true},
    {"P_", "Indv", positioning::individual, false},     {"P_", "Shared", positioning::shared, false},
    {"P_", "Priv", positioning::individual, true},      {"P_", "Expl", positioning::explicit_offset, false},
    {"C_", "Indv", positioning::individual, false},     {"C_", "Shared", positioning::shared, false},
    {"C_", "Expl", positioning::explicit_offset, false}};

work made(setting& s, io::row const& of) {
    auto const task = std::make_shared<io::task>(s, of);
    return {.measure = [task](std::size_t n) { return task->measure(n); },
            .defects = [task] { return task->defects(); }};
}

/// Reads that are under way together have memory of their own each, of the largest part.
lengths memory_of(io::row const& of, std::size_t s, std::size_t ranks) {
    auto const several = of.how.direction == mio::direction::read && of.beside_work && !of.how.collective;
    return several ? lengths{0, io::part_of(s, 0, static_cast<int>(ranks)).bytes} : lengths{s, s};
}

columns columns_of(kind const& k, bool beside_work) {
    if (beside_work) return columns::overlap;
    return *k.who == 'S' ? columns::time_bandwidth : columns::range_bandwidth;
}

benchmark row_of(kind const& k, mio::direction way, bool beside_work) {
    io::row const is{{way, k.where, *k.who == 'C'}, k.own_file, beside_work};
    auto const writes = way == mio::direction::write;
    benchmark row;
    row.name = std::string{k.who} + (beside_work ? "I" : "") + (writes ? "Write_" : "Read_") + k.by;
    row.kind = *k.who == 'S' ? family::single_transfer : *k.who == 'P' ? family::parallel_transfer : family::collective;
    row.shows = columns_of(k, beside_work);
    row.make = [is](setting& s) { return made(s, is); };
    row.needs = [is](std::size_t s, std::size_t ranks) { return memory_of(is, s, ranks); };
    if (writes && !beside_work) row.modes = {mode::aggregate, mode::non_aggregate};
    else row.shown_as = mode::aggregate;
    row.disjoint = memory_of(is, 4, 1).send == 0;
    row.overlap_of = hidden_of::smaller;
    return row;
}

benchmark open_close_row() {
    benchmark row;
    row.name = "Open_Close";
    row.kind = family::synchronization;
    row.shows = columns::sync;
    row.make = io::open_close;
    row.needs = [](std::size_t, std::size_t) { return lengths{0, 0}; };
    row.counts_nonaggregate = true;
    return row;
}

} // namespace

component io_component() {
    component about{"IMB-IO", "MPI-IO part", {}};
    for (auto const way : {mio::direction::write, mio::direction::read})
        for (auto const& k : kinds)
            for (auto const beside_work : {false, true}) about.tests.push_back(row_of(k, way, beside_work));
    about.tests.push_back(open_close_row());
    about.lacks = {"root_shift", "sync",          "zero_size",   "window_size",
                   "data_type",  "red_data_type", "contig_type", "msgsize"};
    about.npmin = 1;
    about.estimated_repetitions = 50;
    about.warms_up = false;
    about.io = true;
    about.prepare = io::prepare;
    return about;
}

} // namespace imb
