// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/measure.hpp>
#include <sonde/c/probe.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/lateness.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/lateness/sentences.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Who made ranks wait, with the arrays to which its summary points.
struct sonde_lateness {
    static constexpr auto noun = "the lateness"; // in messages

    explicit sonde_lateness(sonde::lateness_record found);

    sonde::lateness_record record;                   // of all ranks
    std::string text;                                // the sentences, each with a line feed
    std::vector<sonde_exchange_lateness> exchanges;  // the arrays of the summary
    std::vector<sonde_rank_lateness> ranks;          // each rank
    std::vector<sonde_late_rank> late;               // those who caused most first
    std::vector<sonde_slow_transfer> slow_transfers; // of exchanges
    std::vector<sonde_scope_effect> effects;         // of scopes
};

inline sonde_lateness::sonde_lateness(sonde::lateness_record found) : record{std::move(found)} {
    auto const waiting = sonde::waiting_share(record) * record.observed;
    for (auto const& sentence : sonde::sentences(record)) text += sentence + '\n';
    for (auto const& e : record.exchanges) {
        auto const unequal = e.unequal.value_or(sonde::unequal_passes{});
        exchanges.push_back({e.name.c_str(), e.passes, e.unexamined, e.waiting.count(), e.transfer.count(),
                             e.unequal ? 1 : 0, unequal.fewest, unequal.most, unequal.fewest_rank, unequal.most_rank});
    }
    for (auto const& r : record.ranks)
        ranks.push_back({r.waiting.count(), r.caused_by_work.count(), r.caused_by_transfer.count()});
    for (auto const& l : record.late)
        late.push_back({l.rank, l.caused.count(), sonde::seconds{} < waiting ? l.caused / waiting : 0,
                        l.exchange.c_str(), l.lateness.count(), l.steps.data(), l.steps.size(), l.of_steps,
                        l.work.name.c_str(), l.work.ratio, l.work.of_other_steps ? 1 : 0});
    for (auto const& s : record.slow_transfers)
        slow_transfers.push_back({s.exchange.c_str(), s.ranks.data(), s.ranks.size(), s.ratio, s.caused.count()});
    for (auto const& [scope, e] : record.effects)
        effects.push_back({scope.c_str(), static_cast<int>(e.kind), e.steps.data(), e.steps.size(), e.series, e.period,
                           e.typical.count(), e.excess.count(), e.p});
}

namespace sonde::inline v0_1::detail::c {

inline sonde_loop_summary summary_of(sonde_lateness const& l) {
    auto const& r = l.record;
    sonde_loop_summary s{};
    s.size = sizeof s;
    s.steps = r.steps;
    s.enough_steps = r.enough_steps ? 1 : 0;
    s.waiting = waiting_share(r);
    s.transfer = transfer_share(r);
    s.has_interval = r.low && r.high ? 1 : 0;
    s.low = r.low.value_or(0);
    s.high = r.high.value_or(0);
    s.observed = r.observed.count();
    s.clock_error = r.clock_error.count();
    s.late = l.late.data(), s.late_count = l.late.size();
    s.exchanges = l.exchanges.data(), s.exchange_count = l.exchanges.size();
    s.ranks = l.ranks.data(), s.rank_count = l.ranks.size();
    s.slow_transfers = l.slow_transfers.data(), s.slow_transfer_count = l.slow_transfers.size();
    s.effects = l.effects.data(), s.effect_count = l.effects.size();
    return s;
}

extern "C" {

sonde_status sonde_collect_lateness(sonde_group* group, sonde_probe const* probe, sonde_lateness_options const* options,
                                    sonde_lateness** lateness, sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group).ranks;
        std::string wrong;
        if (options != nullptr)
            wrong = size_problem(options->size, sizeof *options, "the options", "SONDE_LATENESS_OPTIONS_INIT");
        auto const& of_rank = probe_of_all(ranks, "collect_lateness", probe, lateness, wrong);
        lateness_options given;
        if (options != nullptr) given = {.effect = options->effect, .false_alarms = options->false_alarms};
        *lateness = make_handle<sonde_lateness>(sonde::collect_lateness(ranks, of_rank, given));
    });
}

sonde_status sonde_lateness_summary(sonde_lateness const* lateness, sonde_loop_summary* summary, sonde_error* error) {
    return guarded(error, [&] {
        auto const& found = checked(lateness);
        require(summary, "the summary");
        require_size(summary->size, sizeof *summary, "the summary", "SONDE_LOOP_SUMMARY_INIT");
        *summary = summary_of(found);
    });
}

size_t sonde_lateness_text(sonde_lateness const* lateness, char* text, size_t size) {
    auto const* const found = find(lateness);
    return copy_text(found == nullptr ? "" : found->text, text, size);
}

void sonde_lateness_free(sonde_lateness** lateness) { destroy(lateness); }

} // extern "C"

} // namespace sonde::detail::c
