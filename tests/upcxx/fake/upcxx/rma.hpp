// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/completion.hpp>
#include <upcxx/memory.hpp>
#include <upcxx/process.hpp>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace fake_upcxx {

template <class T>
void copy(T* to, T const* from, std::size_t n) {
    if (n != 0) std::memcpy(to, from, n * sizeof(T));
    damage(to, n);
}
inline void notify(auto const& event, auto... arguments) {
    if (event) event(arguments...);
}

/// A put reads its source in a first step, and writes the target in a second one. Without an event at the source there
/// is one step.
template <class T>
void put(T const* from, T* to, int rank, std::size_t n, events done, bool lost) {
    auto const arrive = [=](T const* data) {
        if (!lost) copy(to, data, n);
        notify(done.at_operation);
        notify(done.at_target, rank);
    };
    if (!done.at_source) return here().deferred.push_back([=] { arrive(from); });
    here().deferred.push_back([=] {
        std::vector<T> const kept(from, from + n);
        done.at_source();
        here().deferred.push_back([=] { arrive(kept.data()); });
    });
}

} // namespace fake_upcxx

namespace upcxx {

template <class T>
void rput(T const* from, global_ptr<T> to, std::size_t n, fake_upcxx::events done) {
    fake_upcxx::require(!to.is_null(), "rput to a null pointer");
    auto const lost = fake_upcxx::is_lost<T>("rput");
    fake_upcxx::put(from, to.local(), to.where(), n, std::move(done), lost);
}
template <class T>
future<> rput(T const* from, global_ptr<T> to, std::size_t n) {
    promise<> done;
    upcxx::rput(from, to, n, operation_cx::as_promise(done));
    return done.finalize();
}

template <class T>
void rget(global_ptr<T const> from, T* to, std::size_t n, fake_upcxx::events done) {
    fake_upcxx::require(!from.is_null() && !done.at_source && !done.at_target, "rget with other events");
    auto const lost = fake_upcxx::is_lost<T>("rget");
    fake_upcxx::here().deferred.push_back([=] {
        if (!lost) fake_upcxx::copy(to, from.local(), n);
        fake_upcxx::notify(done.at_operation);
    });
}
template <class T>
future<> rget(global_ptr<T const> from, T* to, std::size_t n) {
    promise<> done;
    upcxx::rget(from, to, n, operation_cx::as_promise(done));
    return done.finalize();
}

} // namespace upcxx
