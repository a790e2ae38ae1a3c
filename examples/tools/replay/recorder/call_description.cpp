// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/call_description.hpp"

#include "tools/replay/recorder/entry_points.hpp"
#include "tools/replay/recorder/own_frames.hpp"

#include <utility>

namespace tools::replay {

thread_local std::vector<std::int64_t> scratch;

namespace {

thread_local std::vector<MPI_Request> remembered_requests;

void note_failure(recorded_thread& of, std::int32_t call) {
    ++of.not_recorded[std::string{call_names()[static_cast<std::size_t>(call)]} + " that failed"];
}

/// Of objects for which the tables have no memory: their calls are dropped.
recorded_communicator const not_listed{};

} // namespace

recorded_thread* recording_thread() {
    auto* const to = the_recorder.load(std::memory_order_relaxed);
    if (to == nullptr) return nullptr;
    if (this_thread.depth != 0) {
        if (!has_error_handler.load(std::memory_order_relaxed) || is_inside_own_function()) return nullptr;
        this_thread.depth = 0; // an error handler left the call by a jump
        if (this_thread.recorded != nullptr) {
            to->enter();
            note_failure(*this_thread.recorded, this_thread.call);
            to->leave();
        }
    }
    if (this_thread.recorded == nullptr) this_thread.recorded = &to->new_thread();
    return this_thread.recorded;
}

call_description::call_description(std::int32_t call, void const* return_address, bool is_tracked)
    : recorder_{the_recorder.load(std::memory_order_relaxed)}, to_{recording_thread()},
      under_way_{call, this_thread.fortran_site != nullptr ? this_thread.fortran_site : return_address},
      announced_{call} {
    ++this_thread.depth;
    if (to_ == nullptr) return;
    this_thread.call = call;
    announced_.arguments().site = reinterpret_cast<std::uintptr_t>(under_way_.address);
    is_on_ = recorder_->is_on();
    if (is_on_ || is_tracked) return;
    to_->end = record_clock::now();
    to_ = nullptr;
}

call_description::~call_description() {
    --this_thread.depth;
    if (to_ == nullptr) return;
    if (!is_entered_) enter(); // an error handler threw
    to_->under_way.store(nullptr, std::memory_order_relaxed);
    if (to_->page != nullptr) end_on_page();
    if (to_->monitored)
        to_->monitored->end(sonde::since_epoch(under_way_.begin).count(), sonde::since_epoch(end_).count());
    if (!has_succeeded_) end_failure();
    else if (!is_on_) to_->end = end_;
    else end_event();
    to_->paused += recorder_->checkpoint(end_);
    recorder_->leave();
}

void call_description::enter() {
    end_ = record_clock::now();
    to_->paused += recorder_->enter();
    is_entered_ = true;
}

void call_description::end_event() {
    auto const time = end_ - under_way_.begin;
    if (!found_) {
        ++to_->polls;
        to_->polling += time;
        to_->last_poll = under_way_;
        return;
    }
    event_.call = under_way_.call;
    event_.site = recorder_->site(under_way_.address);
    if (recorder_->is_short_of_memory()) {
        to_->events.drop();
    } else {
        sample_.think = under_way_.begin - to_->end - to_->polling - to_->paused;
        sample_.call = time + to_->polling;
        sample_.end = recorder_->since_init(end_);
        sample_.polls = to_->polls;
        to_->events.add(event_, sample_);
    }
    to_->polls = 0;
    to_->polling = to_->paused = {};
    to_->end = end_;
}

/// A collective counts also if it failed, as it does on the other ranks.
void call_description::end_on_page() {
    auto const& call = announced_.arguments();
    auto const number = (call.roles & collective_role) != 0 ? recorder_->end_collective(call) : 0;
    auto const is_message = number == 0 && (call.to != absent || call.from != absent);
    if (has_succeeded_ && found_ && (is_message || started_ != 0))
        recorder_->page()->add_message(call, started_, number);
    end_call(*to_->page, found_ || !has_succeeded_, nanoseconds_of(end_));
}

/// A call that failed is no event. Of the requests that it names, those that are gone are forgotten.
void call_description::end_failure() {
    if (is_on_) note_failure(*to_, under_way_.call);
    for (int i = 0; i != remembered_count_; ++i)
        if (remembered_in_[i] == MPI_REQUEST_NULL) static_cast<void>(recorder_->age(*to_, remembered_[i], true));
}

bool call_description::succeeded(int code) {
    enter();
    return has_succeeded_ = code == MPI_SUCCESS;
}

call_description& call_description::on(MPI_Comm comm) {
    event_.comm = recorder_->communicator(comm);
    communicator_ = event_.comm < 0 ? &not_listed : &recorder_->communicator_at(event_.comm);
    return *this;
}

call_description& call_description::on_window(MPI_Win win) {
    event_.window = recorder_->window(win);
    communicator_ = event_.window < 0 ? &not_listed : &recorder_->window_at(event_.window);
    return *this;
}

call_description& call_description::at(int target, MPI_Win win) {
    on_window(win);
    event_.to = distance_to(target);
    return *this;
}

call_description& call_description::displaced(MPI_Aint displacement) {
    if (communicator_->memory.flavor != "dynamic") sample_.displacement = displacement; // else it is an address
    return *this;
}

call_description& call_description::locks(int lock_type) {
    event_.mode = lock_type == MPI_LOCK_EXCLUSIVE ? exclusive_lock : shared_lock;
    return *this;
}

call_description& call_description::asserts(int assertion) {
    constexpr std::pair<int, mode_bit> assertions[] = {{MPI_MODE_NOCHECK, no_check},
                                                       {MPI_MODE_NOSTORE, no_store},
                                                       {MPI_MODE_NOPUT, no_put},
                                                       {MPI_MODE_NOPRECEDE, no_precede},
                                                       {MPI_MODE_NOSUCCEED, no_succeed}};
    auto mode = event_.mode == absent ? 0 : event_.mode;
    for (auto const& [theirs, ours] : assertions)
        if ((assertion & theirs) != 0) mode |= ours;
    if (mode != 0) event_.mode = mode;
    return *this;
}

call_description& call_description::with_group(MPI_Group group) {
    thread_local std::vector<int> ranks, translated;
    int n = 0;
    PMPI_Group_size(group, &n);
    while (ranks.size() < static_cast<std::size_t>(n)) ranks.push_back(static_cast<int>(ranks.size()));
    translated.resize(static_cast<std::size_t>(n));
    if (n != 0) PMPI_Group_translate_ranks(group, n, ranks.data(), communicator_->group, translated.data());
    scratch.clear();
    for (auto const rank : translated) scratch.push_back(distance_to(rank));
    event_.counts = recorder_->list(scratch);
    return *this;
}

distance call_description::distance_to(int rank) const {
    if (rank == MPI_PROC_NULL) return null_partner;
    if (rank == MPI_ANY_SOURCE) return any_partner;
    auto const difference = rank - communicator_->rank;
    if (difference >= 0) return difference;
    if (!communicator_->is_intercommunicator) return difference + communicator_->size;
    return communicator_->size - 1 +
           (difference + 1) % communicator_->size; // there may be fewer ranks on the other side
}

call_description& call_description::to(int rank, int tag) {
    event_.to = distance_to(rank);
    event_.tag = tag;
    return *this;
}

call_description& call_description::from(int rank, int tag) {
    event_.from = distance_to(rank);
    event_.recv_tag = tag == MPI_ANY_TAG ? any_tag : tag;
    return *this;
}

call_description& call_description::root(int rank) {
    root_ = rank;
    if (!communicator_->is_intercommunicator || rank >= 0) event_.root = rank;
    return *this;
}

bool call_description::is_root() const {
    return root_ == (communicator_->is_intercommunicator ? MPI_ROOT : communicator_->rank);
}

call_description& call_description::sends(MPI_Count count, MPI_Datatype type) {
    event_.count = count;
    event_.type = recorder_->type(type);
    return *this;
}

call_description& call_description::sends(void const* buffer, MPI_Count count, MPI_Datatype type) {
    return buffer == MPI_IN_PLACE ? *this : sends(count, type);
}

call_description& call_description::receives(MPI_Count count, MPI_Datatype type) {
    event_.recv_count = count;
    event_.recv_type = recorder_->type(type);
    return *this;
}

call_description& call_description::receives(void const* buffer, MPI_Count count, MPI_Datatype type) {
    return buffer == MPI_IN_PLACE ? *this : receives(count, type);
}

call_description& call_description::sends_at_root(MPI_Count count, MPI_Datatype type) {
    return is_root() ? sends(count, type) : *this;
}

call_description& call_description::receives_at_root(MPI_Count count, MPI_Datatype type) {
    return is_root() ? receives(count, type) : *this;
}

call_description& call_description::sends_to_root(void const* buffer, MPI_Count count, MPI_Datatype type) {
    return is_of_other_group() ? *this : sends(buffer, count, type);
}

call_description& call_description::receives_from_root(void const* buffer, MPI_Count count, MPI_Datatype type) {
    return is_of_other_group() ? *this : receives(buffer, count, type);
}

call_description& call_description::sends_with_root(MPI_Count count, MPI_Datatype type) {
    return is_of_other_group() && !is_root() ? *this : sends(count, type);
}

call_description& call_description::reduces(MPI_Op op) {
    event_.operation = recorder_->operation(op);
    return *this;
}

call_description& call_description::partitions(int first, int last) {
    int const ends[] = {first, last};
    return partitions(2, ends);
}

call_description& call_description::partitions(int n, int const* numbers) {
    scratch.assign(numbers, numbers + n);
    event_.counts = recorder_->list(scratch);
    return *this;
}

call_description& call_description::remembers(int n, MPI_Request const* requests) {
    if (n <= 0 || requests == nullptr) return *this; // no requests, or a call that fails
    if (n == 1) {
        one_ = *requests;
    } else {
        remembered_requests.assign(requests, requests + n);
        remembered_ = remembered_requests.data();
    }
    remembered_in_ = requests;
    remembered_count_ = n;
    return *this;
}

call_description& call_description::names(int n, MPI_Request const* requests) {
    scratch.clear();
    for (int i = 0; i != n; ++i)
        if (requests[i] != MPI_REQUEST_NULL) scratch.push_back(recorder_->age(*to_, requests[i], false));
    event_.requests = recorder_->list(scratch);
    return *this;
}

call_description& call_description::completes() {
    scratch.clear();
    for (int i = 0; i != remembered_count_; ++i)
        if (remembered_[i] != MPI_REQUEST_NULL) scratch.push_back(recorder_->age(*to_, remembered_[i], true));
    event_.requests = recorder_->list(scratch);
    return *this;
}

call_description& call_description::frees() {
    completes();
    recorder_->free_persistent(*remembered_);
    return *this;
}

/// The completed ones are counted: which of several is the first differs from pass to pass.
call_description& call_description::completed(int n, int const* indices) {
    if (n == MPI_UNDEFINED || (n == 1 && indices[0] == MPI_UNDEFINED)) n = 0;
    if (is_on_)
        event_.requests =
            recorder_->candidates(*to_, under_way_.address, {remembered_, static_cast<std::size_t>(remembered_count_)});
    for (int i = 0; i != n; ++i) static_cast<void>(recorder_->age(*to_, remembered_[indices[i]], true));
    event_.count = n;
    return *this;
}

call_description& call_description::matched(MPI_Status const* status) {
    if (event_.from == any_partner) sample_.matched = status->MPI_SOURCE;
    return *this;
}

call_description& call_description::starts(MPI_Request request) {
    started_ = key_of(request);
    recorder_->start(*to_, request);
    return *this;
}

call_description& call_description::keeps(MPI_Request request) {
    started_ = key_of(request);
    event_.requests = recorder_->list({recorder_->keep(request)});
    return *this;
}

call_description& call_description::made_window(MPI_Win win) {
    event_.made = recorder_->window(win);
    return *this;
}

call_description& call_description::made(MPI_Comm comm) {
    return made_as(comm == MPI_COMM_NULL ? any_tag : recorder_->communicator(comm));
}

call_description& call_description::becomes(MPI_Comm like, MPI_Comm comm) {
    return made_as(recorder_->becomes(like, comm));
}

call_description& call_description::made_as(std::int32_t id) {
    event_.made = id;
    if (event_.made >= 0 && recorder_->communicator_at(event_.made).neighbors != absent)
        event_.counts = recorder_->communicator_at(event_.made).neighbors;
    return *this;
}

call_description& call_description::opens(MPI_File file) {
    recorder_->open(file, event_.comm);
    return *this;
}

call_description& call_description::closes(MPI_File const* file) {
    if (file == nullptr) return *this; // a call that fails
    static_cast<void>(recorder_->enter());
    event_.comm = recorder_->close(*file);
    recorder_->leave();
    return *this;
}

call_description& call_description::on_file(MPI_File file) {
    event_.comm = recorder_->communicator_of(file);
    return *this;
}

} // namespace tools::replay
