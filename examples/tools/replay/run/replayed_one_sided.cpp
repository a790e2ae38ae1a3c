// SPDX-License-Identifier: BSL-1.0
// The one-sided operations of a replayed rank, and the epochs that they are in.
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// Arguments of the operations; each takes those that it needs.
struct operation_arguments {
    sent_memory const* memory;
    elements out{}, in{};
    void* here = nullptr; // where a result is received
    int target = 0;
    MPI_Op op = MPI_OP_NULL;
    MPI_Win win = MPI_WIN_NULL;

    void const* sent() const { return memory->get(); }
    bool is_large() const { return out.is_large() || in.is_large(); }
};

using operation_function = int (*)(operation_arguments const&, MPI_Aint displacement, MPI_Request*);

#define SONDE_OPERATION(name, ...)                                                                                     \
    {                                                                                                                  \
        #name, [](operation_arguments const& a, MPI_Aint at, MPI_Request*) {                                           \
            return SONDE_COUNTED(a.is_large(), name, __VA_ARGS__, a.win);                                              \
        }                                                                                                              \
    }
#define SONDE_REQUEST_OPERATION(name, ...)                                                                             \
    {                                                                                                                  \
        #name, [](operation_arguments const& a, MPI_Aint at, MPI_Request* request) {                                   \
            return SONDE_COUNTED(a.is_large(), name, __VA_ARGS__, a.win, request);                                     \
        }                                                                                                              \
    }
#define SONDE_ELEMENT_OPERATION(name, ...)                                                                             \
    {                                                                                                                  \
        #name, [](operation_arguments const& a, MPI_Aint at, MPI_Request*) { return MPI_##name(__VA_ARGS__, a.win); }  \
    }
#define SONDE_ORIGIN a.sent(), a.out.count(), a.out.type
#define SONDE_RESULT a.here, a.in.count(), a.in.type
#define SONDE_TARGET(of) a.target, at, a.of.count(), a.of.type

/// What is called for each function; elements at the target are those at the origin.
std::map<std::string, operation_function> const operation_functions{
    SONDE_OPERATION(Put, SONDE_ORIGIN, SONDE_TARGET(out)), SONDE_OPERATION(Get, SONDE_RESULT, SONDE_TARGET(in)),
    SONDE_OPERATION(Accumulate, SONDE_ORIGIN, SONDE_TARGET(out), a.op),
    SONDE_OPERATION(Get_accumulate, SONDE_ORIGIN, SONDE_RESULT, SONDE_TARGET(in), a.op),
    SONDE_ELEMENT_OPERATION(Fetch_and_op, a.sent(), a.here, a.in.type, a.target, at, a.op),
    // SMPI's parameters are not const.
    SONDE_ELEMENT_OPERATION(Compare_and_swap, a.sent(), a.memory->get(), a.here, a.in.type, a.target, at),
    SONDE_REQUEST_OPERATION(Rput, SONDE_ORIGIN, SONDE_TARGET(out)),
    SONDE_REQUEST_OPERATION(Rget, SONDE_RESULT, SONDE_TARGET(in)),
    SONDE_REQUEST_OPERATION(Raccumulate, SONDE_ORIGIN, SONDE_TARGET(out), a.op),
    SONDE_REQUEST_OPERATION(Rget_accumulate, SONDE_ORIGIN, SONDE_RESULT, SONDE_TARGET(in), a.op)};

#undef SONDE_OPERATION
#undef SONDE_REQUEST_OPERATION
#undef SONDE_ELEMENT_OPERATION
#undef SONDE_ORIGIN
#undef SONDE_RESULT
#undef SONDE_TARGET

/// Functions that take a window alone.
std::map<std::string, int (*)(MPI_Win)> const window_functions{{"Win_unlock_all", MPI_Win_unlock_all},
                                                               {"Win_flush_all", MPI_Win_flush_all},
                                                               {"Win_flush_local_all", MPI_Win_flush_local_all},
                                                               {"Win_sync", MPI_Win_sync},
                                                               {"Win_complete", MPI_Win_complete},
                                                               {"Win_wait", MPI_Win_wait},
                                                               {"Win_test", MPI_Win_wait}};

/// Functions that take a rank and a window.
std::map<std::string, int (*)(int, MPI_Win)> const rank_functions{
    {"Win_unlock", MPI_Win_unlock}, {"Win_flush", MPI_Win_flush}, {"Win_flush_local", MPI_Win_flush_local}};

bool uses_window(step const& s) { return s.what.window >= 0 || std::any_of(s.body.begin(), s.body.end(), uses_window); }

} // namespace

