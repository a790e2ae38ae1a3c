// SPDX-License-Identifier: BSL-1.0
// Every datatype through every one-sided operation and epoch.
#include <doctest/doctest.h>

#include "application.hpp"
#include "library_faults.hpp"
#include "rma_calls.hpp"
#include "rma_sweep.hpp"
#include "typed_memory.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t block = 2, transfers = 2, first = 64; // elements of a transfer; transfers; byte of the window
constexpr int there = 5;                                    // the "destination" of the numbers in a window

/// A transfer of any operation, so that epochs compile once.
class any_transfer {
public:
    template <Transfer T>
    explicit any_transfer(T made) : moved_{made.traffic()}, most_{made.capacity()} {
        auto const t = std::make_shared<T>(std::move(made));
        start_ = [t](std::size_t i) { (*t)(i); };
        reserve_ = [t](std::size_t n) { sonde::reserve(*t, n); };
        wait_ = [t] {
            if constexpr (requires { t->wait_all(); }) t->wait_all();
        };
    }
    void operator()(std::size_t i) { start_(i); }
    void wait_all() { wait_(); }
    void reserve(std::size_t n) { reserve_(n); }
    sonde::traffic traffic() const { return moved_; }
    std::size_t capacity() const { return most_; }

private:
    std::function<void(std::size_t)> start_, reserve_;
    std::function<void()> wait_;
    sonde::traffic moved_;
    std::size_t most_;
};

using own_section = one_sided::own_section;

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
    std::function<any_transfer(own_section&, mpi::peer, origin&, bool requests)> make;
};

template <class T>
any_transfer erased(T transfer, [[maybe_unused]] bool requests) {
    if constexpr (mpi::Requestable<T>)
        if (requests) return any_transfer{mpi::request_based_transfer{std::move(transfer)}};
    return any_transfer{std::move(transfer)};
}

/// The operations that MPI defines for the datatype; `op`: a reduction, or null.
std::vector<operation> operations_of(typed::datatype const& type, MPI_Op op) {
    using namespace mpi;
    auto const t = type.type.get();
    mpi::block const each{t, ::block};
    std::vector<operation> all;
    all.push_back({"put", effect::replace, false, ::block, [=](auto& w, auto to, auto& m, bool r) {
                       return erased(put{w, to, m.out.all(), each}, r);
                   }});
    all.push_back({"get", effect::keep, true, ::block, [=](auto& w, auto to, auto& m, bool r) {
                       return erased(get{w, to, m.into.all(), each}, r);
                   }});
    auto const combining = [&](MPI_Op with, effect does) {
        all.push_back({"accumulate", does, false, ::block, [=](auto& w, auto to, auto& m, bool r) {
                           return erased(accumulate{w, to, m.out.all(), each, with}, r);
                       }});
        all.push_back({"get_accumulate", does, true, ::block, [=](auto& w, auto to, auto& m, bool r) {
                           return erased(get_accumulate{w, to, m.out.all(), m.into.all(), each, with}, r);
                       }});
        if (type.letter != 'd')
            all.push_back({"fetch_and_op", does, true, 1, [=](auto& w, auto to, auto& m, bool r) {
                               return erased(fetch_and_op{w, to, m.out.all(), m.into.all(), t, with}, r);
                           }});
    };
    if (mpi::detail::basic_type(t) != MPI_DATATYPE_NULL) combining(MPI_REPLACE, effect::replace);
    if (op != MPI_OP_NULL) combining(op, effect::combine);
    if (std::string{"cflba"}.find(type.letter) != std::string::npos)
        all.push_back({"compare_and_swap", effect::swap, true, 1, [=](auto& w, auto to, auto& m, bool r) {
                           return erased(compare_and_swap{w, to, m.out.all(), m.compare.all(), m.into.all(), t}, r);
                       }});
    return all;
}

/// A rank in a relation of origins and targets, and its window.
struct rank_of_window {
    mpi::group& ranks;
    typed::memory& window;
    one_sided::seen_window& seen;
    role who;
    int target, from; // of this rank; -1 without one

    mpi::scoped_locks locked() const { return {seen, mpi::peer{ranks.rank()}, mpi::lock_type::exclusive}; }
    mpi::peers partners() const {
        std::vector<int> all;
        if (target >= 0) all.push_back(target);
        if (from >= 0 && from != target) all.push_back(from);
        return {all};
    }
};

/// Fills the memory, runs make(transfer) -> pattern and compares all bytes with those that the operation must leave.
template <class Make>
bool moves(rank_of_window& at, typed::datatype const& type, operation const& does, typed::function combine,
           bool requests, Make make) {
    auto const bytes = type.span(transfers * does.elements), n = transfers * does.elements;
    origin m{bytes, requests ? 0u : 64u};
    m.out.write(type, 0, n, at.ranks.rank(), 0);
    if (at.target >= 0) m.compare.write(type, 0, n - 1, at.target, there); // the last element differs
    {
        auto const own = at.locked();
        at.window.clear(std::byte{0x77});
        at.window.write(type, first, n, at.ranks.rank(), there);
    }
    auto right = m;
    auto left = at.window;
    if (does.fetches && at.target >= 0) right.into.write(type, 0, n, at.target, there);
    if (at.from >= 0 && does.does == effect::replace) left.write(type, first, n, at.from, 0);
    if (at.from >= 0 && does.does == effect::swap) left.write(type, first, n - 1, at.from, 0);
    if (at.from >= 0 && does.does == effect::combine) {
        auto other = left;
        other.write(type, first, n, at.from, 0);
        left.combine(type, first, n, other, combine);
    }
    at.ranks.barrier();
    {
        own_section part{at.seen, first, bytes};
        auto pattern = make(does.make(part, mpi::peer{at.target}, m, requests));
        pattern();
    }
    at.ranks.barrier();
    auto const own = at.locked();
    at.window.clear_padding(type, first, n);
    if (does.fetches && at.target >= 0) m.into.clear_padding(type, 0, n);
    return m == right && at.window == left;
}

