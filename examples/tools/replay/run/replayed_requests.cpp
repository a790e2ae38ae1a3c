// SPDX-License-Identifier: BSL-1.0
// The requests of a replayed rank: completion, and persistent ones.
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/error.hpp>

#include <limits>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// The wanted steps of a body, in the order of the program.
void find_all(std::vector<step> const& body, std::set<step const*> const& wanted, std::vector<step const*>& found) {
    for (auto const& s : body) {
        if (wanted.count(&s) != 0) found.push_back(&s);
        find_all(s.body, wanted, found);
    }
}

} // namespace

/// Note the persistent requests that a step uses, and those that it makes.
void replayed_rank::find_persistent(step const& s) {
    for (auto const& part : s.body) find_persistent(part);
    leaves_requests_ = leaves_requests_ || completes_any(s);
    for (auto const number : s.requests) {
        auto const* made = persistent_.maker(s, number);
        if (made == nullptr) continue;
        slots_.try_emplace(made, slots_.size());
        if (made == &s && makes_persistent_message(s) && is_replayed(s)) made_in_pass_.insert(made);
    }
}

/// Make the memory that is sent, and the requests that no call of the phase makes, in the order of the program, which
/// is that of all ranks.
void replayed_rank::make_persistent() {
    if (buffered_bytes_ > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::runtime_error{"the buffered messages of a pass take more than 2 GB"};
    std::set<step const*> wanted;
    for (auto const& [made, slot] : slots_)
        if (made_in_pass_.count(made) == 0) wanted.insert(made);
    std::vector<step const*> in_order;
    find_all(program_.body, wanted, in_order);
    requests_.assign(slots_.size(), MPI_REQUEST_NULL);
    std::vector<std::function<void()>> calls;
    for (auto const* made : in_order)
        calls.push_back(makes_persistent_message(*made) ? message(*made) : persistent_collective(*made));
    sent_memory_ = std::make_unique<std::byte[]>(largest_sent_ + 1); // when the sizes of all calls are known
    for (auto const& call : calls) call();
}

/// The places in `requests_` of the persistent requests that a call names.
std::vector<std::size_t> replayed_rank::slots_of(step const& s) const {
    std::vector<std::size_t> found;
    for (auto const number : s.requests)
        if (auto const* made = persistent_.maker(s, number)) found.push_back(slots_.at(made));
    return found;
}

std::function<void()> replayed_rank::start(step const& s) {
    auto const slots = slots_of(s);
    if (slots.size() == 1) return [this, at = slots[0]] { check(MPI_Start(&requests_[at]), "MPI_Start"); };
    return [this, slots, started = std::vector<MPI_Request>(slots.size())]() mutable {
        for (std::size_t i = 0; i != slots.size(); ++i) started[i] = requests_[slots[i]];
        check(MPI_Startall(static_cast<int>(started.size()), started.data()), "MPI_Startall");
        for (std::size_t i = 0; i != slots.size(); ++i) requests_[slots[i]] = started[i];
    };
}

/// The requests of this pass that a call names, by how many were started since, and -1 - the slot of persistent ones.
std::vector<std::int64_t> replayed_rank::ages_of(step const& s) const {
    std::vector<std::int64_t> ages;
    for (auto const age : s.requests) {
        if (age > 0) ages.push_back(age);
        if (auto const* made = persistent_.maker(s, age))
            ages.push_back(-1 - static_cast<std::int64_t>(slots_.at(made)));
    }
    return ages;
}

MPI_Request& replayed_rank::request(std::int64_t age) {
    return requests_[age > 0 ? requests_.size() - static_cast<std::size_t>(age) : static_cast<std::size_t>(-1 - age)];
}

/// Waits for `n` of the requests, or of all, whichever complete first. Those that are complete already do not count.
std::function<void()> replayed_rank::completion_of_any(std::int64_t n, std::vector<std::int64_t> const& ages) {
    auto const wait = [](std::vector<MPI_Request>& pending) {
        int index = 0;
        check(MPI_Waitany(static_cast<int>(pending.size()), pending.data(), &index, MPI_STATUS_IGNORE), "MPI_Waitany");
        return index;
    };
    if (ages.empty())
        return [this, n, wait] {
            for (std::int64_t i = 0; i < n && wait(requests_) != MPI_UNDEFINED;) ++i;
        };
    return [this, n, ages, wait, pending = std::vector<MPI_Request>(ages.size())]() mutable {
        for (std::size_t i = 0; i != ages.size(); ++i) pending[i] = request(ages[i]);
        for (std::int64_t i = 0; i < n; ++i) {
            auto const index = wait(pending);
            if (index == MPI_UNDEFINED) return;
            auto const at = static_cast<std::size_t>(index);
            request(ages[at]) = pending[at];
        }
    };
}

/// Waits also where the application tested: the tests that found nothing are in its time.
std::function<void()> replayed_rank::completion(step const& s) {
    auto const ages = ages_of(s);
    if (completes_any(s)) return completion_of_any(s.what.count, ages);
    if (s.call == "Request_free") {
        auto const* made = s.requests.empty() ? nullptr : persistent_.maker(s, s.requests[0]);
        if (made != nullptr && made_in_pass_.count(made) == 0) return {};
        if (ages.empty()) return {};
        return [this, age = ages[0]] { check(MPI_Request_free(&request(age)), "MPI_Request_free"); };
    }
    if (ages.size() == 1)
        return [this, age = ages[0]] { check(MPI_Wait(&request(age), MPI_STATUS_IGNORE), "MPI_Wait"); };
    return [this, ages, pending = std::vector<MPI_Request>(ages.size())]() mutable {
        for (std::size_t i = 0; i != ages.size(); ++i) pending[i] = request(ages[i]);
        check(MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
        for (std::size_t i = 0; i != ages.size(); ++i) request(ages[i]) = pending[i];
    };
}

/// Waits until the requests are complete, and leaves them to a later call.
std::function<void()> replayed_rank::status(step const& s) {
    return [this, ages = ages_of(s)] {
        for (auto const age : ages)
            for (int is_complete = 0; is_complete == 0;)
                check(MPI_Request_get_status(request(age), &is_complete, MPI_STATUS_IGNORE), "MPI_Request_get_status");
    };
}

/// Partitions of a message that are ready to be sent, or have arrived.
std::function<void()> replayed_rank::partitions(step const& s) {
#if MPI_VERSION >= 4
    auto const slots = slots_of(s);
    if (slots.empty() || s.counts.empty()) return {};
    std::vector<int> list(s.counts.begin(), s.counts.end()); // functions of MPI 4.0 take it without const
    if (s.call == "Pready")
        return [this, at = slots[0], n = list[0]] { check(MPI_Pready(n, requests_[at]), "MPI_Pready"); };
    if (s.call == "Pready_range" && list.size() > 1)
        return [this, at = slots[0], from = list[0], to = list[1]] {
            check(MPI_Pready_range(from, to, requests_[at]), "MPI_Pready_range");
        };
    if (s.call == "Pready_list")
        return [this, at = slots[0], list]() mutable {
            check(MPI_Pready_list(static_cast<int>(list.size()), list.data(), requests_[at]), "MPI_Pready_list");
        };
    return [this, at = slots[0], n = list[0]] {
        for (int has_arrived = 0; has_arrived == 0;)
            check(MPI_Parrived(requests_[at], n, &has_arrived), "MPI_Parrived");
    };
#else
    throw std::runtime_error{"this MPI library has no MPI_" + s.call};
#endif
}

} // namespace tools::replay
