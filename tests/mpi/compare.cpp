// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "same_record.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <variant>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// A sum over all ranks, repeated `calls` times.
struct sum {
    mpi::group* ranks;
    int calls;
    std::array<double, 8> values{};

    void operator()() {
        for (int i = 0; i != calls; ++i) ranks->all_reduce(values, reduction::sum);
    }
};

/// A message to the right neighbor.
class shift {
public:
    explicit shift(mpi::group const& ranks)
        : comm_{ranks.comm()}, right_{(ranks.rank() + 1) % ranks.size()},
          left_{(ranks.rank() + ranks.size() - 1) % ranks.size()} {}
    void operator()() {
        ++iterations;
        PMPI_Sendrecv(&out_, 1, MPI_DOUBLE, right_, 0, &in_, 1, MPI_DOUBLE, left_, 0, comm_, MPI_STATUS_IGNORE);
    }
    std::size_t iterations = 0;

private:
    MPI_Comm comm_;
    int right_, left_;
    double out_ = 0, in_ = 0;
};

} // namespace

TEST_CASE("a budget ends a comparison on all ranks after the same round, with the same alternatives") {
    mpi::group ranks{application::comm()};
    std::vector<std::variant<sum, shift>> variants;
    variants.emplace_back(sum{&ranks, 2});
    variants.emplace_back(shift{ranks});
    variants.emplace_back(sum{&ranks, 1});
    alternatives const all{variants.size(), [&](std::size_t i, auto f) { std::visit(f, variants[i]); }};
    for (double const budget : {0.0, 0.001}) {
        auto const how = plan<>{}.warmup(2).until(time_budget{seconds{budget}});
        auto const found = compare(ranks, how, all);
        CHECK(same::everywhere({static_cast<double>(fastest(found))}));
        CHECK(same::everywhere({static_cast<double>(found.records[0].series.size())}));
        CHECK(same::everywhere({static_cast<double>(std::get<shift>(variants[1]).iterations)}));
        for (std::size_t i = 0; i != variants.size(); ++i) CHECK(same::everywhere({speedup(found, i)}));
    }
}

TEST_CASE("rounds make the MPI calls of their alternatives and of the synchronizer, and allocate nothing") {
    mpi::group ranks{application::comm()};
    struct seen {
        std::size_t calls, allocations;
    };
    constexpr std::size_t rounds = 10, warmup = 1;
    std::size_t iteration = 0;
    seen begin{}, end{};
    auto const watched = [&](int calls) {
        return [&, calls] {
            if (++iteration == 2 * warmup + 1) begin = {ledger::current().all(), ledger::allocations()};
            std::array<double, 1> value{};
            for (int i = 0; i != calls; ++i) ranks.all_reduce(value, reduction::sum);
            if (iteration == 2 * (warmup + rounds)) end = {ledger::current().all(), ledger::allocations()};
        };
    };
    (void)compare(ranks, plan<>{}.warmup(warmup).until(samples{rounds}), watched(1), watched(2));
    CHECK(end.calls - begin.calls == rounds * (1 + 2) + 2 * rounds - 1); // a barrier before each sample but the first
    CHECK(end.allocations == begin.allocations);
}

TEST_CASE("different numbers of alternatives on the ranks are refused on all ranks") {
    mpi::group ranks{application::comm()};
    shift step{ranks};
    auto const last = ranks.rank() == ranks.size() - 1 ? std::size_t{1} : std::size_t{0};
    bool refused = false;
    try {
        (void)compare(ranks, plan<>{}.until(samples{2}), alternatives{1 + last, [&](std::size_t, auto f) { f(step); }});
    } catch (std::invalid_argument const&) {
        refused = true;
    }
    CHECK(application::everywhere(refused == (ranks.size() != 1)));
}
