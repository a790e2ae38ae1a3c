// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/kind.hpp>

namespace sonde::mpi {

/// MPI_Barrier: nothing moves, but no rank goes on before all have come. (MPI 4.0, 6.3.)
class barrier {
public:
    static constexpr auto called = SONDE_MPI_CALLS(Barrier, Ibarrier);

    explicit barrier(group_ref ranks) : me_{ranks} {}

    std::size_t sends() const { return 0; }
    std::size_t receives() const { return 0; }
    std::vector<part> parts(int) const { return {}; }
    std::vector<piece> pieces(int) const { return {}; }
    traffic moves() const { return me_.share(0, 1); }
    template <class F, class... More>
    int launch(F call, turn const&, More... more) const {
        return call(me_.comm, more...);
    }

private:
    detail::member me_;
};

} // namespace sonde::mpi
