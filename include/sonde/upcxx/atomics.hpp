// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/upcxx/completions.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Atomic operations of UPC++ (1.0, chapter 13) as transfers. Transfer i operates, in relaxed memory order, on element i
// of the elements in a global region, which is aligned for them. A fetching operation stores the returned value as
// element i of `results`; it waits for the value. The other operations complete as their epoch says.

namespace sonde::inline v0_1::upcxx {

/// Element type of atomic operations: an integer of 4 or 8 bytes, float or double.
template <class T>
concept AtomicElement =
    (std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8)) || std::same_as<T, float> || std::same_as<T, double>;

/// An atomic domain (upcxx::atomic_domain): the operations on elements of type T of a group's memory that may run at
/// the same time. Constructor and destructor are collective over the group.
template <AtomicElement T>
class [[nodiscard]] atomic_domain {
public:
    atomic_domain(group_ref ranks, std::vector<::upcxx::atomic_op> const& operations)
        : domain_{operations, ranks.get().team()} {}
    atomic_domain(atomic_domain const&) = delete;
    atomic_domain& operator=(atomic_domain const&) = delete;
    ~atomic_domain() {
        if (!unwinding_.is_unwinding()) domain_.destroy();
    }
    /// The domain, for UPC++ calls.
    ::upcxx::atomic_domain<T>& get() { return domain_; }

private:
    ::upcxx::atomic_domain<T> domain_;
    sonde::detail::exception_checker unwinding_;
};

namespace detail {

/// Completion of an atomic operation that returns no value.
template <class E>
concept AtomicCompletion = std::same_as<E, each_operation> || std::same_as<E, operation>;

inline constexpr auto relaxed = std::memory_order_relaxed;

/// Base class of the atomic operations with N operands.
template <class T, std::size_t N, AtomicCompletion E>
class atomic {
public:
    using context_type = typename E::context_type;

    std::size_t capacity() const { return capacity_; }
    sonde::traffic traffic() const { return {sizeof(T), 1, 1}; }

protected:
    atomic(atomic_domain<T>& in, global_region target, std::array<T, N> operands, std::size_t capacity, E completion)
        : domain_{&in.get()}, target_{::upcxx::reinterpret_pointer_cast<T>(target.data)}, operands_{operands},
          capacity_{target.data.is_null() ? 0 : std::min(capacity, target.size / sizeof(T))}, completion_{completion} {}

    auto element(std::size_t i) const { return target_ + static_cast<std::ptrdiff_t>(i); }
    /// Makes a call that returns no value.
    void complete(auto call) const {
        if constexpr (std::same_as<E, each_operation>) call().wait();
        else call(completion_.events());
    }

    ::upcxx::atomic_domain<T>* domain_;
    ::upcxx::global_ptr<T> target_;
    [[no_unique_address]] std::array<T, N> operands_;
    std::size_t capacity_;
    [[no_unique_address]] E completion_;
};

inline constexpr auto unlimited = static_cast<std::size_t>(-1);

/// Base class of the operations that return a value.
template <class T, std::size_t N>
class fetching_atomic : public atomic<T, N, each_operation> {
protected:
    fetching_atomic(atomic_domain<T>& in, global_region target, std::array<T, N> operands, std::span<T> results)
        : fetching_atomic::atomic{in, target, operands, results.size(), {}}, results_{results.data()} {}

    T* results_;
};

} // namespace detail

/// Replaces the element by `value`.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct store : detail::atomic<T, 1, E> {
    store(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value, E completion = {})
        : store::atomic{in, target, {value}, detail::unlimited, completion} {}
    void operator()(std::size_t i) const {
        this->complete([&](auto... events) {
            return this->domain_->store(this->element(i), this->operands_[0], detail::relaxed, events...);
        });
    }
};

/// Adds `value`.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct add : detail::atomic<T, 1, E> {
    add(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value, E completion = {})
        : add::atomic{in, target, {value}, detail::unlimited, completion} {}
    void operator()(std::size_t i) const {
        this->complete([&](auto... events) {
            return this->domain_->add(this->element(i), this->operands_[0], detail::relaxed, events...);
        });
    }
};

/// Adds 1.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct inc : detail::atomic<T, 0, E> {
    inc(atomic_domain<T>& in, global_region target, E completion = {})
        : inc::atomic{in, target, {}, detail::unlimited, completion} {}
    void operator()(std::size_t i) const {
        this->complete(
            [&](auto... events) { return this->domain_->inc(this->element(i), detail::relaxed, events...); });
    }
};

/// Returns the element.
template <AtomicElement T>
struct load : detail::fetching_atomic<T, 0> {
    load(atomic_domain<T>& in, global_region target, std::type_identity_t<std::span<T>> results)
        : load::fetching_atomic{in, target, {}, results} {}
    void operator()(std::size_t i) const {
        this->results_[i] = this->domain_->load(this->element(i), detail::relaxed).wait();
    }
};

/// Adds `value`, returns the previous value.
template <AtomicElement T>
struct fetch_add : detail::fetching_atomic<T, 1> {
    fetch_add(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value,
              std::type_identity_t<std::span<T>> results)
        : fetch_add::fetching_atomic{in, target, {value}, results} {}
    void operator()(std::size_t i) const {
        this->results_[i] = this->domain_->fetch_add(this->element(i), this->operands_[0], detail::relaxed).wait();
    }
};

/// Adds 1, returns the previous value.
template <AtomicElement T>
struct fetch_inc : detail::fetching_atomic<T, 0> {
    fetch_inc(atomic_domain<T>& in, global_region target, std::type_identity_t<std::span<T>> results)
        : fetch_inc::fetching_atomic{in, target, {}, results} {}
    void operator()(std::size_t i) const {
        this->results_[i] = this->domain_->fetch_inc(this->element(i), detail::relaxed).wait();
    }
};

/// Replaces the element by `value` if it equals `compare`, returns the previous value. The order of the arguments is
/// MPI_Compare_and_swap's, for all libraries; UPC++'s call has the expected value first.
template <AtomicElement T>
struct compare_exchange : detail::fetching_atomic<T, 2> {
    compare_exchange(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value,
                     std::type_identity_t<T> compare, std::type_identity_t<std::span<T>> results)
        : compare_exchange::fetching_atomic{in, target, {compare, value}, results} {}
    void operator()(std::size_t i) const {
        auto const [expected, desired] = this->operands_;
        this->results_[i] =
            this->domain_->compare_exchange(this->element(i), expected, desired, detail::relaxed).wait();
    }
};

} // namespace sonde::upcxx
