// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "job.hpp"
#include "numbers.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tasks {

/// Pattern in which every rank gets a number from the counter and then calls `then`.
template <class Then>
auto requests(shared_counter& numbers, Then then) {
    return [&numbers, then] {
        numbers.next();
        then();
    };
}

/// The same pattern with a server, which answers every worker in each iteration. The times of the server do not count,
/// because only a worker that waits for an answer is delayed.
template <class Then>
class requests_to_server {
public:
    requests_to_server(server& numbers, Then then) : numbers_{&numbers}, then_{std::move(then)} {}
    sonde::role role() const { return numbers_->serves() ? sonde::role::responder : sonde::role::initiator; }
    void operator()() {
        if (numbers_->serves()) {
            numbers_->serve(numbers_->workers());
        } else {
            numbers_->next();
            then_();
        }
    }

private:
    server* numbers_;
    Then then_;
};

template <class Then>
auto requests(server& numbers, Then then) {
    return requests_to_server{numbers, std::move(then)};
}

/// Reference for the application's counter: the same operation by Sonde's own types, without additional work.
class reference_counter {
public:
    static constexpr auto name = "the same by Sonde alone";

    /// Constructor and destructor are collective.
    explicit reference_counter(sonde::mpi::group const& ranks)
        : window_{ranks, ranks.rank() == 0 ? sizeof(std::int64_t) : std::size_t{0}} {}

    /// The pattern refers to this object, which must outlive it.
    auto pattern() {
        sonde::mpi::fetch_and_op const one_more{window_,           target,      bytes_of(one_),
                                                bytes_of(number_), MPI_INT64_T, MPI_SUM};
        return sonde::rma{sonde::mpi::flush{window_, target}, sonde::role::initiator, 1, one_more};
    }

private:
    static constexpr sonde::mpi::peer target{0};

    static sonde::region bytes_of(std::int64_t& value) { return std::as_writable_bytes(std::span{&value, 1}); }

    sonde::mpi::allocated_window window_;
    std::int64_t one_ = 1;
    std::int64_t number_ = 0;
};

/// Times of both ways to get numbers while all workers ask for them: the time of a number, and the time of a round,
/// which is a number and the work of an average task. The time of a number is not sufficient, because an MPI library
/// may serve the counter only while rank 0 is in an MPI call, and rank 0 is busy during a round.
struct measurements {
    sonde::comparison numbers; // of the counter, of the reference, of the server
    round_comparison rounds;
    std::int64_t iterations; // of work, by this rank
};

/// Number of rounds in a sample: a hundredth of a worker's part of the job, so that the measurement is short compared
/// with the job, and at most 10 ms of work. Samples of a single round would not show how ranks that share a core slow
/// each other down.
inline std::size_t rounds_of_sample(picture const& of, serial_result const& serial, int workers) {
    auto const tasks = static_cast<double>(of.tasks());
    auto const most = 10e-3 * tasks / serial.seconds;
    return static_cast<std::size_t>(std::ceil(std::min(tasks / workers / 100, most)));
}

/// Compare both ways with the application's own classes, among its own ranks. The numbers come from objects made for
/// the comparison, so that the numbers of the job begin with 0. Collective; equal on all ranks, except the iterations.
inline measurements compare(MPI_Comm comm, picture const& of, serial_result const& serial) {
    shared_counter counter{comm};
    server server_on_0{comm};
    sonde::mpi::group ranks{comm}; // a duplicate, so that no message is taken for one of the application
    reference_counter bare{ranks};
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.2}};
    auto const numbers = sonde::plan<>{}.batch(10).until(enough);
    auto const rounds = sonde::plan<>{}.batch(rounds_of_sample(of, serial, counter.workers()));

    std::int64_t iterations = 0;
    // The sum is kept, because a compiler may remove work whose result is not used.
    auto const work = [&] { iterations += iterate(serial.average); };
    auto const nothing = [] {};
    auto const number =
        sonde::compare(ranks, numbers, requests(counter, nothing), bare.pattern(), requests(server_on_0, nothing));
    auto const at_least = sonde::samples{12}; // fewer show no difference
    auto const round =
        sonde::compare(ranks, rounds.until(enough && at_least), requests(counter, work), requests(server_on_0, work));
    return {number, {round, {counter.workers(), server_on_0.workers()}}, iterations};
}

} // namespace tasks
