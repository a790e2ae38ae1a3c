// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/recorder/handle_map.hpp"
#include "tools/replay/recorder/settings.hpp"
#include "tools/replay/simulated.hpp"
#include "tools/replay/trace/trace_text.hpp"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tools::replay {

/// The functions of the table, in its order.
std::span<char const* const> call_names();

/// Events of one thread.
struct recorded_thread {
    recorded_thread(int its_number, std::size_t memory, record_clock::time_point now)
        : number{its_number}, events{memory}, begin{now}, end{now} {}

    int number;
    folded_events events;
    record_clock::time_point begin, end; // of the recording: the end is that of the last call
    std::int64_t started = 0;            // requests
    std::uint32_t polls = 0;             // since the last event, with the time in them
    std::chrono::nanoseconds polling{};
    std::map<std::string, std::uint64_t> not_recorded;
};

/// A communicator, or the ranks of a window.
struct recorded_communicator {
    std::uint64_t key = 0;
    std::string ranks{}; // in MPI_COMM_WORLD
    int ordinal = 0;     // among those of the same ranks that are there at the same time
    bool is_freed = false;
    int rank = 0;
    int size = 1; // of the remote group of an intercommunicator
    std::int32_t neighbors = absent;
    std::size_t in_degree = 0, out_degree = 0;
    MPI_Group group = MPI_GROUP_NULL; // of a window
    window_about memory{};            // of a window
};

class trace_file;

/// Calls of this process. Its threads share the tables.
class recorder {
public:
    /// Takes a duplicate of MPI_COMM_WORLD for the output. `command`: the application's command line. Collective.
    recorder(trace_settings settings, int thread_level, std::string command);

    /// Gather the calls of all ranks and write the file. Collective.
    void finish();
    /// Write this rank's calls alone, into the file of the output's name with ".rank" and the number.
    void write_own_file();

    bool is_on() const {
        if (!is_marked_) return false;
        if (!settings_.from && !settings_.to) return true;
        auto const now = record_clock::now() - origin_;
        return (!settings_.from || now >= *settings_.from) && (!settings_.to || now < *settings_.to);
    }
    void mark(bool on) { is_marked_ = on || !settings_.between_marks; }
    bool records_this_rank() const { return settings_.records(rank_); }

    recorded_thread& new_thread();
    /// Held while tables or events change, if several threads call MPI.
    std::unique_lock<std::mutex> lock() {
        return is_shared_ ? std::unique_lock{mutex_} : std::unique_lock{mutex_, std::defer_lock};
    }

    std::int32_t site(void const* address);
    std::int32_t communicator(MPI_Comm comm);
    recorded_communicator const& communicator_at(std::int32_t id) const {
        return communicators_[static_cast<std::size_t>(id)];
    }
    std::int32_t window(MPI_Win win);
    recorded_communicator const& window_at(std::int32_t id) const { return windows_[static_cast<std::size_t>(id)]; }
    std::int32_t type(MPI_Datatype type);
    std::int64_t size_of(std::int32_t type) const { return tables_.types[static_cast<std::size_t>(type)].size; }
    std::int32_t operation(MPI_Op op);
    std::int32_t list(std::vector<std::int64_t> const& numbers);

    void forget_communicator(MPI_Comm comm);
    void forget_window(MPI_Win win);
    void forget_type(MPI_Datatype type) { static_cast<void>(types_.take(key_of(type))); }

    void start(recorded_thread& by, MPI_Request request);
    /// Number of a persistent request: -1 - n for the n-th that is not freed.
    std::int64_t keep(MPI_Request request);
    /// How many requests ago the request was started, or the number of a persistent one; 0 if another thread or a
    /// call that is not recorded started it. Requests that are not persistent are forgotten if `completes`.
    std::int64_t age(recorded_thread const& by, MPI_Request request, bool completes);
    void free_persistent(MPI_Request request);

    /// Write this rank's file if the last one is older than the setting.
    void checkpoint(record_clock::time_point now) {
        if (now < next_checkpoint_) return;
        write_own_file();
        next_checkpoint_ = now + settings_.checkpoint;
    }

private:
    static std::int32_t add(recorded_communicator made, std::vector<recorded_communicator>& to, handle_map& ids);
    std::int32_t neighbors_of(MPI_Comm comm, recorded_communicator& found);
    trace_about about() const;
    /// Texts of the lines of a thread.
    struct texts {
        std::string program, rank;
    };
    std::vector<texts> own_texts();
    std::vector<std::size_t> write_programs(trace_file& file, std::vector<texts> const& own);
    void write_ranks(trace_file& file, std::vector<texts> const& own, std::vector<std::size_t> const& programs);

    trace_settings settings_;
    std::string command_;
    bool is_shared_;
    std::mutex mutex_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    record_clock::time_point origin_, next_checkpoint_;
    std::atomic<bool> is_marked_;
    bool has_own_file_ = false;
    event_tables tables_;
    handle_map sites_, communicator_ids_, window_ids_, types_, operations_, lists_, requests_;
    std::vector<recorded_communicator> communicators_, windows_;
    std::vector<bool> kept_; // persistent requests that are not freed
    std::vector<std::unique_ptr<recorded_thread>> threads_;
};

/// "vector(3,1,5,MPI_DOUBLE)": how a datatype is constructed.
std::string construction_of(MPI_Datatype type);

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
