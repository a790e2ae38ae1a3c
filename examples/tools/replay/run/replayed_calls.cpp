// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_calls.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace tools::replay {

namespace {

using names = std::set<std::string>;

names const collectives{"Barrier",
                        "Bcast",
                        "Gather",
                        "Gatherv",
                        "Scatter",
                        "Scatterv",
                        "Allgather",
                        "Allgatherv",
                        "Alltoall",
                        "Alltoallv",
                        "Alltoallw",
                        "Reduce",
                        "Allreduce",
                        "Scan",
                        "Exscan",
                        "Reduce_scatter",
                        "Reduce_scatter_block",
                        "Neighbor_allgather",
                        "Neighbor_allgatherv",
                        "Neighbor_alltoall",
                        "Neighbor_alltoallv",
                        "Neighbor_alltoallw"};
names const sending{"Send",       "Bsend",
                    "Rsend",      "Ssend",
                    "Isend",      "Ibsend",
                    "Irsend",     "Issend",
                    "Sendrecv",   "Sendrecv_replace",
                    "Isendrecv",  "Isendrecv_replace",
                    "Send_init",  "Bsend_init",
                    "Rsend_init", "Ssend_init",
                    "Psend_init"};
names const receiving{"Recv",   "Irecv",   "Sendrecv",  "Sendrecv_replace", "Isendrecv", "Isendrecv_replace",
                      "Mprobe", "Improbe", "Recv_init", "Precv_init"};
names const starting{"Isend", "Ibsend", "Irsend",      "Issend",          "Irecv",     "Imrecv",
                     "Rput",  "Rget",   "Raccumulate", "Rget_accumulate", "Isendrecv", "Isendrecv_replace"};
names const starting_nothing{"Comm_idup", "Comm_idup_with_info", "Buffer_iflush", "Comm_iflush_buffer",
                             "Session_iflush_buffer"};
names const completing_any{"Waitany", "Waitsome", "Testany", "Testsome"};
names const completing{"Wait", "Waitall", "Test", "Testall", "Request_free"};
names const one_sided{"Put",  "Get",  "Accumulate",  "Get_accumulate", "Fetch_and_op", "Compare_and_swap",
                      "Rput", "Rget", "Raccumulate", "Rget_accumulate"};
names const synchronizing{"Win_fence",           "Win_lock",  "Win_unlock",    "Win_lock_all",
                          "Win_unlock_all",      "Win_flush", "Win_flush_all", "Win_flush_local",
                          "Win_flush_local_all", "Win_sync",  "Win_post",      "Win_start",
                          "Win_complete",        "Win_wait",  "Win_test"};
names const asking_status{"Request_get_status", "Request_get_status_all"};
names const others{"Mrecv",  "Probe",        "Iprobe",      "Start",   "Startall",
                   "Pready", "Pready_range", "Pready_list", "Parrived"};

bool is_in(names const& all, step const& s) { return all.count(s.call) != 0; }

} // namespace

std::string blocking_name(std::string const& call) {
    auto const is_known = [](std::string const& name) { return collectives.count(name) != 0; };
    if (call.ends_with("_init") && is_known(call.substr(0, call.size() - 5))) return call.substr(0, call.size() - 5);
    if (!call.starts_with('I') || call.size() < 2) return call;
    auto name = call.substr(1);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return is_known(name) ? name : call;
}

bool is_collective(step const& s) {
    return collectives.count(blocking_name(s.call)) != 0 && !makes_persistent_collective(s);
}

bool has_block_of_each_rank(std::string const& name) {
    return name != "Bcast" && name != "Reduce" && name != "Allreduce" && !name.ends_with("can");
}

bool makes_topology(step const& s) { return s.what.made >= 0 && !s.counts.empty() && !s.call.starts_with("Win_"); }

bool makes_persistent_collective(step const& s) { return s.call.ends_with("_init") && blocking_name(s.call) != s.call; }

bool makes_persistent_message(step const& s) { return s.call.ends_with("_init") && (sends(s) || receives(s)); }

bool sends(step const& s) { return is_in(sending, s); }

bool receives(step const& s) { return is_in(receiving, s); }

bool takes_message(step const& s) { return s.call == "Mprobe" || s.call == "Improbe"; }

bool receives_taken(step const& s) { return s.call == "Mrecv" || s.call == "Imrecv"; }

bool is_buffered(step const& s) { return s.call == "Bsend" || s.call == "Ibsend" || s.call == "Bsend_init"; }

bool starts_request(step const& s) {
    return is_in(starting, s) || starts_nothing(s) || (is_collective(s) && blocking_name(s.call) != s.call);
}

bool starts_nothing(step const& s) { return is_in(starting_nothing, s) || s.call.starts_with("File_i"); }

bool takes_time(step const& s) { return s.call.starts_with("File_") && !starts_nothing(s); }

bool starts_persistent(step const& s) { return s.call == "Start" || s.call == "Startall"; }

bool completes_any(step const& s) { return is_in(completing_any, s); }

bool completes_named(step const& s) { return is_in(completing, s); }

bool is_one_sided(step const& s) { return is_in(one_sided, s); }

bool has_partner(step const& s) {
    auto const is_rank = [](distance d) { return d >= 0 || d == any_partner; };
    auto const has_null = s.what.to == null_partner || s.what.from == null_partner;
    return !has_null || is_rank(s.what.to) || is_rank(s.what.from);
}

bool synchronizes_window(step const& s) { return is_in(synchronizing, s); }

bool is_replayed(step const& s) {
    auto const is_unknown = [](std::int64_t age) { return age == 0; };
    if (s.is_invalid) return false;
    if (!s.requests.empty() && std::all_of(s.requests.begin(), s.requests.end(), is_unknown)) return false;
    if (s.call == "Psend_init" || s.call == "Precv_init") return false; // made before the measurement
    return is_collective(s) || sends(s) || receives(s) || starts_request(s) || is_in(completing_any, s) ||
           is_in(completing, s) || is_in(asking_status, s) || is_in(one_sided, s) || is_in(synchronizing, s) ||
           is_in(others, s);
}

persistent_requests::persistent_requests(program const& of) { find(of.body); }

step const* persistent_requests::maker(step const& user, std::int64_t number) const {
    auto const found = makers_.find({&user, number});
    return found == makers_.end() ? nullptr : found->second;
}

void persistent_requests::find(std::vector<step> const& body) {
    for (auto const& s : body) {
        if (s.call.ends_with("_init") && !s.requests.empty()) latest_[s.requests[0]] = &s;
        for (auto const number : s.requests)
            if (auto const made = latest_.find(number); made != latest_.end()) makers_[{&s, number}] = made->second;
        find(s.body);
    }
}

} // namespace tools::replay
