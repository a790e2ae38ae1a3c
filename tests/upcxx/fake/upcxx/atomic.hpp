// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/collective.hpp>
#include <upcxx/completion.hpp>
#include <upcxx/memory.hpp>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace upcxx {

enum class atomic_op : int { load, store, add, inc, fetch_add, fetch_inc, compare_exchange };

template <class T>
class atomic_domain {
public:
    explicit atomic_domain(std::vector<atomic_op> operations, team const& members = world())
        : operations_{std::move(operations)}, members_{&members} {
        barrier(members);
    }
    atomic_domain(atomic_domain const&) = delete;
    atomic_domain& operator=(atomic_domain const&) = delete;
    ~atomic_domain() { fake_upcxx::require(members_ == nullptr, "an atomic domain that is not destroyed"); }
    void destroy() { barrier(*std::exchange(members_, nullptr)); }

    future<T> load(global_ptr<T const> p, std::memory_order order) const {
        return value(atomic_op::load, [=] { return element(p).load(of_load(order)); });
    }
    future<> store(global_ptr<T> p, T v, std::memory_order order) const {
        return nothing([&](auto e) { store(p, v, order, e); });
    }
    void store(global_ptr<T> p, T v, std::memory_order, fake_upcxx::events e) const {
        change(atomic_op::store, e, [=] { element(p).store(v); });
    }
    future<> add(global_ptr<T> p, T v, std::memory_order order) const {
        return nothing([&](auto e) { add(p, v, order, e); });
    }
    void add(global_ptr<T> p, T v, std::memory_order, fake_upcxx::events e) const {
        change(atomic_op::add, e, [=] { element(p).fetch_add(v); });
    }
    future<> inc(global_ptr<T> p, std::memory_order order) const {
        return nothing([&](auto e) { inc(p, order, e); });
    }
    void inc(global_ptr<T> p, std::memory_order, fake_upcxx::events e) const {
        change(atomic_op::inc, e, [=] { element(p).fetch_add(T{1}); });
    }
    future<T> fetch_add(global_ptr<T> p, T v, std::memory_order) const {
        return value(atomic_op::fetch_add, [=] { return element(p).fetch_add(v); });
    }
    future<T> fetch_inc(global_ptr<T> p, std::memory_order) const {
        return value(atomic_op::fetch_inc, [=] { return element(p).fetch_add(T{1}); });
    }
    future<T> compare_exchange(global_ptr<T> p, T expected, T desired, std::memory_order) const {
        return value(atomic_op::compare_exchange, [=] {
            auto found = expected;
            element(p).compare_exchange_strong(found, desired);
            return found;
        });
    }

private:
    static std::atomic_ref<T> element(global_ptr<T const> p) { return std::atomic_ref<T>{*const_cast<T*>(p.local())}; }
    static std::memory_order of_load(std::memory_order order) {
        return order == std::memory_order_relaxed ? order : std::memory_order_acquire;
    }
    void require(atomic_op one) const {
        fake_upcxx::require(members_ != nullptr &&
                                std::find(operations_.begin(), operations_.end(), one) != operations_.end(),
                            "an atomic operation that its domain does not have");
    }
    /// Operations are under way until progress is made.
    void change(atomic_op one, fake_upcxx::events const& e, auto operate) const {
        require(one);
        auto const lost = fake_upcxx::is_lost<T>("atomic");
        fake_upcxx::here().deferred.push_back([=] {
            if (!lost) operate();
            if (e.at_operation) e.at_operation();
        });
    }
    static future<> nothing(auto call) {
        promise<> done;
        call(operation_cx::as_promise(done));
        return done.finalize();
    }
    future<T> value(atomic_op one, auto operate) const {
        require(one);
        auto const found = std::make_shared<typename future<T>::state>();
        auto const lost = fake_upcxx::is_lost<T>("atomic");
        fake_upcxx::here().deferred.push_back([=] {
            if (!lost) found->value = {operate()};
            found->is_ready = true;
        });
        return future<T>{found};
    }

    std::vector<atomic_op> operations_;
    team const* members_;
};

} // namespace upcxx
