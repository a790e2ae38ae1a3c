// SPDX-License-Identifier: BSL-1.0
// osu_latency between ranks that have forked processes.
#include "osu/pt2pt/driver.hpp"

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

std::string preamble(options const& asked) {
    auto const [senders, receivers] = processes_of(asked);
    return "# Number of forked processes in sender: " + std::to_string(senders) +
           "\n# Number of forked processes in receiver: " + std::to_string(receivers);
}

} // namespace

} // namespace osu

int main(int argc, char** argv) {
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0); // Open MPI would warn of the forks
    osu::program const about{.name = "osu_latency_mp",
                             .title = "OSU MPI Multi-process Latency Test",
                             .accepted = (osu::latency_options - osu::buffer_options) | osu::option_name::test_calls,
                             .smallest = 0,
                             .t_means = osu::probes::processes,
                             .narrow_value = true,
                             .preamble = osu::preamble};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        auto const [senders, receivers] = osu::processes_of(d.options());
        auto const here = pair.role == sonde::role::initiator ? senders : receivers;
        std::vector<osu::child> const children(static_cast<std::size_t>(here));
        osu::sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = osu::before_each_iteration};
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in) {
                sonde::mpi::link const link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{link, pair.role, out, in};
            }));
        });
    });
}
