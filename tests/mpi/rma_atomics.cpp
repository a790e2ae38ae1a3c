// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../atomic_conformance.hpp"
#include "application.hpp"
#include "rma_calls.hpp"
#include "rma_sweep.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace sonde;

namespace {

using number = std::int64_t;
constexpr std::size_t rounds = 8, numbers = 4;

sonde::region bytes_of(auto& values) { return std::as_writable_bytes(std::span{values}); }

/// Numbers of type N on rank 0 that all other ranks change at once.
template <class N>
struct contention {
    mpi::group& ranks;
    one_sided::seen_window const& window;
    bool in_every_epoch; // true for every epoch; false, to save time, for one of each class
    MPI_Datatype type = sizeof(N) == 8 ? MPI_INT64_T : MPI_INT32_T;
    std::span<N> shared{reinterpret_cast<N*>(window.region().data()), numbers};
    sonde::role who = ranks.rank() == 0 ? sonde::role::responder : sonde::role::initiator;
    mpi::peer owner{ranks.rank() == 0 ? -1 : 0};

    /// All ranks' numbers, equally many of each, on every rank, in the order of ranks.
    std::vector<N> gathered(std::vector<N> const& mine) const {
        std::vector<N> all(mine.size() * static_cast<std::size_t>(ranks.size()));
        auto const n = static_cast<int>(mine.size());
        PMPI_Allgather(mine.data(), n, type, all.data(), n, type, ranks.comm());
        return all;
    }
    N others() const { return ranks.size() - 1; }
    /// Rank 0's first value, on all ranks.
    N shared_value() const { return gathered({ranks.rank() == 0 ? left()[0] : N{}}).front(); }

