// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/recorder/call_monitor.hpp"
#include "tools/replay/recorder/candidate_series.hpp"
#include "tools/replay/recorder/clock_offsets.hpp"
#include "tools/replay/recorder/handle_map.hpp"
#include "tools/replay/recorder/own_page.hpp"
#include "tools/replay/recorder/recorded_objects.hpp"
#include "tools/replay/recorder/recording_lock.hpp"
#include "tools/replay/recorder/settings.hpp"
#include "tools/replay/simulated.hpp"
#include "tools/replay/trace/trace_text.hpp"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tools::replay {

/// A call that is not an event: it is not over, or it found nothing.
struct incomplete_call {
    std::int32_t call = absent;
    void const* address = nullptr; // of the call site
    record_clock::time_point begin{};
};

inline std::int64_t nanoseconds_of(record_clock::time_point t) {
    return std::chrono::nanoseconds{t.time_since_epoch()}.count();
}

/// Events of one thread.
struct recorded_thread {
    recorded_thread(int its_number, std::size_t memory, record_clock::time_point now, page_thread* its_page)
        : number{its_number}, events{memory}, begin{now}, end{now}, page{its_page} {}

    int number;
    folded_events events;
    record_clock::time_point begin, end; // of the recording: the end is that of the last call
    std::int64_t started = 0;            // requests
    std::int64_t open = 0;               // of them
    candidate_series candidates;
    std::uint32_t polls = 0; // since the last event, with the time in them, and the last of them
    record_clock::duration polling{};
    incomplete_call last_poll{};
    record_clock::duration paused{};                        // since the last event, for the recorder's own work
    std::atomic<incomplete_call const*> under_way{nullptr}; // the call that the thread is in
    std::map<std::string, std::uint64_t> not_recorded;
    page_thread* page; // null: there is none
    std::optional<monitored_calls> monitored;
};

/// Where the application's probes count their passes, from the first probe to the end of the process: a probe may be
/// made before MPI_Init, and used after MPI_Finalize. Null if there is no memory.
sonde::scope_table* scopes_of_process();

class trace_file;
class checkpoints;

/// Calls of this process. Its threads share the tables.
class recorder {
public:
    /// `comm`: a communicator of all ranks for the output, which `finish` frees. `command`: the application's command
    /// line. Collective.
    recorder(trace_settings settings, int thread_level, std::string command, MPI_Comm comm);
    ~recorder();

    /// Wait for all ranks. Collective. False if a rank has died in a job that survives it: calls cannot be gathered.
    bool wait_for_all();
    /// Gather the calls of all ranks and write the file. Collective.
    void finish();
    /// Write this rank's calls alone, into the file of the output's name with ".rank" and the number. For a process
    /// that ends; other threads may call MPI.
    void save();

    bool is_on() const {
        if (!is_marked_) return false;
        if (!settings_.from && !settings_.to) return true;
        auto const now = record_clock::now() - origin_;
        return (!settings_.from || now >= *settings_.from) && (!settings_.to || now < *settings_.to);
    }
    void mark(bool on) { is_marked_ = on || !settings_.between_marks; }
    /// Time since MPI_Init.
    record_clock::duration since_init(record_clock::time_point t) const { return t - origin_; }
    bool records_this_rank() const { return settings_.records(rank_); }

    recorded_thread& new_thread();
    /// Around changes of tables and events. Returns the time for which it waited.
    record_clock::duration enter() { return lock_.enter(); }
    void leave() { lock_.leave(); }

    // Numbers in tables. If there is no memory for a new entry, the number is 0 or, of a communicator or a window, -1,
    // and `is_short_of_memory` returns true once.
    std::int32_t site(void const* return_address);
    std::int32_t communicator(MPI_Comm comm);
    /// A communicator that is not complete: one of the same ranks as `like`.
    std::int32_t becomes(MPI_Comm like, MPI_Comm comm);
    /// The communicator of a file, from its opening to its end; `absent` if it is not known.
    void open(MPI_File file, std::int32_t communicator);
    std::int32_t communicator_of(MPI_File file) const;
    std::int32_t close(MPI_File file);
    recorded_communicator const& communicator_at(std::int32_t id) const { return communicators_[id]; }
    std::int32_t window(MPI_Win win);
    recorded_communicator const& window_at(std::int32_t id) const { return windows_[id]; }
    std::int32_t type(MPI_Datatype type);
    std::int64_t size_of(std::int32_t type) const { return tables_.types[static_cast<std::size_t>(type)].size; }
    std::int32_t operation(MPI_Op op);
    std::int32_t list(std::vector<std::int64_t> const& numbers);
    bool is_short_of_memory() { return std::exchange(is_short_of_memory_, false); }

