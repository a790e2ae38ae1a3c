// SPDX-License-Identifier: BSL-1.0
#include "suite/corruption.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace suite {

namespace {

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

/// The counts of one job, and the parts that all its wrong messages passed.
class common_parts {
public:
    common_parts(std::span<message_tally const> counted, std::vector<int> const& host_of_rank)
        : counted_{counted}, host_of_{host_of_rank} {
        for (auto const& t : counted_) {
            require(t);
            for (auto const rank : {t.sender, t.receiver}) {
                ranks_.insert(rank);
                hosts_.insert(host(rank));
            }
            checked_ += t.checked;
            wrong_ += t.wrong;
            pairs_.insert({t.sender, t.receiver});
            if (t.wrong != 0) wrong_pairs_.insert({t.sender, t.receiver});
        }
    }

    corruption found(double false_names) const {
        corruption all{checked_, wrong_, pairs_.size(), wrong_pairs_.size()};
        if (wrong_ == 0) return all;
        auto const limit = -std::log(false_names);
        auto parts = common();
        if (parts.empty()) return all;
        std::stable_sort(parts.begin(), parts.end(),
                         [](auto const& a, auto const& b) { return a.weighted() > b.weighted(); });
        auto const best = parts.front();
        all.may_be_anywhere = best.weighted() - whole_likelihood() < limit;
        if (likelihood_of_wrong_pairs() - best.likelihood > limit) return all;
        for (auto const& p : parts) {
            auto const is_known = std::any_of(all.suspects.begin(), all.suspects.end(),
                                              [&](machine_part const& s) { return same_place(s, p.of); });
            if (!is_known && best.weighted() - p.likelihood < limit) all.suspects.push_back(p.of);
        }
        return all;
    }

private:
    struct weighted_part {
        machine_part of;
        double likelihood; // logarithm, of the places of the wrong messages
        double weight;     // logarithm

        double weighted() const { return likelihood + weight; }
    };
    using pair = std::pair<int, int>;
    static constexpr double kinds = 12; // of parts, each with its directions; the whole machine; some pairs

    void require(message_tally const& t) const {
        auto const has_host = [&](int rank) { return rank >= 0 && index_of(rank) < host_of_.size(); };
        if (!has_host(t.sender) || !has_host(t.receiver))
            throw std::invalid_argument{"suite::find_corruption: each rank has a host"};
        if (t.wrong > t.checked)
            throw std::invalid_argument{"suite::find_corruption: more wrong messages than checked"};
    }
    int host(int rank) const { return host_of_[index_of(rank)]; }

    /// True if the messages of a pair pass the part.
    bool passes(pair const& p, machine_part const& part) const {
        auto const of_hosts = part.kind == part_kind::host || part.kind == part_kind::host_link;
        auto const from = of_hosts ? host(p.first) : p.first, to = of_hosts ? host(p.second) : p.second;
        auto const is_link = part.second >= 0;
        auto const sent = from == part.first && (!is_link || to == part.second);
        auto const received = to == part.first && (!is_link || from == part.second);
        if (part.direction == part_direction::both) return sent || received;
        return part.direction == part_direction::from ? sent : received;
    }
    static bool same_place(machine_part const& a, machine_part const& b) {
        auto const ends = [](machine_part const& p) { return std::minmax({p.first, p.second}); };
        return a.kind == b.kind && ends(a) == ends(b);
    }

    /// Number of checked messages of the pairs for which `counts` is true.
    template <class F>
    double messages(F counts) const {
        double sum = 0;
        for (auto const& t : counted_)
            if (counts(pair{t.sender, t.receiver})) sum += static_cast<double>(t.checked);
        return sum;
    }
    /// Each wrong message is one of `n` messages with equal probability.
    double likelihood(double n) const { return -static_cast<double>(wrong_) * std::log(n); }
    double whole_likelihood() const { return likelihood(static_cast<double>(checked_)); }

    /// The likelihood that the pairs with wrong messages are the cause, divided by the number of choices of as many
    /// pairs.
    double likelihood_of_wrong_pairs() const {
        auto const all = static_cast<double>(pairs_.size()), some = static_cast<double>(wrong_pairs_.size());
        auto const choices = std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1);
        auto const n = messages([&](pair const& p) { return wrong_pairs_.contains(p); });
        return likelihood(n) - choices - std::log(kinds * all);
    }

    double number_of(part_kind kind) const {
        switch (kind) {
        case part_kind::link:
            return static_cast<double>(pairs_.size());
        case part_kind::rank:
            return static_cast<double>(ranks_.size());
        case part_kind::host_link:
            return static_cast<double>(hosts_.size() * hosts_.size());
        case part_kind::host:
            break;
        }
        return static_cast<double>(hosts_.size());
    }