    /// A lock of the own rank, as MPI requires in the separate memory model.
    mpi::scoped_locks locked() const { return {window, mpi::peer{ranks.rank()}, mpi::lock_type::exclusive}; }
    /// Sets rank 0's values; the others begin afterwards.
    void begin_with(N value) {
        {
            auto const own_part = locked();
            std::fill(shared.begin(), shared.end(), value);
        }
        ranks.barrier();
    }
    /// Rank 0's values now.
    std::vector<N> left() const {
        auto const own_part = locked();
        return {shared.begin(), shared.end()};
    }
};

/// f(contention) for every type of window.
template <class N, class F>
void on_each_window_type(F f) {
    auto const on = [&](mpi::group& ranks, one_sided::seen_window const& window, std::string const& kind) {
        contention<N> c{ranks, window, kind == "created"};
        f(c);
    };
    one_sided::on_each_window(numbers * sizeof(N), on);
}

/// f(epoch, name) for every epoch that may be open at several origins at once, active and passive.
template <class N, class F>
void each_shared_epoch(contention<N>& c, F f) {
    f([&] { return mpi::fence{c.window}; }, "fence");
    f([&] { return mpi::flush{c.window, c.owner}; }, "flush");
    if (!c.in_every_epoch) return;
    f(
        [&] {
            return mpi::pscw{c.window, c.ranks.rank() == 0 ? mpi::peers::all_others(c.ranks) : mpi::peers{{0}}};
        },
        "pscw");
    f([&] { return mpi::lock{c.window, c.owner}; }, "lock shared");
    f([&] { return mpi::lock{c.window, c.owner, mpi::lock_type::exclusive}; }, "lock exclusive");
    f([&] { return mpi::lock_all{c.window}; }, "lock_all");
    f([&] { return mpi::flush_all{c.window}; }, "flush_all");
}

constexpr std::size_t in_an_epoch = 8;

/// Transfers that all add to one counter of rank 0; the library's add each to its own place.
class same_counter {
public:
    same_counter(contention<number> const& c, std::array<number, 1>& one, std::vector<number>& fetched) {
        for (auto& into : fetched)
            all_.emplace_back(c.window, c.owner, bytes_of(one), std::as_writable_bytes(std::span{&into, 1}),
                              MPI_INT64_T, MPI_SUM);
    }
    void operator()(std::size_t i) const { all_[i](0); }
    std::size_t capacity() const { return all_.size(); }
    sonde::traffic traffic() const { return all_.front().traffic(); }

private:
    std::vector<mpi::fetch_and_op<>> all_;
};

/// All other ranks compare and swap a word for their own number, each time against the last winner's.
template <class N>
void check_swaps(contention<N>& c) {
    each_shared_epoch(c, [&](auto make_epoch, char const* const epoch) {
        std::array<N, 1> mine{c.ranks.rank() + 100}, expected{}, found{};
        c.begin_with(0);
        std::size_t wins = 0, wrong = 0;
        {
            rma pattern{
                make_epoch(), c.who, 1,
                mpi::compare_and_swap{c.window, c.owner, bytes_of(mine), bytes_of(expected), bytes_of(found), c.type}};
            for (std::size_t i = 0; i != rounds; ++i) {
                pattern();
                auto const won = c.who == role::initiator && found[0] == expected[0];
                auto const all = c.gathered({won ? mine[0] : 0});
                auto const winner = *std::max_element(all.begin(), all.end());
                wins += all.size() - static_cast<std::size_t>(std::count(all.begin(), all.end(), 0));
                if (c.who == role::initiator && !won) wrong += found[0] != winner; // it fetched the first winner
                expected[0] = winner;                                              // compared next time
                mine[0] += 100;
            }
        }
        c.ranks.barrier();
        CAPTURE(std::string{epoch});
        CHECK(wins == rounds);
        CHECK(wrong == 0);
        if (c.ranks.rank() == 0) CHECK(c.left()[0] == expected[0]);
    });
}

} // namespace

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "concurrent additions to one counter fetch every value once, and none is lost") {
    on_each_window_type<number>([](contention<number>& c) {
        each_shared_epoch(c, [&](auto make_epoch, char const* const epoch) {
            std::array<number, 1> one{1};
            std::vector<number> fetched(in_an_epoch, -1);
            c.begin_with(0);
            std::optional pattern{rma{make_epoch(), c.who, in_an_epoch, same_counter{c, one, fetched}}};
            CAPTURE(std::string{epoch});
            auto const add = [&] { return (*pattern)(), std::span{fetched}; };
            conformance::check_counter(c.ranks, rounds, add, [&] {
                pattern.reset(); // an exclusive lock may last as long as it
                c.ranks.barrier();
                return c.shared_value();
            });
        });
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left, "exactly one of concurrent compare-and-swaps succeeds") {
    on_each_window_type<std::int32_t>([](contention<std::int32_t>& c) { check_swaps(c); });
    // 8-byte swaps on a created window only: Open MPI 4.1.4 crashes with a segmentation fault on a window of
    // MPI_Win_allocate on one node.
    mpi::group ranks{application::comm()};
    std::vector<number> memory(numbers);
    mpi::created_window const created{ranks, bytes_of(memory)};
    one_sided::seen_window const window{created, ranks.size()};
    contention<number> of_8_bytes{ranks, window, false};
    check_swaps(of_8_bytes);
}

TEST_CASE_FIXTURE(rma_calls::nothing_left, "concurrent accumulates into the same numbers add up") {
    on_each_window_type<number>([](contention<number>& c) {
        each_shared_epoch(c, [&](auto make_epoch, char const* const epoch) {
            std::array<number, 4> mine{1, 10, 100, 1000}, before{};
            c.begin_with(5);
            {
                rma added{make_epoch(), c.who, 2,
                          mpi::accumulate{c.window, c.owner, bytes_of(mine), {MPI_INT64_T, 2}, MPI_SUM}};
                for (std::size_t i = 0; i != rounds; ++i) added();
            }
            c.ranks.barrier();
            {
                mpi::block const four{MPI_INT64_T, 4};
                rma added{make_epoch(), c.who, 1,
                          mpi::get_accumulate{c.window, c.owner, bytes_of(mine), bytes_of(before), four, MPI_SUM}};
                added();
            }
            c.ranks.barrier();
            auto const so_far = c.others() * static_cast<number>(rounds);
            CAPTURE(std::string{epoch});
            auto const left = c.left();
            for (std::size_t i = 0; i != 4; ++i) {
                if (c.who == role::responder) CHECK(left[i] == 5 + (so_far + c.others()) * mine[i]);
                else CHECK((before[i] - 5 - so_far * mine[i]) % mine[i] == 0);
                if (c.who == role::initiator) CHECK(before[i] >= 5 + so_far * mine[i]);
                if (c.who == role::initiator) CHECK(before[i] < 5 + (so_far + c.others()) * mine[i]);
            }
        });
    });
}
