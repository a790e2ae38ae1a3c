// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/clock_offsets.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/detail/affinity.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace tools::replay {

namespace {

constexpr int tag = 0;
constexpr std::size_t fewest_pings = 8, most_pings = 20;

sonde::seconds reading() { return record_clock::now().time_since_epoch(); }

/// Messages of the recorder.
struct channel {
    MPI_Comm comm;

    void send(int to, std::span<std::byte const> bytes) const {
        SONDE_LIBRARY_CALL(Send)(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, comm);
    }
    void receive(int from, std::span<std::byte> bytes) const {
        SONDE_LIBRARY_CALL(Recv)
        (bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
    }
};

} // namespace

clock_offsets::clock_offsets(MPI_Comm comm) : comm_{comm} {
    int ranks = 1;
    PMPI_Comm_rank(comm, &rank_);
    PMPI_Comm_size(comm, &ranks);
    find_leaders(ranks);
    auto zero = reading().count();
    if constexpr (!is_simulated) SONDE_LIBRARY_CALL(Bcast)(&zero, 1, MPI_DOUBLE, 0, comm);
    zero_ = is_simulated ? sonde::seconds{} : sonde::seconds{zero};
    first_ = last_ = measured();
}

/// An unknown clock is that of its rank alone. Simulated ranks share a clock, and a message would take simulated time.
void clock_offsets::find_leaders(int ranks) {
    leaders_.resize(static_cast<std::size_t>(ranks));
    if (is_simulated) return;
    constexpr int words = 17; // the clock, and 1,024 processors
    auto const domain = sonde::clock_domain();
    auto own = sonde::detail::allowed_processors();
    own.insert(own.begin(), domain.empty() ? 0 : std::hash<std::string>{}(domain));
    own.resize(words);
    std::vector<std::uint64_t> all(leaders_.size() * words);
    SONDE_LIBRARY_CALL(Allgather)(own.data(), words, MPI_UINT64_T, all.data(), words, MPI_UINT64_T, comm_);
    std::vector<sonde::detail::processor_set> bindings; // of the ranks with this rank's clock
    std::map<std::uint64_t, int> first{};
    for (int rank = 0; rank != ranks; ++rank) {
        auto const row = all.begin() + std::ptrdiff_t{rank} * words;
        auto const is_known = *row != 0;
        leaders_[static_cast<std::size_t>(rank)] = is_known ? first.try_emplace(*row, rank).first->second : rank;
        if (is_known && *row == own[0]) bindings.emplace_back(row + 1, row + words);
    }
    crowded_ = sonde::detail::is_oversubscribed(std::move(bindings));
}

void clock_offsets::measure_end() { last_ = measured(); }

sonde::clock_offset clock_offsets::measured() const {
    auto const is_shared = std::all_of(leaders_.begin(), leaders_.end(), [](int leader) { return leader == 0; });
    if (is_shared) return {reading(), {}, {}};
    channel to{comm_};
    sonde::clock_offset found{reading(), {}, {}};
    auto const own = static_cast<std::size_t>(rank_);
    for (std::size_t other = 1; rank_ == 0 && other != leaders_.size(); ++other)
        if (leaders_[other] == static_cast<int>(other)) sonde::detail::serve_time(to, static_cast<int>(other), reading);
    if (rank_ != 0 && leaders_[own] == rank_) {
        sonde::seconds unknown{};
        auto const ping = [&] { return sonde::detail::request_time(to, 0, reading); };
        found = sonde::measure_offset(ping, fewest_pings, most_pings, unknown);
        sonde::detail::send_value(to, 0, sonde::detail::end_of_requests);
    }
    std::array<double, 3> const sent{found.at.count(), found.value.count(), found.error.count()};
    std::vector<std::array<double, 3>> all(leaders_.size());
    SONDE_LIBRARY_CALL(Allgather)(sent.data(), 3, MPI_DOUBLE, all.data(), 3, MPI_DOUBLE, comm_);
    auto const& [at, value, error] = all[static_cast<std::size_t>(leaders_[own])];
    return {sonde::seconds{at}, sonde::seconds{value}, sonde::seconds{error}};
}

rank_clock clock_offsets::since(record_clock::time_point origin, record_clock::time_point now) const {
    sonde::seconds const begin = origin.time_since_epoch(), end = now.time_since_epoch();
    auto const apart = last_.at - first_.at;
    auto const is_measured_twice = apart.count() > 0;
    auto const drift = is_measured_twice ? (last_.value - first_.value) / apart : 0;
    auto const offset = first_.value + drift * (begin - first_.at);
    auto const is_shared = first_.error.count() == 0;
    auto const error = std::max(first_.error, last_.error) +
                       (is_shared || is_measured_twice ? 0 : sonde::max_drift) * (end - first_.at);
    return {(begin + offset - zero_).count(), drift, error.count()};
}

} // namespace tools::replay
