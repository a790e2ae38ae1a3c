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

} // namespace

replayed_rank::replayed_rank(trace const& t, thread_trace const& own, std::vector<step const*> const& steps,
                             replayed_communicators const& communicators, bool thinks)
    : own_{own}, program_{t.programs[own.program]}, communicators_{communicators}, thinks_{thinks},
      calls_in_pass_(program_.events), measured_(program_.events) {
    for (auto const* s : steps) actions_.push_back(action_of(*s, 1));
    sent_memory_ = std::make_unique<std::byte[]>(largest_sent_ + 1);
}

void replayed_rank::operator()() {
    requests_.clear();
    if (thinks_) end_of_call_ = record_clock::now();
    for (auto& a : actions_) make(a);
}

double replayed_rank::seconds_in_calls() const {
    double sum = 0;
    for (std::size_t place = 0; place != measured_.size(); ++place)
        sum += calls_in_pass_[place] * median_of(measured_[place].means());
    return sum;
}

double replayed_rank::recorded_seconds_in_calls() const {
    double sum = 0;
    for (std::size_t place = 0; place != calls_in_pass_.size(); ++place)
        sum += calls_in_pass_[place] * median_of(own_.call[place]);
    return sum;
}

void replayed_rank::make(action& a) {
    for (std::uint64_t pass = 0; pass != a.passes; ++pass)
        for (auto& part : a.body) make(part);
    if (a.passes != 0) return;
    if (!thinks_) {
        if (a.call) a.call();
        return;
    }
    think(a);
    if (!a.call) return;
    auto const begin = record_clock::now();
    a.call();
    end_of_call_ = record_clock::now();
    measured_[a.place].add(end_of_call_ - begin);
}

/// Waits for one of the recorded times. All 16 of them come in turns, in an order that is not theirs.
void replayed_rank::think(action& a) {
    a.next_slice = (a.next_slice + 7) % times::slice_count; // 7 and 16 have no common factor
    end_of_call_ += std::chrono::round<record_clock::duration>(sonde::seconds{a.think[a.next_slice]});
    wait_until(end_of_call_);
}

replayed_rank::action replayed_rank::action_of(step const& s, double times_called) {
    action made;
    if (s.is_loop()) {
        made.passes = s.passes;
        for (auto const& part : s.body)
            made.body.push_back(action_of(part, times_called * static_cast<double>(s.passes)));
        return made;
    }
    made.place = s.place;
    made.think = own_.think[s.place];
    made.next_slice = (s.place * 5 + static_cast<std::size_t>(own_.rank) * 3) % times::slice_count;
    if (!is_replayed(s)) return made; // the time before it is kept
    made.call = call_of(s);
    calls_in_pass_[s.place] = times_called;
    if (s.what.comm < 0) return made;
    auto const bytes = bytes_sent(s, program_, ranks_of(s), 0);
    traffic_.bytes += static_cast<std::size_t>(times_called * bytes);
    if (s.what.to >= 0) traffic_.messages += static_cast<std::size_t>(times_called);
    return made;
}

replayed_rank::elements replayed_rank::elements_of(std::int64_t count, std::int32_t type) const {
    if (count == absent || type == absent) return {.is_in_place = true};
    auto const& of = program_.types[static_cast<std::size_t>(type)];
    auto const known = datatype_of(of.name);
    auto const n = known == MPI_DATATYPE_NULL ? count * of.size : count;
    if (n < 0 || n > std::numeric_limits<int>::max())
        throw std::runtime_error{"a message of " + std::to_string(n) + " elements is too long to be replayed"};
    return {static_cast<int>(n), known == MPI_DATATYPE_NULL ? MPI_BYTE : known};
}

void* replayed_rank::received(std::size_t bytes) {
    return memory_.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
}

std::function<void()> replayed_rank::call_of(step const& s) {
    if (is_collective(s)) return collective(s);
    if (s.call.starts_with("Wait") || s.call.starts_with("Test")) return completion(s);
    return message(s);
}

