// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/courier.hpp>
#include <sonde/clocks/domain.hpp>
#include <sonde/clocks/drift.hpp>
#include <sonde/clocks/global_time.hpp>
#include <sonde/clocks/offset.hpp>
#include <sonde/clocks/reading.hpp>
#include <sonde/clocks/seats.hpp>
#include <sonde/clocks/tree.hpp>
#include <sonde/group.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// How much is done to learn a peer's time: a line through so many offsets, each of at least `pings` questions, or
/// `pings_at_most` as long as the network is not known.
struct sync_effort {
    std::size_t offsets = 500;
    std::size_t pings = 8;
    std::size_t pings_at_most = 100;
};

/// By how much global times were found to differ from rank 0's, at most; and how wrong they may have been since clocks
/// were compared.
struct clock_check {
    seconds distance{};
    seconds bound{};
};

/// The time of rank 0's clock on all ranks of a group.
///
/// Ranks with the same `domain` (`clock_domain()`) share a clock and its first rank speaks for them; an empty word is
/// shared with nobody. Where all share one, nothing is exchanged, and global time is the clock's own. Otherwise a model
/// of each clock's offset and drift is learned along a tree (HCA3), which takes log2 of the clocks rounds.
template <Clock C, Courier M>
class global_clock {
public:
    using clock_type = C;

    /// Collective over the group. Throws std::invalid_argument for no offset or no ping.
    template <Group G>
    global_clock(G& group, C clock, M courier, std::string const& domain, sync_effort effort = {})
        : clock_{std::move(clock)}, courier_{std::move(courier)}, effort_{effort},
          seats_{group.rank(), clock_leaders(detail::all_words(group, domain))} {
        if (effort.offsets == 0 || effort.pings == 0)
            throw std::invalid_argument{"sonde::global_clock: an offset is measured by at least one ping"};
        synchronize();
    }

    seconds now() { return model_.at(sonde::reading(clock_)); }
    seconds at(seconds reading) const { return model_.at(reading); }
    /// How wrong global times of this rank may be by now; of two ranks' difference, by the sum of both.
    seconds bound() { return model_.bound(now()); }
    bool shared() const { return seats_.shared(); }
    global_time const& model() const { return model_; }

    /// Forget the model, and make it anew. Collective over the group.
    void synchronize() {
        if (seats_.shared()) return;
        if (seats_.leads()) {
            model_ = global_time{sonde::reading(clock_)};
            sonde::along_tree(
                seats_.place(), static_cast<int>(seats_.leaders().size()), [this](int from) { learn(leader(from)); },
                [this](int to) { teach(leader(to)); });
        }
        spread();
    }

    /// Measure again how far each clock's global time is from rank 0's, which answers one clock after the other; the
    /// worst over all ranks. From then on bounds are those of clocks that ran evenly from the synchronization until
    /// now. Collective over the group.
    template <Group G>
    clock_check check(G& group) {
        if (seats_.shared()) return {};
        seconds distance{};
        if (group.rank() == 0) {
            for (auto const other : seats_.leaders())
                if (other != 0) serve(other);
        } else if (seats_.leads()) {
            distance = compare_with_first();
        }
        spread();
        std::array<double, 2> worst{distance.count(), model_.error.count()};
        group.all_reduce(worst, reduction::max);
        return {seconds{worst[0]}, seconds{worst[1]}};
    }

private:
    int leader(int place) const { return seats_.leaders()[static_cast<std::size_t>(place)]; }
    seconds local() { return sonde::reading(clock_) - model_.origin; }
    void serve(int client) {
        detail::serve_time(courier_, client, [this] { return now(); });
    }

    void learn(int server) {
        std::vector<clock_offset> offsets;
        offsets.reserve(effort_.offsets);
        auto const ask = [this, server] { return detail::ask_time(courier_, server, [this] { return local(); }); };
        seconds best_known{};
        while (offsets.size() != effort_.offsets)
            offsets.push_back(sonde::measure_offset(ask, effort_.pings, effort_.pings_at_most, best_known));
        detail::end_service(courier_, server);
        model_ = detail::chained(fit_drift(offsets, model_.origin), received_model(server));
    }
    void teach(int client) {
        serve(client);
        send_model(client);
    }
    void send_model(int to) {
        auto const numbers = detail::packed(model_);
        courier_.send(to, std::span<double const>{numbers.data(), numbers.size()});
    }
    global_time received_model(int from) {
        detail::packed_time numbers{};
        courier_.receive(from, std::span<double>{numbers.data(), numbers.size()});
        return detail::unpacked(numbers);
    }

    seconds compare_with_first() {
        auto const ask = [this] { return detail::ask_time(courier_, 0, [this] { return now(); }); };
        seconds unknown{};
        auto const left = sonde::measure_offset(ask, effort_.pings, effort_.pings, unknown);
        detail::end_service(courier_, 0);
        auto const distance = detail::magnitude(left.value);
        model_ = detail::tightened(model_, left.at, distance + left.error);
        return distance;
    }

    /// What a leader knows goes to all with its clock.
    void spread() {
        if (!seats_.leads()) model_ = received_model(seats_.leader());
        else
            for (auto const follower : seats_.followers()) send_model(follower);
    }

    C clock_;
    M courier_;
    sync_effort effort_;
    clock_seats seats_;
    global_time model_{};
};

} // namespace sonde
