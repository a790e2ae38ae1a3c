// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/mpi/type_contents.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// One-sided communication calls (MPI 4.0, 12.3) as transfers. All constructors throw device_memory_unsupported for
// memory of the origin on a device whose addresses the MPI library does not take, and the errors of target_layout;
// constructors with an operation throw std::invalid_argument if MPI does not define the operation for the datatype. The
// window must outlive the transfer object. Each transfer is one MPI call for each target.

// A checked call of a function of MPI; with `is_large` of its form with large counts, which MPI 4.0 has.
#if MPI_VERSION >= 4
#define SONDE_MPI_CALL(function)                                                                                       \
    [](bool is_large, auto... a) {                                                                                     \
        if (is_large) [[unlikely]]                                                                                     \
            check(function##_c(a...), #function "_c");                                                                 \
        else check(function(a...), #function);                                                                         \
    }
#else
#define SONDE_MPI_CALL(function) [](bool, auto... a) { check(function(a...), #function); }
#endif

namespace sonde::inline v0_1::mpi {

namespace detail {

// Reduction operations of one-sided communication. MPI allows predefined operations only (MPI 3.1, 11.3.4), each with
// the classes of predefined datatypes for which it is defined (5.9.2, 5.9.4). Not all libraries check this: MPICH 4.0.2
// hangs in MPI_BAND of floating-point numbers.

template <class X, class... All>
bool is_among(X x, All... all) {
    return ((x == all) || ...);
}

/// The one predefined datatype of all elements of a datatype; MPI_DATATYPE_NULL if there are several.
inline MPI_Datatype basic_type(MPI_Datatype type) {
    type_envelope const e{type};
    if (!e.is_derived()) return type;
    auto const parts = e.contents(type).types;
    std::vector<datatype_part> owned(parts.size()); // derived datatypes of the contents are the caller's
    for (std::size_t i = 0; i != parts.size(); ++i)
        if (type_envelope{parts[i]}.is_derived()) *owned[i].address() = parts[i];
    auto found = parts.empty() ? MPI_DATATYPE_NULL : basic_type(parts.front());
    for (auto const part : parts)
        if (basic_type(part) != found) found = MPI_DATATYPE_NULL;
    return found;
}

inline std::string name_of(MPI_Datatype type) {
    return text_from<MPI_MAX_OBJECT_NAME>(MPI_Type_get_name, "MPI_Type_get_name", type);
}

/// MPI's classes of predefined datatypes (MPI 3.1, 5.9.2 and 5.9.4). `multi_language` is the class of MPI_AINT,
/// MPI_OFFSET and MPI_COUNT; no reduction operation is defined for `other`.
enum class type_class { c_integer, fortran_integer, floating, logical, complex, byte, multi_language, pair, other };

/// The class by the name of the datatype, because Fortran datatypes of a given length are optional, and the macros of
/// SimGrid's SMPI 3.32 for the complex datatypes of C++ do not compile.
inline type_class class_by_name(MPI_Datatype type) {
    using enum type_class;
    auto const combiner = type_envelope{type}.combiner;
    if (combiner == MPI_COMBINER_F90_INTEGER) return fortran_integer;
    if (combiner == MPI_COMBINER_F90_REAL) return floating;
    if (combiner == MPI_COMBINER_F90_COMPLEX) return complex;
    auto const name = name_of(type);
    if (name.starts_with("MPI_INTEGER")) return fortran_integer;
    if (name.starts_with("MPI_REAL") || name == "MPI_DOUBLE_PRECISION") return floating;
    if (name.starts_with("MPI_COMPLEX") || name == "MPI_DOUBLE_COMPLEX") return complex;
    if (name.starts_with("MPI_CXX_") && name.ends_with("_COMPLEX")) return complex;
    return name.starts_with("MPI_LOGICAL") ? logical : other;
}

/// The class of a predefined datatype. Where the MPI library lacks one of the datatypes below, its headers define it as
/// MPI_DATATYPE_NULL.
inline type_class class_of(MPI_Datatype t) {
    using enum type_class;
    // In MPI, MPI_CHAR is a character. MPI libraries treat it as an integer, as C does, and OMB does arithmetic with
    // it.
    if (is_among(t, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED,
                 MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
                 MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T))
        return c_integer;
    if (is_among(t, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE)) return floating;
    if (is_among(t, MPI_C_BOOL, MPI_CXX_BOOL)) return logical;
    if (is_among(t, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX)) return complex;
    if (t == MPI_BYTE) return byte;
    if (is_among(t, MPI_AINT, MPI_OFFSET, MPI_COUNT)) return multi_language;
    if (is_among(t, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                 MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER))
        return pair;
    return class_by_name(t);
}

/// True if MPI defines the operation for a class of datatypes; false for every user-defined operation.
inline bool is_defined(MPI_Op op, type_class of) {
    using enum type_class;
    if (is_among(op, MPI_REPLACE, MPI_NO_OP)) return true;
    if (is_among(op, MPI_MAX, MPI_MIN)) return is_among(of, c_integer, fortran_integer, floating, multi_language);
    if (is_among(op, MPI_SUM, MPI_PROD))
        return is_among(of, c_integer, fortran_integer, floating, complex, multi_language);
    if (is_among(op, MPI_LAND, MPI_LOR, MPI_LXOR)) return is_among(of, c_integer, logical);
    if (is_among(op, MPI_BAND, MPI_BOR, MPI_BXOR))
        return is_among(of, c_integer, fortran_integer, byte, multi_language);
    return is_among(op, MPI_MINLOC, MPI_MAXLOC) && of == pair;
}

/// Returns the operation of a call that fetches. Throws std::invalid_argument for an operation that MPI does not define
/// for the datatype (every user-defined operation), and for a datatype made of several predefined datatypes.
inline MPI_Op require_fetch_op(MPI_Op op, MPI_Datatype type) {
    auto const basic = basic_type(type);
    if (basic == MPI_DATATYPE_NULL)
        throw std::invalid_argument{"sonde::mpi: one-sided operations combine elements of one predefined type"};
    if (!is_defined(require_op(op), class_of(basic)))
        throw std::invalid_argument{"sonde::mpi: MPI does not define the operation for " + name_of(basic)};
    return op;
}

/// The same for a call that fetches one element, which is of a predefined datatype.
inline MPI_Op require_single_fetch_op(MPI_Op op, MPI_Datatype type) {
    if (type_envelope{type}.is_derived())
        throw std::invalid_argument{"sonde::mpi: fetch_and_op takes predefined types, not derived ones"};
    return require_fetch_op(op, type);
}

/// The same for a call that fetches nothing: MPI_NO_OP would then have no effect at all.
inline MPI_Op require_accumulate_op(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_NO_OP) throw std::invalid_argument{"sonde::mpi: MPI_NO_OP is for operations that fetch"};
    return require_fetch_op(op, type);
}

/// Throws std::invalid_argument for a datatype that MPI_Compare_and_swap does not take (MPI 3.1, 11.3.4). MPI libraries
/// accept some of these.
inline void require_comparable(MPI_Datatype type) {
    using enum type_class;
    if (type_envelope{type}.is_derived() ||
        !is_among(class_of(type), c_integer, fortran_integer, logical, byte, multi_language))
        throw std::invalid_argument{"sonde::mpi: compare_and_swap takes predefined integer, logical and byte types"};
}

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
///     Derived::call(is_large, arguments...)                 the routine, which throws mpi::error
///     Derived::call_with_request(is_large, arguments...)    optional: its request-based form
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
        count_argument count() const { return of.layout_.count(); }
        MPI_Datatype type() const { return of.layout_.type(); }
        MPI_Op op() const { return of.op_; }
        MPI_Win win() const { return of.layout_.win(); }
    };

    void operator()(std::size_t i) const {
        issue(i, [is_large = layout_.is_large()](auto... a) { Derived::call(is_large, a...); });
    }
    /// Calls f(arguments of the MPI call) for every target of transfer i.
    template <class F>
    void issue(std::size_t i, F f) const {
        layout_.each(i, [&](int rank, MPI_Aint displacement, std::size_t k) {
            Derived::pass(f, arguments{*this, rank, displacement, i, k});
        });
    }
    std::size_t targets() const { return layout_.targets(); }
    /// True if a block has more elements than an int counts.
    bool is_large() const { return layout_.is_large(); }
    bool has_target() const { return targets() != 0; }
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
    static constexpr auto call = SONDE_MPI_CALL(MPI_Put);
    static constexpr auto call_with_request = SONDE_MPI_CALL(MPI_Rput);

    put(ViewableWindow auto&& w, T const& targets, opaque_region origin, block each)
        : put::transfer{{w, targets, each}, {.origin = origin}} {}
    static void pass(auto f, auto a) {
        f(a.origin(), a.count(), a.type(), a.rank, a.displacement, a.count(), a.type(), a.win());
    }
};

/// MPI_Get: copies memory of every target to the origin.
template <Targets T = peer>
struct get : detail::transfer<get<T>, T> {
    static constexpr auto call = SONDE_MPI_CALL(MPI_Get);
    static constexpr auto call_with_request = SONDE_MPI_CALL(MPI_Rget);

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
    static constexpr auto call = SONDE_MPI_CALL(MPI_Accumulate);
    static constexpr auto call_with_request = SONDE_MPI_CALL(MPI_Raccumulate);

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
    static constexpr auto call = SONDE_MPI_CALL(MPI_Get_accumulate);
    static constexpr auto call_with_request = SONDE_MPI_CALL(MPI_Rget_accumulate);

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
    static constexpr auto call = [](bool, auto... a) { check(MPI_Fetch_and_op(a...), "MPI_Fetch_and_op"); };

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
    static constexpr auto call = [](bool, auto... a) { check(MPI_Compare_and_swap(a...), "MPI_Compare_and_swap"); };

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
        transfer_.issue(i, [this](auto... arguments) {
            O::call_with_request(transfer_.is_large(), arguments..., requests_.add());
        });
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

#undef SONDE_MPI_CALL
