// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_program.hpp"
#include "suite/contents.hpp"
#include "suite/memory_kinds.hpp"
#include "suite/options.hpp"
#include "suite/reports.hpp"

#include <sonde/clock.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/congestors.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace osu {

/// `-w`: creation of RMA windows, by MPI_Win_create, MPI_Win_allocate or MPI_Win_create_dynamic.
enum class creation : unsigned char { create, allocate, dynamic };

/// `-s`: synchronization of one-sided transfers.
enum class synchronization : unsigned char { lock, flush, flush_local, lock_all, pscw, fence };

/// True for passive targets: the target process takes no part in the synchronization.
constexpr bool is_passive(synchronization s) { return s != synchronization::pscw && s != synchronization::fence; }

/// Request of a command line. `version`: the title.
enum class action : unsigned char { measure, help, version };

/// Layout of the elements of a message; plain: without a derived datatype.
enum class layout : unsigned char { plain, contiguous, vector, indexed };

/// `-D`: derived datatype of messages.
struct derived {
    layout kind = layout::plain;
    std::size_t stride = 0; // of vectors, in elements
    std::size_t block = 0;  // of vectors, in elements
    std::string file;       // of indexed types
};

/// `-c`, `-u`, `--check-bits`: validation of received contents.
struct validation {
    bool on = false;                 // `-c`: a column shows the result
    std::optional<std::size_t> bits; // rounds of `--check-bits`, whose contents replace those of `-c`
    std::size_t warmup = 5;          // repetitions that are not validated, before one that is
    std::optional<std::string> log;  // directory for lists of wrong elements

    bool compares() const { return on || bits; }
    /// Repetitions before one that is validated. All messages of `--check-bits` are.
    std::size_t unchecked() const { return bits ? 0 : warmup; }
};

/// `-t` of programs with several threads or processes on each side.
struct sides {
    std::optional<int> senders; // none: not given
    int receivers;
};

/// `--sync` and the suite's own: synchronization of ranks, before the first iteration (one_barrier) or before each.
enum class start : unsigned char { none, one_barrier, barrier, dissemination, window };

/// `-k`: root of a rooted collective: one rank, or each rank in turn.
struct root_choice {
    bool rotates = false;
    int rank = 0;
};

/// `-N`: neighbors on a Cartesian grid, or by the edges in a file.
struct topology_choice {
    int dimensions = 1;
    int radius = 1;
    std::string file;

    std::string text() const {
        return file.empty() ? "cart:" + std::to_string(dimensions) + ":" + std::to_string(radius) : "graph:" + file;
    }
};

/// `--payload`: kind of message. bytes: a region of a buffer. The others are sent by Boost.MPI: an object in an
/// archive; the content of an object whose skeleton went before; an array of an MPI datatype, whose length the receiver
/// probes.
enum class payload : unsigned char { bytes, object, content, datatype };

/// True in a build with Boost.MPI for its MPI library.
constexpr bool has_boost_mpi() {
#ifdef OSU_BOOST_MPI
    return true;
#else
    return false;
#endif
}

/// `--beside`: what ranks that do not measure send to each other meanwhile.
struct load_choice {
    sonde::mpi::congestion traffic = sonde::mpi::congestion::alltoall;
    std::size_t bytes = 65536; // of a message
};

/// `-r`: the processor of the work beside a non-blocking collective.
enum class work_place : unsigned char { cpu, gpu, both };

/// The word of OpenSHMEM's programs: data on the symmetric heap, or in global variables, which are symmetric, too.
enum class symmetric_data : unsigned char { heap, global };

/// Options of a command line; optional ones have no value unless they are given.
struct options {
    action requested = action::measure;
    std::size_t min_size = 1;
    std::size_t max_size = std::size_t{1} << 22;
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;
    std::size_t window = 64;
    std::size_t tests = 0;
    std::size_t partitions = 8; // of a message
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
    bool statistics = false;
    bool witness = false;
    std::optional<std::string> expected_device;
    std::optional<double> until; // relative half-width of the median's 95 % interval, 0.01 for 1 %
    std::optional<sonde::seconds> budget;
    std::optional<start> sync_start;
    std::optional<sonde::cache> cache;
    validation check;
    derived data;
    std::vector<element> types; // none: MPI_CHAR
    std::vector<int> percentiles;
    std::vector<std::string> graphs; // "tty", "png", "pdf"
    std::vector<suite::report_file> reports;
    std::optional<memory_choice> on; // -d: memory of an accelerator, or the one that SRC DST select
    work_place work_on = work_place::cpu;
    std::optional<buffer_placement> placement; // SRC DST
    bool bare_managed = false;                 // SRC or DST is M
    std::optional<load_choice> beside;
    bool staged = false; // messages of device memory go through pinned host memory
    payload message = payload::bytes;
    symmetric_data data_in = symmetric_data::heap; // of programs that take the word
};

/// True if `-d` or SRC DST select the memory of a device, not managed memory.
inline bool is_on_device(options const& asked) { return asked.on && asked.on->kind == memory_kind::device; }

/// Parse a command line, on every rank, before or after MPI starts. Throws refusal.
options parse(program const& about, int argc, char const* const* argv);

/// The text of `-h`.
std::string usage(program const& about);

} // namespace osu
