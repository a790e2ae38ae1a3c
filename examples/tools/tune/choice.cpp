// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/choice.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <utility>

namespace tools::tune {

namespace {

using indices = std::vector<std::size_t>;

/// Racers by the variable that they set, in the order of the candidates.
std::vector<std::pair<std::string, indices>> by_variable(std::vector<candidate> const& candidates) {
    std::vector<std::pair<std::string, indices>> groups;
    for (std::size_t i = 0; i != candidates.size(); ++i) {
        auto const& name = candidates[i].settings.front().variable;
        auto const known =
            std::find_if(groups.begin(), groups.end(), [&](auto const& group) { return group.first == name; });
        if (known == groups.end()) groups.push_back({name, {i + 1}});
        else known->second.push_back(i + 1);
    }
    return groups;
}

/// Number of the present algorithm; 0, the library's decision, unless it is forced.
int present_algorithm(library_settings const& all, std::string const& variable) {
    auto const* const known = all.find(variable);
    if (known == nullptr) return 0;
    for (auto const& w : known->words)
        if (w.word == known->value) return w.number;
    return 0;
}

/// Rows of a collective by ascending size.
indices rows_by_size(std::vector<tuned_row> const& rows, std::string const& collective) {
    indices found;
    for (std::size_t i = 0; i != rows.size(); ++i)
        if (rows[i].collective == collective && rows[i].bytes) found.push_back(i);
    std::sort(found.begin(), found.end(), [&](auto a, auto b) { return *rows[a].bytes < *rows[b].bytes; });
    return found;
}

/// True if rules can tell the rows apart: their sizes differ, and all have as many ranks.
bool have_distinct_sizes(std::vector<tuned_row> const& rows, indices const& of) {
    for (std::size_t i = 1; i < of.size(); ++i)
        if (*rows[of[i - 1]].bytes == *rows[of[i]].bytes || rows[of[i - 1]].ranks != rows[of[i]].ranks) return false;
    return !of.empty();
}

class chooser {
public:
    chooser(std::vector<candidate> const& candidates, std::vector<tuned_row> const& rows,
            std::vector<std::vector<gain>> const& gains, race_criteria const& criteria)
        : candidates_{candidates}, rows_{rows}, gains_{gains}, criteria_{criteria} {}

    /// Racer for all rows.
    std::optional<std::size_t> for_all_rows(indices const& racers) const {
        return best_in_all_rows(gains_, racers, criteria_);
    }

    /// Racer for each of these rows. Of racers that are about equal, the library's own decision comes first, and then
    /// the choice for the row before: there are fewer rules.
    std::vector<std::optional<std::size_t>> by_row(indices const& sized, indices const& racers) const {
        std::vector<std::optional<std::size_t>> chosen;
        auto const own = own_decision(racers);
        std::optional<std::size_t> before;
        for (auto const row : sized) {
            auto best = best_in_row(gains_, row, racers, criteria_);
            if (best && is_as_good(own, *best, row)) best = own;
            else if (best && is_as_good(before, *best, row)) best = before;
            before = best;
            chosen.push_back(best);
        }
        return chosen;
    }

    /// The library's own decision, if the present algorithm is forced and none of these choices is better.
    std::optional<std::size_t> undone(std::vector<std::optional<std::size_t>> const& chosen,
                                      indices const& racers) const {
        auto const own = own_decision(racers);
        if (!own || !best_in_all_rows(gains_, {*own}, criteria_)) return std::nullopt;
        auto const is_own = [&](auto const& c) { return !c || c == own; };
        return std::all_of(chosen.begin(), chosen.end(), is_own) ? own : std::nullopt;
    }

    size_rule rule(std::size_t row, std::optional<std::size_t> racer, int otherwise) const {
        if (!racer) return {*rows_[row].bytes, otherwise, 0, {}};
        auto const& c = candidates_[*racer - 1];
        return {*rows_[row].bytes, c.algorithm, c.segment, {}};
    }

private:
    std::optional<std::size_t> own_decision(indices const& racers) const {
        for (auto const r : racers)
            if (candidates_[r - 1].algorithm == 0) return r;
        return std::nullopt;
    }

