// SPDX-License-Identifier: BSL-1.0
#include "imb/one_sided/rma_contents.hpp"

#include "imb/driver/imb_contents.hpp"

#include <sonde/mpi/rma/epochs.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace imb {

namespace {

/// Small numbers that every element type holds, so that sums are exact. No value that is sent is in a window before.
template <class T>
T sent_value(int rank, std::size_t i) {
    return static_cast<T>(1 + (i + 7 * static_cast<std::size_t>(rank)) % 50);
}
template <class T>
T initial_value(int rank, std::size_t i) {
    return static_cast<T>(51 + (i + static_cast<std::size_t>(rank)) % 50);
}

/// The element type of `rma_instance::block`.
element element_of(MPI_Datatype type) {
    return type == MPI_FLOAT ? element::real : type == MPI_INT ? element::integer : element::byte;
}

/// Passes of a check. Operations whose result depends on a previous one of their kind run twice.
std::size_t passes_of(rma_operation op) { return op == rma_operation::put || op == rma_operation::get ? 1 : 2; }

/// True if the result of all origins at once is defined. Of several puts to one address any may be the last.
bool commutes(rma_operation op) { return op == rma_operation::accumulate; }

/// Contents of a rank's memory before and after the transfers in the first `slots` slots. Indices count elements from
/// the begin of the sent or of the received memory. All of it is compared, so that a stray write is found, too.
template <class T>
class contents {
public:
    contents(rma_instance const& at, std::size_t slots)
        : at_{at}, out_{at.setting().send.layout.stride / sizeof(T)},
          in_{at.setting().receive.layout.stride / sizeof(T)}, slots_{slots}, rank_{at.setting().group.rank()} {}

    void write() const {
        auto const received = initial();
        write_each<T>(at_.sent().first(slots_ * out_ * sizeof(T)),
                      [this](std::size_t i) { return sent_value<T>(rank_, i); });
        write_each<T>(at_.received().first(received.size() * sizeof(T)), [&](std::size_t i) { return received[i]; });
    }
    /// The largest relative deviation on this rank after the transfers of the origins.
    double deviation(std::vector<int> const& origins) const {
        auto const expected = after(origins);
        double worst = 0;
        compare_each<T>(
            at_.received().first(expected.size() * sizeof(T)), [&](std::size_t i) { return expected[i]; },
            largest_of(worst));
        return worst;
    }

private:
    /// The received memory before the transfers. MPI_Compare_and_swap compares with the values of its targets.
    std::vector<T> initial() const {
        std::vector<T> all(slots_ * in_);
        for (std::size_t i = 0; i != all.size(); ++i) all[i] = initial_value<T>(rank_, i);
        if (compares(at_.operation()))
            each_slot(at_.transfers(), [&](transfer const& t, std::size_t s) {
                all[s * in_ + value(1)] = initial_value<T>(t.target, s * in_ + t.at_target / sizeof(T));
            });
        return all;
    }
    /// The received memory after the transfers. It is window memory, too, except for MPI_Get.
    std::vector<T> after(std::vector<int> const& origins) const {
        auto all = initial();
        for (auto const origin : origins)
            each_slot(at_.transfers_of(origin), [&](transfer const& t, std::size_t s) {
                if (t.target == rank_) write_target(all, origin, t, s);
                if (origin == rank_) write_result(all, t, s);
            });
        return all;
    }
    template <class F>
    void each_slot(std::vector<transfer> const& transfers, F f) const {
        for (auto const& t : transfers)
            for (std::size_t s = 0; s != slots_; ++s) f(t, s);
    }
    /// Index of the k-th value in a slot of MPI_Compare_and_swap.
    std::size_t value(std::size_t k) const { return k * at_.value_stride() / sizeof(T); }
    std::size_t elements() const { return at_.block().count; }

    /// The effect of a transfer, with all its passes, on the window of its target.
    void write_target(std::vector<T>& all, int origin, transfer const& t, std::size_t s) const {
        if (at_.operation() == rma_operation::get) return;
        auto const here = s * in_ + t.at_target / sizeof(T), from = s * out_ + t.at_origin / sizeof(T);
        for (std::size_t i = 0; i != elements(); ++i) {
            auto const sent = sent_value<T>(origin, from + i);
            all[here + i] = static_cast<T>(accumulates(at_.operation()) ? all[here + i] + 2 * sent : sent);
        }
    }
    /// The result that the last pass of a transfer returns to the origin.
    void write_result(std::vector<T>& all, transfer const& t, std::size_t s) const {
        auto const op = at_.operation();
        if (!fetches(op)) return;
        auto const there = s * out_ + t.at_target / sizeof(T), into = s * in_ + t.at_origin / sizeof(T);
        for (std::size_t i = 0; i != elements(); ++i) {
            auto const sum =
                static_cast<T>(initial_value<T>(t.target, s * in_ + i) + sent_value<T>(rank_, s * out_ + i));
            if (compares(op)) all[into + value(2)] = sent_value<T>(rank_, s * out_);
            else all[into + i] = accumulates(op) ? sum : sent_value<T>(t.target, there + i);
        }
    }

    rma_instance const& at_;
    std::size_t out_;
    std::size_t in_;
    std::size_t slots_;
    int rank_;
};

/// f(contents) for the element type.
template <class F>
double with_contents(rma_instance const& at, std::size_t slots, F f) {
    return with_element(element_of(at.block().type), [&](auto type) { return f(contents<decltype(type)>{at, slots}); });
}

/// The lock that loads and stores of passive targets need; none in epochs with active targets.
std::optional<sonde::mpi::scoped_locks> lock_own_memory(rma_instance const& at, bool passive) {
    if (!passive) return std::nullopt;
    return suite::lock_own_memory(at.window(), at.setting().group.rank());
}

/// Deviation on this rank after the transfers of some origins, in three slots at most. Collective.
double deviation_after(rma_instance const& at, rma_code const& code, std::vector<int> const& origins) {
    auto const& group = at.setting().group;
    auto const slots = std::min<std::size_t>(at.slots(), 3);
    {
        auto const lock = lock_own_memory(at, code.passive);
        with_contents(at, slots, [](auto const& c) { return c.write(), 0.0; });
    }
    group.barrier();
    auto const acts = std::find(origins.begin(), origins.end(), group.rank()) != origins.end();
    code.transfer(at, acts, slots, passes_of(at.operation()));
    group.barrier();
    auto const lock = lock_own_memory(at, code.passive);
    return with_contents(at, slots, [&](auto const& c) { return c.deviation(origins); });
}

} // namespace

double defects_of(rma_instance const& at, rma_code const& code) {
    std::vector<std::vector<int>> rounds;
    for (int rank = 0; rank != at.setting().group.size(); ++rank) {
        if (at.transfers_of(rank).empty()) continue;
        if (rounds.empty() || !commutes(at.operation())) rounds.emplace_back();
        rounds.back().push_back(rank);
    }
    std::array<double, 1> worst{};
    for (auto const& origins : rounds) worst[0] = std::max(worst[0], deviation_after(at, code, origins));
    at.setting().group.all_reduce(worst, sonde::reduction::max);
    return worst[0];
}

} // namespace imb
