// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/setting.hpp"
#include "imb/imb.hpp"
#include "imb/one_sided/measure.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <vector>

namespace imb {

namespace {

/// Benchmark Window: create a window, put one byte to this rank itself, and free the window. Uses MPI's calls, because
/// the constructor of a window of Sonde's communicates, too.
class window_lifetime {
public:
    window_lifetime(sonde::mpi::group const& group, sonde::region out, sonde::region window)
        : group_{group}, out_{out}, window_{window} {}

    void operator()() const {
        MPI_Win win = MPI_WIN_NULL;
        auto const bytes = static_cast<MPI_Aint>(window_.size());
        sonde::mpi::check(MPI_Win_create(window_.data(), bytes, 1, MPI_INFO_NULL, group_.comm(), &win),
                          "MPI_Win_create");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        if (!window_.empty())
            sonde::mpi::check(MPI_Put(out_.data(), 1, MPI_BYTE, group_.rank(), 0, 1, MPI_BYTE, win), "MPI_Put");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        sonde::mpi::check(MPI_Win_free(&win), "MPI_Win_free");
    }
    sonde::traffic traffic() const { return window_.empty() ? sonde::traffic{} : sonde::traffic{1, 1}; }

private:
    sonde::mpi::group const& group_;
    sonde::region out_;
    sonde::region window_;
};

work window_work(setting& s) {
    return {.measure = [&s](std::size_t n) -> result {
        window_lifetime const pattern{s.group, s.host_send(), s.host_receive().first(s.bytes)};
        return {imb::run(s.group, s.timed_loop(n), pattern, s.point())};
    }};
}

std::vector<mode> const both_modes{mode::aggregate, mode::non_aggregate};

benchmark window_row() {
    auto row = one_sided_row("Window", family::collective, columns::range, window_work);
    row.disjoint = false;
    row.counts_nonaggregate = true;
    return row;
}

/// The times of both ranks count, because both wait in the fences.
template <rma_operation Op>
benchmark fence_row(char const* name, transfers_of_rank transfers) {
    auto row =
        pair_row(name, one_sided({.transfers = transfers, .all_measure = true}, code_of<Op>(epochs::closing_fence)));
    row.modes = both_modes;
    return row;
}

benchmark accumulate_row() {
    auto const make = one_sided({.transfers = transfers::all_to_first, .all_measure = true, .timed_calls = true},
                                code_of<rma_operation::accumulate>(epochs::fence_pair));
    auto row = one_sided_row("Accumulate", family::collective, columns::range, make);
    row.modes = both_modes;
    row.reduces = true;
    return row;
}

} // namespace

component ext() {
    using enum rma_operation;
    component about{.part = "MPI-2 part"};
    about.tests = {window_row(),
                   fence_row<get>("Unidir_Get", transfers::second_to_first),
                   fence_row<put>("Unidir_Put", transfers::first_to_second),
                   fence_row<get>("Bidir_Get", transfers::each_to_other),
                   fence_row<put>("Bidir_Put", transfers::each_to_other),
                   accumulate_row()};
    about.lacks = lacking({"root_shift", "sync", "zero_size"});
    about.windows = true;
    about.smallest_unit = 4;
    return about;
}

} // namespace imb
