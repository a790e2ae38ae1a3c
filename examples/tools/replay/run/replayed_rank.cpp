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

MPI_Op op_of(std::string const& name) {
    static std::map<std::string, MPI_Op> const known{
        {"MPI_SUM", MPI_SUM},   {"MPI_MAX", MPI_MAX},   {"MPI_MIN", MPI_MIN},       {"MPI_PROD", MPI_PROD},
        {"MPI_LAND", MPI_LAND}, {"MPI_LOR", MPI_LOR},   {"MPI_LXOR", MPI_LXOR},     {"MPI_BAND", MPI_BAND},
        {"MPI_BOR", MPI_BOR},   {"MPI_BXOR", MPI_BXOR}, {"MPI_MAXLOC", MPI_MAXLOC}, {"MPI_MINLOC", MPI_MINLOC}};
    auto const found = known.find(name);
    return found == known.end() ? MPI_OP_NULL : found->second;
}

std::vector<int> as_counts(std::vector<std::int64_t> const& list, std::size_t from, std::size_t n) {
    std::vector<int> found(n);
    for (std::size_t i = 0; i != n && from + i < list.size(); ++i) found[i] = static_cast<int>(list[from + i]);
    return found;
}

/// Blocks without gaps between them.
struct blocks {
    std::vector<int> counts, places;
    int total = 0;

    explicit blocks(std::vector<int> each) : counts{std::move(each)} {
        for (auto const n : counts) {
            places.push_back(total);
            total += n;
        }
    }
};

} // namespace

replayed_rank::replayed_rank(trace const& t, thread_trace const& own, std::vector<step const*> const& steps,
                             replayed_communicators const& communicators, bool thinks)
    : own_{own}, program_{t.programs[own.program]}, communicators_{communicators}, thinks_{thinks},
      calls_in_pass_(program_.events), measured_(program_.events) {
    for (auto const* s : steps) actions_.push_back(action_of(*s, 1));
    auto const largest = sent_sizes_.empty() ? 0 : *std::max_element(sent_sizes_.begin(), sent_sizes_.end());
    sent_memory_ = std::make_unique<std::byte[]>(largest + 1);
}

void replayed_rank::operator()() {
    requests_.clear();
    if (thinks_) end_of_call_ = clock::now();
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
    auto const begin = clock::now();
    a.call();
    end_of_call_ = clock::now();
    measured_[a.place].add(end_of_call_ - begin);
}

/// Busy for one of the recorded times. All 16 of them come in turns, in an order that is not theirs.
void replayed_rank::think(action& a) {
    a.next_slice = (a.next_slice + 7) % times::slice_count; // 7 and 16 have no common factor
    end_of_call_ += std::chrono::duration_cast<clock::duration>(sonde::seconds{a.think[a.next_slice]});
    while (clock::now() < end_of_call_) {
    }
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
    auto const bytes = bytes_sent(s, program_, own_.communicators[static_cast<std::size_t>(s.what.comm)], 0);
    traffic_.bytes += static_cast<std::size_t>(times_called * bytes);
    if (s.what.to >= 0) traffic_.messages += static_cast<std::size_t>(times_called);
    return made;
}