std::function<void()> replayed_rank::message(step const& s) {
    auto const& e = s.what;
    auto const bytes = [](std::int64_t count, std::int64_t size) {
        return count == absent ? 0 : static_cast<std::size_t>(count * size);
    };
    auto const out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    will_send(bytes(e.count, program_.size_of(e.type)));
    auto* const to_here = received(bytes(e.recv_count, program_.size_of(e.recv_type)));
    if (s.call == "Mrecv")
        return [=, this] { check(MPI_Mrecv(to_here, in.n, in.type, &message_, MPI_STATUS_IGNORE), "MPI_Mrecv"); };
    if (s.call == "Imrecv")
        return [=, this] { check(MPI_Imrecv(to_here, in.n, in.type, &message_, next_request()), "MPI_Imrecv"); };
    auto const& ranks = ranks_of(s);
    auto const partner = [&](distance d) {
        return d == any_partner ? MPI_ANY_SOURCE : d < 0 ? MPI_PROC_NULL : ranks.partner(d);
    };
    auto const comm = comm_of(s);
    auto const to = partner(e.to), from = partner(e.from), tag = e.tag;
    auto const recv_tag = e.recv_tag == any_tag ? MPI_ANY_TAG : e.recv_tag;
    using send = int (*)(void const*, int, MPI_Datatype, int, int, MPI_Comm);
    using isend = int (*)(void const*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    std::map<std::string, send> const sends{{"Send", MPI_Send}, {"Rsend", MPI_Send}, {"Ssend", MPI_Ssend}};
    std::map<std::string, isend> const isends{{"Isend", MPI_Isend}, {"Irsend", MPI_Isend}, {"Issend", MPI_Issend}};
    if (auto const f = sends.find(s.call); f != sends.end())
        return [=, this, f = f->second] { check(f(sent_memory_.get(), out.n, out.type, to, tag, comm), "MPI_Send"); };
    if (auto const f = isends.find(s.call); f != isends.end())
        return [=, this, f = f->second] {
            check(f(sent_memory_.get(), out.n, out.type, to, tag, comm, next_request()), "MPI_Isend");
        };
    if (s.call == "Recv")
        return [=] { check(MPI_Recv(to_here, in.n, in.type, from, recv_tag, comm, MPI_STATUS_IGNORE), "MPI_Recv"); };
    if (s.call == "Irecv")
        return
            [=, this] { check(MPI_Irecv(to_here, in.n, in.type, from, recv_tag, comm, next_request()), "MPI_Irecv"); };
    if (s.call == "Probe" || s.call == "Iprobe")
        return [=] { check(MPI_Probe(from, recv_tag, comm, MPI_STATUS_IGNORE), "MPI_Probe"); };
    if (s.call == "Mprobe" || s.call == "Improbe")
        return [=, this] { check(MPI_Mprobe(from, recv_tag, comm, &message_, MPI_STATUS_IGNORE), "MPI_Mprobe"); };
    if (s.call == "Sendrecv_replace")
        return [=] {
            check(MPI_Sendrecv_replace(to_here, in.n, in.type, to, tag, from, recv_tag, comm, MPI_STATUS_IGNORE),
                  "MPI_Sendrecv_replace");
        };
    return [=, this] {
        check(MPI_Sendrecv(sent_memory_.get(), out.n, out.type, to, tag, to_here, in.n, in.type, from, recv_tag, comm,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    };
}

/// Waits also where the application tested: the tests that found nothing are in its time.
std::function<void()> replayed_rank::completion(step const& s) {
    if (s.call == "Waitany" || s.call == "Waitsome" || s.call == "Testany" || s.call == "Testsome")
        return [this, n = s.what.count] {
            for (std::int64_t i = 0; i < n; ++i) {
                int index = 0;
                check(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &index, MPI_STATUS_IGNORE),
                      "MPI_Waitany");
            }
        };
    std::vector<std::size_t> ages;
    for (auto const age : s.requests)
        if (age > 0) ages.push_back(static_cast<std::size_t>(age));
    if (ages.size() == 1)
        return [this, age = ages[0]] {
            check(MPI_Wait(&requests_[requests_.size() - age], MPI_STATUS_IGNORE), "MPI_Wait");
        };
    return [this, ages, pending = std::vector<MPI_Request>(ages.size())]() mutable {
        for (std::size_t i = 0; i != ages.size(); ++i)
            pending[i] = std::exchange(requests_[requests_.size() - ages[i]], MPI_REQUEST_NULL);
        check(MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    };
}

} // namespace tools::replay
