// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "rma_calls.hpp"
#include "rma_sweep.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace sonde;
using one_sided::made;
using one_sided::say_skipped;
using rma_calls::current;

namespace {

struct window_fixture : rma_calls::nothing_left {
    mpi::group ranks{application::comm()};
    std::vector<std::byte> bytes = std::vector<std::byte>(64);
    region memory{bytes};
    mpi::peer next{(ranks.rank() + 1) % ranks.size()};
};

} // namespace

TEST_CASE_FIXTURE(window_fixture, "a moved-from object holds no window, lock, group or request") {
    std::optional<mpi::allocated_window> first{std::in_place, ranks, std::size_t{64}};
    mpi::allocated_window second{std::move(*first)};
    CHECK(first->handle() == MPI_WIN_NULL);
    CHECK(first->region().empty());
    first.reset();
    CHECK(current().windows == 1);
    CHECK(second.size(next.rank) == 64);
    auto const make_dynamic = [&] { return mpi::dynamic_window{ranks, memory}; };
    if (auto const dynamic = made("dynamic", make_dynamic, say_skipped)) {
        mpi::dynamic_window const moved{std::move(*dynamic)};
        CHECK(current().windows == 2);
        CHECK(moved.base(ranks.rank()) == reinterpret_cast<MPI_Aint>(memory.data()));
    }
    std::optional<mpi::flush<>> locked{std::in_place, second, next};
    std::optional<mpi::flush<>> holder{std::move(*locked)};
    locked.reset();
    CHECK(current().locks == 1);
    holder.reset();
    CHECK(current().locks == 0);
    std::optional<mpi::pscw> posted{std::in_place, second, next};
    mpi::pscw const with_group{std::move(*posted)};
    posted.reset();
    CHECK(current().groups == 1);
    mpi::flush_all all{second};
    std::optional<mpi::flush_all> taken{std::move(all)};
    CHECK(current().locks == 1);
    std::byte from{};
    mpi::request_based_transfer put{mpi::put{second, next, region{&from, 1}, {MPI_BYTE, 1}}};
    put(0);
    {
        mpi::request_based_transfer carried{std::move(put)};
        CHECK(ledger::current().active_requests == 1);
    }
    CHECK(ledger::current().active_requests == 0); // waited for, since such a request may not be canceled
}

TEST_CASE_FIXTURE(window_fixture, "a window that an exception destroys on all ranks is freed") {
    auto const windows = current().windows;
    auto const fails = [&] {
        mpi::allocated_window const window{ranks, 64};
        throw std::runtime_error{"on all ranks"};
    };
    CHECK_THROWS_AS(fails(), std::runtime_error);
    CHECK(current().windows == windows);
}

TEST_CASE_FIXTURE(window_fixture, "hints are passed to the window") {
    mpi::hints const info{{"no_locks", "true"}, {"accumulate_ordering", "none"}, {"sonde_unknown", "x"}};
    auto const check_hints = [&](std::string const& kind, auto make) {
        auto const window = made(kind, make, say_skipped);
        if (window == nullptr) return;
        CAPTURE(kind);
        MPI_Info kept = MPI_INFO_NULL;
        REQUIRE(PMPI_Win_get_info(window->handle(), &kept) == MPI_SUCCESS);
        for (std::size_t i = 0; i != 2; ++i) {
            std::array<char, 64> value{};
            int found = 0;
            PMPI_Info_get(kept, info[i].first.c_str(), 63, value.data(), &found);
            if (found == 0) MESSAGE("this MPI library does not keep " << info[i].first << " of windows " << kind);
            else CHECK(std::string{value.data()} == info[i].second);
        }
        PMPI_Info_free(&kept);
    };
    check_hints("created", [&] { return mpi::created_window{ranks, memory, info}; });
    check_hints("allocated", [&] { return mpi::allocated_window{ranks, 64, info}; });
    check_hints("shared", [&] { return mpi::shared_window{ranks, 64, info}; });
    check_hints("dynamic", [&] { return mpi::dynamic_window{ranks, memory, info}; });
}

TEST_CASE_FIXTURE(window_fixture, "ranks may have parts of different sizes, also empty ones") {
    auto const mine = static_cast<std::size_t>(ranks.rank()) * 8;
    auto const check_sizes = [&](auto const& window) {
        CHECK(window.region().size() == mine);
        for (int r = 0; r != ranks.size(); ++r) CHECK(window.size(r) == static_cast<std::size_t>(r) * 8);
        CHECK(mpi::put{window, mpi::peer{0}, memory, {MPI_BYTE, 8}}.capacity() == 0);
        CHECK(mpi::put{window, mpi::peer{ranks.size() - 1}, memory, {MPI_BYTE, 8}}.capacity() ==
              static_cast<std::size_t>(ranks.size() - 1));
    };
    check_sizes(mpi::created_window{ranks, memory.first(mine)});
    check_sizes(mpi::allocated_window{ranks, mine});
    auto const make_shared = [&] { return mpi::shared_window{ranks, mine}; };
    auto const make_dynamic = [&] {
        return mpi::dynamic_window{ranks, ranks.rank() == 0 ? region{} : memory.first(mine)};
    };
    if (auto const shared = made("shared", make_shared, say_skipped)) check_sizes(*shared);
    if (auto const dynamic = made("dynamic", make_dynamic, say_skipped)) check_sizes(*dynamic);
}

TEST_CASE_FIXTURE(window_fixture, "a window that cannot be made on one rank throws on all ranks, and leaves nothing") {
    auto const last = ranks.size() - 1;
    auto const here = ranks.rank() == last;
    auto const fails_on_last = [&](std::string const& call, auto make) {
        CAPTURE(call);
        auto const windows = current().windows;
        if (here) current().fails = call;
        current().after = 0;
        CHECK_THROWS_WITH_AS(make(), doctest::Contains(call.c_str()), mpi::error);
        current().fails.clear();
        CHECK(current().windows == windows);
    };
    fails_on_last("Win_set_errhandler", [&] { mpi::allocated_window const made{ranks, 64}; });
    fails_on_last("Win_set_errhandler", [&] { mpi::created_window const made{ranks, memory}; });
    auto const make_dynamic = [&] { return mpi::dynamic_window{ranks, memory}; };
    if (made("dynamic", make_dynamic, say_skipped) != nullptr) fails_on_last("Win_attach", make_dynamic);
    mpi::hints const info{{here ? "" : "no_locks", "true"}};
    CHECK_THROWS_AS((mpi::allocated_window{ranks, 64, info}), std::invalid_argument);
    CHECK_THROWS_AS((mpi::created_window{ranks, memory, info}), std::invalid_argument);
}
