// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/run/replayed_communicators.hpp"
#include "tools/replay/simulated.hpp"
#include "tools/replay/trace/bytes_sent.hpp"

#include <sonde/clock.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tools::replay {

/// Pattern: the calls of this rank in a phase, with the time between them or without. An iteration is a pass. All
/// requests that it starts are complete at its end.
class replayed_rank {
public:
    replayed_rank(trace const& t, thread_trace const& own, std::vector<step const*> const& steps,
                  replayed_communicators const& communicators, bool thinks);

    void operator()();
    sonde::traffic traffic() const { return traffic_; }
    void after_warmup() { measured_ = std::vector<times>(program_.events); }

    /// Sum of the median times of the calls of a pass since the warm-up; 0 without the time between calls.
    double seconds_in_calls() const;
    /// The same in the application.
    double recorded_seconds_in_calls() const;

    /// Elements of a message: of the datatype that was recorded, if it is predefined, or bytes.
    struct elements {
        int n = 0;
        MPI_Datatype type = MPI_BYTE;
        bool is_in_place = false;
    };
    elements elements_of(std::int64_t count, std::int32_t type) const;
    /// The operation of a reduction; for one that is not predefined, `of` becomes bytes.
    MPI_Op operation_of(step const& s, elements& of) const;

private:
    /// A call, or a loop.
    struct action {
        std::function<void()> call{};
        std::size_t place = 0; // in the program
        times::slices think{};
        std::size_t next_slice = 0;
        std::uint64_t passes = 0;
        std::vector<action> body{};
    };

    action action_of(step const& s, double times_called);
    std::function<void()> call_of(step const& s);
    std::function<void()> message(step const& s);
    std::function<void()> completion(step const& s);
    std::function<void()> collective(step const& s);
    std::function<void()> collective_v(step const& s, std::string const& name, bool starts);
    std::function<void()> neighbor_collective(step const& s, std::string const& name, bool starts);
    void make(action& a);
    void think(action& a);
    /// Memory that only this call receives in.
    void* received(std::size_t bytes);
    /// The memory that all calls send from has at least this size.
    void will_send(std::size_t bytes) { largest_sent_ = std::max(largest_sent_, bytes); }
    MPI_Request* next_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    communicator const& ranks_of(step const& s) const {
        return own_.communicators[static_cast<std::size_t>(s.what.comm)];
    }
    MPI_Comm comm_of(step const& s) const { return communicators_.of(ranks_of(s)); }

    thread_trace const& own_;
    program const& program_;
    replayed_communicators const& communicators_;
    bool thinks_;
    std::vector<std::unique_ptr<std::byte[]>> memory_;
    std::size_t largest_sent_ = 0;
    std::unique_ptr<std::byte[]> sent_memory_;
    std::vector<MPI_Request> requests_; // of this pass
    MPI_Message message_ = MPI_MESSAGE_NULL;
    std::vector<action> actions_;
    std::vector<double> calls_in_pass_; // of each place in the program
    std::vector<times> measured_;
    sonde::traffic traffic_{};
    record_clock::time_point end_of_call_{};
};

} // namespace tools::replay
