// SPDX-License-Identifier: BSL-1.0

// One sweep with two reporters: a table on the terminal, and JSON Lines in a file, which sonde-report draws.

#include <sonde/json.hpp>
#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

void sweep(sonde::mpi::group& ranks, int argc, char** argv) {
    // [sweep]
    auto const environment = sonde::mpi::environment_of(ranks, argc, argv); // hosts, processor bindings, libraries
    auto const open_reporters = [&] {
        return sonde::tee(sonde::table{stdout}, sonde::json_lines{"tutorial.jsonl", environment});
    };
    auto report = sonde::on_root{ranks, open_reporters}; // calls it on rank 0 only, so that each file is opened once

    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    auto const largest = std::size_t{1} << 18;
    sonde::host_allocation const out{largest}, in{largest};
    for (std::size_t n = 1; n <= largest; n *= 8) {
        sonde::ping_pong pattern{sonde::mpi::link{ranks, pair.peer}, pair.role, out.first(n), in.first(n)};
        report(sonde::run(ranks, sonde::plan<>{}, pattern, {"ping_pong", {{"bytes", n}}}));
    }
    // [/sweep]
}

std::size_t read_back() {
    // [read]
    auto const file = sonde::read_json_lines("tutorial.jsonl"); // file.environment and file.records
    for (auto const& r : file.records)
        if (sonde::bandwidth(r) > 1e9) {
            std::printf("1000 MB/s are reached with messages of %s bytes\n", r.point.parameters[0].text.c_str());
            break;
        }
    // [/read]
    return file.records.size();
}

// [main]
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    return sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        std::size_t records = 7; // one for each size from 1 byte to 256 KiB
        {
            sonde::mpi::group ranks{MPI_COMM_WORLD};
            sweep(ranks, argc, argv);
            if (ranks.rank() == 0) records = read_back();
        } // the group is destroyed here
        MPI_Finalize();
        return records == 7 ? 0 : 1;
    });
}
// [/main]
