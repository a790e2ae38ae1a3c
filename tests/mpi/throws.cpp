// SPDX-License-Identifier: BSL-1.0

// An application whose last rank throws in the middle of a measurement, while the others wait for its message.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void measure(bool known) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    auto const last = ranks.rank() == ranks.size() - 1;
    std::vector<std::byte> bytes(100'000);
    auto const peer = last ? 0 : ranks.size() - 1;
    sonde::mpi::async_link link{ranks, peer};
    auto in = link.recv_buffer(sonde::slice{bytes});
    std::printf("reported so far by rank %d;", ranks.rank()); // no end of line, so that it stays in the buffer
    (void)sonde::run(ranks, sonde::plan<>{}.warmup(0), [&] {
        link.irecv(in.next());
        if (last && known) throw std::runtime_error{"the fifth wheel came off"};
        if (last) throw 5;
        link.wait_all();
    });
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] { measure(argc > 1 && std::string{argv[1]} == "known"); });
    MPI_Finalize();
}
