// SPDX-License-Identifier: BSL-1.0

// Access to a file: each rank writes its blocks of a shared file, by independent and by collective calls.

#include <sonde/mpi.hpp>
#include <sonde/mpi/io.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

namespace io = sonde::mpi::io;

/// Returns true if the file has the expected length.
bool write_file(sonde::mpi::group& ranks) {
    // [write]
    auto report = sonde::on_root{ranks, sonde::table{stdout}};
    std::size_t const n = 1 << 16; // bytes that a rank writes in one iteration
    sonde::host_allocation memory{n};
    memory.fill(std::byte{1});
    io::file const file{ranks, "tutorial_file.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE};
    // Iteration i writes block i x size + rank of the file, also in the warm-up.
    io::offsets const offsets{.first = static_cast<MPI_Offset>(n) * ranks.rank(),
                              .step = static_cast<MPI_Offset>(n) * ranks.size()};
    auto const plan = sonde::plan<>{}.warmup(5).until(sonde::samples{50});
    for (auto const collective : {true, false}) {
        // MPI_File_write_at_all or MPI_File_write_at, then MPI_File_sync, in every iteration
        io::access const write{io::direction::write, io::positioning::explicit_offset, collective};
        io::blocking pattern{file, write, memory.first(n), offsets, io::file_sync::each_iteration};
        report(sonde::run(ranks, plan, pattern, {collective ? "write_at_all" : "write_at", {{"bytes", n}}}));
    }
    // [/write]
    MPI_Offset length = 0;
    MPI_File_get_size(file.handle(), &length);
    return length == 55 * static_cast<MPI_Offset>(n) * ranks.size();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto correct = true;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        correct = write_file(ranks);
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
