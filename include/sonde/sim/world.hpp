// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/crew.hpp>
#include <sonde/sim/interconnect.hpp>
#include <sonde/sim/meeting.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/nodes.hpp>
#include <sonde/sim/process.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace sonde::sim {

/// Ranks in virtual time over a LogGP network: one thread and one clock each, results the same in every run.
///
/// For ranks on nodes that is the network within a node. Between nodes a message costs both processors the overhead
/// too, and takes its turns on the nodes' shared links.
class world {
public:
    world(int ranks, log_gp net) : ranks_{static_cast<std::size_t>(ranks)}, net_{net} {}
    /// Throws std::invalid_argument for links on which nothing could be sent.
    explicit world(nodes on, log_gp within = {}) : ranks_{on.of_rank.size()}, net_{within}, nodes_{std::move(on)} {
        nodes_->validate();
    }

    /// Run `f(process&)` on every rank and wait for all. What one throws ends the others' waiting, and comes out here.
    /// Throws `deadlock` where ranks on nodes wait for what nobody sends.
    template <class F>
    void run(F f) {
        if (!nodes_) {
            detail::post_office post;
            return run_by(post, nullptr, f);
        }
        detail::interconnect between{*nodes_};
        run_by(between, &between, f);
        use_ = between.use();
    }
    /// How busy each node's link was in the last run.
    std::vector<link_use> const& links() const { return use_; }

private:
    template <class F>
    void run_by(detail::post_office& post, detail::interconnect* between, F& f) {
        detail::meeting meeting{ranks_};
        auto const body = [&](std::size_t rank) {
            process self{static_cast<int>(rank), static_cast<int>(ranks_), net_, post, meeting, between};
            f(self);
            if (between != nullptr) between->end();
        };
        sonde::detail::on_threads(ranks_, body, [&] {
            post.fail();
            meeting.fail();
        });
    }

    std::size_t ranks_;
    log_gp net_;
    std::optional<nodes> nodes_;
    std::vector<link_use> use_;
};

} // namespace sonde::sim
