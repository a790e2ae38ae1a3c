// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/call_description.hpp"

#include <utility>

namespace tools::replay {

namespace {

/// Memory that is used again, so that a call allocates nothing.
thread_local std::vector<MPI_Request> remembered;
thread_local std::vector<std::int64_t> scratch;

recorded_thread* recording_thread() {
    if (the_recorder == nullptr || this_thread.depth != 0) return nullptr;
    if (this_thread.recorded == nullptr) this_thread.recorded = &the_recorder->new_thread();
    return this_thread.recorded;
}

} // namespace

call_description::call_description(std::int32_t call, void const* return_address)
    : recorder_{the_recorder}, to_{recording_thread()} {
    ++this_thread.depth;
    if (to_ == nullptr) return;
    lock_ = recorder_->lock();
    if (!recorder_->is_on()) {
        to_->end = record_clock::now();
        to_ = nullptr;
        lock_ = {};
        return;
    }
    event_.call = call;
    event_.site = recorder_->site(this_thread.fortran_site != nullptr ? this_thread.fortran_site : return_address);
}

call_description::~call_description() {
    --this_thread.depth;
    if (to_ == nullptr) return;
    if (found_) {
        sample_.think = begin_ - to_->end - to_->polling;
        sample_.call = end_ - begin_ + to_->polling;
        sample_.polls = to_->polls;
        to_->events.add(event_, sample_);
        to_->polls = 0;
        to_->polling = {};
        to_->end = end_;
        recorder_->checkpoint(end_);
    } else {
        ++to_->polls;
        to_->polling += end_ - begin_;
    }
}

call_description& call_description::on(MPI_Comm comm) {
    event_.comm = recorder_->communicator(comm);
    communicator_ = &recorder_->communicator_at(event_.comm);
    return *this;
}

call_description& call_description::on_window(MPI_Win win) {
    event_.window = recorder_->window(win);
    communicator_ = &recorder_->window_at(event_.window);
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
    return difference < 0 ? difference + communicator_->size : difference;
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
    event_.root = rank;
    return *this;
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

call_description& call_description::reduces(MPI_Op op) {
    event_.operation = recorder_->operation(op);
    return *this;
}

call_description& call_description::counts(int const* each, MPI_Datatype type) {
    event_.type = recorder_->type(type);
    event_.counts = recorder_->list({each, each + communicator_->size});
    return *this;
}

call_description& call_description::counts_at_root(int const* each, MPI_Datatype type) {
    return is_root() ? counts(each, type) : *this;
}

call_description& call_description::receives_counts(int const* each, MPI_Datatype type) {
    event_.recv_type = recorder_->type(type);
    event_.counts = recorder_->list({each, each + communicator_->size});
    return *this;
}

call_description& call_description::receives_counts_at_root(int const* each, MPI_Datatype type) {
    return is_root() ? receives_counts(each, type) : *this;
}

call_description& call_description::counts(void const* buffer, int const* sent, MPI_Datatype sent_type,
                                           int const* received, MPI_Datatype received_type) {
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

void call_description::add_bytes(std::vector<std::int64_t>& list, std::size_t n, int const* each,
                                 MPI_Datatype const* types) {
    for (std::size_t i = 0; i != n; ++i)
        list.push_back(each[i] == 0 ? 0 : each[i] * recorder_->size_of(recorder_->type(types[i])));
}

call_description& call_description::bytes(void const* buffer, int const* sent, MPI_Datatype const* sent_types,
                                          int const* received, MPI_Datatype const* received_types) {
    auto const n = static_cast<std::size_t>(communicator_->size);
    scratch.clear();
    event_.recv_type = recorder_->type(MPI_BYTE);
    if (buffer != MPI_IN_PLACE) {
        event_.type = event_.recv_type;
        add_bytes(scratch, n, sent, sent_types);
    }
    add_bytes(scratch, n, received, received_types);
    event_.counts = recorder_->list(scratch);
    return *this;
}

call_description& call_description::neighbor_counts(int const* sent, MPI_Datatype sent_type, int const* received,
                                                    MPI_Datatype received_type) {
    scratch.clear();
    event_.type = recorder_->type(sent_type);
    event_.recv_type = recorder_->type(received_type);
    if (sent != nullptr) scratch.assign(sent, sent + communicator_->out_degree);
    scratch.insert(scratch.end(), received, received + communicator_->in_degree);
    event_.counts = recorder_->list(scratch);
    return *this;
}

call_description& call_description::neighbor_bytes(int const* sent, MPI_Datatype const* sent_types, int const* received,
                                                   MPI_Datatype const* received_types) {
    scratch.clear();
    event_.type = event_.recv_type = recorder_->type(MPI_BYTE);
    add_bytes(scratch, communicator_->out_degree, sent, sent_types);
    add_bytes(scratch, communicator_->in_degree, received, received_types);
    event_.counts = recorder_->list(scratch);
    return *this;
}

call_description& call_description::partitions(int number) { return partitions(1, &number); }

call_description& call_description::partitions(int first, int last) {
    int const ends[] = {first, last};
    return partitions(2, ends);
}

call_description& call_description::partitions(int n, int const* numbers) {
    scratch.assign(numbers, numbers + n);
    event_.counts = recorder_->list(scratch);
    return *this;
}

call_description& call_description::reads(MPI_Status*& status) {
    if (status == MPI_STATUS_IGNORE) status = &status_;
    return *this;
}

call_description& call_description::names(int n, MPI_Request const* requests) {
    scratch.clear();
    for (int i = 0; i != n; ++i)
        if (requests[i] != MPI_REQUEST_NULL) scratch.push_back(recorder_->age(*to_, requests[i], false));
    event_.requests = recorder_->list(scratch);
    return *this;
}

call_description& call_description::completes(int n, MPI_Request const* requests) {
    scratch.clear();
    for (int i = 0; i != n; ++i)
        if (requests[i] != MPI_REQUEST_NULL) scratch.push_back(recorder_->age(*to_, requests[i], true));
    event_.requests = recorder_->list(scratch);
    return *this;
}

call_description& call_description::frees(MPI_Request const* request) {
    completes(1, request);
    recorder_->free_persistent(*request);
    return *this;
}

call_description& call_description::remembers(int n, MPI_Request const* requests) {
    remembered.assign(requests, requests + n);
    return *this;
}

call_description& call_description::all_completed() {
    return found_ ? completes(static_cast<int>(remembered.size()), remembered.data()) : *this;
}

/// The completed ones are counted only: which of several is the first differs from pass to pass.
call_description& call_description::completed(int n, int const* indices) {
    if (!found_ || n == MPI_UNDEFINED || (n == 1 && indices[0] == MPI_UNDEFINED)) n = 0;
    for (int i = 0; i != n; ++i)
        static_cast<void>(recorder_->age(*to_, remembered[static_cast<std::size_t>(indices[i])], true));
    event_.count = n;
    return *this;
}

call_description& call_description::matched(MPI_Status const* status) {
    if (found_ && event_.from == any_partner) sample_.matched = status->MPI_SOURCE;
    return *this;
}

call_description& call_description::found(bool something) {
    found_ = something;
    return *this;
}

call_description& call_description::starts(MPI_Request request) {
    recorder_->start(*to_, request);
    return *this;
}

call_description& call_description::keeps(MPI_Request request) {
    event_.requests = recorder_->list({recorder_->keep(request)});
    return *this;
}

call_description& call_description::made_window(MPI_Win win) {
    event_.made = recorder_->window(win);
    return *this;
}

call_description& call_description::made(MPI_Comm comm) {
    event_.made = recorder_->communicator(comm);
    if (event_.made >= 0 && recorder_->communicator_at(event_.made).neighbors != absent)
        event_.counts = recorder_->communicator_at(event_.made).neighbors;
    return *this;
}

} // namespace tools::replay
