// SPDX-License-Identifier: BSL-1.0
// Every one-sided operation in every epoch, pattern and window, and every datatype through every operation.
#include <doctest/doctest.h>

#include "application.hpp"
#include "library_faults.hpp"
#include "rma_calls.hpp"
#include "rma_sweep.hpp"
#include "typed_memory.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t block = 2, transfers = 2, first = 64; // elements of a transfer; transfers; byte of the window
constexpr int there = 5;                                    // the "destination" of the numbers in a window
using one_sided::any_transfer, one_sided::own_section, one_sided::seen_window;
using ranks_of = std::function<std::vector<int>(int)>; // the targets of a rank

/// Memory of an origin.
struct origin {
    typed::memory out, compare, into;
    origin(std::size_t bytes, std::size_t behind)
        : out{bytes, std::byte{0x5a}, behind}, compare{bytes, std::byte{0x3c}, behind},
          into{bytes, std::byte{0xa5}, behind} {}
    friend bool operator==(origin const&, origin const&) = default;
};

/// Effect of an operation on the numbers at its target.
enum class effect { keep, replace, combine, swap };
struct operation {
    std::string name;
    effect does;
    bool fetches;
    std::size_t elements; // of a transfer
    std::function<any_transfer(own_section&, std::vector<int> const& targets, origin&, bool requests)> make;
};

/// The operations that MPI defines for the datatype, and one of a user; `op`: a reduction, or null.
std::vector<operation> operations_of(typed::datatype const& type, MPI_Op op) {
    using namespace mpi;
    auto const t = type.type.get();
    mpi::block const each{t, ::block};
    std::vector<operation> all;
    auto const add = [&](char const* name, effect does, bool fetches, std::size_t elements, auto make) {
        auto const erased = [](auto transfer, [[maybe_unused]] bool requests) {
            if constexpr (Requestable<decltype(transfer)>)
                if (requests) return any_transfer{request_based_transfer{std::move(transfer)}};
            return any_transfer{std::move(transfer)};
        };
        all.push_back({name, does, fetches, elements, [=](auto& w, auto const& to, auto& m, bool requests) {
                           if (to.size() > 1) return erased(make(w, peers{to}, m), requests);
                           return erased(make(w, peer{to.empty() ? -1 : to.front()}, m), requests);
                       }});
    };
    add("put", effect::replace, false, ::block, [=](auto& w, auto to, auto& m) {
        return put{w, to, m.out.all(), each};
    });
    add("get", effect::keep, true, ::block, [=](auto& w, auto to, auto& m) { return get{w, to, m.into.all(), each}; });
    auto const combining = [&](MPI_Op with, effect does) {
        add("accumulate", does, false, ::block, [=](auto& w, auto to, auto& m) {
            return accumulate{w, to, m.out.all(), each, with};
        });
        add("get_accumulate", does, true, ::block,
            [=](auto& w, auto to, auto& m) { return get_accumulate{w, to, m.out.all(), m.into.all(), each, with}; });
        if (type.letter != 'd')
            add("fetch_and_op", does, true, 1,
                [=](auto& w, auto to, auto& m) { return fetch_and_op{w, to, m.out.all(), m.into.all(), t, with}; });
    };
    if (mpi::detail::basic_type(t) != MPI_DATATYPE_NULL) combining(MPI_REPLACE, effect::replace);
    if (op != MPI_OP_NULL) combining(op, effect::combine);
    if (std::string{"cflba"}.find(type.letter) != std::string::npos)
        add("compare_and_swap", effect::swap, true, 1, [=](auto& w, auto to, auto& m) {
            return compare_and_swap{w, to, m.out.all(), m.compare.all(), m.into.all(), t};
        });
    if (type.is_plain())
        add("get_no_op", effect::keep, true, ::block, [=](auto& w, auto to, auto& m) {
            return outside::get_no_op<decltype(to)>{w, to, m.into.all(), each};
        });
    return all;
}

/// A rank among origins and targets, and its window, which has a section for each origin.
struct rank_of_window {
    mpi::group& ranks;
    seen_window const& window;
    role who;
    ranks_of targets_of;

    int me() const { return ranks.rank(); }
    std::vector<int> targets() const { return targets_of(me()); }
    bool is_reached(int from) const {
        auto const all = targets_of(from);
        return std::count(all.begin(), all.end(), me()) != 0;
    }
    mpi::peers partners() const {
        auto all = targets();
        for (int r = 0; r != ranks.size(); ++r)
            if (is_reached(r) && std::count(all.begin(), all.end(), r) == 0) all.push_back(r);
        return {all};
    }
    /// A lock of the own rank. In the separate memory model, passive targets load received data and publish stored data
    /// under a lock only.
    mpi::scoped_locks locked() const { return {window, mpi::peer{me()}, mpi::lock_type::exclusive}; }
};

/// An operation on elements of a datatype, by several ranks at once: memory before and after some epochs.
struct trial {
    rank_of_window const& at;
    typed::datatype const& type;
    operation const& does;
    typed::function combine;
    std::size_t n = transfers * does.elements;

