// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rma_outside.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <functional>
#include <memory>
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

} // namespace one_sided