    void add_common(std::vector<weighted_part>& all, machine_part const& part) const {
        auto const is_common =
            std::all_of(wrong_pairs_.begin(), wrong_pairs_.end(), [&](pair const& p) { return passes(p, part); });
        if (!is_common) return;
        auto const n = messages([&](pair const& p) { return passes(p, part); });
        all.push_back({part, likelihood(n), -std::log(kinds * number_of(part.kind))});
    }
    /// The parts with the ends of one pair that has a wrong message: another part is not common to all.
    std::vector<weighted_part> common() const {
        std::vector<weighted_part> all;
        auto const [from, to] = *wrong_pairs_.begin();
        auto const add = [&](part_kind link, part_kind end, int a, int b) {
            using way = part_direction;
            if (a != b)
                for (auto const direction : {way::from, way::both}) add_common(all, {link, direction, a, b});
            for (auto const one : std::set{a, b})
                for (auto const direction : {way::from, way::to, way::both}) add_common(all, {end, direction, one});
        };
        add(part_kind::link, part_kind::rank, from, to);
        if (hosts_.size() > 1 && hosts_.size() < ranks_.size())
            add(part_kind::host_link, part_kind::host, host(from), host(to));
        return all;
    }

    std::span<message_tally const> counted_;
    std::vector<int> const& host_of_;
    std::set<int> ranks_, hosts_;
    std::set<pair> pairs_, wrong_pairs_;
    std::size_t checked_ = 0, wrong_ = 0;
};

} // namespace

corruption find_corruption(std::span<message_tally const> counted, std::vector<int> const& host_of_rank,
                           double false_names) {
    if (!(false_names > 0 && false_names < 1))
        throw std::invalid_argument{"suite::find_corruption: the rate of false names is above 0 and below 1"};
    return common_parts{counted, host_of_rank}.found(false_names);
}

namespace {

/// "messages from rank 3 (c1)", "host c1", "the link of rank 3 (c1) and rank 5 (c2)".
std::string text_of(machine_part const& p, part_names const& names) {
    auto const of_hosts = p.kind == part_kind::host || p.kind == part_kind::host_link;
    auto const end = [&](int i) {
        return of_hosts ? "host " + names.hosts.at(index_of(i)) : names.ranks.at(index_of(i));
    };
    if (p.second >= 0 && p.direction == part_direction::from)
        return "the link from " + end(p.first) + " to " + end(p.second);
    if (p.second >= 0) return "the link of " + end(p.first) + " and " + end(p.second);
    if (p.direction == part_direction::both) return end(p.first);
    return (p.direction == part_direction::from ? "messages from " : "messages to ") + end(p.first);
}

} // namespace

part_names names_of(std::vector<int> const& host_of_rank, std::vector<std::string> const& hosts) {
    part_names all{{}, hosts};
    for (auto const host : host_of_rank)
        all.ranks.push_back("rank " + std::to_string(all.ranks.size()) + " (" + hosts.at(index_of(host)) + ')');
    return all;
}

std::string sentence(corruption const& found, part_names const& names) {
    if (found.wrong == 0) return "No wrong bit in " + std::to_string(found.checked) + " messages";
    auto text = "Wrong bits in " + std::to_string(found.wrong) + " of " + std::to_string(found.checked) +
                " messages, on " + std::to_string(found.wrong_pairs) + " of " + std::to_string(found.pairs) +
                " pairs of sender and receiver: ";
    if (found.suspects.empty()) return text + "no common link, rank or host";
    if (found.may_be_anywhere) return text + "too few to name a link, rank or host";
    for (std::size_t i = 0; i != found.suspects.size(); ++i)
        text += (i == 0 ? "" : ", or ") + text_of(found.suspects[i], names);
    return text;
}

namespace {

/// "rank 3", "ranks 3, 5".
std::string text_of(std::set<int> const& ranks) {
    constexpr std::size_t shown_ranks = 8;
    std::string text = ranks.size() == 1 ? "rank" : "ranks";
    std::size_t n = 0;
    for (auto const rank : ranks)
        if (n++ < shown_ranks) text += (n == 1 ? " " : ", ") + std::to_string(rank);
    return n > shown_ranks ? text + " and " + std::to_string(n - shown_ranks) + " more" : text;
}

} // namespace

std::string sentence(collective_blocks const& found) {
    if (found.wrong == 0) return "No wrong bit in " + std::to_string(found.checked) + " blocks";
    return "Wrong bits in " + std::to_string(found.wrong) + " of " + std::to_string(found.checked) + " blocks, from " +
           text_of(found.senders) + " to " + text_of(found.receivers) +
           "; the library may have passed them through other ranks";
}

} // namespace suite
