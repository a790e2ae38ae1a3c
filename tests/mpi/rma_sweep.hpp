// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "application.hpp"
#include "rma_made.hpp"
#include "rma_outside.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Every epoch and every type of window, and one type for all windows and transfers, so that code over them compiles
/// once.
namespace one_sided {

/// A window with only its concept's members.
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

private:
    MPI_Win handle_;
    sonde::region region_;
    std::vector<MPI_Aint> bases_;
    std::vector<std::size_t> sizes_;
};
using own_section = sonde::mpi::section<seen_window>;

/// A transfer of any operation.
class any_transfer {
public:
    template <sonde::Transfer T>
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

inline void say_skipped(std::string const& type, std::string const& reason) {
    MESSAGE("no window that is " << type << ": " << reason);
}

/// f(group, window, type) with every type of window of `bytes` bytes on each rank; returns the unsupported types with
/// their reasons.
template <class F>
std::map<std::string, std::string> on_each_window(std::size_t bytes, F f) {
    sonde::mpi::group ranks{application::comm()};
    std::vector<std::byte> memory(bytes);
    std::set<std::string> tried;
    std::map<std::string, std::string> skipped;
    each_window(ranks, memory, [&](std::string const type, auto make) {
        CAPTURE(type);
        auto const window = made(type, make, [&](std::string const& which, std::string const& reason) {
            skipped[which] = reason;
            say_skipped(which, reason);
        });
        if (window == nullptr) return;
        f(ranks, seen_window{*window, ranks.size()}, type);
        tried.insert(type);
    });
    CHECK(tried.count("created") == 1);
    CHECK(tried.count("allocated") == 1);
    return skipped;
}

} // namespace one_sided
