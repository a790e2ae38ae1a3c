// SPDX-License-Identifier: BSL-1.0
// osu_latency between ranks that have forked processes.
#include "osu/pt2pt/latency_mp.hpp"

#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace osu {

namespace {

/// A forked process that sleeps for two seconds and ends without a call of MPI. The destructor waits for it.
class child {
public:
    /// Throws std::system_error if the system allows no more processes.
    child() : id_{fork()} {
        if (id_ < 0) throw std::system_error{errno, std::generic_category(), "fork"};
        if (id_ > 0) return;
        sleep(2);
        _exit(0); // exit would flush the parent's streams and run its exit handlers
    }
    child(child&& other) noexcept : id_{std::exchange(other.id_, -1)} {}
    child& operator=(child&&) = delete;
    ~child() {
        if (id_ < 0) return;
        while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

private:
    pid_t id_;
};

/// Processes of each side: `-t [SENDERS:]RECEIVERS`, 2 and 2 by default; `-t RECEIVERS` forks no senders.
side_counts processes_of(options const& asked) {
    if (!asked.several) return {2, 2};
    return {asked.several->senders.value_or(0), asked.several->receivers};
}

std::string process_lines(options const& asked) {
    auto const [senders, receivers] = processes_of(asked);
    return "# Number of forked processes in sender: " + std::to_string(senders) +
           "\n# Number of forked processes in receiver: " + std::to_string(receivers);
}

void sweep_forked(pt2pt_driver& d) {
    auto const pair = sonde::pair_of(d.world().rank(), 1);
    auto const [senders, receivers] = processes_of(d.options());
    auto const here = pair.role == sonde::role::initiator ? senders : receivers;
    std::vector<child> const children(static_cast<std::size_t>(here));
    auto plan = ping_pong_plan;
    plan.synchronize = before_each_iteration;
    d.each_point([&](point const& at) {
        return d.report(at, d.run(at, plan, [&](auto out, auto in) {
            sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
            return sonde::ping_pong{link, pair.role, out, in};
        }));
    });
}

} // namespace

suite::named_program multi_process_program() {
    auto found = named(
        {.name = "osu_latency_mp",
         .title = "OSU MPI Multi-process Latency Test",
         .moved_by = mpi_library,
         .accepted = (latency_options - buffer_options - option_set{option_name::witness}) | option_name::test_calls,
         .smallest = 0,
         .t_means = probes::processes,
         .style = {.value_width = 10}},
        {.preamble = process_lines}, sweep_forked);
    found.main = [run = std::move(found.main)](int argc, char** argv) {
        setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0); // Open MPI would warn of the forks
        return run(argc, argv);
    };
    return found;
}

} // namespace osu