    void forget_communicator(MPI_Comm comm) { communicators_.forget(key_of(comm)); }
    void forget_window(MPI_Win win);
    void forget_type(MPI_Datatype type) { static_cast<void>(types_.take(key_of(type))); }

    void start(recorded_thread& by, MPI_Request request);
    /// Number of a persistent request: -1 - n for the n-th that is not freed.
    std::int64_t keep(MPI_Request request);
    /// How many requests ago the request was started, or the number of a persistent one; 0 if another thread or a
    /// call that is not recorded started it. Requests that are not persistent are forgotten if `completes`.
    std::int64_t age(recorded_thread& by, MPI_Request request, bool completes);
    /// List of the requests for which a call waits that completes some of them, at its site; `absent`: all that are
    /// open, or it is not known.
    std::int32_t candidates(recorded_thread& by, void const* site, std::span<MPI_Request const> waited);
    void free_persistent(MPI_Request request);

    /// The page of shared memory; null: there is none.
    own_page* page() { return page_.get(); }
    /// For the page: a call that all ranks of its communicator or window make. Returns its number; 0: not known.
    std::uint64_t end_collective(page_call const& call);
    /// The process ends.
    void remove_page_file() {
        if (page_ != nullptr) page_->remove_file();
    }

    /// Write this rank's file if the last one is older than the setting. Returns the time for that. For a call, and for
    /// the thread of checkpoints, which writes later than a call would.
    record_clock::duration checkpoint(record_clock::time_point now) {
        return now < next_checkpoint_ ? record_clock::duration{} : write_checkpoint();
    }
    void checkpoint_from_outside();
    record_clock::duration period() const { return settings_.checkpoint; }

private:
    /// True if the tables may take `bytes` more.
    bool takes(std::size_t bytes);
    void make_page();
    void make_monitor();
    void show_object(std::int32_t id, std::uint64_t key, bool is_window);
    std::string ranks_of(MPI_Group group) const;
    void find_neighbors(MPI_Comm comm, recorded_communicator& found);
    std::int32_t add(std::uint64_t key, recorded_communicator made, recorded_objects& to);
    trace_about about() const;
    /// Texts of the lines of a thread.
    struct texts {
        std::string program, rank;
    };
    /// `is_over`: after MPI_Finalize. Before, the first thread is recorded until now, also if it is in no call.
    std::vector<texts> own_texts(bool is_over);
    texts texts_of(recorded_thread& thread, bool is_over);
    record_clock::duration write_checkpoint();
    void write_own_file();
    void choose_output();
    std::vector<std::size_t> write_programs(trace_file& file, std::vector<texts> const& own);
    void write_ranks(trace_file& file, std::vector<texts> const& own, std::vector<std::size_t> const& programs);

    trace_settings settings_;
    std::unique_ptr<own_page> page_;
    std::unique_ptr<sonde::monitor> monitor_;
    std::string command_;
    recording_lock lock_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    std::optional<clock_offsets> clocks_;
    record_clock::time_point origin_, next_checkpoint_;
    std::atomic<bool> is_marked_;
    bool has_own_file_ = false, has_failed_ = false; // to write
    bool is_short_of_memory_ = false;
    std::size_t table_bytes_ = 0;
    event_tables tables_;
    handle_map sites_, types_, equal_types_, operations_, lists_, requests_, files_;
    recorded_objects communicators_, windows_;
    std::int64_t kept_ = 0; // persistent requests, and the numbers of those that are freed
    std::set<std::int64_t> free_numbers_;
    std::vector<std::unique_ptr<recorded_thread>> threads_;
    std::unique_ptr<checkpoints> checkpoints_;
};

/// The function of the MPI library, or of a tool that is loaded after this one.
void* next_function(char const* name);
template <class F>
F* library_function(char const* name) {
    return reinterpret_cast<F*>(next_function(name));
}

} // namespace tools::replay

/// The function PMPI_name of the MPI library, which this library defines itself.
#define SONDE_LIBRARY_CALL(name)                                                                                       \
    ([] {                                                                                                              \
        static auto* const function = tools::replay::library_function<decltype(PMPI_##name)>("PMPI_" #name);           \
        return function;                                                                                               \
    }())
