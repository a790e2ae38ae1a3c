// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

// Ranks that congest the network while other ranks measure, as the congestors of GPCNeT do.

namespace sonde::inline v0_1::mpi {

/// Traffic between congestors: every rank to every other one, or all ranks to the first one.
enum class congestion : unsigned char { alltoall, incast };

/// The names of all enumerators, in their order.
inline constexpr std::string_view congestion_names[] = {"alltoall", "incast"};

/// Bytes that the congestors have sent, alone and beside the measured exchange, and how long that took.
struct congestor_traffic {
    double bytes = 0;        // of all congestors
    double rank_seconds = 0; // sum over congestors
    double ranks = 0;        // number of congestors
    /// Bytes per second of all congestors together; 0 over no time.
    double rate() const { return rank_seconds > 0 ? ranks * bytes / rank_seconds : 0; }
    /// The traffic since an earlier reading.
    congestor_traffic since(congestor_traffic const& earlier) const {
        return {bytes - earlier.bytes, rank_seconds - earlier.rank_seconds, ranks};
    }
};

namespace detail {

/// Rounds of messages of this congestor, of which two are under way: each round has a message to each of its peers.
class congestor_rounds {
public:
    congestor_rounds(MPI_Comm among, congestion kind, std::size_t bytes);
    /// Posts the messages of the next round, number 0 or 1 in turn.
    void post(std::size_t number);
    /// Waits for a round.
    void wait(std::size_t number);
    /// Bytes that this rank sends in a round.
    double bytes() const { return static_cast<double>(to_.size()) * static_cast<double>(out_.size()); }

private:
    MPI_Comm comm_;
    std::vector<int> to_, from_;
    std::vector<std::byte> out_, in_;
    requests<active_request_policy::cancel> pending_[2];
};

} // namespace detail

/// Load of a measurement: ranks of a group that send messages to each other while the other ranks, the first ones,
/// measure.
///
///     mpi::congestors load{world, 2, mpi::congestion::incast};
///     if (load.congests()) load.serve();
///     else found = compare_beside(load.measuring(), plan, load, exchange, "ping-pong");
///     load.finish();
///
/// Messages flow without a gap, as two rounds are under way at a time; between the rounds the first congestor hears
/// from the first measuring rank, and tells the others by MPI_Ibcast. The messages of an exchange that is measured are
/// of another communicator.
class congestors {
public:
    /// The first `measuring` ranks of the group measure, the others are congestors, with messages of `bytes`.
    /// Collective over the group. Throws mpi::error, and std::invalid_argument, on all ranks, unless one rank or more
    /// measures, two or more are congestors, and the size is from 1 to 2^31 - 1.
    congestors(group_ref all, int measuring, congestion kind, std::size_t bytes = 65536);
    congestors(congestors const&) = delete;
    /// Ends `serve` if the measuring ranks have not.
    ~congestors();

    /// True on a congestor.
    bool congests() const { return rank_ >= measuring_; }
    /// The group of the measuring ranks, or of the congestors, to which this rank belongs. Its ranks are in the order
    /// of the whole group.
    group& measuring() { return *side_; }
    /// Number of congestors.
    int count() const { return size_ - measuring_; }

    /// On a congestor: returns when the measuring ranks have called `finish`. Throws mpi::error on this rank alone.
    void serve();
    /// On the measuring ranks: returns when the messages flow, and have flowed alone as long as the last time beside an
    /// exchange, but at most 10 ms. Collective over them. Throws mpi::error on this rank alone; std::logic_error, on
    /// all of them, while messages flow, and after `finish`.
    void start();
    /// On the measuring ranks: returns when all messages have arrived. Collective over them. Does nothing before
    /// `start`. Throws mpi::error on this rank alone.
    void stop();
    /// On the measuring ranks: ends `serve` on the congestors. Further calls do nothing, as on a congestor.
    void finish();

    /// What the congestors sent up to the last `stop` while no exchange ran beside them. On measuring ranks; equal on
    /// all of them.
    congestor_traffic alone() const { return sent_[0]; }
    /// The same beside the exchange, with the ranks' synchronization before and after it.
    congestor_traffic beside() const { return sent_[1]; }

private:
    /// What the first measuring rank tells, and what it is told.
    enum order : int { go, halt, end, flows };
    /// What a round of messages counts for.
    enum phase : int { settling, is_alone, is_beside, last };

    class traffic_run;

    int told();
    void run_until_halt();
    char const* complaint_about_start() const;

