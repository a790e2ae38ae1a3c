// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayable_calls.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tools::replay {

namespace {

/// Checks the calls of one thread.
class thread_calls {
public:
    thread_calls(program const& calls, thread_trace const& own) : calls_{calls}, own_{own} {}

    void check() {
        find_neighbors(calls_.body);
        check(calls_.body);
    }

private:
    [[noreturn]] static void refuse(step const& s, std::string const& why) {
        throw std::runtime_error{"the trace cannot be replayed: a call of MPI_" + s.call + ' ' + why};
    }

    void find_neighbors(std::vector<step> const& body) {
        for (auto const& s : body) {
            find_neighbors(s.body);
            if (makes_topology(s)) neighbors_[s.what.made] = &s.counts;
        }
    }

    void check(std::vector<step> const& body) const {
        for (auto const& s : body) {
            check(s.body);
            if (!s.is_loop()) check(s);
        }
    }

    void check(step const& s) const {
        auto const is_of_all = is_collective(s) || makes_persistent_collective(s);
        auto const has_request = starts_request(s) || s.call.ends_with("_init");
        auto const is_message = sends(s) || receives(s) || s.call == "Probe" || s.call == "Iprobe";
        if (s.is_invalid && has_request) refuse(s, "has an argument that MPI refuses");
        if (s.is_invalid) return;
        if ((is_of_all || is_message) && s.what.comm < 0) refuse(s, "has no communicator");
        if ((is_one_sided(s) || synchronizes_window(s)) && s.what.window < 0) refuse(s, "has no window");
        if (is_of_all && !has_all_counts(s)) refuse(s, "does not have a count for each rank or neighbor");
    }

    bool has_all_counts(step const& s) const {
        auto const name = blocking_name(s.call);
        auto const n = s.counts.size(), ranks = own_.communicators[static_cast<std::size_t>(s.what.comm)].world.size();
        if (name.starts_with("Neighbor_")) {
            auto const found = neighbors_.find(s.what.comm);
            if (found == neighbors_.end()) return false;
            auto const sources = static_cast<std::size_t>(found->second->front());
            return name == "Neighbor_allgatherv"              ? n == sources
                   : name.back() == 'v' || name.back() == 'w' ? n == found->second->size() - 1
                                                              : n == 0;
        }
        if (name == "Alltoallv" || name == "Alltoallw") return n == (s.what.type == absent ? ranks : 2 * ranks);
        if (name == "Allgatherv" || name == "Reduce_scatter") return n == ranks;
        return n == 0 || ((name == "Gatherv" || name == "Scatterv") && n == ranks);
    }

    program const& calls_;
    thread_trace const& own_;
    std::map<std::int32_t, std::vector<std::int64_t> const*> neighbors_; // of each communicator
};

void add_topologies(std::vector<step> const& body, thread_trace const& own, std::set<std::string>& names) {
    for (auto const& s : body) {
        add_topologies(s.body, own, names);
        if (makes_topology(s)) names.insert(own.communicators[static_cast<std::size_t>(s.what.made)].text);
    }
}

/// Objects of some ranks, by their names: the ranks that an object has, and how many of them know it.
class known_objects {
public:
    explicit known_objects(char const* kind) : kind_{kind} {}

    void add(std::string const& name, communicator const& ranks) {
        auto& known = all_.try_emplace(name, ranks.world.size(), 0).first->second;
        ++known.second;
    }
    void check() const {
        for (auto const& [name, known] : all_)
            if (known.first != known.second)
                throw std::runtime_error{"the trace cannot be replayed: " + std::to_string(known.second) + " of " +
                                         std::to_string(known.first) + " ranks have " + kind_ + " of ranks " + name};
    }

private:
    char const* kind_;
    std::map<std::string, std::pair<std::size_t, std::size_t>> all_{};
};

} // namespace

void require_replayable_calls(trace const& t) {
    for (auto const& thread : t.threads) thread_calls{t.programs[thread.program], thread}.check();
}

void require_common_objects(trace const& t) {
    known_objects communicators{"the communicator"}, windows{"the window"}, topologies{"the topology"};
    for (auto const& thread : t.threads) {
        std::map<std::string, communicator const*> own, with_window;
        std::set<std::string> with_topology;
        for (auto const& c : thread.communicators) own[c.text] = &c;
        for (auto const& w : thread.windows) with_window[w.ranks.text] = &w.ranks;
        add_topologies(t.programs[thread.program].body, thread, with_topology);
        for (auto const& [name, c] : own) communicators.add(name, *c);
        for (auto const& [name, c] : with_window) windows.add(name, *c);
        for (auto const& name : with_topology) topologies.add(name, *own.at(name));
    }
    for (auto const* all : {&communicators, &windows, &topologies}) all->check();
}

} // namespace tools::replay
