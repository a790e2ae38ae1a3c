// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/atomics.hpp>
#include <sonde/error.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/upcxx/memory.hpp>
#include <sonde/upcxx/transfers.hpp>

#include <upcxx/upcxx.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
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

using atomics = sonde::detail::atomic_operation;
using sonde::detail::atomic_call;

// The functions of a domain.
inline auto call(atomic_call<atomics::set>, auto& domain, auto... a) { return domain.store(a...); }
inline auto call(atomic_call<atomics::add>, auto& domain, auto... a) { return domain.add(a...); }
inline auto call(atomic_call<atomics::inc>, auto& domain, auto... a) { return domain.inc(a...); }
inline auto call(atomic_call<atomics::fetch>, auto& domain, auto... a) { return domain.load(a...); }
inline auto call(atomic_call<atomics::fetch_add>, auto& domain, auto... a) { return domain.fetch_add(a...); }
inline auto call(atomic_call<atomics::fetch_inc>, auto& domain, auto... a) { return domain.fetch_inc(a...); }
inline auto call(atomic_call<atomics::compare_swap>, auto& domain, auto... a) { return domain.compare_exchange(a...); }

/// Elements of a global region.
template <class T, AtomicCompletion E>
struct global_elements {
    using element = T;
    using context_type = typename E::context_type;

    global_elements(atomic_domain<T>& in, global_region target, E how)
        : domain{&in.get()}, first{::upcxx::reinterpret_pointer_cast<T>(target.data)},
          count{target.data.is_null() ? 0 : target.size / sizeof(T)}, completion{how} {}
    auto call(auto op, std::size_t i, auto... operands) const {
        auto const at = first + static_cast<std::ptrdiff_t>(i);
        constexpr auto relaxed = std::memory_order_relaxed;
        if constexpr (std::same_as<E, each_operation>)
            return detail::call(op, *domain, at, operands..., relaxed).wait();
        else return detail::call(op, *domain, at, operands..., relaxed, completion.events());
    }

    ::upcxx::atomic_domain<T>* domain;
    ::upcxx::global_ptr<T> first;
    std::size_t count;
    [[no_unique_address]] E completion;
};

template <atomics op, class T, class E, class... Operands>
using updating = sonde::detail::atomic_transfer<op, global_elements<T, E>, Operands...>;
template <atomics op, class T, class... Operands>
using fetching = sonde::detail::fetching_transfer<op, global_elements<T, each_operation>, Operands...>;

} // namespace detail

/// Replaces the element by `value`.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct store : detail::updating<detail::atomics::set, T, E, T> {
    store(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value, E completion = {})
        : store::atomic_transfer{{in, target, completion}, value} {}
};

/// Adds `value`.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct add : detail::updating<detail::atomics::add, T, E, T> {
    add(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value, E completion = {})
        : add::atomic_transfer{{in, target, completion}, value} {}
};

/// Adds 1.
template <AtomicElement T, detail::AtomicCompletion E = each_operation>
struct inc : detail::updating<detail::atomics::inc, T, E> {
    inc(atomic_domain<T>& in, global_region target, E completion = {})
        : inc::atomic_transfer{{in, target, completion}} {}
};

/// Returns the element.
template <AtomicElement T>
struct load : detail::fetching<detail::atomics::fetch, T> {
    load(atomic_domain<T>& in, global_region target, std::type_identity_t<std::span<T>> results)
        : load::fetching_transfer{{in, target, {}}, results} {}
};

/// Adds `value`, returns the previous value.
template <AtomicElement T>
struct fetch_add : detail::fetching<detail::atomics::fetch_add, T, T> {
    fetch_add(atomic_domain<T>& in, global_region target, std::type_identity_t<T> value,
              std::type_identity_t<std::span<T>> results)
        : fetch_add::fetching_transfer{{in, target, {}}, value, results} {}
};

/// Adds 1, returns the previous value.
template <AtomicElement T>
struct fetch_inc : detail::fetching<detail::atomics::fetch_inc, T> {
    fetch_inc(atomic_domain<T>& in, global_region target, std::type_identity_t<std::span<T>> results)
        : fetch_inc::fetching_transfer{{in, target, {}}, results} {}
};

/// Replaces the element by `value` if it equals `compare`, returns the previous value. The operands have the order of
/// UPC++'s call: `compare_exchange{domain, target, compare, value, results}`.
template <AtomicElement T>
struct compare_exchange : detail::fetching<detail::atomics::compare_swap, T, T, T> {
    compare_exchange(atomic_domain<T>& in, global_region target, std::type_identity_t<T> compare,
                     std::type_identity_t<T> value, std::type_identity_t<std::span<T>> results)
        : compare_exchange::fetching_transfer{{in, target, {}}, compare, value, results} {}
};

} // namespace sonde::upcxx