    bool is_as_good(std::optional<std::size_t> racer, std::size_t best, std::size_t row) const {
        return racer && is_promising(gains_[*racer][row], criteria_) &&
               gains_[*racer][row].ratio <= gains_[best][row].ratio * (1 + criteria_.effect);
    }

    std::vector<candidate> const& candidates_;
    std::vector<tuned_row> const& rows_;
    std::vector<std::vector<gain>> const& gains_;
    race_criteria const& criteria_;
};

void add_settings(candidate const& c, std::vector<setting>& to) {
    for (auto const& s : c.settings)
        if (std::find(to.begin(), to.end(), s) == to.end()) to.push_back(s);
}

} // namespace

tuned_settings choose(std::vector<candidate> const& candidates, std::vector<tuned_row> const& rows,
                      std::vector<std::vector<gain>> const& gains, library_settings const& all,
                      race_criteria const& criteria) {
    tuned_settings chosen;
    chooser const of{candidates, rows, gains, criteria};
    for (auto const& [variable, racers] : by_variable(candidates)) {
        auto const& collective = candidates[racers.front() - 1].collective;
        auto const sized = rows_by_size(rows, collective);
        if (!variable.starts_with("coll_tuned_") || !have_distinct_sizes(rows, sized)) {
            if (auto const best = of.for_all_rows(racers)) add_settings(candidates[*best - 1], chosen.settings);
            continue;
        }
        auto const by_row = of.by_row(sized, racers);
        if (auto const undone = of.undone(by_row, racers)) {
            add_settings(candidates[*undone - 1], chosen.settings);
            continue;
        }
        collective_rules rules{collective, rows[sized.front()].ranks, present_algorithm(all, variable), {}};
        for (std::size_t i = 0; i != sized.size(); ++i)
            rules.rules.push_back(of.rule(sized[i], by_row[i], rules.otherwise));
        auto const is_chosen = [](auto const& c) { return c.has_value(); };
        if (std::any_of(by_row.begin(), by_row.end(), is_chosen)) chosen.rules.push_back(std::move(rules));
    }
    return chosen;
}

std::string evidence_of(confirmed_row const& r) {
    using sonde::detail::fixed;
    auto text = fixed(r.speed_up, 2) + " times as fast";
    if (r.low) text += " [" + fixed(*r.low, 2) + ", " + fixed(*r.high, 2) + ']';
    return text + ", p " + fixed(r.p, 4);
}

tuned_settings confirmed_settings(tuned_settings chosen, std::vector<tuned_row> const& rows,
                                  std::vector<confirmed_row> const& confirmed) {
    auto const count = [&](sonde::outcome wanted) {
        return std::count_if(confirmed.begin(), confirmed.end(), [&](auto const& r) { return r.outcome == wanted; });
    };
    for (auto& c : chosen.rules)
        for (auto& rule : c.rules)
            for (std::size_t i = 0; i != rows.size(); ++i) {
                if (rows[i].collective != c.collective || rows[i].bytes != rule.bytes) continue;
                if (confirmed[i].outcome != sonde::outcome::faster) rule = {rule.bytes, c.otherwise, 0, {}};
                else if (rule.algorithm != c.otherwise) rule.evidence = evidence_of(confirmed[i]);
            }
    std::erase_if(chosen.rules, [](auto const& c) {
        return std::all_of(c.rules.begin(), c.rules.end(),
                           [&](auto const& r) { return r.algorithm == c.otherwise && r.segment == 0; });
    });
    if (count(sonde::outcome::faster) == 0 || (count(sonde::outcome::slower) != 0 && !chosen.settings.empty()))
        return {};
    return chosen;
}

} // namespace tools::tune
