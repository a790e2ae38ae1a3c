// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/reduce.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/patterns/rma.hpp>

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// MPI 4.0, 12.3. Transfer i lies i blocks into the memory of the origin, and i blocks into the part of the target. With
// several targets each gets a transfer; what comes back from target k of n lies n i + k blocks into the memory.

namespace sonde::mpi {

namespace detail {

/// Blocks of a type in the windows of some targets.
template <Targets T>
class sections {
public:
    sections(Window auto const& w, T targets, block each)
        : win_{w.handle()}, targets_{std::move(targets)}, layout_{each.type}, type_{each.type},
          count_{count_of(each.count)}, step_{layout_.step(each.count)} {
        targets_.each([&](int rank) {
            bases_.push_back(w.base(rank));
            fit_ = smaller(fit_, fitting(w.size(rank)));
        });
    }

    /// f(rank, displacement, k) for target k of transfer i.
    template <class F>
    void each(std::size_t i, F f) const {
        std::size_t k = 0;
        targets_.each([&](int rank) {
            f(rank, bases_[k] + static_cast<MPI_Aint>(i * step_), k);
            ++k;
        });
    }
    std::byte* at(region memory, std::size_t i) const { return memory.data() + i * step_; }
    /// The place of what comes back from target k of transfer i.
    std::byte* back(region memory, std::size_t i, std::size_t k) const { return at(memory, i * bases_.size() + k); }

    std::size_t fitting(std::size_t bytes) const {
        auto const one = layout_.span(elements());
        if (step_ == 0 || one == 0) return static_cast<std::size_t>(-1);
        return bytes < one ? 0 : (bytes - one) / step_ + 1;
    }
    std::size_t fitting_back(std::size_t bytes) const {
        return bases_.empty() ? fitting(bytes) : fitting(bytes) / bases_.size();
    }
    /// How many transfers the windows of all targets have room for.
    std::size_t places() const { return fit_; }
    traffic moves() const {
        auto const n = static_cast<double>(bases_.empty() ? 1 : bases_.size());
        return {n * layout_.moved(elements()), n, 1};
    }
    MPI_Win win() const { return win_; }
    MPI_Datatype type() const { return type_; }
    int count() const { return count_; }

    static std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

private:
    std::size_t elements() const { return static_cast<std::size_t>(count_); }

    MPI_Win win_;
    T targets_;
    element_layout layout_;
    MPI_Datatype type_;
    int count_;
    std::size_t step_;
    std::vector<MPI_Aint> bases_;
    std::size_t fit_ = static_cast<std::size_t>(-1);
};

inline block one(MPI_Datatype type) { return {type, 1}; }

/// MPI_Compare_and_swap takes integers. Throws std::invalid_argument for what is none.
inline MPI_Datatype comparable(MPI_Datatype type) {
    for (auto const real : {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE})
        if (type == real) throw std::invalid_argument{"sonde::mpi: compare_and_swap takes integers, not reals"};
    return type;
}

} // namespace detail

/// MPI_Put: memory of the origin to every target.
template <Targets T = peer>
class put {
public:
    put(Window auto const& w, T targets, region from, block each) : to_{w, std::move(targets), each}, from_{from} {}

    void operator()(std::size_t i) const {
        issue(i, [](auto... arguments) { check(MPI_Put(arguments...), "MPI_Put"); });
    }
    /// f(the arguments of the call) for every target; `request` is the form that gives a request.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t) {
            f(to_.at(from_, i), to_.count(), to_.type(), rank, place, to_.count(), to_.type(), to_.win());
        });
    }
    template <class... A>
    static void request(A... arguments) {
        check(MPI_Rput(arguments...), "MPI_Rput");
    }
    std::size_t places() const { return to_.smaller(to_.places(), to_.fitting(from_.size())); }
    traffic moves() const { return to_.moves(); }

private:
    detail::sections<T> to_;
    region from_;
};
template <class W, class T>
put(W const&, T, region, block) -> put<T>;

/// MPI_Get: from every target into memory of the origin.
template <Targets T = peer>
class get {
public:
    get(Window auto const& w, T targets, region into, block each) : from_{w, std::move(targets), each}, into_{into} {}

    void operator()(std::size_t i) const {
        issue(i, [](auto... arguments) { check(MPI_Get(arguments...), "MPI_Get"); });
    }
    template <class F>
    void issue(std::size_t i, F f) const {
        from_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(from_.back(into_, i, k), from_.count(), from_.type(), rank, place, from_.count(), from_.type(),
              from_.win());
        });
    }
    template <class... A>
    static void request(A... arguments) {
        check(MPI_Rget(arguments...), "MPI_Rget");
    }
    std::size_t places() const { return from_.smaller(from_.places(), from_.fitting_back(into_.size())); }
    traffic moves() const { return from_.moves(); }

private:
    detail::sections<T> from_;
    region into_;
};
template <class W, class T>
get(W const&, T, region, block) -> get<T>;

/// MPI_Accumulate: memory of the origin combined with what is at every target.
template <Targets T = peer>
class accumulate {
public:
    accumulate(Window auto const& w, T targets, region from, block each, MPI_Op op)
        : to_{w, std::move(targets), each}, from_{from}, op_{detail::checked(op)} {}

