// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/split_exchange.hpp"

#include "tools/replay/assess/exchange_form.hpp"
#include "tools/replay/assess/site_operation.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string>

namespace tools::replay {

namespace {

bool is_repetition(contents_of_ranks const& contents, std::size_t parts) {
    for (auto const& of_rank : contents) {
        auto const period = of_rank.size() / parts;
        for (std::size_t i = period; i < of_rank.size(); ++i)
            if (of_rank[i] != of_rank[i - period]) return false;
    }
    return true;
}

/// Call sites of all ranks in groups: sites whose calls alternate on a rank are one group.
class site_groups {
public:
    site_groups(trace const& t, calls_of_ranks const& calls) : numbers_(calls.size()) {
        for (std::size_t rank = 0; rank != calls.size(); ++rank) {
            auto const& sites = t.programs[t.threads[rank].program].sites;
            for (auto const& c : calls[rank]) {
                auto const site = static_cast<std::size_t>(c.what->what.site);
                auto const name = c.what->call + ' ' + (site < sites.size() ? sites[site] : "");
                numbers_[rank].push_back(known_.try_emplace(name, known_.size()).first->second);
            }
        }
        group_.resize(known_.size());
        std::iota(group_.begin(), group_.end(), std::size_t{0});
        for (auto const& of_rank : numbers_) unite_alternating(of_rank);
    }

    std::size_t of(std::size_t rank, std::size_t at) const { return root(numbers_[rank][at]); }

    /// The groups in an order that all ranks keep, those that may come first before those behind them; empty if ranks
    /// differ in their order.
    std::vector<std::size_t> in_order() const {
        std::map<std::size_t, std::set<std::size_t>> before;
        for (std::size_t i = 0; i != group_.size(); ++i) before[root(i)];
        for (std::size_t rank = 0; rank != numbers_.size(); ++rank)
            for (std::size_t i = 1; i < numbers_[rank].size(); ++i)
                if (of(rank, i - 1) != of(rank, i)) before[of(rank, i)].insert(of(rank, i - 1));
        std::vector<std::size_t> order;
        while (!before.empty()) {
            std::vector<std::size_t> ready;
            for (auto const& [group, others] : before)
                if (others.empty()) ready.push_back(group);
            if (ready.empty()) return {};
            for (auto const group : ready) before.erase(group);
            for (auto& [group, others] : before)
                for (auto const done : ready) others.erase(done);
            order.insert(order.end(), ready.begin(), ready.end());
        }
        return order;
    }

private:
    std::size_t root(std::size_t i) const {
        while (group_[i] != i) i = group_[i];
        return i;
    }
    void unite_alternating(std::vector<std::size_t> const& of_rank) {
        std::map<std::size_t, std::size_t> last;
        for (std::size_t i = 0; i != of_rank.size(); ++i) last[of_rank[i]] = i;
        std::size_t first = 0, end = 0; // of sites that alternate
        for (std::size_t i = 0; i != of_rank.size(); ++i) {
            if (i > end) first = i;
            end = std::max(end, last[of_rank[i]]);
            group_[root(of_rank[i])] = root(of_rank[first]);
        }
    }

    std::map<std::string, std::size_t> known_;
    std::vector<std::vector<std::size_t>> numbers_; // of the site of each call
    std::vector<std::size_t> group_;                // another one of the same group, or itself
};

calls_of_ranks selected(calls_of_ranks const& calls, site_groups const& groups, std::set<std::size_t> const& of) {
    calls_of_ranks found(calls.size());
    for (std::size_t rank = 0; rank != calls.size(); ++rank)
        for (std::size_t i = 0; i != calls[rank].size(); ++i)
            if (of.count(groups.of(rank, i)) != 0) found[rank].push_back(calls[rank][i]);
    return found;
}

/// True if one of the forms of these messages is a gather and a scatter.
bool is_gather_and_scatter(trace const& t, calls_of_ranks const& calls) {
    site_operation both;
    both.steps = renumbered(calls);
    std::vector<message_order> orders;
    for (auto const& steps : both.steps) orders.push_back(order_of(steps));
    auto const forms = form_of(messages_of(t, both), orders).collectives;
    return std::any_of(forms.begin(), forms.end(),
                       [](auto const& form) { return form.name == "MPI_Gather + MPI_Scatter"; });
}

std::set<std::size_t> united(std::set<std::size_t> a, std::set<std::size_t> const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

} // namespace

std::size_t repetitions_of(trace const& t, calls_of_ranks const& calls) {
    auto const contents = contents_of(calls);
    std::size_t most = 0;
    for (auto const& of_rank : calls) most = std::gcd(most, of_rank.size());
    for (auto parts = most; parts != 0; --parts)
        if (most % parts == 0 && is_repetition(contents, parts) && is_complete(t, first_part(calls, parts)))
            return parts;
    return 0;
}

calls_of_ranks first_part(calls_of_ranks const& calls, std::size_t parts) {
    calls_of_ranks part;
    for (auto const& of_rank : calls)
        part.emplace_back(of_rank.begin(), of_rank.begin() + static_cast<std::ptrdiff_t>(of_rank.size() / parts));
    return part;
}

std::vector<calls_of_ranks> split_by_sites(trace const& t, calls_of_ranks const& calls) {
    site_groups const groups{t, calls};
    auto const order = groups.in_order();
    std::vector<std::set<std::size_t>> parts;
    std::set<std::size_t> open;
    for (auto const group : order) {
        open.insert(group);
        if (!is_complete(t, selected(calls, groups, open))) continue;
        auto const both = parts.empty() ? open : united(parts.back(), open);
        if (!parts.empty() && is_gather_and_scatter(t, selected(calls, groups, both))) parts.back() = both;
        else parts.push_back(open);
        open.clear();
    }
    if (parts.size() <= 1 || !open.empty()) return {calls};
    std::vector<calls_of_ranks> found;
    for (auto const& part : parts) found.push_back(selected(calls, groups, part));
    return found;
}

} // namespace tools::replay
