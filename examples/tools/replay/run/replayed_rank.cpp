// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// The predefined datatype of a name; MPI_DATATYPE_NULL for another name.
MPI_Datatype datatype_of(std::string const& name) {
    static std::map<std::string, MPI_Datatype> const known{
        {"MPI_CHAR", MPI_CHAR},
        {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR},
        {"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR},
        {"MPI_BYTE", MPI_BYTE},
        {"MPI_SHORT", MPI_SHORT},
        {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT},
        {"MPI_INT", MPI_INT},
        {"MPI_UNSIGNED", MPI_UNSIGNED},
        {"MPI_LONG", MPI_LONG},
        {"MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG},
        {"MPI_LONG_LONG", MPI_LONG_LONG},
        {"MPI_LONG_LONG_INT", MPI_LONG_LONG},
        {"MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG},
        {"MPI_FLOAT", MPI_FLOAT},
        {"MPI_DOUBLE", MPI_DOUBLE},
        {"MPI_INT32_T", MPI_INT32_T},
        {"MPI_UINT32_T", MPI_UINT32_T},
        {"MPI_INT64_T", MPI_INT64_T},
        {"MPI_UINT64_T", MPI_UINT64_T},
        {"MPI_2INT", MPI_2INT},
        {"MPI_DOUBLE_INT", MPI_DOUBLE_INT},
        {"MPI_INTEGER", MPI_INT}, // of Fortran, by compilers whose INTEGER has 4 bytes
        {"MPI_REAL", MPI_FLOAT},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE}};
    auto const found = known.find(name);
    return found == known.end() ? MPI_DATATYPE_NULL : found->second;
}

/// The row of a call among the kept passes; null if it is in no loop.
kept_times const* kept_think_of(thread_trace const& own, std::size_t place) {
    for (auto const& loop : own.passes)
        if (place >= loop.place && place < loop.place + loop.think.size()) return &loop.think[place - loop.place];
    return nullptr;
}

std::size_t first_place(step const& s) { return s.is_loop() ? first_place(s.body[0]) : s.place; }

/// The kept passes of the loop whose first call is at a place; null if the thread has none.
loop_passes const* passes_at(thread_trace const& own, std::size_t place) {
    auto const found =
        std::find_if(own.passes.begin(), own.passes.end(), [&](loop_passes const& p) { return p.place == place; });
    return found == own.passes.end() ? nullptr : &*found;
}

} // namespace

replayed_rank::replayed_rank(trace const& t, thread_trace const& own, std::vector<step const*> const& steps,
                             replayed_communicators const& communicators, replayed_windows const& windows, bool thinks)
    : trace_{t}, own_{own}, program_{t.programs[own.program]}, communicators_{communicators}, windows_{windows},
      persistent_{program_}, thinks_{thinks}, calls_in_pass_(program_.events) {
    auto const is_loop_of_program = [&](step const& s) { return s.is_loop() && !steps.empty() && &s.body[0] == steps[0]; };
    auto const is_loop = std::any_of(program_.body.begin(), program_.body.end(), is_loop_of_program);
    for (auto const* s : steps) find_persistent(*s);
    for (auto const* s : steps) actions_.push_back(action_of(*s, 1, is_loop ? 1 : 0));
    if (is_loop) kept_ = passes_at(own_, first_place(*steps[0]));
    sent_memory_ = std::make_unique<std::byte[]>(largest_sent_ + 1);
    attached_.resize(buffered_bytes_);
    make_persistent();
    open_epochs(steps);
}

void replayed_rank::finish() {
    for (std::size_t i = 0; i != slots_.size(); ++i)
        if (requests_[i] != MPI_REQUEST_NULL) check(MPI_Request_free(&requests_[i]), "MPI_Request_free");
    for (auto const number : fenced_)
        check(MPI_Win_fence(MPI_MODE_NOSUCCEED, windows_.of(own_.windows[static_cast<std::size_t>(number)])),
              "MPI_Win_fence");
    for (auto const& [number, epoch] : epochs_at_begin_) {
        auto const& w = own_.windows[static_cast<std::size_t>(number)];
        change_locks(windows_.of(w), w, epoch, {});
    }
    for (auto& group : groups_) check(MPI_Group_free(&group), "MPI_Group_free");
}

void replayed_rank::operator()() {
    requests_.resize(slots_.size());
    if (!attached_.empty())
        check(MPI_Buffer_attach(attached_.data(), static_cast<int>(attached_.size())), "MPI_Buffer_attach");
    seconds_in_calls_ = 0;
    if (thinks_) end_of_call_ = clock::now();
    for (auto& a : actions_) make(a, pass_, 0);
    end_pass();
}

/// Behind the calls of a pass: requests of which it is not known when they were completed, buffered messages that are
/// under way, and locks that are not those of the begin.
void replayed_rank::end_pass() {
    ++pass_;
    if (thinks_) seconds_of_passes_.push_back(seconds_in_calls_);
    if (completes_any_)
        check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    if (!attached_.empty()) {
        void* buffer = nullptr;
        int size = 0;
        check(MPI_Buffer_detach(static_cast<void*>(&buffer), &size), "MPI_Buffer_detach");
    }
    restore_locks();
}

std::vector<double> replayed_rank::recorded_seconds_in_calls() const {
    std::vector<double> found(kept_ == nullptr ? 1 : kept_passes::chosen);
    for (std::size_t place = 0; place != calls_in_pass_.size(); ++place) {
        if (calls_in_pass_[place] == 0) continue;
        for (std::size_t pass = 0; pass != found.size(); ++pass)
            found[pass] += calls_in_pass_[place] * (kept_ == nullptr ? mean_of(own_.call[place])
                                                                     : kept_->call[place - kept_->place][pass]);
    }
    return found;
}

/// `depth` is the number of loops around the action, and `pass` that of the outermost one.
void replayed_rank::make(action& a, std::size_t pass, int depth) {
    for (std::uint64_t i = 0; i != a.passes; ++i)
        for (auto& part : a.body) make(part, depth == 0 && kept_ == nullptr ? i : pass, depth + 1);
    if (a.passes != 0) return;
    if (!thinks_) {
        if (a.call) a.call();
        return;
    }
    think(a, pass);
    if (!a.call) return;
    auto const begin = clock::now();
    a.call();
    end_of_call_ = clock::now();
    seconds_in_calls_ += sonde::seconds{end_of_call_ - begin}.count();
}

/// Busy for as long as the application was between these calls in a kept pass.
void replayed_rank::think(action& a, std::size_t pass) {
    end_of_call_ += std::chrono::duration_cast<clock::duration>(next_think(a, pass));
    while (clock::now() < end_of_call_) {
    }
}

/// The time in the kept passes, which come in turns, on all ranks the same. Only its mean is known of a call in an
/// inner loop: the sixteen recorded times come in turns, in an order that is not theirs, scaled to that mean.
sonde::seconds replayed_rank::next_think(action& a, std::size_t pass) {
    auto const kept = a.kept == nullptr ? 0 : (*a.kept)[pass % kept_passes::chosen];
    if (a.kept != nullptr && !a.is_inner) return sonde::seconds{kept};
    a.next_slice = (a.next_slice + 7) % times::slice_count; // 7 and 16 have no common factor
    auto const drawn = a.think[a.next_slice], mean = mean_of(a.think);
    return sonde::seconds{a.kept == nullptr || mean <= 0 ? drawn : drawn * kept / mean};
}

replayed_rank::action replayed_rank::action_of(step const& s, double times_called, int depth) {
    action made;
    if (s.is_loop()) {
        made.passes = s.passes;
        for (auto const& part : s.body)
            made.body.push_back(action_of(part, times_called * static_cast<double>(s.passes), depth + 1));
        return made;
    }
    made.place = s.place;
    made.think = own_.think[s.place];
    made.kept = kept_think_of(own_, s.place);
    made.is_inner = depth > 1;
    made.next_slice = (s.place * 5 + static_cast<std::size_t>(own_.rank) * 3) % times::slice_count;
    if (!is_replayed(s)) return made; // the time before it is kept
    made.call = call_of(s);
    if (!made.call) return made;
    calls_in_pass_[s.place] = times_called;
    note_traffic(s, times_called);
    return made;
}

/// Bytes and messages that a call sends, or the persistent requests that it starts.
void replayed_rank::note_traffic(step const& s, double times_called) {
    if (starts_persistent(s)) {
        for (auto const number : s.requests)
            if (auto const* made = persistent_.maker(s, number)) note_traffic(*made, times_called);
        return;
    }
    if (is_buffered(s)) buffered_bytes_ += static_cast<std::size_t>(times_called) * buffered_bytes_of(s);
    if (s.what.comm < 0 && s.what.window < 0) return;
    auto const& ranks = s.what.comm < 0 ? window_of(s).ranks : ranks_of(s);
    traffic_.bytes += static_cast<std::size_t>(times_called * bytes_sent(s, program_, ranks, 0));
    if (s.what.to >= 0 && (s.what.comm >= 0 || is_one_sided(s)))
        traffic_.messages += static_cast<std::size_t>(times_called);
}

elements replayed_rank::elements_of(std::int64_t count, std::int32_t type) const {
    if (count == absent || type == absent) return {.is_in_place = true};
    auto const& of = program_.types[static_cast<std::size_t>(type)];
    auto const known = datatype_of(of.name);
    auto const n = known == MPI_DATATYPE_NULL ? count * of.size : count;
    if (n < 0 || n > std::numeric_limits<int>::max())
        throw std::runtime_error{"a message of " + std::to_string(n) + " elements is too long to be replayed"};
    if (known == MPI_DATATYPE_NULL) return {.n = static_cast<int>(n)};
    return {static_cast<int>(n), known, static_cast<std::size_t>(of.size)};
}

void* replayed_rank::received(std::size_t bytes) {
    return memory_.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
}

/// Empty for a call that is made before the measurement.
std::function<void()> replayed_rank::call_of(step const& s) {
    if (is_collective(s)) return collective(s);
    if (is_one_sided(s)) return one_sided(s);
    if (synchronizes_window(s)) return synchronization(s);
    if (completes_named(s) || completes_any(s)) return completion(s);
    if (starts_persistent(s)) return start(s);
    if (s.call.starts_with("Pready") || s.call == "Parrived") return partitions(s);
    if (makes_persistent_message(s) && made_in_pass_.count(&s) == 0) return {};
    return message(s);
}

} // namespace tools::replay