std::function<void()> replayed_rank::one_sided(step const& s) {
    auto const& e = s.what;
    auto const function = operation_functions.at(s.call);
    operation_arguments a{.memory = &sent_memory_};
    a.out = elements_of(program_, e.count, e.type);
    a.in = elements_of(program_, e.recv_count, e.recv_type);
    if (e.operation != absent) a.op = operation_of(program_, s, e.count == absent ? a.in : a.out);
    if (e.count != absent && e.recv_count != absent && a.out.type == MPI_BYTE) // both are bytes, or none
        a.in = {.n = counted(e.recv_count * program_.size_of(e.recv_type))};
    if (has_partner(s)) will_send(a.out.memory());
    a.here = received(has_partner(s) ? a.in.memory() : 0);
    auto const& w = window_of(s);
    a.target = e.to < 0 ? MPI_PROC_NULL : w.ranks.partner(e.to);
    a.win = windows_.of(w);
    auto const found = own_.displacements.find(s.place);
    auto const range = found == own_.displacements.end() ? displacement_range{} : found->second;
    auto const element =
        static_cast<std::int64_t>(elements_of(program_, 1, e.type == absent ? e.recv_type : e.type).memory());
    displacements at{range, std::max<std::int64_t>(1, element / w.unit)};
    if (starts_request(s))
        return [=, this, &s]() mutable { check(function(a, at.next(), next_request()), s.call.c_str()); };
    return [=, &s]() mutable { check(function(a, at.next(), nullptr), s.call.c_str()); };
}

/// A group of MPI of the ranks of an epoch. It lives as long as the phase.
MPI_Group replayed_rank::group_of(step const& s) {
    auto const& w = window_of(s);
    std::vector<int> ranks;
    for (auto const d : s.counts) ranks.push_back(w.ranks.partner(static_cast<distance>(d)));
    MPI_Group all = MPI_GROUP_NULL;
    check(MPI_Win_get_group(windows_.of(w), &all), "MPI_Win_get_group");
    auto& made = groups_.emplace_back(MPI_GROUP_NULL);
    check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &made), "MPI_Group_incl");
    check(MPI_Group_free(&all), "MPI_Group_free");
    return made;
}

std::function<void()> replayed_rank::synchronization(step const& s) {
    auto const& w = window_of(s);
    auto const win = windows_.of(w);
    auto const assertions = assertions_of(s.what.mode);
    if (auto const f = window_functions.find(s.call); f != window_functions.end())
        return [win, f = f->second, &s] { check(f(win), s.call.c_str()); };
    if (s.call == "Win_fence") return [=] { check(MPI_Win_fence(assertions, win), "MPI_Win_fence"); };
    if (s.call == "Win_lock_all") return [=] { check(MPI_Win_lock_all(assertions, win), "MPI_Win_lock_all"); };
    if (s.call == "Win_post" || s.call == "Win_start")
        return [=, f = s.call == "Win_post" ? MPI_Win_post : MPI_Win_start, group = group_of(s), &s] {
            check(f(group, assertions, win), s.call.c_str());
        };
    auto const target = s.what.to < 0 ? MPI_PROC_NULL : w.ranks.partner(s.what.to);
    if (auto const f = rank_functions.find(s.call); f != rank_functions.end())
        return [=, f = f->second, &s] { check(f(target, win), s.call.c_str()); };
    auto const type = (s.what.mode & exclusive_lock) != 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    return [=] { check(MPI_Win_lock(type, target, assertions, win), "MPI_Win_lock"); };
}

/// Open the epochs in which the phase begins: locks, and a fence on windows that it fences.
void replayed_rank::open_epochs(std::vector<step const*> const& steps) {
    if (std::none_of(steps.begin(), steps.end(), [](auto const* s) { return uses_window(*s); })) return;
    auto epochs = epochs_before(program_, *steps[0]);
    epochs_at_begin_ = epochs.open();
    window_epochs inside;
    for (auto const* s : steps) {
        epochs.add(*s);
        inside.add(*s);
    }
    epochs_at_end_ = epochs.open();
    for (auto const& [number, epoch] : inside.open())
        if (epoch.fences != 0) fenced_.insert(number);
    for (auto const number : fenced_)
        check(MPI_Win_fence(0, windows_.of(own_.windows[static_cast<std::size_t>(number)])), "MPI_Win_fence");
    for (auto const& [number, epoch] : epochs_at_begin_) {
        auto const& w = own_.windows[static_cast<std::size_t>(number)];
        change_locks(windows_.of(w), w, {}, epoch);
    }
}

/// The locks that are open at the end of a pass become those of its begin.
void replayed_rank::restore_locks() {
    for (auto const& [number, end] : epochs_at_end_) {
        auto const& w = own_.windows[static_cast<std::size_t>(number)];
        auto const begin = epochs_at_begin_.find(number);
        change_locks(windows_.of(w), w, end, begin == epochs_at_begin_.end() ? window_epoch{} : begin->second);
    }
}

} // namespace tools::replay
