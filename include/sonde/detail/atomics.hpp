// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <span>
#include <tuple>

// Atomic operations as transfers, for OpenSHMEM and UPC++. A library adds the elements that it can reach and its calls:
//
//     Elements::element, Elements::context_type   types of an element and of the epoch's context
//     elements.count                              number of elements; 0 for an idle rank
//     elements.call(operation, i, operands...)    the call for element i, which returns the previous value or nothing

namespace sonde::inline v0_1::detail {

/// UPC++ calls `set` store, `fetch` load and `compare_swap` compare_exchange.
enum class atomic_operation : unsigned char { add, inc, set, fetch, fetch_add, fetch_inc, swap, compare_swap };

template <atomic_operation>
struct atomic_call {};

/// An operation that returns no value.
template <atomic_operation operation, class Elements, class... Operands>
class atomic_transfer {
public:
    using context_type = typename Elements::context_type;

    void operator()(std::size_t i) const { call(i); }
    std::size_t capacity() const { return elements_.count; }
    sonde::traffic traffic() const { return {sizeof(typename Elements::element), 1, 1}; }

protected:
    atomic_transfer(Elements elements, Operands... operands) : elements_{elements}, operands_{operands...} {}

    auto call(std::size_t i) const {
        return std::apply([&](auto... o) { return elements_.call(atomic_call<operation>{}, i, o...); }, operands_);
    }

    Elements elements_;
    [[no_unique_address]] std::tuple<Operands...> operands_;
};

/// An operation whose value is stored as an element of `results`.
template <atomic_operation operation, class Elements, class... Operands>
class fetching_transfer : public atomic_transfer<operation, Elements, Operands...> {
public:
    void operator()(std::size_t i) const { results_[i] = this->call(i); }

protected:
    fetching_transfer(Elements elements, Operands... operands, std::span<typename Elements::element> results)
        : fetching_transfer::atomic_transfer{elements, operands...}, results_{results.data()} {
        if (results.size() < this->elements_.count) this->elements_.count = results.size();
    }

private:
    typename Elements::element* results_;
};

} // namespace sonde::detail
