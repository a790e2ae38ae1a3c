// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/exchange_form.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tools::replay {

namespace {

using messages = std::vector<exchanged_message>;

constexpr std::size_t fewest_ranks = 3; // two ranks that send each other a message are each of these forms

/// The size of all messages; negative if they differ or there is none.
double size_of_all(messages const& all) {
    for (auto const& m : all)
        if (m.bytes != all.front().bytes) return -1;
    return all.empty() ? -1 : all.front().bytes;
}

/// Each of `others` ranks sends exactly one of these messages, or receives it, by the member.
bool is_one_for_each(messages const& all, int exchanged_message::*member, std::size_t others) {
    std::set<int> seen;
    for (auto const& m : all)
        if (!seen.insert(m.*member).second) return false;
    return seen.size() == others && all.size() == others;
}

class recognition {
public:
    recognition(messages const& all, std::vector<int> const& ranks, std::vector<message_order> const& orders)
        : all_{all}, ranks_{ranks}, orders_{orders}, others_{ranks.size() - 1} {}

    std::vector<collective_form> forms() {
        for (std::size_t i = 0; i != ranks_.size(); ++i) find_star(static_cast<int>(i));
        if (found_.empty()) find_tree();
        find_all_pairs();
        return found_;
    }

private:
    int rank(int index) const { return ranks_[static_cast<std::size_t>(index)]; }
    int index_of(int world) const {
        return static_cast<int>(std::find(ranks_.begin(), ranks_.end(), world) - ranks_.begin());
    }

    void find_star(int root) {
        messages up, down;
        for (auto const& m : all_) {
            if (m.to == rank(root)) up.push_back(m);
            if (m.from == rank(root)) down.push_back(m);
        }
        if (up.size() + down.size() != all_.size()) return;
        auto const gathered = size_of_all(up), scattered = size_of_all(down);
        auto const gathers = gathered >= 0 && is_one_for_each(up, &exchanged_message::from, others_);
        auto const scatters = scattered >= 0 && is_one_for_each(down, &exchanged_message::to, others_);
        if (gathers && scatters) add_both(root, gathered, scattered);
        else if (gathers && down.empty()) {
            found_.push_back({"MPI_Gather", "", root, gathered, 0});
            found_.push_back({"MPI_Reduce", "the root reduces what it receives", root, gathered, 0});
        } else if (scatters && up.empty()) {
            found_.push_back({"MPI_Scatter", "", root, 0, scattered});
            found_.push_back({"MPI_Bcast", "all ranks receive the same data", root, 0, scattered});
        }
    }

    /// The root answers when it has heard all others.
    void add_both(int root, double gathered, double scattered) {
        if (!orders_[static_cast<std::size_t>(rank(root))].receives_all_first) return;
        found_.push_back({"MPI_Gather + MPI_Scatter", "", root, gathered, scattered});
        if (gathered == scattered)
            found_.push_back({"MPI_Allreduce", "the root sends all ranks a reduction of what it receives", root,
                              gathered, gathered});
    }

    /// Each rank but the root receives one message, and passes it on afterwards; or the same from the leaves on.
    void find_tree() {
        auto const size = size_of_all(all_);
        if (size < 0 || all_.size() != others_) return;
        if (auto const root = root_of_tree(&exchanged_message::to, &exchanged_message::from); root >= 0)
            found_.push_back({"MPI_Bcast", "each rank passes on what it receives", root, 0, size});
        if (auto const root = root_of_tree(&exchanged_message::from, &exchanged_message::to); root >= 0)
            found_.push_back({"MPI_Reduce", "each rank passes on a reduction of what it receives", root, size, 0});
    }

    /// The index of the root if each other rank is once at the `child` end of a message; -1 if it is no tree, or if a
    /// rank in its middle does not receive before it sends.
    int root_of_tree(int exchanged_message::*child, int exchanged_message::*parent) const {
        if (!is_one_for_each(all_, child, others_)) return -1;
        std::map<int, int> parents;
        std::set<int> inner;
        for (auto const& m : all_) {
            parents[m.*child] = m.*parent;
            inner.insert(m.*parent);
        }
        int root = -1;
        for (auto const r : ranks_)
            if (parents.count(r) == 0) root = r;
        for (auto const r : inner)
            if (r != root && !orders_[static_cast<std::size_t>(r)].receives_all_first) return -1;
        for (auto r : ranks_)
            for (std::size_t steps = 0; r != root; ++steps, r = parents.at(r))
                if (steps == ranks_.size()) return -1; // a cycle
        return index_of(root);
    }

    void find_all_pairs() {
        auto const size = size_of_all(all_);
        std::set<std::pair<int, int>> pairs;
        for (auto const& m : all_) pairs.insert({m.from, m.to});
        auto const n = ranks_.size();
        if (size >= 0 && all_.size() == n * others_ && pairs.size() == all_.size())
            found_.push_back({"MPI_Alltoall", "", 0, size, size});
    }

    messages const& all_;
    std::vector<int> const& ranks_;
    std::vector<message_order> const& orders_;
    std::size_t others_;
    std::vector<collective_form> found_{};
};

} // namespace

namespace {

/// The messages to the root, and those from it.
std::vector<messages> rounds_around(int root, messages const& all) {
    std::vector<messages> found(2);
    for (auto const& m : all) found[m.to == root ? 0 : 1].push_back(m);
    return found;
}

} // namespace

exchange_form form_of(messages const& all, std::vector<message_order> const& orders) {
    exchange_form found;
    std::set<int> ranks;
    bool to_itself = false;
    for (auto const& m : all) {
        ranks.insert({m.from, m.to});
        to_itself = to_itself || m.from == m.to;
    }
    found.ranks.assign(ranks.begin(), ranks.end());
    found.is_at_once = true;
    found.rounds = {all};
    for (auto const rank : found.ranks) {
        auto const& order = orders[static_cast<std::size_t>(rank)];
        found.may_depend = found.may_depend || order.sends_after_receiving;
        found.is_at_once = found.is_at_once && order.is_at_once;
    }
    if (found.ranks.size() < fewest_ranks || to_itself) return found;
    found.collectives = recognition{all, found.ranks, orders}.forms();
    if (!found.collectives.empty() && found.collectives.front().name == "MPI_Gather + MPI_Scatter") {
        found.rounds = rounds_around(found.ranks[static_cast<std::size_t>(found.collectives.front().root)], all);
        found.may_depend = false;
    }
    if (found.may_depend)
        for (auto& form : found.collectives)
            if (form.name == "MPI_Alltoall") form.condition = "no message depends on another one of the exchange";
    return found;
}

} // namespace tools::replay
