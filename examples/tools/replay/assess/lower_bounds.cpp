// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/lower_bounds.hpp"

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/trace/bytes_sent.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tools::replay {

namespace {

using sonde::model::bytes;

/// The name of the collective whose bound holds for another one: of a v or w variant.
std::string plain_name(std::string name) {
    if (name == "Reduce_scatter_block") return "Reduce_scatter";
    if (name.ends_with('v') || name.ends_with('w')) name.pop_back();
    return name;
}

/// A call of a rank and what it refers to.
struct placed_call {
    step const& s;
    program const& calls;
    communicator const& in;

    double sent_size() const { return static_cast<double>(calls.size_of(s.what.type)); }
    double received_size() const { return static_cast<double>(calls.size_of(s.what.recv_type)); }
    static double known(std::int64_t count) { return count == absent ? 0 : static_cast<double>(count); }
    double sum_of_counts(std::size_t from) const {
        double sum = 0;
        for (auto i = from; i < std::min(from + in.world.size(), s.counts.size()); ++i)
            sum += static_cast<double>(s.counts[i]);
        return sum;
    }
};

/// Bytes of a collective as `terms_of` takes them, as far as this rank's arguments tell.
double bytes_of(placed_call const& c) {
    auto const& e = c.s.what;
    auto const ranks = static_cast<double>(c.in.size());
    auto const name = blocking_name(c.s.call);
    auto const out = placed_call::known(e.count) * c.sent_size(),
               in = placed_call::known(e.recv_count) * c.received_size();
    if (name == "Reduce_scatter") return c.sum_of_counts(0) * c.sent_size();
    if (name.ends_with('v') || name.ends_with('w')) {
        auto const size = std::max(c.sent_size(), c.received_size());
        return std::max(c.sum_of_counts(0), c.sum_of_counts(c.in.world.size())) * size;
    }
    auto const name_has_blocks = name == "Gather" || name == "Scatter" || name == "Allgather" || name == "Alltoall";
    if (name_has_blocks) return std::max(out, in) * ranks;
    return name == "Reduce_scatter_block" ? out * ranks : out;
}

/// Bytes that this rank at least sends or receives in a collective of neighbors. The larger of two sums is no less than
/// half of both.
double sent_to_neighbors(placed_call const& c) {
    if (!c.s.counts.empty()) return std::accumulate(c.s.counts.begin(), c.s.counts.end(), 0.0) * c.sent_size() / 2;
    return placed_call::known(c.s.what.count) * c.sent_size();
}

} // namespace

sonde::model::hockney line_below(std::vector<std::pair<double, sonde::seconds>> const& times) {
    sonde::model::hockney line{{}, sonde::model::rate{sonde::model::unlimited}};
    if (times.empty()) return line;
    line.alpha = times.front().second;
    for (auto const& [size, time] : times) line.alpha = std::min(line.alpha, time);
    double fastest = 0;
    for (auto const& [size, time] : times)
        if (time >= 2 * line.alpha && time > line.alpha)
            fastest = std::max(fastest, size / (time - line.alpha).count());
    if (fastest > 0) line.r_inf = sonde::model::rate{fastest};
    return line;
}

std::optional<bound_terms> terms_of(std::string const& collective, int ranks, double n) {
    auto const rounds = static_cast<double>(sonde::model::collectives::rounds(ranks));
    auto const others = sonde::model::collectives::remote_fraction(ranks);
    if (ranks == 1) return bound_terms{};
    if (collective == "Barrier") return bound_terms{rounds, 0, 0};
    if (collective == "Bcast") return bound_terms{rounds, n, 0};
    if (collective == "Reduce") return bound_terms{rounds, n, others * n};
    if (collective == "Allreduce") return bound_terms{rounds, 2 * others * n, others * n};
    if (collective == "Reduce_scatter") return bound_terms{rounds, others * n, others * n};
    if (collective == "Scan" || collective == "Exscan") return bound_terms{rounds, n, n};
    for (auto const* name : {"Gather", "Scatter", "Allgather", "Alltoall"})
        if (collective == name) return bound_terms{rounds, others * n, 0};
    return std::nullopt;
}

sonde::seconds time_of(bound_terms const& terms, machine const& on) {
    auto const& parameters = on.message.at(bytes{terms.bytes / std::max(1.0, terms.rounds)}).model;
    return terms.rounds * parameters.alpha + bytes{terms.bytes} / parameters.r_inf +
           terms.reduced * on.reduction_per_byte;
}

sonde::seconds exchange_bound(std::vector<exchanged_message> const& messages, machine const& on) {
    std::map<int, sonde::seconds> out, in, latency;
    std::map<int, double> of_host;
    auto const host = [&](int rank) {
        return on.host_of_rank.empty() ? 0 : on.host_of_rank[static_cast<std::size_t>(rank)];
    };
    auto const one_host = std::all_of(messages.begin(), messages.end(), [&](auto const& m) {
        return host(m.from) == host(messages.front().from) && host(m.to) == host(messages.front().from);
    });
    for (auto const& m : messages) {
        auto const& parameters = on.message.at(bytes{m.bytes}).model;
        out[m.from] += bytes{m.bytes} / parameters.r_inf;
        in[m.to] += bytes{m.bytes} / parameters.r_inf;
        for (auto const rank : {m.from, m.to}) {
            auto const known = latency.try_emplace(rank, parameters.alpha).first;
            known->second = std::min(known->second, parameters.alpha);
        }
        if (one_host || host(m.from) != host(m.to)) of_host[host(m.from)] += m.bytes;
    }
    sonde::seconds longest{}, shortest_latency = latency.empty() ? sonde::seconds{} : latency.begin()->second;
    for (auto const& [rank, alpha] : latency) {
        longest = std::max(longest, alpha + std::max(out[rank], in[rank]));
        shortest_latency = std::min(shortest_latency, alpha);
    }
    if (on.node_rate)
        for (auto const& [number, sent] : of_host)
            longest = std::max(longest, shortest_latency + bytes{sent} / *on.node_rate);
    return longest;
}

std::optional<sonde::seconds> bound_of(trace const& t, site_operation const& o, machine const& on) {
    if (!o.is_collective) return exchange_bound(messages_of(t, o), on);
    double most = 0, to_neighbors = 0;
    int ranks = 1;
    std::string name;
    for (std::size_t rank = 0; rank != o.steps.size(); ++rank) {
        if (o.steps[rank].empty()) continue;
        auto const& s = o.steps[rank].front();
        auto const& thread = t.threads[rank];
        placed_call const c{s, t.programs[thread.program], thread.communicators[static_cast<std::size_t>(s.what.comm)]};
        name = blocking_name(s.call);
        ranks = std::max(ranks, c.in.size());
        most = std::max(most, bytes_of(c));
        to_neighbors = std::max(to_neighbors, sent_to_neighbors(c));
    }
    if (name.starts_with("Neighbor_")) return time_of(bound_terms{1, to_neighbors, 0}, on);
    auto const terms = terms_of(plain_name(name), ranks, most);
    if (!terms) return std::nullopt;
    return time_of(*terms, on);
}

} // namespace tools::replay
