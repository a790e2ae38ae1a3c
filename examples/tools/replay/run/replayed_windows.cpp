// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_windows.hpp"

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/replayed_elements.hpp"
#include "tools/replay/trace/trace_values.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// The number of the window of these ranks in a thread's list; -1 if the thread has none.
std::int32_t number_of(thread_trace const& thread, std::string const& text) {
    auto const found = std::find_if(thread.windows.begin(), thread.windows.end(),
                                    [&](window const& w) { return w.ranks.text == text; });
    return found == thread.windows.end() ? -1 : static_cast<std::int32_t>(found - thread.windows.begin());
}

/// Bytes from the begin of a target's window to the end of an operation.
std::int64_t end_of(step const& s, program const& run, thread_trace const& thread, std::int64_t unit) {
    auto const bytes = [&](std::int64_t count, std::int32_t type) {
        return static_cast<std::int64_t>(elements_of(run, count, type).memory());
    };
    auto const range = thread.displacements.find(s.place);
    auto const farthest = range == thread.displacements.end() ? 0 : range->second[1];
    if (farthest > most_bytes / unit)
        throw std::runtime_error{"the trace cannot be replayed: a displacement is too far"};
    return farthest * unit + std::max(bytes(s.what.count, s.what.type), bytes(s.what.recv_count, s.what.recv_type));
}

struct reach {
    program const& run;
    thread_trace const& thread;
    std::int32_t number; // of the window
    int target;          // rank in the window
    std::int64_t unit;

    std::int64_t of(std::vector<step> const& body) const {
        std::int64_t most = 0;
        for (auto const& s : body) {
            most = std::max(most, of(s.body));
            if (s.what.window != number || !is_one_sided(s) || s.what.to < 0) continue;
            auto const& ranks = thread.windows[static_cast<std::size_t>(number)].ranks;
            if (ranks.partner(s.what.to) == target) most = std::max(most, end_of(s, run, thread, unit));
        }
        return most;
    }
};

} // namespace

std::int64_t bytes_reached(trace const& t, window const& w) {
    std::int64_t most = 0;
    for (auto const& thread : t.threads) {
        auto const number = number_of(thread, w.ranks.text);
        if (number < 0) continue;
        auto const& run = t.programs[thread.program];
        most = std::max(most, reach{run, thread, number, w.ranks.rank, w.unit}.of(run.body));
    }
    return most;
}

int assertions_of(std::int32_t mode) {
    constexpr std::pair<mode_bit, int> known[] = {{no_check, MPI_MODE_NOCHECK},
                                                  {no_store, MPI_MODE_NOSTORE},
                                                  {no_put, MPI_MODE_NOPUT},
                                                  {no_precede, MPI_MODE_NOPRECEDE},
                                                  {no_succeed, MPI_MODE_NOSUCCEED}};
    int found = 0;
    for (auto const& [bit, assertion] : known)
        if (mode != absent && (mode & bit) != 0) found |= assertion;
    return found;
}

void change_locks(MPI_Win win, window const& w, window_epoch const& from, window_epoch const& to) {
    if (from.has_locks_of(to)) return;
    if (from.is_locked) check(MPI_Win_unlock_all(win), "MPI_Win_unlock_all");
    for (auto const& [target, mode] : from.locks) check(MPI_Win_unlock(w.ranks.partner(target), win), "MPI_Win_unlock");
    if (to.is_locked) check(MPI_Win_lock_all(assertions_of(to.mode), win), "MPI_Win_lock_all");
    for (auto const& [target, mode] : to.locks)
        check(MPI_Win_lock((mode & exclusive_lock) != 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, w.ranks.partner(target),
                           assertions_of(mode), win),
              "MPI_Win_lock");
}

replayed_windows::replayed_windows(trace const& t, thread_trace const& own) {
    MPI_Group world = MPI_GROUP_NULL;
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    std::map<std::string, window const*> all; // in an order that is the same on all ranks
    for (auto const& w : own.windows) all[w.ranks.text] = &w;
    for (auto const& [text, w] : all) {
        MPI_Group group = MPI_GROUP_NULL;
        check(MPI_Group_incl(world, w->ranks.size(), w->ranks.world.data(), &group), "MPI_Group_incl");
        auto& made = made_[text];
        check(MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &made.comm), "MPI_Comm_create_group");
        check(MPI_Group_free(&group), "MPI_Group_free");
        auto const bytes = std::max(w->bytes, bytes_reached(t, *w));
        auto const unit = static_cast<int>(w->unit);
        void* memory = nullptr;
        if (w->flavor == "allocate") {
            check(MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, made.comm, static_cast<void*>(&memory), &made.win),
                  "MPI_Win_allocate");
        } else if (w->flavor == "shared") {
            check(
                MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, made.comm, static_cast<void*>(&memory), &made.win),
                "MPI_Win_allocate_shared");
        } else {
            made.memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes) + 1);
            check(MPI_Win_create(made.memory.get(), bytes, unit, MPI_INFO_NULL, made.comm, &made.win),
                  "MPI_Win_create");
        }
    }
    check(MPI_Group_free(&world), "MPI_Group_free");
}

replayed_windows::~replayed_windows() {
    for (auto& [text, made] : made_) {
        MPI_Win_free(&made.win);
        MPI_Comm_free(&made.comm);
    }
}

} // namespace tools::replay
