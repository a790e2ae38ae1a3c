// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile.hpp"

#include "tools/replay/trace/bytes_sent.hpp"

#include <algorithm>
#include <bit>

namespace tools::replay {

namespace {

/// Number of destinations in a list of neighbors: the number of sources, the sources, the destinations.
std::size_t destinations_in(std::vector<std::int64_t> const& neighbors) {
    return neighbors.empty() ? 0 : neighbors.size() - 1 - static_cast<std::size_t>(neighbors[0]);
}

/// The calls of one thread, added to a profile.
class thread_profile {
public:
    thread_profile(trace const& t, thread_trace const& thread, profile& into)
        : run_{t.programs[thread.program]}, thread_{thread}, into_{into} {}

    void add() {
        std::size_t phase = 0;
        for (auto const& s : run_.body) {
            if (s.is_loop()) ++phase;
            if (into_.phases.size() <= phase) into_.phases.resize(phase + 1);
            auto& row = into_.phases[phase];
            if (s.is_loop()) {
                row.fewest_passes = row.most_passes == 0 ? s.passes : std::min(row.fewest_passes, s.passes);
                row.most_passes = std::max(row.most_passes, s.passes);
            }
            add(s, phase, 1);
        }
    }

    std::map<std::tuple<std::size_t, std::string, std::string>, call_row>& rows() { return rows_; }

private:
    void add(step const& s, std::size_t phase, double times_called) {
        if (s.is_loop()) {
            for (auto const& part : s.body) add(part, phase, times_called * static_cast<double>(s.passes));
            return;
        }
        auto const& site = run_.sites[static_cast<std::size_t>(s.what.site)];
        auto& row = rows_.try_emplace({phase, s.call, site}, call_row{phase, s.call, site}).first->second;
        note_objects(s);
        call_totals added{times_called, 0, times_called * mean_of(thread_.call[s.place])};
        added.bytes = times_called * moved(s, row, times_called);
        row.totals += added;
        into_.phases[phase].totals += added;
        auto const think = times_called * mean_of(thread_.think[s.place]);
        into_.phases[phase].think += think;
        into_.between_calls += think;
        into_.in_calls += added.seconds;
    }

    void note_objects(step const& s) {
        if (s.what.made >= 0 && !s.call.starts_with("Win_")) neighbors_[s.what.made] = destinations_in(s.counts);
        if (s.call.ends_with("_init"))
            for (auto const number : s.requests) persistent_[number] = &s;
    }

    /// Bytes of one call, whose messages are added to the pairs.
    double moved(step const& s, call_row& row, double times_called) {
        if (s.call.ends_with("_init")) return 0; // nothing is moved before MPI_Start
        if (s.call != "Start" && s.call != "Startall") return message(s, row, times_called);
        double bytes = 0;
        for (auto const number : s.requests)
            if (auto const started = persistent_.find(number); started != persistent_.end())
                bytes += message(*started->second, row, times_called);
        return bytes;
    }

    /// Bytes of a message, a collective or a one-sided operation.
    double message(step const& s, call_row& row, double times_called) {
        auto const& e = s.what;
        if (s.is_invalid || (e.comm < 0 && e.window < 0)) return 0;
        auto const& in = e.window < 0 ? thread_.communicators[static_cast<std::size_t>(e.comm)]
                                      : thread_.windows[static_cast<std::size_t>(e.window)].ranks;
        auto const is_intercommunicator = in.world.empty(); // its ranks are not known
        if (is_intercommunicator && e.to == absent) return 0;
        auto bytes = bytes_sent(s, run_, in, neighbors_[e.comm]);
        if (e.to < 0 || is_intercommunicator) return bytes;
        auto const partner = in.world[static_cast<std::size_t>(in.partner(e.to))];
        if (e.count != absent) add_pair(thread_.rank, partner, bytes, row, times_called);
        if (e.window >= 0 && e.recv_count != absent) { // what an operation gets
            auto const gotten = static_cast<double>(e.recv_count * run_.size_of(e.recv_type));
            add_pair(partner, thread_.rank, gotten, row, times_called);
            bytes += gotten;
        }
        return bytes;
    }

    void add_pair(int from, int to, double bytes, call_row& row, double times_called) {
        auto& sum = into_.pairs[{from, to}];
        sum.messages += times_called;
        sum.bytes += times_called * bytes;
        row.partners.insert({from, to});
        into_.message_sizes[static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)))] += times_called;
    }

    program const& run_;
    thread_trace const& thread_;
    profile& into_;
    std::map<std::int32_t, std::size_t> neighbors_;  // destinations of each communicator's topology
    std::map<std::int64_t, step const*> persistent_; // by the number of the request
    std::map<std::tuple<std::size_t, std::string, std::string>, call_row> rows_;
};

} // namespace

profile profile_of(trace const& t) {
    profile found;
    std::map<std::tuple<std::size_t, std::string, std::string>, call_row> rows;
    std::set<int> ranks;
    for (auto const& thread : t.threads) {
        ranks.insert(thread.rank);
        found.seconds = std::max(found.seconds, thread.end - thread.begin);
        found.dropped += thread.dropped;
        for (auto const& [call, n] : thread.not_recorded) found.not_recorded[call] += n;
        thread_profile own{t, thread, found};
        own.add();
        for (auto& [key, row] : own.rows()) {
            auto& sum = rows.try_emplace(key, call_row{row.phase, row.call, row.site}).first->second;
            sum.totals += row.totals;
            sum.partners.merge(row.partners);
            sum.slowest_rank = std::max(sum.slowest_rank, row.totals.seconds);
        }
    }
    found.ranks = static_cast<int>(ranks.size());
    for (auto& [key, row] : rows) found.calls.push_back(std::move(row));
    std::stable_sort(found.calls.begin(), found.calls.end(),
                     [](auto const& a, auto const& b) { return a.totals.seconds > b.totals.seconds; });
    return found;
}

std::string phase_text(profile const& p, std::size_t phase) {
    auto const& row = p.phases[phase];
    auto text = std::to_string(phase + 1);
    if (row.most_passes == 0) return text + ": before";
    text += ": " + std::to_string(row.fewest_passes);
    if (row.most_passes != row.fewest_passes) text += " to " + std::to_string(row.most_passes);
    return text + " passes";
}

} // namespace tools::replay