/// f(name, rank_of_window, make(epoch, transfer) -> pattern) for each pattern that takes the epoch.
template <Epoch E>
void each_pattern(mpi::group& ranks, typed::memory& window, one_sided::seen_window& seen, auto f) {
    auto const n = ranks.size(), me = ranks.rank();
    auto const pair = sonde::pair_of(me, n / 2);
    auto const peer_if = [&](bool has) { return has && pair.role != role::idle ? pair.peer : -1; };
    f("rma_exchange", rank_of_window{ranks, window, seen, role::initiator, (me + 1) % n, (me + n - 1) % n},
      [](E epoch, any_transfer t) {
          return rma_exchange{std::move(epoch), role::initiator, transfers, t};
      });
    f("rma",
      rank_of_window{ranks, window, seen, pair.role, peer_if(pair.role == role::initiator),
                     peer_if(pair.role == role::responder)},
      [=](E epoch, any_transfer t) {
          return rma{std::move(epoch), pair.role, transfers, t};
      });
    if constexpr (!PassiveEpoch<E>)
        f("rma_ping_pong", rank_of_window{ranks, window, seen, pair.role, peer_if(true), peer_if(true)},
          [=](E epoch, any_transfer t) {
              return rma_ping_pong{std::move(epoch), pair.role, transfers, t};
          });
}

/// The reduction of a datatype of one number, or of a pair.
typed::reduction reduction_of(typed::datatype const& type) {
    return type.letter == 'd' || type.letter == 'o' ? typed::reduction{} : typed::reduction_for(type.letter);
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

/// Checks the operations of a datatype in every epoch, or in `fence` and, unless they are plain, `lock_all`.
void check_type(mpi::group& ranks, typed::memory& window, one_sided::seen_window& seen, typed::datatype const& type,
                bool all_epochs) {
    auto const how = reduction_of(type);
    auto const operations = operations_of(type, how.op);
    one_sided::each_epoch(ranks, seen, [&](std::string const& epoch, auto make_epoch) {
        if (!all_epochs && epoch != "fence" && (epoch != "lock_all" || type.is_plain())) return;
        using E = std::remove_cvref_t<decltype(make_epoch(mpi::peers{}, mpi::peers{}))>;
        each_pattern<E>(ranks, window, seen, [&](std::string const& pattern, rank_of_window at, auto make) {
            if (!all_epochs && pattern != "rma_exchange") return;
            for (auto const& one : operations)
                for (auto const requests : {false, true}) {
                    if (requests && (!all_epochs || !PassiveEpoch<E> || one.elements != block)) continue;
                    if (!works(type, one)) continue;
                    CAPTURE(type.name);
                    CAPTURE(epoch);
                    CAPTURE(pattern);
                    CAPTURE(one.name);
                    CAPTURE(requests);
                    auto const right = moves(at, type, one, how.combine, requests, [&](any_transfer t) {
                        mpi::peers const to{at.target < 0 ? std::vector<int>{} : std::vector{at.target}};
                        return make(make_epoch(to, at.partners()), std::move(t));
                    });
                    CHECK(right);
                }
        });
    });
}

} // namespace

TEST_CASE_FIXTURE(rma_calls::nothing_left,
                  "every datatype arrives by every one-sided operation, and the bytes around its numbers stay as they "
                  "are") {
    mpi::group ranks{application::comm()};
    typed::memory window{1024, std::byte{0x77}, 64};
    mpi::created_window const created{ranks, window.all()};
    one_sided::seen_window seen{created, ranks.size()};
    typed::each([&](typed::datatype const& type) {
        check_type(ranks, window, seen, type, type.name == "negative lower bound");
    });
}

TEST_CASE_FIXTURE(rma_calls::nothing_left, "a datatype that an operation does not take is refused, with the reason") {
    mpi::group ranks{application::comm()};
    mpi::allocated_window const window{ranks, 256};
    std::vector<std::byte> bytes(256);
    region const all{bytes};
    mpi::peer const to{0};
    auto const refused = [](auto make, char const* text) {
        CHECK_THROWS_WITH_AS(make(), doctest::Contains(text), std::invalid_argument);
    };
    for (auto const& type : typed::before()) {
        mpi::block const one{type.type.get(), 1};
        auto const text = "sonde::mpi: the type begins before its region";
        refused([&] { mpi::put{window, to, all, one}; }, text);
        refused([&] { mpi::get{window, to, all, one}; }, text);
        refused([&] { mpi::accumulate{window, to, all, one, MPI_REPLACE}; }, text);
        refused([&] { mpi::get_accumulate{window, to, all, all, one, MPI_REPLACE}; }, text);
    }
    for (auto const& kinds : {typed::predefined(), typed::derived(), typed::empty()})
        for (auto const& type : kinds) {
            CAPTURE(type.name);
            auto const t = type.type.get();
            if (type.letter == 'd')
                refused([&] { mpi::fetch_and_op{window, to, all, all, t, MPI_REPLACE}; }, "takes predefined types");
            if (std::string{"cflba"}.find(type.letter) == std::string::npos)
                refused([&] { mpi::compare_and_swap{window, to, all, all, all, t}; }, "compare_and_swap takes");
            if (mpi::detail::basic_type(t) == MPI_DATATYPE_NULL)
                refused([&] { mpi::accumulate{window, to, all, {t, 1}, MPI_REPLACE}; }, "of one predefined type");
        }
}
