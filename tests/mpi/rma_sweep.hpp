// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rma_outside.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Epochs and operations on numbers that encode rank and place, and their expected results.
namespace one_sided {

using number = std::int32_t;
constexpr std::size_t block = 3;          // numbers of a transfer, of operations on several
constexpr std::size_t most = 3;           // transfers in an epoch
constexpr std::size_t own = block * most; // numbers of an origin's own section in each window
constexpr number untouched = -1;

/// Contents of a window and of an origin's memory, such that a sum identifies its terms.
inline number in_window(int rank, std::size_t place) { return 1'000'000 * (rank + 1) + 7 * static_cast<number>(place); }
inline number sent(int origin, std::size_t i) { return 1'000 * (origin + 1) + 13 * static_cast<number>(i) + 1; }
inline std::size_t place_of(int origin, std::size_t i) { return own * static_cast<std::size_t>(origin) + i; }

/// A window with only its concept's members, so that code over windows compiles once for all types.
class seen_window {
public:
    template <sonde::mpi::Window W>
    seen_window(W const& w, int ranks) : handle_{w.handle()}, region_{w.region()} {
        for (int r = 0; r != ranks; ++r) {
            bases_.push_back(w.base(r));
            sizes_.push_back(w.size(r));
        }
    }
    MPI_Win handle() const { return handle_; }
    sonde::region region() const { return region_; }
    MPI_Aint base(int rank) const { return bases_[static_cast<std::size_t>(rank)]; }
    std::size_t size(int rank) const { return sizes_[static_cast<std::size_t>(rank)]; }
    std::span<number> numbers() const {
        return {reinterpret_cast<number*>(region_.data()), region_.size() / sizeof(number)};
    }

private:
    MPI_Win handle_;
    sonde::region region_;
    std::vector<MPI_Aint> bases_;
    std::vector<std::size_t> sizes_;
};
using own_section = sonde::mpi::section<seen_window>;

/// Accessed ranks, by rank.
using relation = std::vector<std::vector<int>>;

struct memory {
    std::vector<number> from = std::vector<number>(own);
    std::vector<number> expected = std::vector<number>(own);
    std::vector<number> into{};
    sonde::region sends() { return std::as_writable_bytes(std::span{from}); }
    sonde::region compares() { return std::as_writable_bytes(std::span{expected}); }
    sonde::region receives() { return std::as_writable_bytes(std::span{into}); }
};

/// An operation's effect on each number at a target, and whether it fetches the old one.
struct effect {
    std::size_t numbers; // of a transfer
    number (*changed)(number there, number from, number expected);
    bool fetches;
};
inline number kept(number there, number, number) { return there; }
inline number replaced(number, number from, number) { return from; }
inline number added(number there, number from, number) { return there + from; }
inline number swapped(number there, number from, number expected) { return there == expected ? from : there; }

/// Every operation on every rank's own section: f(name, effect, make) with make(section, targets, memory) -> operation.
template <sonde::mpi::Targets T, class F>
void each_operation(F f) {
    using namespace sonde::mpi;
    sonde::mpi::block const several{MPI_INT32_T, one_sided::block};
    auto const op = [&](char const* name, effect does, auto make) {
        using made = decltype(make(std::declval<own_section&>(), std::declval<T>(), std::declval<memory&>()));
        f(name, does, std::function<made(own_section&, T, memory&)>{make});
        if constexpr (Requestable<made>) {
            auto const make_requested = [make](auto& w, T t, auto& m) { return request_based_transfer{make(w, t, m)}; };
            f((std::string{name} + " with a request").c_str(), does,
              std::function<request_based_transfer<made>(own_section&, T, memory&)>{make_requested});
        }
    };
    op("put", {one_sided::block, replaced, false}, [=](auto& w, T t, auto& m) {
        return put{w, t, m.sends(), several};
    });
    op("get", {one_sided::block, kept, true}, [=](auto& w, T t, auto& m) { return get{w, t, m.receives(), several}; });
    op("accumulate", {one_sided::block, added, false}, [=](auto& w, T t, auto& m) {
        return accumulate{w, t, m.sends(), several, MPI_SUM};
    });
    op("get_accumulate", {one_sided::block, added, true},
       [=](auto& w, T t, auto& m) { return get_accumulate{w, t, m.sends(), m.receives(), several, MPI_SUM}; });
    op("fetch_and_op", {1, added, true},
       [](auto& w, T t, auto& m) { return fetch_and_op{w, t, m.sends(), m.receives(), MPI_INT32_T, MPI_SUM}; });
    op("compare_and_swap", {1, swapped, true}, [](auto& w, T t, auto& m) {
        return compare_and_swap{w, t, m.sends(), m.compares(), m.receives(), MPI_INT32_T};
    });
    op("get_no_op", {one_sided::block, kept, true}, [=](auto& w, T t, auto& m) {
        return outside::get_no_op<T>{w, t, m.receives(), several};
    });
}

/// Every epoch: f(name, make) with make(targets, partners) -> epoch, partners being targets and origins.
template <class F>
void each_epoch(sonde::mpi::group& ranks, seen_window const& w, F f) {
    using namespace sonde::mpi;
    auto const epoch = [&](char const* name, auto make) {
        using made = decltype(make(peers{}, peers{}));
        f(name, std::function<made(peers, peers)>{make});
    };
    epoch("fence", [&](auto, auto) { return fence{w}; });
    epoch("pscw", [&](auto, auto partners) { return pscw{w, partners}; });
    epoch("lock shared", [&](auto targets, auto) { return lock{w, targets}; });
    epoch("lock exclusive", [&](auto targets, auto) { return lock{w, targets, lock_type::exclusive}; });
    epoch("lock_all", [&](auto, auto) { return lock_all{w}; });
    epoch("flush", [&](auto targets, auto) { return flush{w, targets}; });
    epoch("flush_local", [&](auto targets, auto) { return flush_local{w, targets}; });
    epoch("flush_all", [&](auto, auto) { return flush_all{w}; });
    epoch("flush_local_all", [&](auto, auto) { return flush_local_all{w}; });
    epoch("one_fence", [&](auto, auto) { return outside::one_fence{w}; });
    epoch("flush_and_barrier", [&](auto, auto) { return outside::flush_and_barrier{ranks, w}; });
    epoch("post_start", [&](auto, auto partners) { return outside::post_start{w, partners.ranks}; });
}

/// Every type of window of the size of `memory`, over it or allocated: f(name, make) with make() -> a window.
template <class F>
void each_window(sonde::mpi::group& ranks, sonde::region memory, F f) {
    using namespace sonde::mpi;
    f("created", [&] { return created_window{ranks, memory}; });
    f("allocated", [&] { return allocated_window{ranks, memory.size()}; });
    f("shared", [&] { return shared_window{ranks, memory.size()}; });
    f("dynamic", [&] { return dynamic_window{ranks, memory}; });
    f("headed", [&] { return outside::headed_window{ranks, memory.size()}; });
}

} // namespace one_sided
