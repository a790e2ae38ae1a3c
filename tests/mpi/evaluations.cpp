// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "same_record.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <array>
#include <cstddef>
#include <ostream>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// A clock that its rank's pattern advances, so that the rule's decisions are the same in every run.
struct own_clock {
    seconds* shown;
    seconds step;
    seconds now() const { return *shown; }
    sonde::clock_properties properties() const { return {{}, step, {}}; }
};

/// A pattern of about 1 us of this rank's own time, an eighth longer on each next rank, with a variation of 10 %.
class paced {
public:
    /// The ledger at the beginning of each iteration, and at the end of the last.
    std::vector<ledger::state> ledgers{};
    seconds time{};

    void operator()() {
        ledgers.push_back(ledger::current());
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        auto const noise = static_cast<double>(random_ >> 11) * 0x1p-53;
        time += seconds{1e-6 * (1 + application::rank() / 8.0) * (0.9 + 0.2 * noise)};
    }
    std::size_t iterations() const { return ledgers.size(); }

private:
    std::size_t random_ = static_cast<std::size_t>(application::rank()) + 1;
};

/// A rule that notes the number of iterations before each of its evaluations; only rank 0's is evaluated.
template <StoppingRule R>
struct recording_rule {
    R rule;
    paced const* pattern;
    std::vector<std::size_t>* evaluations;

    std::size_t next(std::size_t n) const { return rule.next(n); }
    decision operator()(progress const& l) {
        evaluations->push_back(pattern->iterations());
        return rule(l);
    }
};

/// Sonde's calls between two iterations, the second of which has this number.
struct interval_calls {
    std::size_t before;
    std::size_t reductions;
    std::size_t broadcasts;
    std::size_t others;
    bool operator==(interval_calls const&) const = default;
};
std::ostream& operator<<(std::ostream& out, std::vector<interval_calls> const& all) {
    for (auto const& t : all)
        out << t.reductions << " reductions, " << t.broadcasts << " broadcasts, " << t.others << " others before "
            << t.before << "; ";
    return out;
}

/// Sonde's calls after each iteration but the last, from this one on, without iterations after which there are none.
std::vector<interval_calls> calls_between_iterations(std::vector<ledger::state> const& ledgers, std::size_t from) {
    std::vector<interval_calls> found;
    for (auto i = from; i < ledgers.size(); ++i) {
        auto const made = [&](call of) { return ledgers[i][of] - ledgers[i - 1][of]; };
        auto const all = ledgers[i].all() - ledgers[i - 1].all();
        auto const reductions = made(call::allreduce), broadcasts = made(call::bcast);
        if (all != 0) found.push_back({i, reductions, broadcasts, all - reductions - broadcasts});
    }
    return found;
}

/// A measurement and its recorded calls.
struct measured {
    record found;
    paced pattern{};
    std::vector<std::size_t> evaluations{};
    std::size_t afterwards = 0; // calls after the last iteration

    std::size_t evaluations_between() const {
        return evaluations.size() - 1;
    } // the last one is after the last iteration
    bool same_everywhere() const {
        auto all = same::numbers(found);
        all.push_back(static_cast<double>(pattern.iterations()));
        return same::everywhere(all);
    }
};

constexpr std::size_t warm = 3;

/// Rank 0's numbers, on all ranks; outside of the ledger.
std::vector<std::size_t> of_rank_0(std::vector<std::size_t> mine) {
    auto size = static_cast<int>(mine.size());
    PMPI_Bcast(&size, 1, MPI_INT, 0, application::comm());
    mine.resize(static_cast<std::size_t>(size));
    static_assert(sizeof(std::size_t) == sizeof(unsigned long));
    PMPI_Bcast(mine.data(), size, MPI_UNSIGNED_LONG, 0, application::comm());
    return mine;
}

template <class Plan, class Rule>
measured run_recorded(mpi::group& ranks, Plan const& how, Rule rule, seconds step = {}) {
    measured m;
    auto const all =
        how.timed_by(own_clock{&m.pattern.time, step}).until(recording_rule<Rule>{rule, &m.pattern, &m.evaluations});
    m.found = run(ranks, all, m.pattern);
    m.afterwards = ledger::current().all() - m.pattern.ledgers.back().all();
    CHECK(m.evaluations.empty() == (ranks.rank() != 0));
    m.evaluations = of_rank_0(m.evaluations);
    return m;
}

