// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma/operations.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

// One-sided communication calls (MPI 4.0, 12.3) as transfers. All constructors throw device_memory_unsupported for
// memory of the origin on a device whose addresses the MPI library does not take, and the errors of target_layout;
// constructors with an operation throw std::invalid_argument if MPI does not define the operation for the datatype. The
// window must outlive the transfer object. Each transfer is one MPI call for each target.

namespace sonde::inline v0_1::mpi {

namespace detail {

/// Stands for memory that a call does not take. It does not limit the number of transfers.
inline constexpr opaque_region unused{nullptr, static_cast<std::size_t>(-1), false};

/// Memory of the origin: data to send, values to compare with, and results.
struct origin_memory {
    opaque_region origin = unused;
    opaque_region compare = unused;
    opaque_region result = unused;
};

/// Base class of the transfers.
///
///     Derived::call                 the routine as a callable, which throws mpi::error
///     Derived::call_with_request    optional: its request-based form
///     Derived::pass(f, a)           f(arguments of the MPI call), from those in `a`
template <class Derived, Targets T>
class transfer {
public:
    /// The arguments of the call of transfer `i` for target `k`.
    struct arguments {
        transfer const& of;
        int rank;
        MPI_Aint displacement;
        std::size_t i;
        std::size_t k;

        std::byte* origin() const { return of.layout_.address(of.memory_.origin, i); }
        std::byte* compare() const { return of.layout_.address(of.memory_.compare, i); }
        std::byte* result() const { return of.layout_.result_address(of.memory_.result, i, k); }
        int count() const { return of.layout_.count(); }
        MPI_Datatype type() const { return of.layout_.type(); }
        MPI_Op op() const { return of.op_; }
        MPI_Win win() const { return of.layout_.win(); }
    };

    void operator()(std::size_t i) const { issue(i, Derived::call); }
    /// Calls f(arguments of the MPI call) for every target of transfer i.
    template <class F>
    void issue(std::size_t i, F f) const {
        layout_.each(i, [&](int rank, MPI_Aint displacement, std::size_t k) {
            Derived::pass(f, arguments{*this, rank, displacement, i, k});
        });
    }
    std::size_t targets() const { return layout_.targets(); }
    bool has_target() const { return !std::same_as<T, peer> || targets() != 0; }
    std::size_t capacity() const {
        return layout_.capacity_with_results(memory_.result, memory_.origin, memory_.compare);
    }
    sonde::traffic traffic() const { return layout_.traffic(); }

protected:
    transfer(target_layout<T> layout, origin_memory memory, MPI_Op op = MPI_OP_NULL)
        : layout_{std::move(layout)}, memory_{require_supported(memory.origin), require_supported(memory.compare),
                                              require_supported(memory.result)},
          op_{op} {}

private:
    target_layout<T> layout_;
    origin_memory memory_;
    MPI_Op op_;
};

} // namespace detail

/// MPI_Put: copies memory of the origin to every target.
template <Targets T = peer>
struct put : detail::transfer<put<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Put(a...), "MPI_Put"); };
    static constexpr auto call_with_request = [](auto... a) { check(MPI_Rput(a...), "MPI_Rput"); };

    put(ViewableWindow auto&& w, T const& targets, opaque_region origin, block each)
        : put::transfer{{w, targets, each}, {.origin = origin}} {}
    static void pass(auto f, auto a) {
        f(a.origin(), a.count(), a.type(), a.rank, a.displacement, a.count(), a.type(), a.win());
    }
};

/// MPI_Get: copies memory of every target to the origin.
template <Targets T = peer>
struct get : detail::transfer<get<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Get(a...), "MPI_Get"); };
    static constexpr auto call_with_request = [](auto... a) { check(MPI_Rget(a...), "MPI_Rget"); };

    get(ViewableWindow auto&& w, T const& targets, opaque_region result, block each)
        : get::transfer{{w, targets, each}, {.result = result}} {}
    static void pass(auto f, auto a) {
        f(a.result(), a.count(), a.type(), a.rank, a.displacement, a.count(), a.type(), a.win());
    }
};

