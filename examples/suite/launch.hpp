// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/mpi/group.hpp>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace suite {

/// A program of an executable that contains several.
struct named_program {
    std::string name;
    std::function<int(int argc, char** argv)> main; // returns the exit status
};

/// The program `make(row)` of each row of a table.
template <class Rows, class Make>
std::vector<named_program> programs_of(Rows const& rows, Make make) {
    std::vector<named_program> all;
    for (auto const& row : rows) all.push_back(make(row));
    return all;
}

/// `main` of an executable of several programs, in families. Runs the program whose name the executable was started by:
/// the build makes a link for each. Started by another name, it takes the program's name as its first argument;
/// `--programs` prints all names, a line each. Returns the program's exit status; 1 with a line on stderr for an
/// unknown name.
int run_program(std::vector<std::vector<named_program>> const& families, int argc, char** argv);

/// Levels of thread support, in MPI's order.
enum class threading : unsigned char { single, funneled, serialized, multiple };

/// "single"
char const* name(threading level);

/// True if the MPI library has sessions (MPI-4).
bool has_sessions();

/// A further communication library that a program starts.
struct further_library {
    std::shared_ptr<void> session; // ended when no rank uses MPI any more, before MPI is
    bool finalizes_mpi = false;    // when the process exits, so that the program must not
};

/// The ranks of a program, and how MPI was started.
struct mpi_job {
    sonde::mpi::group& world;
    threading provided;
    sonde::seconds start_time;       // of MPI_Init_thread or of the session, on this rank
    suite::further_library& further; // null, unless `run` starts one
};

/// What a command line asks of a program.
struct request {
    threading level = threading::single;      // MPI is started with
    bool session = false;                     // MPI is started as a session of MPI-4; all ranks or none
    std::string text{};                       // printed by rank 0, whole, before `run`: help, a list, a version
    std::function<int(mpi_job const&)> run{}; // returns the exit status, equal on all ranks; null: there is only text
};

/// `main` of a program: calls `read`, which parses the command line, starts MPI, unless another library has started it,
/// and runs the request. A refusal, thrown by `read` or, on all ranks, by `run`, is printed on rank 0's stderr, and
/// every rank returns 1. Any other exception aborts the job.
int launch(int argc, char** argv, std::function<request()> const& read);

/// Print whole lines on rank 0. They are written when the call returns: a job that is killed keeps what it measured.
/// Throws std::system_error, on rank 0 alone, if they cannot be written, unless to stderr.
void print(sonde::mpi::group const& world, std::string const& text, std::FILE* to = stdout);

} // namespace suite