/// Two calls, a reduction and the broadcast of the decision, at each evaluation, and none elsewhere.
void check_evaluations(measured const& m) {
    std::vector<interval_calls> expected;
    for (std::size_t i = 0; i != m.evaluations_between(); ++i) expected.push_back({m.evaluations[i], 1, 1, 0});
    CHECK(calls_between_iterations(m.pattern.ledgers, warm + 1) == expected);
    // The last evaluation; two reductions and a gather combine the record, and a broadcast if there are stragglers.
    CHECK(m.afterwards == 2u + 3u + (m.found.stragglers.empty() ? 0u : 1u));
    CHECK(m.same_everywhere());
}

auto const freely = plan<>{}.warmup(warm).synchronized(no_sync{});

} // namespace

TEST_CASE("between evaluations only the pattern communicates; an evaluation is two calls, for any rule") {
    mpi::group ranks{application::comm()};
    auto const precise = run_recorded(ranks, freely, relative_error{0.004});
    CHECK(precise.found.stop.reason == stop_reason::precision);
    check_evaluations(precise);
    for (std::size_t i = 0, n = 0; i != precise.evaluations.size(); ++i)
        CHECK(precise.evaluations[i] == warm + (n += relative_error{0.004}.next(n))); // blocks grow by a quarter
    check_evaluations(run_recorded(ranks, freely, noise_converged{}));
    check_evaluations(run_recorded(ranks, freely, relative_error{0.004} || noise_converged{}));
    check_evaluations(run_recorded(ranks, freely, relative_error{0.02} && time_budget{seconds{0.0005}}));
    check_evaluations(run_recorded(ranks, freely.batch(3), relative_error{0.01} || time_budget{seconds{1}}));
}

TEST_CASE("rank 0's time budget ends a run that does not reach its precision, on all ranks after the same iteration") {
    mpi::group ranks{application::comm()};
    auto const m = run_recorded(ranks, freely, relative_error{1e-6} || time_budget{seconds{0.0005}});
    CHECK(m.found.stop.reason == stop_reason::time_budget);
    CHECK(m.pattern.iterations() == warm + m.found.stop.samples);
    check_evaluations(m);
}

TEST_CASE("a synchronizer adds its own calls to each repetition, and none to an evaluation") {
    mpi::group ranks{application::comm()};
    std::size_t rounds = 0;
    for (int reached = 1; reached < ranks.size(); reached *= 2) ++rounds;
    auto const check = [&](auto synchronize, std::size_t reductions, std::size_t others) {
        auto const m = run_recorded(ranks, freely.synchronized(synchronize), time_budget{seconds{12e-6}});
        std::vector<interval_calls> expected;
        for (std::size_t i = warm + 1, at = 0; i != m.pattern.iterations(); ++i) {
            std::size_t const evaluated = m.evaluations[at] == i ? 1 : 0;
            at += evaluated;
            if (evaluated + reductions + others != 0)
                expected.push_back({i, reductions + evaluated, evaluated, others});
        }
        CHECK(calls_between_iterations(m.pattern.ledgers, warm + 1) == expected);
        CHECK(m.same_everywhere());
    };
    check(barrier_once{}, 0, 0);
    check(barrier_each{}, 0, 1);
    check(dissemination_barrier{}, 0, rounds);
    check(synchronized_start{ranks}, 1, 1);
}

TEST_CASE("a warm-up until stable makes one reduction a block, and a batch by the clock one a trial") {
    mpi::group ranks{application::comm()};
    auto const how = freely.warmup(until_stable{0.5, seconds{1}}).batch(by_timer);
    auto const m = run_recorded(ranks, how, relative_error{0.01} || time_budget{seconds{1}}, seconds{26e-9});
    // Blocks of 1, 2, 4, 8, 16 iterations; then three batches each of 1, 2 and 4, of which only the last take 125
    // ticks.
    std::vector<interval_calls> expected{{1, 1, 0, 0},  {3, 1, 0, 0},  {7, 1, 0, 0},      {15, 1, 0, 0},
                                         {31, 1, 0, 0}, {34, 1, 0, 0}, {34 + 6, 1, 0, 0}, {34 + 6 + 12, 1, 0, 0}};
    for (std::size_t i = 0; i != m.evaluations_between(); ++i) expected.push_back({m.evaluations[i], 1, 1, 0});
    CHECK(calls_between_iterations(m.pattern.ledgers, 1) == expected);
    CHECK(m.found.batch > 1);
    CHECK(m.pattern.iterations() == 31 + 21 + m.found.batch * m.found.stop.samples);
    CHECK(m.same_everywhere());
}
