// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "options.hpp"

// [includes]
#include <sonde/clock/global_clock.hpp>
#include <sonde/mpi.hpp>
#include <sonde/probe.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>
// [/includes]

#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heat {

// [steps]
/// The parts of a time step as scopes of a probe, and the messages of the exchange, for a timeline if one is wanted.
class step_scopes {
public:
    step_scopes() : exchange_{probe_.scope("exchange")}, diffuse_{probe_.scope("diffuse")} {}

    /// Record the passes and the messages: `tag` of a message is the side of the block at which it is sent.
    void record_in(sonde::timeline_track& track, decomposition const& part) {
        probe_.record_in(track);
        for (auto const s : sides) {
            sent_.emplace_back(track, part.neighbor(s), s);
            received_.emplace_back(track, part.neighbor(s), opposite(s));
        }
    }

    void exchange(auto exchange) {
        auto const pass = exchange_.enter();
        for (auto& messages : sent_) messages.sent();
        exchange();
        for (auto& messages : received_) messages.received();
    }
    void diffuse(auto diffuse) {
        auto const pass = diffuse_.enter();
        diffuse();
    }

private:
    sonde::probe probe_;
    sonde::probe_scope &exchange_, &diffuse_;
    std::vector<sonde::recorded_messages<>> sent_, received_; // of the four sides; empty without a timeline
};
// [/steps]

/// The timeline of a run, written by `write`. Construction and `write` are collective.
class recording {
public:
    /// Throws std::invalid_argument on all ranks if the file cannot be written.
    recording(decomposition const& part, std::string path, step_scopes& scopes)
        : path_{require_writable(part, std::move(path))}, ranks_{part.comm()}, clock_{sonde::global_clock{ranks_}} {
        scopes.record_in(timeline_.add_track("time steps"), part);
    }
    void write() {
        // [write]
        auto const written = sonde::write_timeline(ranks_, timeline_, clock_, path_); // collective
        if (ranks_.rank() == 0)
            std::printf("timeline: %zu events, %zu dropped, times within %.3g us, in %s\n", written.events,
                        written.dropped, written.error_bound.count() * 1e6, path_.c_str());
        // [/write]
    }

private:
    static std::string require_writable(decomposition const& part, std::string path) {
        int failed = 0;
        std::string reason = "rank 0 cannot write it";
        if (part.rank() == 0) try {
                sonde::require_writable(path);
            } catch (std::exception const& e) {
                failed = 1;
                reason = e.what();
            }
        MPI_Bcast(&failed, 1, MPI_INT, 0, part.comm());
        if (failed != 0) throw std::invalid_argument{"--timeline: " + reason};
        return path;
    }

    std::string path_;
    sonde::mpi::group ranks_;
    decltype(sonde::global_clock{std::declval<sonde::mpi::group&>()}) clock_;
    sonde::timeline timeline_;
};

} // namespace heat