    std::size_t section(int from) const {
        return first + static_cast<std::size_t>(from) * ((type.span(2 * transfers) + 31) / 16 * 16);
    }
    std::size_t place(std::size_t element) const { return element * type.extent(); }

    /// The memory of a rank before the first epoch: all elements but the last are compared with those of its first
    /// target.
    origin before(int rank, std::size_t behind) const {
        auto const to = at.targets_of(rank);
        origin m{type.span(n * std::max<std::size_t>(to.size(), 1)), behind};
        m.out.write(type, 0, n, rank, 0);
        if (!to.empty()) m.compare.write(type, 0, n - 1, to.front(), there + rank);
        return m;
    }
    /// The effect of one epoch of an origin on its section.
    void apply(typed::memory& window, std::size_t offset, origin& of) const {
        if (does.does == effect::replace) window.copy(type, offset, n, of.out, 0);
        if (does.does == effect::combine) window.combine(type, offset, n, of.out, 0, combine);
        if (does.does == effect::swap)
            window.each(type, offset, n, [&](std::byte* number, typed::kind k, std::size_t i, std::size_t) {
                auto const equal = typed::load(number, k) == typed::load(of.compare.at(type, place(i)), k);
                if (equal) typed::store(number, k, typed::load(of.out.at(type, place(i)), k));
            });
    }
    /// Contents of this rank's window before, and after some epochs of all origins.
    typed::memory window_after(std::size_t epochs) const {
        typed::memory window{at.window.region().size(), std::byte{0x77}, 0};
        for (int from = 0; from != at.ranks.size(); ++from) {
            window.write(type, section(from), n, at.me(), there + from);
            auto of = before(from, 0);
            for (std::size_t i = 0; at.is_reached(from) && i != epochs; ++i) apply(window, section(from), of);
        }
        return window;
    }
    /// The results of the last of some epochs: that of target k in transfer i is `targets` i + k transfers from the
    /// begin.
    void fetch(origin& m, std::size_t epochs) const {
        auto const to = at.targets();
        for (std::size_t k = 0; does.fetches && k != to.size(); ++k) {
            typed::memory of_target{type.span(n), std::byte{}, 0};
            of_target.write(type, 0, n, to[k], there + at.me());
            for (std::size_t i = 1; i != epochs; ++i) apply(of_target, 0, m);
            for (std::size_t i = 0; i != transfers; ++i)
                m.into.copy(type, place((to.size() * i + k) * does.elements), does.elements, of_target,
                            place(i * does.elements));
        }
    }
    /// True if the pattern that make(transfer) makes leaves all bytes in this rank's window and memory as it must.
    bool moves(std::size_t epochs, bool requests, auto make) const {
        auto m = before(at.me(), requests ? 0u : 64u), right = m;
        fetch(right, epochs);
        {
            auto const own = at.locked();
            auto initial = window_after(0);
            std::ranges::copy(initial.all(), at.window.region().begin());
        }
        at.ranks.barrier();
        {
            own_section part{at.window, section(at.me()), type.span(n)};
            auto pattern = make(does.make(part, at.targets(), m, requests));
            for (std::size_t i = 0; i != epochs; ++i) pattern();
        }
        at.ranks.barrier(); // an epoch without completion at the target ends with the pattern
        auto const own = at.locked();
        auto found = window_after(0);
        std::ranges::copy(at.window.region(), found.all().begin());
        for (int from = 0; from != at.ranks.size(); ++from) found.clear_padding(type, section(from), n);
        if (does.fetches) m.into.clear_padding(type, 0, n * at.targets().size());
        return m == right && found == window_after(epochs);
    }
};

/// f(name, rank_of_window, make(epoch, transfer) -> pattern) for each pattern that takes the epoch.
template <Epoch E>
void each_pattern(mpi::group& ranks, seen_window const& window, auto f) {
    auto const n = ranks.size();
    auto const pair = sonde::pair_of(ranks.rank(), n / 2);
    auto const to_peer = [n](bool both_ways) -> ranks_of {
        return [=](int rank) {
            auto const of = sonde::pair_of(rank, n / 2);
            auto const accesses = of.role == role::initiator || (both_ways && of.role == role::responder);
            return accesses ? std::vector{of.peer} : std::vector<int>{};
        };
    };
    auto const to_others = [n](int most) -> ranks_of {
        return [=](int rank) {
            std::vector<int> all;
            for (int d = 1; d != n && d <= most; ++d) all.push_back((rank + d) % n);
            return all;
        };
    };
    auto const exchanges = [](E epoch, any_transfer t) {
        return rma_exchange{std::move(epoch), role::initiator, transfers, t, directions::sent};
    };
    f("around", rank_of_window{ranks, window, role::initiator, to_others(1)}, exchanges);
    f("to all others", rank_of_window{ranks, window, role::initiator, to_others(n)}, exchanges);
    f("rma", rank_of_window{ranks, window, pair.role, to_peer(false)}, [=](E epoch, any_transfer t) {
        return rma{std::move(epoch), pair.role, transfers, t};
    });
    if constexpr (!PassiveEpoch<E>)
        f("rma_ping_pong", rank_of_window{ranks, window, pair.role, to_peer(true)}, [=](E epoch, any_transfer t) {
            return rma_ping_pong{std::move(epoch), pair.role, transfers, t};
        });
}

