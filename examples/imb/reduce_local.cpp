// SPDX-License-Identifier: BSL-1.0
#include "reduce_local.hpp"

#include "collective_kinds.hpp"
#include "contents.hpp"
#include "setting.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/run.hpp>

namespace imb {

namespace {

class reduce_local {
public:
    reduce_local(setting const& s, sonde::rotating out, sonde::rotating in)
        : of_{s.block_of(s.bytes)}, count_{mpi::detail::int_count(of_.count)}, sum_{s.sum}, out_{out}, in_{in} {}
    void operator()() {
        mpi::check(MPI_Reduce_local(out_.next().data(), in_.next().data(), count_, of_.type, sum_), "MPI_Reduce_local");
    }

private:
    mpi::block of_;
    int count_;
    MPI_Op sum_;
    sonde::rotating out_;
    sonde::rotating in_;
};

/// The vector in the receive buffer is as if rank 1 had contributed it.
movement both_vectors(std::size_t span) {
    return {{{{0, span, mpi::all_ranks}, 0}, {{0, span, mpi::all_ranks, true}, 1}}, {{0, span, 0, 1, mpi::all_ranks}}};
}

work make_reduce_local(setting& s) {
    auto const measure = [&s](std::size_t n) -> outcome {
        return {sonde::run(s.group, s.each(n), reduce_local{s, s.out(s.bytes), s.in(s.bytes)}, s.point()), {}, {}};
    };
    auto const defects = [&s] {
        reduce_local pattern{s, first_slot(s.sends, s.send, s), first_slot(s.receives, s.receive, s)};
        return largest_deviation(
            s, {s.send.bytes(), s.receive.bytes()}, [&pattern] { pattern(); },
            [&s](std::size_t) { return both_vectors(s.bytes * s.spread); });
    };
    return {measure, defects};
}

} // namespace

benchmark reduce_local_row() {
    return {.name = "Reduce_local",
            .kind = family::collective,
            .shows = columns::range,
            .make = make_reduce_local,
            .needs = one_to_one,
            .reduces = true};
}

} // namespace imb
