// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "rma_calls.hpp"
#include "rma_trial.hpp"
#include "rma_windows.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace one_sided;
using sonde::role;
namespace mpi = sonde::mpi;

namespace {

/// Roles and targets of all ranks.
struct role_assignment {
    std::vector<role> roles{};
    relation targets{};
    relation partners{}; // targets and origins
};

/// Pairs of ranks, the last idle if their number is odd; an initiator accesses its peer, in an exchange a responder
/// too.
role_assignment in_pairs(int ranks, bool both_ways) {
    role_assignment all;
    for (int r = 0; r != ranks; ++r) {
        auto const pair = sonde::pair_of(r, ranks / 2);
        auto const partner = pair.role == role::idle ? std::vector<int>{} : std::vector{pair.peer};
        all.roles.push_back(pair.role);
        all.targets.push_back(pair.role == role::responder && !both_ways ? std::vector<int>{} : partner);
        all.partners.push_back(partner);
    }
    return all;
}

role_assignment all_to_all(int ranks) {
    role_assignment all{std::vector<role>(static_cast<std::size_t>(ranks), role::initiator), {}, {}};
    for (int r = 0; r != ranks; ++r) {
        all.targets.emplace_back();
        for (int d = 1; d != ranks; ++d) all.targets.back().push_back((r + d) % ranks);
    }
    all.partners = all.targets;
    return all;
}

/// The targets of one rank in the type of the operation.
template <class T>
T as(std::vector<int> const& ranks) {
    if constexpr (std::is_same_v<T, mpi::peer>) return {ranks.empty() ? -1 : ranks.front()};
    else return {ranks};
}

/// The group, window and roles of one sweep over all combinations.
struct sweep_setup {
    mpi::group& ranks;
    seen_window const& window;
    role_assignment const& all;

    auto of_me(relation const& whose) const { return whose[static_cast<std::size_t>(ranks.rank())]; }
    role who() const { return all.roles[static_cast<std::size_t>(ranks.rank())]; }
    own_section section() const { return {window, place_of(ranks.rank(), 0) * sizeof(number), own * sizeof(number)}; }
};

template <class E>
using epoch_maker = std::function<E(mpi::peers, mpi::peers)>;
template <class O, class T>
using operation_maker = std::function<O(own_section&, T, memory&)>;

using amounts = std::vector<std::size_t>;

/// Errors of one epoch with one operation; join(epoch, role, many, transfer) -> pattern.
template <class E, class O, class T, class Join>
std::size_t errors(sweep_setup const& on, std::size_t many, epoch_maker<E> const& make_epoch,
                   operation_maker<O, T> const& make_operation, effect does, Join join) {
    trial one{on.ranks, on.window, on.all.targets, does, many};
    auto section = on.section();
    return one.errors([&](memory& m) {
        return join(make_epoch(mpi::peers{on.of_me(on.all.targets)}, mpi::peers{on.of_me(on.all.partners)}), on.who(),
                    many, make_operation(section, as<T>(on.of_me(on.all.targets)), m));
    });
}

/// Tests the patterns that `join` makes of an epoch and an operation; returns their number, one for each of `many`, or
/// none.
template <class E, class O, class T, class Join>
std::size_t combine(sweep_setup const& on, amounts const& many, epoch_maker<E> const& make_epoch,
                    operation_maker<O, T> const& make_operation, effect does, Join join) {
    if constexpr (std::is_invocable_v<Join, E, role, std::size_t, O>) {
        for (std::size_t const m : many) {
            auto const wrong = errors(on, m, make_epoch, make_operation, does, join);
            CAPTURE(m);
            CHECK(wrong == 0);
        }
        return many.size();
    } else {
        return 0;
    }
}

/// All epochs with all operations whose targets are a T.
template <class T, class Join>
std::size_t sweep(sweep_setup const& on, amounts const& many, Join join) {
    std::size_t tried = 0;
    each_epoch(on.ranks, on.window, [&](std::string const epoch, auto make_epoch) {
        each_operation<T>([&](std::string const operation, effect does, auto make_operation) {
            CAPTURE(epoch);
            CAPTURE(operation);
            tried += combine(on, many, make_epoch, make_operation, does, join);
        });
    });
    return tried;
}
// 12 epochs with 7 operations, and 8 passive ones with 4 request-based operations
constexpr std::size_t combinations = 12 * 7 + 8 * 4;

/// Bytes of a window with a section for each rank.
std::size_t window_bytes() { return own * sizeof(number) * static_cast<std::size_t>(application::size()); }

} // namespace

TEST_CASE_FIXTURE(rma_calls::nothing_left, "transfers within each pair of ranks: every operation, epoch, window") {
    on_each_window(window_bytes(), [](mpi::group& ranks, seen_window const& window, auto const&) {
        auto const one_way = []<class E>(E epoch, role who, std::size_t many, sonde::TransferIn<E> auto transfer) {
            return sonde::rma{std::move(epoch), who, many, std::move(transfer)};
        };
        sweep_setup const on{ranks, window, in_pairs(ranks.size(), false)};
        auto const many =
            ranks.size() == 2 ? amounts{1, most} : amounts{most}; // more numbers of transfers would only take longer
        CHECK(sweep<mpi::peer>(on, many, one_way) == many.size() * combinations);
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left, "transfers from all ranks to all others: every operation, epoch, window") {
    on_each_window(window_bytes(), [](mpi::group& ranks, seen_window const& window, auto const&) {
        auto const at_once = []<class E>(E epoch, role who, std::size_t many, sonde::TransferIn<E> auto transfer) {
            return sonde::rma_exchange{std::move(epoch), who, many, std::move(transfer), sonde::directions::sent};
        };
        CHECK(sweep<mpi::peers>({ranks, window, all_to_all(ranks.size())}, {most}, at_once) == combinations);
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "round trips within each pair of ranks: epochs in which the target takes part") {
    on_each_window(window_bytes(), [](mpi::group& ranks, seen_window const& window, auto const&) {
        auto const there_and_back =
            []<class E>(E epoch, role who, std::size_t many,
                        sonde::TransferIn<E> auto transfer) -> sonde::rma_ping_pong<E, decltype(transfer)> {
            return {std::move(epoch), who, many, std::move(transfer)};
        };
        sweep_setup const on{ranks, window, in_pairs(ranks.size(), true)};
        CHECK(sweep<mpi::peer>(on, {most}, there_and_back) == 4 * 7);
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "a window type that the MPI library cannot create is skipped with the reason") {
    std::map<std::string, std::string> skipped;
    std::size_t tried = 0, tried_before = 0;
    auto const count = [](std::size_t& n) { return [&n](auto&&...) { ++n; }; };
    on_each_window(window_bytes(), count(tried_before));
    rma_calls::failing("Win_create_dynamic", 0, [&] { skipped = on_each_window(window_bytes(), count(tried)); });
    CHECK(tried == tried_before - 1);
    CHECK(skipped["dynamic"].find("MPI_Win_create_dynamic: ") != std::string::npos);
}
