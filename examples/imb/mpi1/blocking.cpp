// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/contents.hpp"
#include "imb/driver/setting.hpp"
#include "imb/imb.hpp"
#include "imb/mpi1/collectives.hpp"
#include "imb/mpi1/pt2pt.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace imb {

namespace {

/// A blocking call in each repetition.
result measure_calls(collective const& of, setting& s, std::size_t n) {
    return suite::with_operation(of.operation, recipe_of(s), [&](auto const& op) -> result {
        auto pattern = bind<mpi::blocking>(op, s);
        return {imb::run(s.group, plan_of(of, s, n), pattern, s.point())};
    });
}

benchmark blocking_row(collective const& of) {
    auto row = row_of(of);
    row.make = [&of](setting& s) -> work {
        return {[&of, &s](std::size_t n) { return measure_calls(of, s, n); }, defects_of<mpi::blocking>(of, s)};
    };
    return row;
}

/// MPI_Reduce_local on the buffers of the repetitions.
class reduce_local {
public:
    reduce_local(setting const& s, sonde::opaque_rotating out, sonde::opaque_rotating in)
        : of_{s.block_of(s.bytes)}, count_{mpi::detail::int_count(of_.count)}, sum_{s.sum}, out_{out}, in_{in} {}
    void operator()() {
        mpi::check(MPI_Reduce_local(out_.next().data(), in_.next().data(), count_, of_.type, sum_), "MPI_Reduce_local");
    }

private:
    mpi::block of_;
    int count_;
    MPI_Op sum_;
    sonde::opaque_rotating out_;
    sonde::opaque_rotating in_;
};

/// The vectors in the two buffers count as contributions of ranks 0 and 1.
data_movement both_vectors(std::size_t span) {
    return {{{{0, span, sonde::all_ranks}, 0}, {{0, span, sonde::all_ranks, true}, 1}},
            {{0, span, 0, 1, sonde::all_ranks}}};
}

work make_reduce_local(setting& s) {
    auto const measure = [&s](std::size_t n) -> result {
        return {imb::run(s.group, s.timed_calls(n), reduce_local{s, s.out(s.bytes), s.in(s.bytes)}, s.point())};
    };
    auto const defects = [&s] {
        reduce_local pattern{s, s.first_out(), s.first_in()};
        return largest_deviation(
            s, {s.send.bytes(), s.receive.bytes()}, [&pattern] { pattern(); },
            [&s](std::size_t) { return both_vectors(s.extent()); });
    };
    return {measure, defects};
}

benchmark reduce_local_row() {
    return {.name = "Reduce_local",
            .kind = family::collective,
            .shows = columns::range,
            .make = make_reduce_local,
            .needs = [](std::size_t s, std::size_t) -> lengths {
                return {s, s};
            },
            .reduces = true};
}

/// Collectives of IMB-MPI1, with Reduce_local behind Reduce.
std::vector<benchmark> collective_rows() {
    auto rows = rows_of(call_modes::blocking, blocking_row);
    auto const reduce = std::find_if(rows.begin(), rows.end(), [](auto const& row) { return row.name == "Reduce"; });
    rows.insert(reduce + 1, reduce_local_row());
    return rows;
}

std::vector<benchmark> all_rows() {
    std::vector<benchmark> all;
    for (auto* const some : {point_to_point, collective_rows, more_point_to_point})
        for (auto& row : some()) all.push_back(std::move(row));
    return all;
}

} // namespace

component mpi1() {
    component about{.part = "MPI-1 part", .tests = all_rows()};
    about.lacks = {"aggregate_mode"};
    about.blanks = {.calling = true, .reductions = true, .last = true};
    return about;
}

} // namespace imb
