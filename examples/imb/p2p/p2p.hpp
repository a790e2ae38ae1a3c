// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/options.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::p2p {

/// `-msgwr`, `-msgrd`: messages are written before they are sent and read after they have arrived, one byte of each
/// cache line.
struct touches {
    static constexpr std::size_t line = 64; // bytes
    bool writes = true;
    bool reads = true;

    void before_send(sonde::region message, std::byte mark) const {
        if (!writes) return;
        for (std::size_t i = 0; i < message.size(); i += line) *static_cast<std::byte volatile*>(&message[i]) = mark;
    }
    void after_receive(sonde::region message) const {
        if (!reads) return;
        for (std::size_t i = 0; i < message.size(); i += line) {
            [[maybe_unused]] std::byte const read = *static_cast<std::byte const volatile*>(&message[i]);
        }
    }
};

/// Byte that a rank writes before it sends.
inline std::byte mark_of(int rank) { return static_cast<std::byte>(rank + 1); }

/// Byte i of a rank's message with -check. It depends on the rank and on i, so that displaced bytes are found.
inline std::byte content(int rank, std::size_t i) {
    if (i % touches::line == 0) return mark_of(rank);
    return static_cast<std::byte>((static_cast<std::size_t>(rank) + 1) * 31 + i * 7 + i / 256);
}

/// `-iter MAX,VOL`: numbers of repetitions. A size has as many as move `volume` bytes, from 1 to `most`.
struct repetitions {
    std::size_t most = 100'000;
    std::size_t volume = std::size_t{800} << 20;

    std::size_t of(std::size_t bytes) const {
        if (bytes == 0) return most;
        auto const rounded = volume / bytes + (volume % bytes >= bytes - volume % bytes ? 1 : 0);
        return std::clamp(rounded, std::size_t{1}, most);
    }
    /// Warm-up repetitions before n repetitions: a tenth, at least one if n > 1.
    static std::size_t warm_up(std::size_t n) { return n > 1 ? std::max(n / 10, std::size_t{1}) : 0; }
};

/// Options of IMB-P2P.
struct options : imb::options {
    repetitions repeats;     // -iter
    touches touched;         // -msgwr, -msgrd
    long pause_us = 100'000; // before and after a size; negative: none
};

/// The options, bound to the members of `into`.
std::vector<option_row> option_table(options& into);
/// Parse a command line; without options the sizes are the default ones. Throws suite::refusal.
options parse(int argc, char const* const* argv);

/// Synchronization: a dissemination barrier before the warm-up and before the loop, which is the only sample.
struct start_barrier {
    void operator()(sonde::mpi::group const& group, std::size_t i) const {
        if (i == 0) sonde::dissemination_barrier{}(group, i);
    }
};
using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, start_barrier>;

struct benchmark;
class message_buffers;
class mpi_transport;

/// Everything that a benchmark of one size needs. It outlives the `work` that refers to it.
struct setting {
    sonde::mpi::group& group;
    p2p::options const& options;
    benchmark const& test;
    message_buffers const& buffers;
    std::size_t bytes; // the size

    /// Plan that times n repetitions as a whole, after a tenth of them as warm-up.
    plan timed_loop(std::size_t n) const;
    sonde::point point() const;
    mpi_transport transport() const;
};

/// A row of the list of benchmarks.
struct benchmark {
    std::string name;
    std::string invalid = "is invalid for"; // "<ranks> processes": printed if it does not fit
    std::string processes = "processes";
    std::function<bool(int ranks)> fits;
    std::function<std::string(int ranks)> layout; // in the title
    std::size_t buffers = 1;                      // messages at the same time, in each direction
    std::size_t messages = 1;                     // that a rank sends per repetition; random benchmarks: on average
    double hops = 1;                              // 2 if the ranks of a pair alternate
    std::function<work(setting const&)> make;     // its `defects` counts the wrong bytes on all ranks
};

/// The benchmarks, in the order in which they run.
std::vector<benchmark> const& rows();

/// Figures of a line.
struct figures {
    double microseconds; // one-way time of a message: the sum of the ranks' times, divided by the messages
    double megabytes;    // 10^6 bytes per second, of all messages, by the slowest rank
    double messages;     // per second, by the slowest rank
};

figures figures_of(sonde::record const& r);

// Text that IMB-P2P prints.

/// The suite's name and version.
std::string title();
std::string header(options const& asked, std::vector<benchmark const*> const& tests, std::string const& command_line);
/// Head of a table.
std::string head(benchmark const& test, int ranks, bool checked);
/// Text in place of the table of a benchmark that does not fit the number of ranks.
std::string invalid(benchmark const& test, int ranks);
/// Line of a size.
std::string line(std::size_t bytes, sonde::record const& r);
/// Text of -list.
std::string list();

} // namespace imb::p2p
