// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/recorder/announced_call.hpp"
#include "tools/replay/recorder/recorder.hpp"

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tools::replay {

/// The recorder of this process, from MPI_Init to MPI_Finalize where this rank is recorded; null otherwise.
extern std::atomic<recorder*> the_recorder;

/// The application has an error handler, which may leave a call of MPI by a jump.
extern std::atomic<bool> has_error_handler;

/// What the wrappers know of the calling thread.
struct calling_thread {
    recorded_thread* recorded = nullptr;
    int depth = 0;                      // calls of MPI that are under way: those that a library makes inside another
    std::int32_t call = 0;              // the outermost of them
    void const* fortran_site = nullptr; // return address of the Fortran function that is under way
};
extern thread_local calling_thread this_thread;

/// The calling thread, if its calls are recorded and it is in none; null otherwise.
recorded_thread* recording_thread();

/// One call of MPI, from its wrapper's begin to its end. The functions by which wrappers describe a call return the
/// description, so that they are chained. What is read after a call is read after a call that succeeded.
class call_description {
public:
    /// `is_tracked`: the call forgets requests or makes an object, which is noted outside of the window, too.
    call_description(std::int32_t call, void const* return_address, bool is_tracked);
    ~call_description();
    call_description(call_description const&) = delete;
    call_description& operator=(call_description const&) = delete;

    /// False if nothing is noted of the call, because it is inside another one, or outside of the window.
    bool is_recorded() const { return to_ != nullptr; }

    // Before the call.

    /// The status tells which message a receive from any source matched: a wrapper's own where the caller has none.
    call_description& reads(MPI_Status*& status) {
        if (status == MPI_STATUS_IGNORE) status = &status_;
        return *this;
    }
    /// The requests of which the call completes some.
    call_description& remembers(int n, MPI_Request const* requests);
    /// The handle is forgotten, because another file may get it.
    call_description& closes(MPI_File const* file);
    /// What the page of this rank shows of the call.
    announced_call& announced() { return announced_; }
    /// The clock is read directly before and after the call of the library.
    void begin() {
        under_way_.begin = record_clock::now();
        if (to_->page != nullptr) begin_call(*to_->page, announced_.arguments(), nanoseconds_of(under_way_.begin));
        if (to_->monitored) to_->monitored->begin(under_way_.call, sonde::since_epoch(under_way_.begin).count());
        to_->under_way.store(&under_way_, std::memory_order_relaxed);
    }

    // After the call.

    /// Takes the lock. False if the call failed.
    bool succeeded(int code);
    /// Nothing is recorded but that there was a test, if it found nothing.
    bool found(bool something) { return found_ = something; }

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
    /// Of an intercommunicator: on the side of the root there is none.
    call_description& root(int rank);
    call_description& sends(MPI_Count count, MPI_Datatype type);
    /// Nothing, if the buffer is MPI_IN_PLACE.
    call_description& sends(void const* buffer, MPI_Count count, MPI_Datatype type);
    call_description& receives(MPI_Count count, MPI_Datatype type);
    call_description& receives(void const* buffer, MPI_Count count, MPI_Datatype type);
    // Of a collective with a root, whose arguments are set where they are used.
    call_description& sends_at_root(MPI_Count count, MPI_Datatype type);
    call_description& receives_at_root(MPI_Count count, MPI_Datatype type);
    call_description& sends_to_root(void const* buffer, MPI_Count count, MPI_Datatype type);
    call_description& receives_from_root(void const* buffer, MPI_Count count, MPI_Datatype type);
    call_description& sends_with_root(MPI_Count count, MPI_Datatype type);
    call_description& reduces(MPI_Op op);
    /// Counts of a block for each rank, or for each neighbor. Blocks to send are a list before those to receive.
    template <class Count>
    call_description& counts_of_own_group(Count const* each, MPI_Datatype type) {
        event_.type = recorder_->type(type);
        return list_counts(each, communicator_->own_size);
    }
    template <class Count>
    call_description& counts_at_root(Count const* each, MPI_Datatype type) {
        if (!is_root()) return *this;
        event_.type = recorder_->type(type);
        return list_counts(each, communicator_->size);
    }
    template <class Count>
    call_description& receives_counts(Count const* each, MPI_Datatype type) {
        event_.recv_type = recorder_->type(type);
        return list_counts(each, communicator_->size);
    }
    template <class Count>
    call_description& receives_counts_at_root(Count const* each, MPI_Datatype type) {
        return is_root() ? receives_counts(each, type) : *this;
    }
    template <class Count>
    call_description& counts(void const* buffer, Count const* sent, MPI_Datatype sent_type, Count const* received,
                             MPI_Datatype received_type);
    template <class Count>
    call_description& bytes(void const* buffer, Count const* sent, MPI_Datatype const* sent_types,
                            Count const* received, MPI_Datatype const* received_types);
    template <class Count>
    call_description& neighbor_counts(Count const* sent, MPI_Datatype sent_type, Count const* received,
                                      MPI_Datatype received_type);
    template <class Count>
    call_description& neighbor_counts(std::nullptr_t, MPI_Datatype sent_type, Count const* received,
                                      MPI_Datatype received_type) {
        return neighbor_counts(static_cast<Count const*>(nullptr), sent_type, received, received_type);
    }
    template <class Count>
    call_description& neighbor_bytes(Count const* sent, MPI_Datatype const* sent_types, Count const* received,
                                     MPI_Datatype const* received_types);
    call_description& partitions(int number) { return partitions(1, &number); }
    call_description& partitions(int first, int last);
    call_description& partitions(int n, int const* numbers);

    /// The remembered requests, which the call completed.
    call_description& completes();
    /// `indices` in the remembered requests.
    call_description& completed(int n, int const* indices);
    call_description& frees();
    /// The requests that a call names and does not complete.
    call_description& names(int n, MPI_Request const* requests);
    call_description& names(MPI_Request request) { return names(1, &request); }
    call_description& matched(MPI_Status const* status);
    call_description& starts(MPI_Request request);
    call_description& keeps(MPI_Request request);
    call_description& made(MPI_Comm comm);
    call_description& made_window(MPI_Win win);
    /// The communicator will be complete with a request, and has the ranks and the neighbors of `like`.
    call_description& becomes(MPI_Comm like, MPI_Comm comm);
    /// The file is one of the communicator.
    call_description& opens(MPI_File file);
    /// The communicator of an open file.
    call_description& on_file(MPI_File file);
    /// The call has no argument that is recorded.
    call_description& timed() { return *this; }

private:
    void enter();
    void end_event();
    void end_failure();
    void end_on_page();
    distance distance_to(int rank) const;
    bool is_of_other_group() const { return communicator_->is_intercommunicator && event_.root < 0; }
    bool is_root() const;
    template <class Count>
    call_description& list_counts(Count const* each, int n);
    call_description& made_as(std::int32_t id);
    template <class Count>
    void add_bytes(std::size_t n, Count const* each, MPI_Datatype const* types);

    recorder* recorder_;
    recorded_thread* to_ = nullptr;
    bool is_on_ = true, is_entered_ = false, has_succeeded_ = false, found_ = true;
    int root_ = 0;
    int remembered_count_ = 0;
    MPI_Request one_ = MPI_REQUEST_NULL;
    MPI_Request const* remembered_ = &one_;      // as they were before the call
    MPI_Request const* remembered_in_ = nullptr; // of the application
    incomplete_call under_way_;
    announced_call announced_;
    std::uint64_t started_ = 0; // key of the request
    record_clock::time_point end_;
    event event_;
    sample sample_;
    recorded_communicator const* communicator_ = nullptr;
    MPI_Status status_{};
};

/// Memory that is used again, so that a call allocates nothing.
extern thread_local std::vector<std::int64_t> scratch;

template <class Count>
call_description& call_description::list_counts(Count const* each, int n) {
    scratch.assign(each, each + n);
    event_.counts = recorder_->list(scratch);
    return *this;
}

template <class Count>
call_description& call_description::counts(void const* buffer, Count const* sent, MPI_Datatype sent_type,
                                           Count const* received, MPI_Datatype received_type) {
    scratch.clear();
    if (buffer != MPI_IN_PLACE) {
        event_.type = recorder_->type(sent_type);
        scratch.assign(sent, sent + communicator_->size);
    }
    event_.recv_type = recorder_->type(received_type);
    scratch.insert(scratch.end(), received, received + communicator_->size);
    event_.counts = recorder_->list(scratch);
    return *this;
}

template <class Count>
void call_description::add_bytes(std::size_t n, Count const* each, MPI_Datatype const* types) {
    for (std::size_t i = 0; i != n; ++i)
        scratch.push_back(each[i] == 0 ? 0 : each[i] * recorder_->size_of(recorder_->type(types[i])));
}

template <class Count>
call_description& call_description::bytes(void const* buffer, Count const* sent, MPI_Datatype const* sent_types,
                                          Count const* received, MPI_Datatype const* received_types) {
    auto const n = static_cast<std::size_t>(communicator_->size);
    scratch.clear();
    event_.recv_type = recorder_->type(MPI_BYTE);
    if (buffer != MPI_IN_PLACE) {
        event_.type = event_.recv_type;
        add_bytes(n, sent, sent_types);
    }
    add_bytes(n, received, received_types);
    event_.counts = recorder_->list(scratch);
    return *this;
}

template <class Count>
call_description& call_description::neighbor_counts(Count const* sent, MPI_Datatype sent_type, Count const* received,
                                                    MPI_Datatype received_type) {
    scratch.clear();
    event_.type = recorder_->type(sent_type);
    event_.recv_type = recorder_->type(received_type);
    if (sent != nullptr) scratch.assign(sent, sent + communicator_->out_degree);
    scratch.insert(scratch.end(), received, received + communicator_->in_degree);
    event_.counts = recorder_->list(scratch);
    return *this;
}

template <class Count>
call_description& call_description::neighbor_bytes(Count const* sent, MPI_Datatype const* sent_types,
                                                   Count const* received, MPI_Datatype const* received_types) {
    scratch.clear();
    event_.type = event_.recv_type = recorder_->type(MPI_BYTE);
    add_bytes(communicator_->out_degree, sent, sent_types);
    add_bytes(communicator_->in_degree, received, received_types);
    event_.counts = recorder_->list(scratch);
    return *this;
}

} // namespace tools::replay
