// SPDX-License-Identifier: BSL-1.0

// An application whose last rank throws in the middle of an epoch, while the others wait in their epochs, or have
// finished and wait for it to free the window.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

struct bursting {
    bool here;
    void operator()(std::size_t) const {
        if (here) throw std::runtime_error{"the fifth wheel came off"};
    }
    std::size_t capacity() const { return 1; }
    sonde::traffic traffic() const { return {}; }
};

void measure(bool passive) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    sonde::mpi::allocated_window const window{ranks, 8};
    bursting const transfer{ranks.rank() == ranks.size() - 1};
    std::printf("reported so far by rank %d;", ranks.rank()); // no end of line, so that it stays in the buffer
    auto const both = sonde::role::initiator;
    if (passive) sonde::rma{sonde::mpi::lock{window, sonde::mpi::peer{0}}, both, 1, transfer}();
    else sonde::rma{sonde::mpi::fence{window}, both, 1, transfer}();
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] { measure(argc > 1 && std::string{argv[1]} == "passive"); });
    MPI_Finalize();
}
