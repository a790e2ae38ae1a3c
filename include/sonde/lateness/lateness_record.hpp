// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/application_scope.hpp>
#include <sonde/stat/steps.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1 {

/// Why a rank was late: a scope of work.
struct late_work {
    std::string name;           // of the scope; empty for time outside of all scopes of work
    double ratio = 0;           // of its time in the late steps to `typical`; 0 for time outside of all scopes
    bool of_other_steps = true; // `typical` is the rank's own median in other steps, or else the other ranks' median
    seconds typical{};          // usual time of the scope
};

/// A rank that was late by an effect and more often than chance explains.
struct late_rank {
    int rank = 0;                     // the late rank
    seconds caused{};                 // waiting of all ranks that it caused by what it did between exchanges
    std::string exchange{};           // that it reached late
    seconds lateness{};               // median delay in its late steps
    std::vector<std::size_t> steps{}; // in which it was late: numbers of the passes of `exchange`
    std::size_t of_steps = 0;         // passes of `exchange` that were examined
    late_work work{};                 // that took longer in these steps
};

/// Ranks on which an exchange takes long after all partners have entered.
struct slow_transfer {
    std::string exchange;     // name of the scope
    std::vector<int> ranks{}; // ascending
    double ratio = 0;         // of the smallest of their medians to the median of the other ranks
    seconds caused{};         // waiting of other ranks for these ranks' transfers
};

/// Ranks that passed an exchange unequally often.
struct unequal_passes {
    int fewest_rank = 0;    // first rank with the fewest passes, of the ranks that have the exchange
    std::size_t fewest = 0; // its passes since its probe was made
    int most_rank = 0;      // first rank with the most passes
    std::size_t most = 0;   // its passes
};

/// Waiting and transfer of an exchange.
struct exchange_lateness {
    std::string name;                        // of the scope
    std::size_t passes = 0;                  // that were examined, of each rank
    std::size_t unexamined = 0;              // earlier passes, of each rank
    seconds waiting{};                       // of all ranks: from a rank's entry until the last of its partners entered
    seconds transfer{};                      // of all ranks: the rest
    std::optional<unequal_passes> unequal{}; // empty if all ranks passed it equally often
};

/// What stands out in the times of a scope of work, or in the transfers of an exchange, on the median rank.
struct scope_effect {
    std::string scope;  // its name
    step_effect effect; // its steps are numbers of the passes of an exchange, which follows the work
};

/// Waiting of a rank, and waiting that it caused.
struct rank_lateness {
    seconds waiting{};            // of this rank
    seconds caused_by_work{};     // waiting of all ranks because of what this rank did between exchanges
    seconds caused_by_transfer{}; // waiting of all ranks because of this rank's transfers
};

/// Who made the ranks of a loop wait: the result of `collect_lateness`, equal on every rank.
struct lateness_record {
    std::size_t steps = 0;        // passes of exchanges that were examined
    seconds observed{};           // time of these steps, of all ranks
    seconds clock_error{};        // bound of the error of a difference of two ranks' times; shorter waits are transfer
    std::optional<double> low{};  // lower end of the 95 % interval of the share of waiting
    std::optional<double> high{}; // upper end
    std::vector<exchange_lateness> exchanges{};  // of the loop
    std::vector<rank_lateness> ranks{};          // by rank
    std::vector<late_rank> late{};               // those who caused most first
    std::vector<slow_transfer> slow_transfers{}; // of exchanges on some ranks
    std::vector<scope_effect> effects{};         // periods, bursts, change points and drifts of scopes
    bool enough_steps = false;                   // to name ranks
};

/// Share of the ranks' time in the examined steps that they waited in exchanges; 0 without steps.
[[nodiscard]] inline double waiting_share(lateness_record const& r) {
    seconds sum{};
    for (auto const& e : r.exchanges) sum += e.waiting;
    return seconds{} < r.observed ? sum / r.observed : 0;
}

/// Share of the ranks' time in the examined steps that they spent in transfers of exchanges; 0 without steps.
[[nodiscard]] inline double transfer_share(lateness_record const& r) {
    seconds sum{};
    for (auto const& e : r.exchanges) sum += e.transfer;
    return seconds{} < r.observed ? sum / r.observed : 0;
}

/// An exchange as the scope of an application: `comparison::application`, with which a comparison says what a faster
/// exchange would win of the loop. Throws std::out_of_range if the record has no exchange of this name.
[[nodiscard]] inline application_scope application_of(lateness_record const& r, std::string_view exchange) {
    for (auto const& e : r.exchanges)
        if (e.name == exchange) return {e.name, e.transfer, e.waiting, r.observed};
    throw std::out_of_range{"sonde::application_of: the record has no exchange " + std::string{exchange}};
}

} // namespace sonde
