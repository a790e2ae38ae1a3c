// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/report_file.hpp"
#include "onesided/choices.hpp"
#include "placement.hpp"
#include "program.hpp"

#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace osu {

enum class element : unsigned char { character, integer, real };
enum class layout : unsigned char { plain, contiguous, vector, indexed };
enum class wish : unsigned char { measure, help, version };

/// `-D`: how the elements of a message lie.
struct derived {
    layout kind = layout::plain;
    std::size_t stride = 0;
    std::size_t block = 0;
    std::string file;
};

/// `-c`, `-u`: are contents checked, with how many unchecked repetitions before, and where are wrong elements listed?
struct validation {
    bool on = false;
    std::size_t warmup = 5;
    std::optional<std::string> log;
};

/// `-t` of the programs with several threads or processes a side; a sender count that was not given is none.
struct sides {
    std::optional<int> senders;
    int receivers;
};

/// `--sync`, and what the suite itself does: how ranks are brought together, before the first iteration or before each.
enum class start : unsigned char { none, one_barrier, barrier, dissemination, window };

/// `-k`: the root of a rooted collective.
struct root_choice {
    bool rotates = false;
    int rank = 0;
};

/// `-N`: a grid, or a file of edges.
struct topology_choice {
    int dimensions = 1;
    int radius = 1;
    std::string file;

    std::string text() const {
        return file.empty() ? "cart:" + std::to_string(dimensions) + ":" + std::to_string(radius) : "graph:" + file;
    }
};

/// What the command line asks for.
struct options {
    wish wanted = wish::measure;
    std::size_t min_size = 1;
    std::size_t max_size = std::size_t{1} << 22;
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;
    std::size_t window = 64;
    std::size_t tests = 0;
    std::size_t memory_limit = std::size_t{1} << 29;
    root_choice root;
    topology_choice topology;
    bool full = false;
    bool in_place = false;
    std::optional<sides> several;
    std::optional<creation> made_by;
    std::optional<synchronization> sync;
    bool buffers_apart = false;
    bool vary_window = false;
    bool print_rate = true;
    bool session = false;
    bool honest = false;
    std::optional<double> until; // 0.01: an interval of the median within 1 %
    std::optional<sonde::seconds> budget;
    std::optional<start> sync_start;
    std::optional<sonde::cache> cache;
    validation check;
    derived data;
    std::vector<element> types; // none: MPI_CHAR
    std::vector<int> percentiles;
    std::vector<std::string> graphs; // "tty", "png", "pdf"
    std::vector<common::report_file> reports;
    accelerator on = accelerator::none;
    work_place work_on = work_place::cpu;
    std::optional<placements> words; // SRC DST, where they are given
    bool bare_managed = false;       // one of them is M
    bool staged = false;             // messages of device memory go through the host's
};

/// Throws `refusal` with the line for the user. To be called on every rank, before or after MPI starts.
options parse(program const& about, int argc, char const* const* argv);

/// The text of `-h`.
std::string usage(program const& about);

} // namespace osu
