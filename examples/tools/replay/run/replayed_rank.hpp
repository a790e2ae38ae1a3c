// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/busy_time.hpp"
#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/replayed_communicators.hpp"
#include "tools/replay/run/replayed_elements.hpp"
#include "tools/replay/run/replayed_windows.hpp"
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
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tools::replay {

struct replayed_collective;

/// Memory that all calls of a rank send from. It is allocated when the calls are known.
using sent_memory = std::unique_ptr<std::byte[]>;

/// Pattern: the calls of this rank in a phase, with the time between them or without. An iteration is a pass. All
/// requests that it starts are complete at its end, and the locks of windows are those of its begin.
class replayed_rank {
public:
    /// Makes the phase's persistent requests, and opens the epochs in which it begins. Collective over the ranks of the
    /// trace. Throws std::runtime_error for a message that cannot be sent.
    replayed_rank(trace const& t, thread_trace const& own, std::vector<step const*> const& steps,
                  replayed_communicators const& communicators, replayed_windows const& windows, bool thinks);
    replayed_rank(replayed_rank const&) = delete;
    replayed_rank& operator=(replayed_rank const&) = delete;

    /// Frees the persistent requests and closes the epochs. Collective, behind the last pass.
    void finish();

    void operator()();
    sonde::traffic traffic() const { return traffic_; }
    void after_warmup() { seconds_of_passes_.clear(); }

    /// Time in the calls of each pass since the warm-up, in seconds; empty without the time between calls.
    std::vector<double> const& seconds_in_calls() const { return seconds_of_passes_; }
    /// The same in the application, of the passes that the trace has: the kept ones of a loop, or one.
    std::vector<double> recorded_seconds_in_calls() const;

private:
    /// A call, or a loop.
    struct action {
        std::function<void()> call{};
        std::size_t place = 0; // in the program
        double think = 0;      // of a call that is in no loop, in seconds
        double left_out = 0;   // in a call that is left out and whose time passes, in seconds
        std::uint64_t passes = 0;
        std::vector<action> body{};
        std::size_t row = 0, rows = 1; // in the kept passes, from those of the body around it on; rows of a body's pass
        loop_passes const* kept = nullptr; // of a loop that is in no other one
    };
    /// Where a pass is in the kept ones.
    struct kept_position {
        loop_passes const* loop = nullptr; // null: in no loop
        std::size_t pass = 0, row = 0;
    };

    action action_of(step const& s, double times_called);
    std::vector<action> actions_of(std::vector<step const*> const& steps, double times_called);
    std::function<void()> call_of(step const& s);
    void note_traffic(step const& s, double times_called);
    void make(action& a, kept_position at);
    void think(action const& a, kept_position at);
    void end_pass();
    void add_recorded(std::vector<double>& to, action const& a, std::size_t row, double weight) const;

    // Messages and requests.
    std::function<void()> message(step const& s);
    std::function<void()> completion(step const& s);
    std::function<void()> status(step const& s);
    std::function<void()> completion_of_any(std::int64_t n, std::vector<std::int64_t> const& ages);
    std::vector<std::int64_t> ages_of(step const& s) const;
    MPI_Request& request(std::int64_t age);
    std::function<void()> start(step const& s);
    std::function<void()> persistent_collective(step const& s);
    std::function<void()> partitions(step const& s);
    void find_persistent(step const& s);
    void make_persistent();
    std::vector<std::size_t> slots_of(step const& s) const;
    MPI_Request* next_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    MPI_Request& slot(step const& maker) { return requests_[slots_.at(&maker)]; }
    std::size_t buffered_bytes_of(step const& s) const;
    elements any_message(step const& s);

    // Collectives.
    std::function<void()> collective(step const& s);
    replayed_collective arguments_of_collective(step const& s, std::string const& name);
    void set_blocks(replayed_collective& a, step const& s, std::string const& name) const;

    // One-sided operations.
    std::function<void()> one_sided(step const& s);
    std::function<void()> synchronization(step const& s);
    void open_epochs(std::vector<step const*> const& steps);
    void restore_locks();
    MPI_Group group_of(step const& s);

    /// Memory that only this call receives in.
    void* received(std::size_t bytes);
    /// The memory that all calls send from has at least this size.
    void will_send(std::size_t bytes) { largest_sent_ = std::max(largest_sent_, bytes); }
    communicator const& ranks_of(step const& s) const {
        return own_.communicators[static_cast<std::size_t>(s.what.comm)];
    }
    MPI_Comm comm_of(step const& s) const { return communicators_.of(ranks_of(s)); }
    window const& window_of(step const& s) const { return own_.windows[static_cast<std::size_t>(s.what.window)]; }

    trace const& trace_;
    thread_trace const& own_;
    program const& program_;
    replayed_communicators const& communicators_;
    replayed_windows const& windows_;
    persistent_requests const persistent_;
    bool thinks_;
    std::vector<std::unique_ptr<std::byte[]>> memory_;
    std::size_t largest_sent_ = 0;
    std::optional<std::int64_t> longest_message_; // bytes of those to this rank
    sent_memory sent_memory_;
    std::vector<std::byte> attached_; // for buffered messages of a pass
    std::size_t buffered_bytes_ = 0;
    std::map<step const*, std::size_t> slots_; // of persistent requests in `requests_`, by the calls that make them
    std::set<step const*> made_in_pass_;       // calls that make persistent requests
    std::vector<MPI_Request> requests_;        // the persistent ones, and those of this pass
    bool leaves_requests_ = false;             // at the end of a pass, or may
    std::vector<MPI_Message> taken_;           // by MPI_Mprobe, not received yet
    std::map<std::int32_t, window_epoch> epochs_at_begin_, epochs_at_end_; // by the number of the window
    std::set<std::int32_t> fenced_;                                        // windows
    std::vector<MPI_Group> groups_;
    std::vector<action> actions_;
    std::vector<double> calls_in_pass_; // of each place in the program
    loop_passes const* kept_ = nullptr; // of the phase, if it is a loop
    std::size_t pass_ = 0;
    double seconds_in_calls_ = 0; // of this pass
    std::vector<double> seconds_of_passes_;
    sonde::traffic traffic_{};
    record_clock::time_point end_of_call_{};
    std::optional<cache_reads> reads_; // with the time between calls
};

} // namespace tools::replay
