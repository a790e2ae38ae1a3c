// SPDX-License-Identifier: BSL-1.0

// throws known|unknown|active|passive
//
// An application whose last rank throws in the middle of a measurement, while the others wait for its message (an
// exception of known or unknown type); or in the middle of an epoch of active or passive targets, while the others wait
// in their epochs, or have finished and wait for it to free the window.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr auto text = "the fifth wheel came off";

void measure(sonde::mpi::group& ranks, bool last, bool known) {
    std::vector<std::byte> bytes(100'000);
    sonde::mpi::async_link link{ranks, last ? 0 : ranks.size() - 1};
    auto in = link.recv_buffer(sonde::slice{bytes});
    (void)sonde::run(ranks, sonde::plan<>{}.warmup(0), [&] {
        link.irecv(in.next());
        if (last && known) throw std::runtime_error{text};
        if (last) throw 5;
        link.wait_all();
    });
}

struct bursting {
    bool here;
    void operator()(std::size_t) const {
        if (here) throw std::runtime_error{text};
    }
    std::size_t capacity() const { return 1; }
    sonde::traffic traffic() const { return {}; }
};

void transfer(sonde::mpi::group& ranks, bool last, bool passive) {
    sonde::mpi::allocated_window const window{ranks, 8};
    auto const both = sonde::role::initiator;
    if (passive) sonde::rma{sonde::mpi::lock{window, sonde::mpi::peer{0}}, both, 1, bursting{last}}();
    else sonde::rma{sonde::mpi::fence{window}, both, 1, bursting{last}}();
}

void throw_on_last(std::string const& kind) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    auto const last = ranks.rank() == ranks.size() - 1;
    std::printf("reported so far by rank %d;", ranks.rank()); // no end of line, so that it stays in the buffer
    if (kind == "active" || kind == "passive") transfer(ranks, last, kind == "passive");
    else measure(ranks, last, kind == "known");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] { throw_on_last(argc > 1 ? argv[1] : "known"); });
    MPI_Finalize();
}
