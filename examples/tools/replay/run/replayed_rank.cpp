// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_rank.hpp"

#include "tools/replay/run/phase_completeness.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

bool is_in_no_loop(program const& of, step const& s) {
    return std::any_of(of.body.begin(), of.body.end(), [&](step const& other) { return &other == &s; });
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
    for (auto const& s : program_.body)
        if (s.is_loop() && !steps.empty() && &s.body[0] == steps[0]) kept_ = passes_at(own_, first_place(s));
    if (thinks_) reads_.emplace();
    for (auto const* s : steps) find_persistent(*s);
    leaves_requests_ = leaves_requests_ || leaves_requests(program_, steps);
    actions_ = actions_of(steps, 1);
    attached_.resize(buffered_bytes_);
    make_persistent();
    open_epochs(steps);
}

void replayed_rank::finish() {
    for (std::size_t i = 0; i != slots_.size(); ++i)
        if (requests_[i] != MPI_REQUEST_NULL) check(MPI_Request_free(&requests_[i]), "MPI_Request_free");
    for (auto const& [number, epoch] : epochs_at_begin_) {
        auto const& w = own_.windows[static_cast<std::size_t>(number)];
        change_locks(windows_.of(w), w, epoch, {});
    }
    for (auto const number : fenced_) // a window that is locked cannot be fenced
        check(MPI_Win_fence(MPI_MODE_NOSUCCEED, windows_.of(own_.windows[static_cast<std::size_t>(number)])),
              "MPI_Win_fence");
    for (auto& group : groups_) check(MPI_Group_free(&group), "MPI_Group_free");
}

void replayed_rank::operator()() {
    requests_.resize(slots_.size());
    if (!attached_.empty())
        check(MPI_Buffer_attach(attached_.data(), static_cast<int>(attached_.size())), "MPI_Buffer_attach");
    seconds_in_calls_ = 0;
    if (thinks_) end_of_call_ = record_clock::now();
    for (auto& a : actions_) make(a, {kept_, pass_ % kept_passes::chosen, 0});
    end_pass();
}

/// Behind the calls of a pass: requests that were never completed, or of which it is not known when, buffered messages
/// that are under way, and locks that are not those of the begin.
void replayed_rank::end_pass() {
    ++pass_;
    if (thinks_) seconds_of_passes_.push_back(seconds_in_calls_);
    if (leaves_requests_)
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
    if (kept_ == nullptr)
        for (std::size_t place = 0; place != calls_in_pass_.size(); ++place)
            found[0] += calls_in_pass_[place] * mean_of(own_.call[place]);
    else
        for (auto const& a : actions_) add_recorded(found, a, 0, 1);
    return found;
}

/// Add the recorded times of an action to those of the kept passes. `weight` is how often the body around it is made
/// for each of its rows, which are from `row` on.
void replayed_rank::add_recorded(std::vector<double>& to, action const& a, std::size_t row, double weight) const {
    auto const inside = passes_inside(a.passes);
    for (std::size_t i = 0; i != inside; ++i)
        for (auto const& part : a.body)
            add_recorded(to, part, row + a.row + i * a.rows,
                         weight * static_cast<double>(a.passes) / static_cast<double>(inside));
    for (std::size_t pass = 0; a.call && pass != to.size(); ++pass) to[pass] += weight * kept_->call[row + a.row][pass];
}

void replayed_rank::make(action& a, kept_position at) {
    for (std::uint64_t i = 0; i != a.passes; ++i) {
        auto inside = at;
        if (a.kept != nullptr) inside = {a.kept, static_cast<std::size_t>(i % kept_passes::chosen), 0};
        else inside.row += a.row + passes_inside(a.passes) * i / a.passes * a.rows;
        for (auto& part : a.body) make(part, inside);
    }
    if (a.passes != 0) return;
    if (!thinks_) {
        if (a.call) a.call();
        return;
    }
    think(a, at);
    if (!a.call) return;
    auto const begin = record_clock::now();
    a.call();
    end_of_call_ = record_clock::now();
    seconds_in_calls_ += sonde::seconds{end_of_call_ - begin}.count();
}

/// Waits for as long as the application was between these calls: in one of the kept passes, which come in turns, on all
/// ranks the same. So calls that were late together, in a pass or on several ranks, are late together again.
void replayed_rank::think(action const& a, kept_position at) {
    auto time = at.loop == nullptr ? a.think + a.left_out : at.loop->think[at.row + a.row][at.pass];
    if (at.loop != nullptr && a.left_out > 0) time += at.loop->call[at.row + a.row][at.pass];
    end_of_call_ += std::chrono::round<record_clock::duration>(sonde::seconds{time});
    wait_until(end_of_call_, [this] { reads_->read_some(); });
}

/// The actions of a body, with the rows that they have in the kept passes.
std::vector<replayed_rank::action> replayed_rank::actions_of(std::vector<step const*> const& steps,
                                                             double times_called) {
    std::vector<action> made;
    std::size_t row = 0;
    for (auto const* s : steps) {
        made.push_back(action_of(*s, times_called));
        made.back().row = row;
        row += kept_rows(*s);
    }
    return made;
}

replayed_rank::action replayed_rank::action_of(step const& s, double times_called) {
    action made;
    if (s.is_loop()) {
        std::vector<step const*> body;
        for (auto const& part : s.body) body.push_back(&part);
        made.passes = s.passes;
        made.body = actions_of(body, times_called * static_cast<double>(s.passes));
        made.rows = kept_rows(s) / passes_inside(s.passes);
        if (is_in_no_loop(program_, s)) made.kept = passes_at(own_, first_place(s));
        return made;
    }
    made.place = s.place;
    made.think = mean_of(own_.think[s.place]);
    made.left_out = takes_time(s) ? mean_of(own_.call[s.place]) : 0;
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

void* replayed_rank::received(std::size_t bytes) {
    return memory_.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
}

/// Empty for a call that is made before the measurement.
std::function<void()> replayed_rank::call_of(step const& s) {
    if (starts_nothing(s)) return [this] { *next_request() = MPI_REQUEST_NULL; };
    if (is_collective(s)) return collective(s);
    if (is_one_sided(s)) return one_sided(s);
    if (synchronizes_window(s)) return synchronization(s);
    if (completes_named(s) || completes_any(s)) return completion(s);
    if (starts_persistent(s)) return start(s);
    if (s.call.starts_with("Request_get_status")) return status(s);
    if (s.call.starts_with("Pready") || s.call == "Parrived") return partitions(s);
    if (makes_persistent_message(s) && made_in_pass_.count(&s) == 0) return {};
    return message(s);
}

} // namespace tools::replay
