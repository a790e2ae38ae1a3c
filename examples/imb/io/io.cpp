// SPDX-License-Identifier: BSL-1.0
#include "imb/io/io.hpp"

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_work.hpp"
#include "imb/io/access.hpp"
#include "imb/io/task.hpp"
#include "imb/io/test_file.hpp"
#include "suite/agreement.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace imb {

namespace {

namespace mio = sonde::mpi::io;
using mio::positioning;

// The list of benchmarks.

/// The parts of a benchmark's name: the processes that access files, the operation (Write, IWrite, Read or IRead), and
/// the file pointer.
struct access_name {
    char const* processes; // S_: one, P_: several, C_: several, collectively
    char const* pointer;
    positioning where;
    bool file_per_process;
};

/// In the order of IMB's list.
constexpr access_name access_names[] = {
    {"S_", "Indv", positioning::individual, true},      {"S_", "Expl", positioning::explicit_offset, true},
    {"P_", "Indv", positioning::individual, false},     {"P_", "Shared", positioning::shared, false},
    {"P_", "Priv", positioning::individual, true},      {"P_", "Expl", positioning::explicit_offset, false},
    {"C_", "Indv", positioning::individual, false},     {"C_", "Shared", positioning::shared, false},
    {"C_", "Expl", positioning::explicit_offset, false}};

work access_work(setting& s, io::access_kind const& kind) {
    auto const task = std::make_shared<io::task>(s, kind);
    return {.measure = [task](std::size_t n) { return task->measure(n); },
            .defects = [task] { return task->defects(); }};
}

/// Non-blocking reads of one batch have buffers of their own, each of the largest range of a rank.
lengths memory_of(io::access_kind const& kind, std::size_t s, std::size_t ranks) {
    auto const several = kind.reads() && kind.with_overlap && !kind.access.collective;
    return several ? lengths{0, io::range_of(s, 0, static_cast<int>(ranks)).length} : lengths{s, s};
}

benchmark access_row(char const* processes, char const* pointer, io::access_kind const& kind) {
    auto const single = *processes == 'S', parallel = *processes == 'P';
    benchmark row;
    row.name = std::string{processes} + (kind.with_overlap ? "I" : "") + (kind.reads() ? "Read_" : "Write_") + pointer;
    row.kind = single ? family::single_transfer : parallel ? family::parallel_transfer : family::collective;
    row.shows = kind.with_overlap ? columns::overlap : single ? columns::time_bandwidth : columns::range_bandwidth;
    row.make = [kind](setting& s) { return access_work(s, kind); };
    row.needs = [kind](std::size_t s, std::size_t ranks) { return memory_of(kind, s, ranks); };
    if (!kind.reads() && !kind.with_overlap) row.modes = {mode::aggregate, mode::non_aggregate};
    else row.shown_as = mode::aggregate;
    row.disjoint = memory_of(kind, 4, 1).send == 0;
    row.overlap_relative_to = overlap_base::smaller;
    return row;
}

// Before the first benchmark: the directory of the files.

namespace fs = std::filesystem;

std::string directory_error(std::string const& directory) {
    if (!fs::is_directory(directory)) return "Invalid -dir " + directory + "; accepted: a directory that is there";
    for (auto const& entry : fs::directory_iterator{directory}) {
        auto const name = entry.path().filename().string();
        if (name.rfind("IMB_out", 0) == 0 || name.rfind(".IMB_out", 0) == 0)
            return entry.path().string() + " is there already and stays; remove it, or choose another -dir";
    }
    return {};
}

std::string hint_error(std::string const& key, std::string const& value) {
    auto const fits = [](std::string const& text, int limit) {
        return !text.empty() && text.size() < static_cast<std::size_t>(limit);
    };
    if (fits(key, MPI_MAX_INFO_KEY) && fits(value, MPI_MAX_INFO_VAL)) return {};
    return "Invalid -hint " + key + "=" + value + "; accepted: KEY of 1 to " + std::to_string(MPI_MAX_INFO_KEY - 1) +
           " characters, VALUE of 1 to " + std::to_string(MPI_MAX_INFO_VAL - 1);
}

std::string option_error(options const& options) {
    for (auto const& [key, value] : options.hints)
        if (auto const text = hint_error(key, value); !text.empty()) return text;
    try {
        return directory_error(options.directory);
    } catch (fs::filesystem_error const& e) {
        return "Invalid -dir " + options.directory + " (" + e.code().message() + "); accepted: a directory";
    }
}

/// Creates and removes a file, because permissions do not tell that a file system is read-only.
std::string creation_error(std::string const& directory, int rank) {
    auto const path = fs::path{directory} / ("IMB_out_" + std::to_string(rank));
    auto const file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR, 0644);
    if (file < 0)
        return "Invalid -dir " + directory + " (" + std::strerror(errno) + "); accepted: one to make files in";
    ::close(file);
    ::unlink(path.c_str());
    return {};
}

