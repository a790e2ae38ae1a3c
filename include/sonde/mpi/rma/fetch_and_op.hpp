// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/rma/operation.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// MPI_Fetch_and_op: one element combined with what is at every target; what was there before comes back.
template <Targets T = peer>
class fetch_and_op {
public:
    static constexpr auto call = detail::routine{MPI_Fetch_and_op, "MPI_Fetch_and_op"};

    /// Throws std::invalid_argument for an operation that MPI does not define for the type, and for a made type.
    fetch_and_op(ViewableWindow auto&& w, T targets, opaque_region from, opaque_region into, MPI_Datatype type,
                 MPI_Op op)
        : to_{w, std::move(targets), {type, 1}}, from_{detail::passable(from)}, into_{detail::passable(into)},
          op_{detail::op_of_one_fetch(op, type)} {}

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(to_.at(from_, i), to_.back(into_, i, k), to_.type(), rank, place, op_, to_.win());
        });
    }
    std::size_t places() const { return to_.places_back(into_, from_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    opaque_region from_;
    opaque_region into_;
    MPI_Op op_;
};
template <class W, class T>
fetch_and_op(W const&, T, opaque_region, opaque_region, MPI_Datatype, MPI_Op) -> fetch_and_op<T>;

} // namespace sonde::mpi