    int rank_ = 0;
    int size_ = 0;
    int measuring_;
    detail::owned_communicator all_{MPI_COMM_NULL, detail::free_communicator};
    std::optional<group> side_;
    std::optional<detail::congestor_rounds> rounds_;
    seconds beside_time_{};  // of the latest exchange, on the first congestor
    bool is_over_ = false;   // `end` was sent, or received
    bool has_begun_ = false; // between `start` and `stop`, on a measuring rank
    std::array<congestor_traffic, 2> sent_{};
};

} // namespace sonde::mpi

#if SONDE_DEFINITIONS
#include <climits>
#include <span>
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1::mpi {

namespace detail {

SONDE_INLINE congestor_rounds::congestor_rounds(MPI_Comm among, congestion kind, std::size_t bytes)
    : comm_{among}, out_(bytes) {
    int rank = 0, size = 0;
    check(MPI_Comm_rank(among, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(among, &size), "MPI_Comm_size");
    for (int step = 1; step != size; ++step) {
        auto const to = (rank + step) % size, from = (rank - step + size) % size;
        if (kind == congestion::alltoall || to == 0) to_.push_back(to);
        if (kind == congestion::alltoall || rank == 0) from_.push_back(from);
    }
    in_.resize(2 * from_.size() * bytes);
}

SONDE_INLINE void congestor_rounds::post(std::size_t number) {
    auto const bytes = out_.size();
    auto& pending = pending_[number];
    auto* into = in_.data() + number * from_.size() * bytes;
    for (auto const from : from_) {
        check(MPI_Irecv(into, static_cast<int>(bytes), MPI_BYTE, from, 0, comm_, pending.add()), "MPI_Irecv");
        into += bytes;
    }
    for (auto const to : to_)
        check(MPI_Isend(out_.data(), static_cast<int>(bytes), MPI_BYTE, to, 0, comm_, pending.add_send()), "MPI_Isend");
}

SONDE_INLINE void congestor_rounds::wait(std::size_t number) { pending_[number].wait(); }

/// Says what is wrong with the arguments; empty if nothing is.
SONDE_INLINE char const* complaint_about_congestors(int size, int measuring, std::size_t bytes) {
    if (measuring < 1) return "sonde::mpi::congestors: at least one rank must measure";
    if (size - measuring < 2) return "sonde::mpi::congestors: at least two ranks must be congestors";
    if (bytes < 1 || bytes > INT_MAX) return "sonde::mpi::congestors: a message has 1 to 2^31 - 1 bytes";
    return "";
}

} // namespace detail

/// The rounds from `go` to `halt`, on a congestor. The first congestor decides what each round counts for, when it
/// posts it, and tells the others within the round.
class congestors::traffic_run {
public:
    explicit traffic_run(congestors& of) : of_{of}, comm_{of.side_->comm()}, leads_{of.side_->rank() == 0} {}
    traffic_run(traffic_run const&) = delete;

    /// Returns bytes and seconds of this rank, alone and beside the exchange.
    std::array<double, 4> operator()() {
        post(0);
        for (std::size_t i = 0;; i = 1 - i) {
            post(1 - i);
            wait(i);
            if (counts_for_[i] != last) continue;
            wait(1 - i);
            return sums_;
        }
    }

private:
    void post(std::size_t i) {
        if (leads_) counts_for_[i] = next_phase();
        check(MPI_Ibcast(&counts_for_[i], 1, MPI_INT, 0, comm_, told_[i].add()), "MPI_Ibcast");
        of_.rounds_->post(i);
    }
    void wait(std::size_t i) {
        of_.rounds_->wait(i);
        told_[i].wait();
        auto const now = seconds{MPI_Wtime()};
        auto const kind = counts_for_[i];
        if (kind == is_alone || kind == is_beside) {
            auto const at = kind == is_alone ? std::size_t{0} : std::size_t{2};
            sums_[at] += of_.rounds_->bytes();
            sums_[at + 1] += seconds{now - latest_}.count();
        }
        latest_ = now;
    }
    /// What the next round counts for, on the first congestor.
    int next_phase() {
        constexpr seconds longest{0.01};
        auto const now = seconds{MPI_Wtime()};
        auto const target = of_.beside_time_ < longest ? of_.beside_time_ : longest;
        ++rounds_of_phase_;
        if (phase_ == settling && rounds_of_phase_ > 2) begin(is_alone, now);
        else if (phase_ == is_alone && rounds_of_phase_ > 2 && !(now - begin_ < target)) begin_beside(now);
        else if (phase_ == is_beside && rounds_of_phase_ > 2 && is_halted()) end_phases(now);
        return phase_;
    }
    void begin(phase next, seconds now) {
        phase_ = next;
        begin_ = now;
        rounds_of_phase_ = 1;
    }
    void begin_beside(seconds now) {
        begin(is_beside, now);
        int const flowing = flows;
        check(MPI_Irecv(&command_, 1, MPI_INT, 0, 0, of_.all_.get(), halt_.add()), "MPI_Irecv");
        check(MPI_Send(&flowing, 1, MPI_INT, 0, 0, of_.all_.get()), "MPI_Send");
    }
    bool is_halted() {
        int found = 0;
        check(MPI_Test(halt_[0], &found, MPI_STATUS_IGNORE), "MPI_Test");
        return found != 0;
    }
    void end_phases(seconds now) {
        halt_.clear();
        of_.beside_time_ = now - begin_;
        of_.is_over_ = command_ == end;
        begin(last, now);
    }

    congestors& of_;
    MPI_Comm comm_;
    bool leads_;
    int counts_for_[2] = {settling, settling};
    requests<active_request_policy::leak> told_[2];
    requests<active_request_policy::cancel> halt_;
    int command_ = halt;
    phase phase_ = settling;
    int rounds_of_phase_ = 0;
    seconds begin_{}, latest_{};
    std::array<double, 4> sums_{};
};

SONDE_INLINE congestors::congestors(group_ref all, int measuring, congestion kind, std::size_t bytes)
    : rank_{all.get().rank()}, size_{all.get().size()}, measuring_{measuring} {
    detail::require_on_all(all.get(), detail::complaint_about_congestors(size_, measuring, bytes));
    detail::owned_communicator part{MPI_COMM_NULL, detail::free_communicator};
    check(MPI_Comm_dup(all.comm(), all_.address()), "MPI_Comm_dup");
    check(MPI_Comm_split(all.comm(), congests() ? 1 : 0, rank_, part.address()), "MPI_Comm_split");
    side_.emplace(part.get());
    sonde::collectively(all.get(), [&] {
        if (congests()) rounds_.emplace(side_->comm(), kind, bytes);
    });
}

SONDE_INLINE congestors::~congestors() {
    int const over = end;
    if (rank_ == 0 && !is_over_) MPI_Send(&over, 1, MPI_INT, measuring_, 0, all_.get());
}

SONDE_INLINE int congestors::told() {
    int command = end;
    if (side_->rank() == 0 && !is_over_)
        check(MPI_Recv(&command, 1, MPI_INT, 0, 0, all_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    sonde::broadcast(*side_, command);
    return command;
}

SONDE_INLINE void congestors::serve() {
    while (told() == go) run_until_halt();
    is_over_ = true;
}

SONDE_INLINE void congestors::run_until_halt() {
    auto sums = traffic_run{*this}();
    side_->all_reduce(sums, reduction::sum);
    if (side_->rank() == 0 && !is_over_) check(MPI_Send(sums.data(), 4, MPI_DOUBLE, 0, 0, all_.get()), "MPI_Send");
}

/// Says why messages cannot begin to flow; empty if they can. Equal on all measuring ranks.
SONDE_INLINE char const* congestors::complaint_about_start() const {
    if (congests()) return "sonde::mpi::congestors: start() is of the measuring ranks";
    if (is_over_) return "sonde::mpi::congestors: start() after finish()";
    if (has_begun_) return "sonde::mpi::congestors: start() before stop() of the start before";
    return "";
}

SONDE_INLINE void congestors::start() {
    auto const* const complaint = complaint_about_start();
    if (*complaint != 0) throw std::logic_error{complaint};
    has_begun_ = true;
    if (rank_ != 0) return;
    int command = go;
    check(MPI_Send(&command, 1, MPI_INT, measuring_, 0, all_.get()), "MPI_Send");
    check(MPI_Recv(&command, 1, MPI_INT, measuring_, 0, all_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
}

SONDE_INLINE void congestors::stop() {
    if (!std::exchange(has_begun_, false)) return;
    int const command = halt;
    std::array<double, 4> sums{};
    if (rank_ == 0) {
        check(MPI_Send(&command, 1, MPI_INT, measuring_, 0, all_.get()), "MPI_Send");
        check(MPI_Recv(sums.data(), 4, MPI_DOUBLE, measuring_, 0, all_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    }
    sonde::broadcast(*side_, sums);
    for (std::size_t i = 0; i != 2; ++i) {
        sent_[i].bytes += sums[2 * i];
        sent_[i].rank_seconds += sums[2 * i + 1];
        sent_[i].ranks = count();
    }
}

SONDE_INLINE void congestors::finish() {
    int const over = end;
    if (rank_ == 0 && !is_over_) check(MPI_Send(&over, 1, MPI_INT, measuring_, 0, all_.get()), "MPI_Send");
    is_over_ = true;
    has_begun_ = false; // the congestors send no sums after `end`
}

} // namespace sonde::mpi

#endif
