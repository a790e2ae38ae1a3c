// SPDX-License-Identifier: BSL-1.0
// The messages of a replayed rank, and the calls that make persistent ones.
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// Arguments of the functions of the table; each takes those that it needs.
struct message_arguments {
    sent_memory const* memory;
    elements out{}, in{};
    void* here = nullptr; // where a message is received
    int to = MPI_PROC_NULL, from = MPI_PROC_NULL, tag = 0, recv_tag = 0;
    int partitions = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<MPI_Message>* taken = nullptr;

    void const* sent() const { return memory->get(); }
    bool is_large() const { return out.is_large() || in.is_large(); }
    MPI_Message* take() const {
        MPI_Message const none = MPI_MESSAGE_NULL; // NULL with SMPI
        return &taken->emplace_back(none);
    }
    /// The message that was taken first. Which one the application received is not recorded.
    MPI_Message first_taken() const {
        auto const first = taken->front();
        taken->erase(taken->begin());
        return first;
    }
};

using message_function = int (*)(message_arguments const&, MPI_Request*);

#define SONDE_BLOCKING(name, function, ...)                                                                            \
    {                                                                                                                  \
        name, [](message_arguments const& a, MPI_Request*) {                                                           \
            return SONDE_COUNTED(a.is_large(), function, __VA_ARGS__);                                                 \
        }                                                                                                              \
    }
#define SONDE_REQUEST(name, function, ...)                                                                             \
    {                                                                                                                  \
        name, [](message_arguments const& a, MPI_Request* request) {                                                   \
            return SONDE_COUNTED(a.is_large(), function, __VA_ARGS__, request);                                        \
        }                                                                                                              \
    }
#define SONDE_PROBE(name, function, ...)                                                                               \
    {                                                                                                                  \
        name, [](message_arguments const& a, MPI_Request*) {                                                           \
            return MPI_##function(a.from, a.recv_tag, a.comm, __VA_ARGS__);                                            \
        }                                                                                                              \
    }
#define SONDE_OUT a.sent(), a.out.count(), a.out.type, a.to, a.tag, a.comm
#define SONDE_IN a.here, a.in.count(), a.in.type, a.from, a.recv_tag, a.comm
#define SONDE_BOTH a.sent(), a.out.count(), a.out.type, a.to, a.tag, SONDE_IN
#define SONDE_REPLACED a.here, a.in.count(), a.in.type, a.to, a.tag, a.from, a.recv_tag, a.comm

/// What is called for each function. A ready send is a standard one, because the receive may be late; a probe that the
/// application repeated is one that waits.
std::map<std::string, message_function> const message_functions {
    SONDE_BLOCKING("Send", Send, SONDE_OUT), SONDE_BLOCKING("Rsend", Send, SONDE_OUT),
        SONDE_BLOCKING("Ssend", Ssend, SONDE_OUT), SONDE_BLOCKING("Bsend", Bsend, SONDE_OUT),
        SONDE_REQUEST("Isend", Isend, SONDE_OUT), SONDE_REQUEST("Irsend", Isend, SONDE_OUT),
        SONDE_REQUEST("Issend", Issend, SONDE_OUT), SONDE_REQUEST("Ibsend", Ibsend, SONDE_OUT),
        SONDE_REQUEST("Send_init", Send_init, SONDE_OUT), SONDE_REQUEST("Rsend_init", Send_init, SONDE_OUT),
        SONDE_REQUEST("Ssend_init", Ssend_init, SONDE_OUT), SONDE_REQUEST("Bsend_init", Bsend_init, SONDE_OUT),
        SONDE_REQUEST("Irecv", Irecv, SONDE_IN), SONDE_REQUEST("Recv_init", Recv_init, SONDE_IN),
        SONDE_BLOCKING("Recv", Recv, SONDE_IN, MPI_STATUS_IGNORE),
        SONDE_BLOCKING("Sendrecv", Sendrecv, SONDE_BOTH, MPI_STATUS_IGNORE),
        SONDE_BLOCKING("Sendrecv_replace", Sendrecv_replace, SONDE_REPLACED, MPI_STATUS_IGNORE),
        SONDE_PROBE("Probe", Probe, MPI_STATUS_IGNORE), SONDE_PROBE("Iprobe", Probe, MPI_STATUS_IGNORE),
        SONDE_PROBE("Mprobe", Mprobe, a.take(), MPI_STATUS_IGNORE),
        SONDE_PROBE("Improbe", Mprobe, a.take(), MPI_STATUS_IGNORE),
        {"Mrecv",
         [](message_arguments const& a, MPI_Request*) {
             auto message = a.first_taken();
             return SONDE_COUNTED(a.is_large(), Mrecv, a.here, a.in.count(), a.in.type, &message, MPI_STATUS_IGNORE);
         }},
        {"Imrecv",
         [](message_arguments const& a, MPI_Request* request) {
             auto message = a.first_taken();
             return SONDE_COUNTED(a.is_large(), Imrecv, a.here, a.in.count(), a.in.type, &message, request);
         }},
#if MPI_VERSION >= 4
        SONDE_REQUEST("Isendrecv", Isendrecv, SONDE_BOTH),
        SONDE_REQUEST("Isendrecv_replace", Isendrecv_replace, SONDE_REPLACED),
        {"Psend_init",
         [](message_arguments const& a, MPI_Request* request) {
             return MPI_Psend_init(a.sent(), a.partitions, a.out.n, a.out.type, a.to, a.tag, a.comm, MPI_INFO_NULL,
                                   request);
         }},
        {"Precv_init", [](message_arguments const& a, MPI_Request* request) {
             return MPI_Precv_init(a.here, a.partitions, a.in.n, a.in.type, a.from, a.recv_tag, a.comm, MPI_INFO_NULL,
                                   request);
         }},
#endif
};

