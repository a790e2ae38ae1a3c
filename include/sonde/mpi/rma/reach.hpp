// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/block.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>

namespace sonde::mpi {

/// What an operation reaches: blocks of a type in the windows of some targets; the arithmetic that operations share.
///
/// Transfer i lies i blocks into the memory of the origin, and i blocks into the part of each target. With n targets
/// each gets a transfer; what comes back from target k of them lies n i + k blocks into the memory.
template <Targets T = peer>
class reach {
public:
    /// Throws std::invalid_argument for a target that is no rank of the window, or is named twice, and for a null type;
    /// std::length_error for more elements than an int counts.
    reach(ViewableWindow auto&& w, T const& targets, block each)
        : win_{w.handle()}, layout_{each.type}, type_{each.type}, count_{detail::count_of(each.count)},
          step_{layout_.step(each.count)}, bases_{detail::ranks_of(targets, detail::rank_group{win_}), [&](int rank) {
                                                      windows_fit_ = smaller(windows_fit_, fitting(w.size(rank)));
                                                      return MPI_Aint{w.base(rank)};
                                                  }} {}

    /// f(rank, displacement, k) for target k of transfer i.
    template <class F>
    void each(std::size_t i, F f) const {
        bases_.each(
            [&](int rank, MPI_Aint base, std::size_t k) { f(rank, base + static_cast<MPI_Aint>(i * step_), k); });
    }
    std::byte* at(opaque_region memory, std::size_t i) const { return memory.data() + i * step_; }
    std::byte* back(opaque_region memory, std::size_t i, std::size_t k) const {
        return at(memory, i * bases_.size() + k);
    }

    /// For how many transfers the windows of all targets have room, and regions that are sent from or come back to.
    template <class... Sent>
    std::size_t places(Sent... sent) const {
        auto fit = windows_fit_;
        ((fit = smaller(fit, fitting(sent.size()))), ...);
        return fit;
    }
    template <class... Sent>
    std::size_t places_back(opaque_region back, Sent... sent) const {
        auto const n = targets() == 0 ? 1 : targets();
        return smaller(fitting(back.size()) / n, places(sent...));
    }
    traffic moves() const {
        auto const n = targets() == 0 ? 1 : targets();
        return {n * layout_.moved(elements()), n, 1};
    }
    std::size_t targets() const { return bases_.size(); }
    MPI_Win win() const { return win_; }
    MPI_Datatype type() const { return type_; }
    int count() const { return count_; }

private:
    static std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }
    std::size_t elements() const { return static_cast<std::size_t>(count_); }
    std::size_t fitting(std::size_t bytes) const {
        auto const one = layout_.span(elements());
        if (step_ == 0 || one == 0) return static_cast<std::size_t>(-1);
        return bytes < one ? 0 : (bytes - one) / step_ + 1;
    }

    MPI_Win win_;
    detail::element_layout layout_;
    MPI_Datatype type_;
    int count_;
    std::size_t step_;
    std::size_t windows_fit_ = static_cast<std::size_t>(-1);
    detail::for_targets<T, MPI_Aint> bases_;
};
template <class W, class T>
reach(W const&, T, block) -> reach<T>;

namespace detail {

/// A function of the MPI library as a callable that throws: `routine{MPI_Put, "MPI_Put"}`.
template <class F>
struct routine {
    F function;
    char const* name;
    template <class... A>
    void operator()(A... arguments) const {
        check(function(arguments...), name);
    }
};
template <class F>
routine(F, char const*) -> routine<F>;

} // namespace detail

} // namespace sonde::mpi
