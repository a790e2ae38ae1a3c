// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "same_record.hpp"

#include <sonde/mpi.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// The collected scopes as numbers and text, for comparison.
struct collected {
    std::string outline;
    std::vector<double> numbers;
};

collected of(std::vector<scope_record> const& found) {
    collected all;
    for (auto const& r : found) {
        all.outline +=
            (all.outline.empty() ? "" : " ") + r.name + (r.parent ? '@' + std::to_string(*r.parent) : std::string{});
        for (auto const n :
             {static_cast<double>(r.times.count()), r.times.sum().count(), r.times.max().count(),
              static_cast<double>(r.ranks), r.bytes, r.totals.min.count(), r.totals.mean.count(), r.totals.max.count(),
              static_cast<double>(r.slowest), r.reference ? median(*r.reference).count() : -1})
            all.numbers.push_back(n);
    }
    return all;
}

void pass(probe_scope& scope, int times) {
    for (int i = 0; i != times; ++i) auto const p = scope.enter();
}

} // namespace

TEST_CASE("probe: ranks that made their scopes in different orders, or lack some, collect the same") {
    mpi::group ranks{application::comm()};
    auto const rank = ranks.rank(), last = ranks.size() - 1;
    std::array<std::string, 3> const names{"step", "output", "halo"};
    probe own;
    for (int i = 0; i != 3; ++i)
        pass(own.scope(names[static_cast<std::size_t>((i + rank) % 3)], {.bytes = 10}), rank + 1);
    if (rank == last) pass(own.scope("output").scope("write"), 5);
    auto const found = collect(ranks, own);
    auto const text = of(found);
    auto const same = same::everywhere(text.numbers);
    CHECK(same);
    CHECK(text.outline == "step output write@1 halo");
    auto const passes = static_cast<unsigned>((last + 1) * (last + 2) / 2);
    CHECK(find_scope(found, "halo").times.count() == passes);
    CHECK(find_scope(found, "halo").bytes == 10.0 * passes);
    CHECK(find_scope(found, "halo").ranks == ranks.size());
    CHECK(find_scope(found, "write").times.count() == 5);
    CHECK(find_scope(found, "write").ranks == 1);
    CHECK(find_scope(found, "write").slowest == last);
}

TEST_CASE("probe: no call before collect(), and then the same number of calls for any number of passes and scopes") {
    mpi::group ranks{application::comm()};
    for (int const n : {1, 1000}) {
        auto const before = ledger::current();
        probe own;
        for (int i = 0; i != n / 100 + 1; ++i) pass(own.scope('r' + std::to_string(i)), n);
        CHECK(ledger::current().all() == before.all());
        (void)collect(ranks, own);
        CHECK(ledger::current().all() == before.all() + 8);
        CHECK(ledger::current()[call::allreduce] == before[call::allreduce] + 6);
    }
}

TEST_CASE("probe: references are measured between pairs; a rank without a partner is idle") {
    mpi::group ranks{application::comm()};
    probe own;
    auto& halo = own.scope("halo", {.bytes = 64});
    pass(halo, 10);
    host_allocation memory{4096};
    halo.set_reference([&] {
        auto const at = pair_of(ranks.rank(), ranks.size() / 2);
        return bidirectional{mpi::async_link{ranks, at.peer}, at.role, 1, memory.first(64),
                             slice{memory.bytes().last(64)}};
    });
    auto found = collect(ranks, own);
    measure_references(ranks, own, found, plan<>{}.warmup(2).until(samples{10} || time_budget{seconds{1}}));
    auto const same = same::everywhere(of(found).numbers);
    CHECK(same);
    CHECK(found[0].reference->initiators == ranks.size() / 2);
    CHECK(found[0].reference->stop.samples == 10);
    CHECK(efficiency(found[0]).has_value() == (ranks.size() > 1));
}