#undef SONDE_BLOCKING
#undef SONDE_REQUEST
#undef SONDE_PROBE
#undef SONDE_OUT
#undef SONDE_IN
#undef SONDE_BOTH
#undef SONDE_REPLACED

/// Bytes of the longest message that the calls of a thread send to a rank.
std::int64_t longest_message(std::vector<step> const& body, program const& calls, thread_trace const& from, int to) {
    std::int64_t longest = 0;
    for (auto const& s : body) {
        longest = std::max(longest, longest_message(s.body, calls, from, to));
        if (!sends(s) || s.is_invalid || s.what.to < 0) continue;
        auto const& in = from.communicators[static_cast<std::size_t>(s.what.comm)];
        if (in.world[static_cast<std::size_t>(in.partner(s.what.to))] == to && s.what.count != absent)
            longest = std::max(longest, s.what.count * calls.size_of(s.what.type));
    }
    return longest;
}

} // namespace

/// The elements that a call receives which a probe took: as many as the longest message to this rank has, because the
/// probe may have found another one than in the application, which asked for its length.
elements replayed_rank::any_message(step const& s) {
    if (!longest_message_) {
        longest_message_ = 0;
        for (auto const& t : trace_.threads)
            longest_message_ = std::max(*longest_message_, longest_message(trace_.programs[t.program].body,
                                                                           trace_.programs[t.program], t, own_.rank));
    }
    auto const size = std::max<std::int64_t>(1, program_.size_of(s.what.recv_type));
    auto const most = *longest_message_ / size + (*longest_message_ % size == 0 ? 0 : 1);
    return elements_of(program_, std::max(s.what.recv_count, most), s.what.recv_type);
}

std::function<void()> replayed_rank::message(step const& s) {
    auto const found = message_functions.find(s.call);
    if (found == message_functions.end()) throw std::runtime_error{"this MPI library has no MPI_" + s.call};
    auto const& e = s.what;
    auto const is_partitioned = s.call == "Psend_init" || s.call == "Precv_init";
    message_arguments a{.memory = &sent_memory_};
    a.partitions = is_partitioned && !s.counts.empty() ? static_cast<int>(s.counts[0]) : 1;
    auto const parts = static_cast<std::size_t>(a.partitions);
    a.out = elements_of(program_, e.count, e.type);
    a.in = receives_taken(s) ? any_message(s) : elements_of(program_, e.recv_count, e.recv_type);
    if (has_partner(s)) will_send(parts * a.out.memory());
    a.here = received(has_partner(s) ? parts * a.in.memory() : 0);
    a.taken = &taken_;
    if (e.comm >= 0) {
        auto const& ranks = ranks_of(s);
        auto const partner = [&](distance d) {
            return d == any_partner ? MPI_ANY_SOURCE : d < 0 ? MPI_PROC_NULL : ranks.partner(d);
        };
        a.to = partner(e.to);
        a.from = partner(e.from);
        a.comm = comm_of(s);
    }
    a.tag = e.tag;
    a.recv_tag = e.recv_tag == any_tag ? MPI_ANY_TAG : e.recv_tag;
    auto const function = found->second;
    if (slots_.count(&s) != 0) // a persistent one
        return [=, this, &s] {
            auto& request = slot(s);
            if (request != MPI_REQUEST_NULL) check(MPI_Request_free(&request), "MPI_Request_free");
            check(function(a, &request), s.call.c_str());
        };
    if (starts_request(s)) return [=, this, &s] { check(function(a, next_request()), s.call.c_str()); };
    return [=, &s] { check(function(a, nullptr), s.call.c_str()); };
}

/// Bytes of the attached buffer that a buffered message takes.
std::size_t replayed_rank::buffered_bytes_of(step const& s) const {
    auto const of = elements_of(program_, s.what.count, s.what.type);
    int bytes = 0;
    if (of.is_large()) return of.memory(); // more than MPI_Buffer_attach takes
    check(MPI_Pack_size(of.count(), of.type, comm_of(s), &bytes), "MPI_Pack_size");
    return static_cast<std::size_t>(bytes) + MPI_BSEND_OVERHEAD;
}

} // namespace tools::replay
