// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/block.hpp>
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

/// MPI_Get_accumulate: memory of the origin combined with what is at every target; what was there before comes back.
template <Targets T = peer>
class get_accumulate {
public:
    static constexpr auto call = detail::routine{MPI_Get_accumulate, "MPI_Get_accumulate"};
    static constexpr auto call_with_request = detail::routine{MPI_Rget_accumulate, "MPI_Rget_accumulate"};

    /// Throws std::invalid_argument for an operation that MPI does not define for the type.
    get_accumulate(ViewableWindow auto&& w, T targets, opaque_region from, opaque_region into, block each, MPI_Op op)
        : to_{w, std::move(targets), each}, from_{detail::passable(from)}, into_{detail::passable(into)},
          op_{detail::op_of_fetch(op, each.type)} {}

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(to_.at(from_, i), to_.count(), to_.type(), to_.back(into_, i, k), to_.count(), to_.type(), rank, place,
              to_.count(), to_.type(), op_, to_.win());
        });
    }
    std::size_t targets() const { return to_.targets(); }
    std::size_t places() const { return to_.places_back(into_, from_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    opaque_region from_;
    opaque_region into_;
    MPI_Op op_;
};
template <class W, class T>
get_accumulate(W const&, T, opaque_region, opaque_region, block, MPI_Op) -> get_accumulate<T>;

} // namespace sonde::mpi