/// MPI_Accumulate: combines memory of the origin into the memory of every target. Throws std::invalid_argument for
/// MPI_NO_OP.
template <Targets T = peer>
struct accumulate : detail::transfer<accumulate<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Accumulate(a...), "MPI_Accumulate"); };
    static constexpr auto call_with_request = [](auto... a) { check(MPI_Raccumulate(a...), "MPI_Raccumulate"); };

    accumulate(ViewableWindow auto&& w, T const& targets, opaque_region origin, block each, MPI_Op op)
        : accumulate::transfer{{w, targets, each}, {.origin = origin}, detail::require_accumulate_op(op, each.type)} {}
    static void pass(auto f, auto a) {
        f(a.origin(), a.count(), a.type(), a.rank, a.displacement, a.count(), a.type(), a.op(), a.win());
    }
};

/// MPI_Get_accumulate: combines memory of the origin into the memory of every target, and returns the previous values
/// of the target.
template <Targets T = peer>
struct get_accumulate : detail::transfer<get_accumulate<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Get_accumulate(a...), "MPI_Get_accumulate"); };
    static constexpr auto call_with_request = [](auto... a) {
        check(MPI_Rget_accumulate(a...), "MPI_Rget_accumulate");
    };

    get_accumulate(ViewableWindow auto&& w, T const& targets, opaque_region origin, opaque_region result, block each,
                   MPI_Op op)
        : get_accumulate::transfer{
              {w, targets, each}, {.origin = origin, .result = result}, detail::require_fetch_op(op, each.type)} {}
    static void pass(auto f, auto a) {
        f(a.origin(), a.count(), a.type(), a.result(), a.count(), a.type(), a.rank, a.displacement, a.count(), a.type(),
          a.op(), a.win());
    }
};

/// MPI_Fetch_and_op: combines one element of the origin into one element of every target, and returns the previous
/// value of the target. Throws std::invalid_argument for a derived datatype.
template <Targets T = peer>
struct fetch_and_op : detail::transfer<fetch_and_op<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Fetch_and_op(a...), "MPI_Fetch_and_op"); };

    fetch_and_op(ViewableWindow auto&& w, T const& targets, opaque_region origin, opaque_region result,
                 MPI_Datatype type, MPI_Op op)
        : fetch_and_op::transfer{{w, targets, {type, 1}},
                                 {.origin = origin, .result = result},
                                 detail::require_single_fetch_op(op, type)} {}
    static void pass(auto f, auto a) { f(a.origin(), a.result(), a.type(), a.rank, a.displacement, a.op(), a.win()); }
};

/// MPI_Compare_and_swap: replaces one element of every target if it equals a compare value, and returns its previous
/// value. Throws std::invalid_argument for a datatype other than integers, logicals and bytes.
template <Targets T = peer>
struct compare_and_swap : detail::transfer<compare_and_swap<T>, T> {
    static constexpr auto call = [](auto... a) { check(MPI_Compare_and_swap(a...), "MPI_Compare_and_swap"); };

    compare_and_swap(ViewableWindow auto&& w, T const& targets, opaque_region origin, opaque_region compare,
                     opaque_region result, MPI_Datatype type)
        : compare_and_swap::transfer{{w, targets, {type, 1}}, {origin, compare, result}} {
        detail::require_comparable(type);
    }
    static void pass(auto f, auto a) {
        f(a.origin(), a.compare(), a.result(), a.type(), a.rank, a.displacement, a.win());
    }
};

/// A transfer that has a request-based form in MPI.
template <class O>
concept Requestable = requires { O::call_with_request; };

/// A transfer by request-based calls (MPI_Rput, MPI_Rget, MPI_Raccumulate, MPI_Rget_accumulate). All requests complete
/// before the epoch closes. MPI allows these calls for passive targets only.
template <Requestable O>
class request_based_transfer {
public:
    static constexpr bool passive_only = true;

    explicit request_based_transfer(O transfer) : transfer_{std::move(transfer)} {}

    void reserve(std::size_t n) { requests_.reserve(n * transfer_.targets()); }
    void operator()(std::size_t i) {
        transfer_.issue(i, [this](auto... arguments) { O::call_with_request(arguments..., requests_.add()); });
    }
    void wait_all() { requests_.wait(); }
    std::size_t capacity() const { return transfer_.capacity(); }
    sonde::traffic traffic() const { return transfer_.traffic(); }
    bool has_target() const { return transfer_.has_target(); }

private:
    O transfer_;
    requests<active_request_policy::wait> requests_;
};

} // namespace sonde::mpi