/// `component::prepare`. Throws suite::refusal on all ranks unless -dir is, on every rank, a directory in which files
/// can be created and that has none of this program's yet. For benchmarks with overlap, every rank measures the rate
/// of the work; the returned header text has rank 0's. Collective over the world.
std::string prepare(program_run const& on) {
    suite::agree(on.world, option_error(on.options));
    suite::agree(on.world, creation_error(on.options.directory, on.world.rank()));
    auto const overlaps = [](auto const* test) { return test->shows == columns::overlap; };
    if (std::none_of(on.tests.begin(), on.tests.end(), overlaps)) return {};
    on.world.barrier();
    char text[160]{};
    std::snprintf(text, sizeof text,
                  "\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n"
                  "# performance of %7.2f MFlops\n",
                  mflops());
    return text;
}

// Open_Close: open a file, write one byte of each rank, and close it.

constexpr io::access_kind one_byte{{mio::direction::write, positioning::explicit_offset}};

/// All ranks close the file, even if the write of one fails.
void open_write_close(setting const& s, std::string const& path, io::first_error& error) {
    std::array<std::byte, 1> byte{std::byte{1}};
    mio::file file{s.group, path, MPI_MODE_CREATE | MPI_MODE_RDWR, s.options.hints};
    error.catch_in([&] { mio::blocking{file, one_byte.access, sonde::slice{byte}, {s.group.rank(), 0}}(); });
    file.close();
}

work open_close_work(setting& s) {
    auto const file = io::test_file::of(s, one_byte);
    return {.measure = [&s, file](std::size_t n) -> result {
        auto const path = file->path().string();
        io::first_error error{path};
        auto const once = [&] { error.catch_in([&] { open_write_close(s, path, error); }); };
        result found{imb::run(s.group, s.timed_loop(n), once, s.point())};
        error.refuse(s.group);
        return found;
    }};
}

benchmark open_close_row() {
    benchmark row;
    row.name = "Open_Close";
    row.kind = family::synchronization;
    row.shows = columns::sync;
    row.make = open_close_work;
    row.needs = buffers_for<0, 0>;
    row.counted_as = mode::non_aggregate;
    return row;
}

/// Each blocking, then beside work; writes first.
std::vector<benchmark> rows() {
    std::vector<benchmark> all;
    for (auto const direction : {mio::direction::write, mio::direction::read})
        for (auto const& [processes, pointer, where, file_per_process] : access_names)
            for (auto const with_overlap : {false, true})
                all.push_back(access_row(processes, pointer,
                                         {{direction, where, *processes == 'C'}, file_per_process, with_overlap}));
    all.push_back(open_close_row());
    return all;
}

} // namespace

component io_component() {
    component about{.part = "MPI-IO part", .tests = rows()};
    about.lacks = mpi1_options | option_set{option_name::root_shift, option_name::sync, option_name::zero_size};
    about.defaults.npmin = 1;
    about.estimated_repetitions = 50;
    about.warms_up = false;
    about.io = true;
    about.prepare = prepare;
    return about;
}

} // namespace imb