/// False for an operation in which the MPI library is known to fail.
bool works(typed::datatype const& type, operation const& one) {
    auto const combiner = mpi::detail::type_envelope{type.type.get()}.combiner;
    if (one.elements == 1 && combiner != MPI_COMBINER_NAMED)
        return library::works("a single element of MPI_Type_create_f90_real");
    if (one.does == effect::combine && type.letter == 'x' && type.extent() == 8)
        return library::works("a one-sided sum of complex numbers of 8 bytes");
    if (type.is_plain() || one.name == "put" || one.name == "get") return true;
    return (one.name == "accumulate" && !type.has_pairs()) ||
           library::works("a one-sided reduction of elements with gaps");
}

/// Checks the operations of a datatype in the epochs and patterns for which wanted(epoch, pattern, requests) is true;
/// returns their number.
std::size_t check_operations(mpi::group& ranks, seen_window const& window, typed::datatype const& type,
                             std::size_t epochs, auto wanted) {
    auto const how = type.letter == 'd' || type.letter == 'o' ? typed::reduction{} : typed::reduction_for(type.letter);
    std::size_t tried = 0;
    one_sided::each_epoch(ranks, window, [&](std::string const& epoch, auto make_epoch) {
        using E = std::remove_cvref_t<decltype(make_epoch(mpi::peers{}, mpi::peers{}))>;
        each_pattern<E>(ranks, window, [&](std::string const& pattern, rank_of_window at, auto make) {
            for (auto const& one : operations_of(type, how.op))
                for (auto const requests : {false, true}) {
                    auto const exists =
                        !requests || (PassiveEpoch<E> && one.elements == block && one.name != "get_no_op");
                    if (!exists || !wanted(epoch, pattern, requests) || !works(type, one)) continue;
                    auto const right = trial{at, type, one, how.combine}.moves(epochs, requests, [&](any_transfer t) {
                        return make(make_epoch(mpi::peers{at.targets()}, at.partners()), std::move(t));
                    });
                    INFO(type.name << ", " << epoch << ", " << pattern << ", " << one.name << ", " << requests);
                    CHECK(right);
                    ++tried;
                }
        });
    });
    return tried;
}

constexpr std::size_t window_bytes = 2048;

} // namespace

TEST_CASE_FIXTURE(rma_calls::nothing_left, "transfers in pairs and from all to all: every operation, epoch, window") {
    auto const types = typed::predefined();
    auto const type = std::find_if(types.begin(), types.end(), [](auto& t) { return t.type.get() == MPI_INT32_T; });
    REQUIRE(type != types.end());
    one_sided::on_each_window(window_bytes, [&](mpi::group& ranks, seen_window const& window, auto const&) {
        auto const tried = check_operations(ranks, window, *type, 2, [](auto&, auto& pattern, bool) {
            return pattern != "around"; // the pattern of each datatype, below
        });
        // Two patterns in 12 epochs with 10 operations, and in the 8 passive ones with 6 requests; one in 4 epochs.
        CHECK(tried == 2 * (12 * 10 + 8 * 6) + 4 * 10);
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "every datatype arrives by every one-sided operation, and the bytes around its numbers stay as they "
                  "are") {
    mpi::group ranks{application::comm()};
    typed::memory window{window_bytes, std::byte{0x77}, 64};
    auto const untouched = window;
    {
        mpi::created_window const created{ranks, window.all()};
        seen_window const seen{created, ranks.size()};
        typed::each([&](typed::datatype const& type) {
            auto const thoroughly = type.name == "negative lower bound";
            check_operations(ranks, seen, type, 1, [&](auto& epoch, auto& pattern, bool requests) {
                auto const usual = epoch == "fence" || (epoch == "lock_all" && !type.is_plain());
                return thoroughly || (usual && pattern == "around" && !requests);
            });
        });
    }
    window.clear(std::byte{0x77});
    CHECK(window == untouched); // nothing before and behind it
}

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "a window type that the MPI library cannot create is skipped with the reason") {
    std::map<std::string, std::string> skipped;
    std::size_t tried = 0, tried_before = 0;
    auto const count = [](std::size_t& n) { return [&n](auto&&...) { ++n; }; };
    one_sided::on_each_window(64, count(tried_before));
    rma_calls::failing("Win_create_dynamic", 0, [&] { skipped = one_sided::on_each_window(64, count(tried)); });
    CHECK(tried == tried_before - 1);
    CHECK(skipped["dynamic"].find("MPI_Win_create_dynamic: ") != std::string::npos);
}
