// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// MPI_Get: from every target into memory of the origin.
template <Targets T = peer>
class get {
public:
    static constexpr auto call = detail::routine{MPI_Get, "MPI_Get"};
    static constexpr auto call_with_request = detail::routine{MPI_Rget, "MPI_Rget"};

    get(ViewableWindow auto&& w, T targets, opaque_region into, block each)
        : from_{w, std::move(targets), each}, into_{detail::passable(into)} {}

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        from_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(from_.back(into_, i, k), from_.count(), from_.type(), rank, place, from_.count(), from_.type(),
              from_.win());
        });
    }
    std::size_t targets() const { return from_.targets(); }
    std::size_t places() const { return from_.places_back(into_); }
    traffic moves() const { return from_.moves(); }

private:
    reach<T> from_;
    opaque_region into_;
};
template <class W, class T>
get(W const&, T, opaque_region, block) -> get<T>;

} // namespace sonde::mpi