MPI_Comm replayed_rank::comm_of(step const& s) const {
    return communicators_.of(own_.communicators.at(static_cast<std::size_t>(s.what.comm)));
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

/// The operation; of one that is not predefined, or on a datatype that is not, one of bytes.
MPI_Op replayed_rank::operation_of(step const& s, elements& of) const {
    auto const op = s.what.operation == absent ? MPI_OP_NULL
                                               : op_of(program_.operations[static_cast<std::size_t>(s.what.operation)]);
    if (op != MPI_OP_NULL && of.type != MPI_BYTE) return op;
    if (of.type != MPI_BYTE) of.n *= static_cast<int>(program_.size_of(s.what.type));
    of.type = MPI_BYTE;
    return MPI_BOR;
}

void* replayed_rank::received(std::size_t bytes) {
    return memory_.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
}

void* replayed_rank::sent(std::size_t bytes) {
    sent_sizes_.push_back(bytes);
    return nullptr;
}

std::function<void()> replayed_rank::call_of(step const& s) {
    auto name = s.call;
    if (name.starts_with('I') && name != "Isend" && name != "Issend" && name != "Irsend" && name != "Irecv" &&
        name != "Iprobe" && name != "Improbe" && name != "Imrecv") {
        name.erase(0, 1);
        name[0] = static_cast<char>(name[0] - 'a' + 'A');
        return collective(s, name, true);
    }
    if (s.call.starts_with("Wait") || s.call.starts_with("Test")) return completion(s);
    if (s.what.to != absent || s.what.from != absent || s.call == "Mrecv" || s.call == "Imrecv") return message(s);
    return collective(s, name, false);
}

std::function<void()> replayed_rank::message(step const& s) {
    auto const& e = s.what;
    auto const bytes = [](std::int64_t count, std::int64_t size) {
        return count == absent ? 0 : static_cast<std::size_t>(count * size);
    };
    auto const out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    sent(bytes(e.count, program_.size_of(e.type)));
    auto* const to_here = received(bytes(e.recv_count, program_.size_of(e.recv_type)));
    if (s.call == "Mrecv")
        return [=, this] { check(MPI_Mrecv(to_here, in.n, in.type, &message_, MPI_STATUS_IGNORE), "MPI_Mrecv"); };
    if (s.call == "Imrecv")
        return [=, this] { check(MPI_Imrecv(to_here, in.n, in.type, &message_, next_request()), "MPI_Imrecv"); };
    auto const& ranks = own_.communicators[static_cast<std::size_t>(e.comm)];
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

// The blocking or the nonblocking function of a collective.
#define SONDE_COLLECTIVE(blocking, nonblocking, ...)                                                                   \
    return [=, this] {                                                                                                 \
        check(starts ? MPI_##nonblocking(__VA_ARGS__, next_request()) : MPI_##blocking(__VA_ARGS__),                   \
              "MPI_" #blocking);                                                                                       \
    }

std::function<void()> replayed_rank::collective(step const& s, std::string const& name, bool starts) {
    auto const& e = s.what;
    auto const comm = comm_of(s);
    if (name == "Barrier")
        return [=, this] { check(starts ? MPI_Ibarrier(comm, next_request()) : MPI_Barrier(comm), "MPI_Barrier"); };
    if (name.starts_with("Neighbor_")) return neighbor_collective(s, name, starts);
    if (!s.counts.empty() || name.ends_with('v') || name.ends_with('w') || name == "Reduce_scatter")
        return collective_v(s, name, starts);
    auto const ranks = static_cast<std::size_t>(own_.communicators[static_cast<std::size_t>(e.comm)].size());
    auto out = elements_of(e.count, e.type);
    auto const in = elements_of(e.recv_count, e.recv_type);
    auto const size = [&](elements const& of, std::int32_t type) {
        return of.type == MPI_BYTE ? static_cast<std::size_t>(of.n)
                                   : static_cast<std::size_t>(of.n) * static_cast<std::size_t>(program_.size_of(type));
    };
    auto const out_size = size(out, e.type), in_size = size(in, e.recv_type);
    sent(out_size * ranks);
    auto* const here = received(std::max(out_size, in_size) * ranks);
    auto const root = e.root;
    auto const op = operation_of(s, out);
    auto const from = [this, in_place = out.is_in_place] { return in_place ? MPI_IN_PLACE : sent_memory_.get(); };
    void* const to = in.is_in_place && name == "Scatter" ? MPI_IN_PLACE : here;
    if (name == "Bcast") SONDE_COLLECTIVE(Bcast, Ibcast, here, out.n, out.type, root, comm);
    if (name == "Reduce") SONDE_COLLECTIVE(Reduce, Ireduce, from(), here, out.n, out.type, op, root, comm);
    if (name == "Allreduce") SONDE_COLLECTIVE(Allreduce, Iallreduce, from(), here, out.n, out.type, op, comm);
    if (name == "Scan") SONDE_COLLECTIVE(Scan, Iscan, from(), here, out.n, out.type, op, comm);
    if (name == "Exscan") SONDE_COLLECTIVE(Exscan, Iexscan, from(), here, out.n, out.type, op, comm);
    if (name == "Reduce_scatter_block")
        SONDE_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, from(), here, out.n, out.type, op, comm);
    if (name == "Gather") SONDE_COLLECTIVE(Gather, Igather, from(), out.n, out.type, to, in.n, in.type, root, comm);
    if (name == "Scatter") SONDE_COLLECTIVE(Scatter, Iscatter, from(), out.n, out.type, to, in.n, in.type, root, comm);
    if (name == "Allgather") SONDE_COLLECTIVE(Allgather, Iallgather, from(), out.n, out.type, to, in.n, in.type, comm);
    if (name == "Alltoall") SONDE_COLLECTIVE(Alltoall, Ialltoall, from(), out.n, out.type, to, in.n, in.type, comm);
    throw std::runtime_error{"MPI_" + s.call + " cannot be replayed"};
}

/// A collective with a count for each rank; bytes for those of datatypes of their own.
std::function<void()> replayed_rank::collective_v(step const& s, std::string const& name, bool starts) {
    auto const& e = s.what;
    auto const comm = comm_of(s);
    auto const& in_comm = own_.communicators[static_cast<std::size_t>(e.comm)];
    auto const ranks = in_comm.world.size();
    auto const root = e.root;
    auto const unit_out = elements_of(1, e.type), unit_in = elements_of(1, e.recv_type);
    auto const scaled = [](std::vector<int> all, elements const& unit) {
        for (auto& n : all) n *= unit.n;
        return blocks{std::move(all)};
    };
    auto const is_pair = name == "Alltoallv" || name == "Alltoallw"; // of lists
    auto const in_place = is_pair && unit_out.is_in_place;
    blocks const first = scaled(as_counts(s.counts, 0, ranks),
                                name == "Allgatherv" || name == "Gatherv" || in_place ? unit_in : unit_out);
    blocks const second = scaled(as_counts(s.counts, is_pair && !in_place ? ranks : 0, ranks), unit_in);
    auto const largest = [&](blocks const& b) {
        return static_cast<std::size_t>(b.total) * 16; // no predefined datatype of the table is larger
    };
    auto out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    sent(std::max({largest(first), static_cast<std::size_t>(out.n) * 16, std::size_t{1}}));
    auto* const here =
        received(std::max({largest(first), largest(second), static_cast<std::size_t>(in.n) * 16, std::size_t{1}}));
    auto const from =
        [this, is_in_place = is_pair ? in_place : name != "Scatterv" && name != "Reduce_scatter" && out.is_in_place] {
            return is_in_place ? MPI_IN_PLACE : sent_memory_.get();
        };
    auto const out_type = unit_out.type, in_type = unit_in.type;
    if (name == "Gatherv")
        SONDE_COLLECTIVE(Gatherv, Igatherv, from(), out.n, out.type, here, first.counts.data(), first.places.data(),
                         unit_out.is_in_place ? in_type : out_type, root, comm);
    if (name == "Allgatherv")
        SONDE_COLLECTIVE(Allgatherv, Iallgatherv, from(), out.n, out.type, here, first.counts.data(),
                         first.places.data(), in_type, comm);
    if (name == "Scatterv")
        SONDE_COLLECTIVE(Scatterv, Iscatterv, from(), first.counts.data(), first.places.data(), out_type,
                         in.is_in_place ? MPI_IN_PLACE : here, in.n, in.type, root, comm);
    if (name == "Reduce_scatter") {
        auto unit = unit_out;
        auto const op = operation_of(s, unit);
        blocks const mine = scaled(as_counts(s.counts, 0, ranks), unit);
        auto const type = unit.type;
        SONDE_COLLECTIVE(Reduce_scatter, Ireduce_scatter, from(), here, mine.counts.data(), type, op, comm);
    }
    SONDE_COLLECTIVE(Alltoallv, Ialltoallv, from(), first.counts.data(), first.places.data(), out_type, here,
                     second.counts.data(), second.places.data(), in_type, comm);
}

/// Blocks to and from the neighbors that are there: a block of the same length for each, or counts, or bytes.
std::function<void()> replayed_rank::neighbor_collective(step const& s, std::string const& name, bool starts) {
    auto const& e = s.what;
    auto const& in_comm = own_.communicators[static_cast<std::size_t>(e.comm)];
    auto const comm = communicators_.with_neighbors(in_comm);
    auto const& neighbors = communicators_.neighbors(in_comm);
    auto const sources = static_cast<std::size_t>(neighbors[0]);
    auto const out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    auto const unit_out = elements_of(1, e.type), unit_in = elements_of(1, e.recv_type);
    // The counts of neighbors from `first` on, which are in the list of counts from `at` on.
    auto const counts = [&](std::size_t first, std::size_t n, std::size_t at, elements const& each,
                            elements const& unit) {
        std::vector<int> found;
        for (std::size_t i = 0; i != n; ++i)
            if (neighbors[first + i] >= 0)
                found.push_back(s.counts.empty() ? each.n : static_cast<int>(s.counts.at(at + i)) * unit.n);
        return blocks{std::move(found)};
    };
    auto const destinations = neighbors.size() - 1 - sources;
    auto const to_each = name.starts_with("Neighbor_alltoall");
    auto const to = to_each ? counts(1 + sources, destinations, 0, out, unit_out) : blocks{{out.n}};
    auto const from = counts(1, sources, to_each ? destinations : 0, in, unit_in);
    constexpr std::size_t largest = 16; // bytes of an element of a predefined datatype
    sent(largest * static_cast<std::size_t>(to.total));
    auto* const here = received(largest * static_cast<std::size_t>(from.total));
    auto const out_type = unit_out.type, in_type = unit_in.type;
    if (to_each)
        SONDE_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, sent_memory_.get(), to.counts.data(),
                         to.places.data(), out_type, here, from.counts.data(), from.places.data(), in_type, comm);
    SONDE_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, sent_memory_.get(), to.total, out_type, here,
                     from.counts.data(), from.places.data(), in_type, comm);
}

} // namespace tools::replay
