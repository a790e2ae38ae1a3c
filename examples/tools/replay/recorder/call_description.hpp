// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/recorder/recorder.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tools::replay {

/// The recorder of this process, from MPI_Init to MPI_Finalize where this rank is recorded; null otherwise.
extern recorder* the_recorder;

/// What the wrappers know of the calling thread.
struct calling_thread {
    recorded_thread* recorded = nullptr;
    int depth = 0;                      // calls of MPI that are under way: those that a library makes inside another
    void const* fortran_site = nullptr; // return address of the Fortran function that is under way
};
extern thread_local calling_thread this_thread;

/// One call of MPI, from its wrapper's begin to its end. The functions by which wrappers describe a call return the
/// description, so that they are chained: before the call what it gets, after it what it found.
class call_description {
public:
    call_description(std::int32_t call, void const* return_address);
    ~call_description();
    call_description(call_description const&) = delete;
    call_description& operator=(call_description const&) = delete;

    /// False if the call is not recorded, because it is inside another one, or outside of the window. Otherwise holds
    /// the lock until `begin`.
    bool is_recorded() const { return to_ != nullptr; }
    /// The clock is read directly before and after the call of the library.
    void begin() {
        if (lock_.owns_lock()) lock_.unlock();
        begin_ = record_clock::now();
    }
    void end() {
        end_ = record_clock::now();
        if (lock_.mutex() != nullptr) lock_.lock();
    }

    call_description& on(MPI_Comm comm);
    call_description& on_window(MPI_Win win);
    call_description& to(int rank, int tag);
    call_description& at(int target, MPI_Win win);
    /// Noted, but not a part of the event: calls that differ only in it are folded.
    call_description& displaced(MPI_Aint displacement);
    call_description& locks(int lock_type);
    call_description& asserts(int assertion);
    /// The ranks of an epoch, as distances from the own rank in the window.
    call_description& with_group(MPI_Group group);
    call_description& from(int rank, int tag);
    call_description& root(int rank);
    call_description& sends(MPI_Count count, MPI_Datatype type);
    /// Nothing, if the buffer is MPI_IN_PLACE.
    call_description& sends(void const* buffer, MPI_Count count, MPI_Datatype type);
    call_description& receives(MPI_Count count, MPI_Datatype type);
    call_description& receives(void const* buffer, MPI_Count count, MPI_Datatype type);
    call_description& sends_at_root(MPI_Count count, MPI_Datatype type);
    call_description& receives_at_root(MPI_Count count, MPI_Datatype type);
    call_description& reduces(MPI_Op op);
    /// Counts of a block for each rank, or for each neighbor. Blocks to send are a list before those to receive.
    call_description& counts(int const* each, MPI_Datatype type);
    call_description& counts_at_root(int const* each, MPI_Datatype type);
    call_description& receives_counts(int const* each, MPI_Datatype type);
    call_description& receives_counts_at_root(int const* each, MPI_Datatype type);
    call_description& counts(void const* buffer, int const* sent, MPI_Datatype sent_type, int const* received,
                             MPI_Datatype received_type);
    call_description& bytes(void const* buffer, int const* sent, MPI_Datatype const* sent_types, int const* received,
                            MPI_Datatype const* received_types);
    call_description& neighbor_counts(int const* sent, MPI_Datatype sent_type, int const* received,
                                      MPI_Datatype received_type);
    call_description& neighbor_bytes(int const* sent, MPI_Datatype const* sent_types, int const* received,
                                     MPI_Datatype const* received_types);
    call_description& partitions(int number);
    call_description& partitions(int first, int last);
    call_description& partitions(int n, int const* numbers);

    /// The status tells which message a receive from any source matched: a wrapper's own where the caller has none.
    call_description& reads(MPI_Status*& status);
    /// The requests that the call waits for, and forgets.
    call_description& completes(int n, MPI_Request const* requests);
    call_description& frees(MPI_Request const* request);
    /// The requests of which the call completes some.
    call_description& remembers(int n, MPI_Request const* requests);
    /// The requests that a call names and does not complete.
    call_description& names(int n, MPI_Request const* requests);
    call_description& names(MPI_Request request) { return names(1, &request); }

    call_description& matched(MPI_Status const* status);
    /// Nothing is recorded but that there was a test, if it found nothing.
    call_description& found(bool something);
    call_description& all_completed();
    /// `indices` in the requests before the call.
    call_description& completed(int n, int const* indices);
    call_description& starts(MPI_Request request);
    call_description& keeps(MPI_Request request);
    call_description& made(MPI_Comm comm);
    call_description& made_window(MPI_Win win);

private:
    distance distance_to(int rank) const;
    bool is_root() const { return event_.root == communicator_->rank; }
    void add_bytes(std::vector<std::int64_t>& list, std::size_t n, int const* each, MPI_Datatype const* types);

    recorder* recorder_;
    recorded_thread* to_ = nullptr;
    std::unique_lock<std::mutex> lock_;
    record_clock::time_point begin_, end_;
    event event_;
    sample sample_;
    bool found_ = true;
    recorded_communicator const* communicator_ = nullptr;
    MPI_Status status_{};
};

} // namespace tools::replay