    void operator()(std::size_t i) const {
        issue(i, [](auto... arguments) { check(MPI_Accumulate(arguments...), "MPI_Accumulate"); });
    }
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t) {
            f(to_.at(from_, i), to_.count(), to_.type(), rank, place, to_.count(), to_.type(), op_, to_.win());
        });
    }
    template <class... A>
    static void request(A... arguments) {
        check(MPI_Raccumulate(arguments...), "MPI_Raccumulate");
    }
    std::size_t places() const { return to_.smaller(to_.places(), to_.fitting(from_.size())); }
    traffic moves() const { return to_.moves(); }

private:
    detail::sections<T> to_;
    region from_;
    MPI_Op op_;
};
template <class W, class T>
accumulate(W const&, T, region, block, MPI_Op) -> accumulate<T>;

/// MPI_Get_accumulate: the same, and what was there before comes back.
template <Targets T = peer>
class get_accumulate {
public:
    get_accumulate(Window auto const& w, T targets, region from, region into, block each, MPI_Op op)
        : to_{w, std::move(targets), each}, from_{from}, into_{into}, op_{detail::checked(op)} {}

    void operator()(std::size_t i) const {
        issue(i, [](auto... arguments) { check(MPI_Get_accumulate(arguments...), "MPI_Get_accumulate"); });
    }
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(to_.at(from_, i), to_.count(), to_.type(), to_.back(into_, i, k), to_.count(), to_.type(), rank, place,
              to_.count(), to_.type(), op_, to_.win());
        });
    }
    template <class... A>
    static void request(A... arguments) {
        check(MPI_Rget_accumulate(arguments...), "MPI_Rget_accumulate");
    }
    std::size_t places() const {
        return to_.smaller(to_.places(), to_.smaller(to_.fitting(from_.size()), to_.fitting_back(into_.size())));
    }
    traffic moves() const { return to_.moves(); }

private:
    detail::sections<T> to_;
    region from_;
    region into_;
    MPI_Op op_;
};
template <class W, class T>
get_accumulate(W const&, T, region, region, block, MPI_Op) -> get_accumulate<T>;

/// MPI_Fetch_and_op: one element combined with what is at every target; what was there before comes back.
template <Targets T = peer>
class fetch_and_op {
public:
    fetch_and_op(Window auto const& w, T targets, region from, region into, MPI_Datatype type, MPI_Op op)
        : to_{w, std::move(targets), detail::one(type)}, from_{from}, into_{into}, op_{detail::checked(op)} {}

    void operator()(std::size_t i) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            check(MPI_Fetch_and_op(to_.at(from_, i), to_.back(into_, i, k), to_.type(), rank, place, op_, to_.win()),
                  "MPI_Fetch_and_op");
        });
    }
    std::size_t places() const {
        return to_.smaller(to_.places(), to_.smaller(to_.fitting(from_.size()), to_.fitting_back(into_.size())));
    }
    traffic moves() const { return to_.moves(); }

private:
    detail::sections<T> to_;
    region from_;
    region into_;
    MPI_Op op_;
};
template <class W, class T>
fetch_and_op(W const&, T, region, region, MPI_Datatype, MPI_Op) -> fetch_and_op<T>;

/// MPI_Compare_and_swap: one element replaces what is at every target where that equals another; what was there before
/// comes back. Throws std::invalid_argument for a type of reals, which MPI does not compare.
template <Targets T = peer>
class compare_and_swap {
public:
    compare_and_swap(Window auto const& w, T targets, region from, region expected, region into, MPI_Datatype type)
        : to_{w, std::move(targets), detail::one(detail::comparable(type))}, from_{from}, expected_{expected},
          into_{into} {}

    void operator()(std::size_t i) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            check(MPI_Compare_and_swap(to_.at(from_, i), to_.at(expected_, i), to_.back(into_, i, k), to_.type(), rank,
                                       place, to_.win()),
                  "MPI_Compare_and_swap");
        });
    }
    std::size_t places() const {
        auto const given = to_.smaller(to_.fitting(from_.size()), to_.fitting(expected_.size()));
        return to_.smaller(to_.places(), to_.smaller(given, to_.fitting_back(into_.size())));
    }
    traffic moves() const { return to_.moves(); }

private:
    detail::sections<T> to_;
    region from_;
    region expected_;
    region into_;
};
template <class W, class T>
compare_and_swap(W const&, T, region, region, region, MPI_Datatype) -> compare_and_swap<T>;

/// The same operation by the call that gives a request (MPI_Rput, MPI_Rget, MPI_Raccumulate, MPI_Rget_accumulate); all
/// requests are waited for before the epoch closes. MPI has them for passive targets only.
template <class Operation>
class requested {
public:
    static constexpr bool passive_only = true;

    explicit requested(Operation operation) : operation_{std::move(operation)} {}

    void operator()(std::size_t i) {
        operation_.issue(i, [this](auto... arguments) { Operation::request(arguments..., pending_.add()); });
    }
    void settle() { pending_.wait(); }
    std::size_t places() const { return operation_.places(); }
    traffic moves() const { return operation_.moves(); }

private:
    Operation operation_;
    requests pending_;
};

} // namespace sonde::mpi
