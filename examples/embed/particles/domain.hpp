// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "particle.hpp"

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/nonblocking.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace particles {

/// Conserved quantities, summed over all ranks.
struct invariants {
    std::int64_t particles = 0;
    std::int64_t sum_of_ids = 0;
    double momentum = 0;
    double absolute_momentum = 0; // the sum of the absolute values, to which rounding is relative
};

/// A rank's part of the ring, from its rank to the next one: its particles, which repel each other if they are closer
/// than the reach, and the ghosts of its neighbors. Between two rebuilds, `steps_between_rebuilds` apart, particles
/// stay with their rank and the same particles are ghosts, as in molecular dynamics.
class domain {
public:
    static constexpr int steps_between_rebuilds = 10;
    static constexpr double time_step = 1e-3;

    domain(neighbors ring, std::size_t n, double reach)
        : ring_{ring}, reach_{reach}, strength_{1 / static_cast<double>(n)} {
        std::mt19937_64 random{static_cast<std::uint64_t>(ring.comm.rank())};
        std::uniform_real_distribution<double> between{0, 1};
        for (std::size_t i = 0; i != n; ++i) {
            auto const id = static_cast<std::int64_t>(static_cast<std::size_t>(ring.comm.rank()) * n + i);
            auto const place = begin() + between(random), mass = 1 + between(random);
            mine_.push_back({id, mass, place, 2 * between(random) - 1});
        }
    }

    /// Give each particle to the rank in whose part it is, and choose the ghosts anew. Throws std::runtime_error if a
    /// particle moved farther since the last rebuild than the halo allows. Collective.
    void rebuild() {
        for (auto const& p : mine_)
            if (!(p.place >= begin() - margin_ && p.place < begin() + 1 + margin_))
                throw std::runtime_error{"particles: a particle is faster than the halo allows"};
        migrate();
        margin_ = 2 * steps_between_rebuilds * time_step * greatest_speed(); // twice what they move at that speed
        if (reach_ + 2 * margin_ > 1) throw std::runtime_error{"particles: the halo reaches beyond the neighbor"};
        for (auto const s : {left, right}) choose_ghosts(s);
        fill_halo();
    }

    /// Copy the particles at the boundaries into the ghosts that the neighbors get.
    void fill_halo() {
        for (auto const s : {left, right})
            for (std::size_t i = 0; i != chosen_[s].size(); ++i) halo_.out[s].all[i] = mine_[chosen_[s][i]];
    }

    /// Make one time step with the ghosts that have been received.
    void move() {
        auto const forces = compute_forces();
        for (std::size_t i = 0; i != mine_.size(); ++i) {
            mine_[i].speed += time_step * forces[i] / mine_[i].mass;
            mine_[i].place += time_step * mine_[i].speed;
        }
    }

    /// Collective; equal on all ranks.
    invariants sums() const {
        double moments[2]{};
        std::int64_t counts[2]{static_cast<std::int64_t>(mine_.size()), 0};
        for (auto const& p : mine_) {
            counts[1] += p.id;
            moments[0] += p.mass * p.speed;
            moments[1] += std::abs(p.mass * p.speed);
        }
        std::int64_t all_counts[2];
        double all_moments[2];
        boost::mpi::all_reduce(ring_.comm, counts, 2, all_counts, std::plus<std::int64_t>{});
        boost::mpi::all_reduce(ring_.comm, moments, 2, all_moments, std::plus<double>{});
        return {all_counts[0], all_counts[1], all_moments[0], all_moments[1]};
    }

    particles::halo& halo() { return halo_; }
    neighbors const& ring() const { return ring_; }

private:
    struct body {
        double place;
        std::ptrdiff_t index; // of a particle of this rank; -1 for a ghost
    };

    double begin() const { return ring_.comm.rank(); }
    double length() const { return ring_.comm.size(); }
    /// Distance of a place from a boundary of this rank's part, positive inside.
    double inside(double place, side s) const { return s == left ? place - begin() : begin() + 1 - place; }

    double greatest_speed() const {
        double mine = 0, all = 0;
        for (auto const& p : mine_) mine = std::max(mine, std::abs(p.speed));
        boost::mpi::all_reduce(ring_.comm, mine, all, boost::mpi::maximum<double>{});
        return all;
    }

    /// Send the particles that have left to the neighbors: vectors of any length.
    void migrate() {
        std::vector<particle> leaving[2], coming[2], staying;
        for (auto const& p : mine_)
            (inside(p.place, left) < 0     ? leaving[left]
             : inside(p.place, right) <= 0 ? leaving[right]
                                           : staying)
                .push_back(p);
        std::vector<boost::mpi::request> sent;
        for (auto const s : {left, right})
            sent.push_back(ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), leaving[s]));
        mine_ = std::move(staying);
        for (auto const s : {left, right}) {
            ring_.comm.recv(ring_.rank_at(s), ring_.tag_from(s), coming[s]);
            for (auto p : coming[s]) {
                p.place += shift_from(s);
                mine_.push_back(p);
            }
        }
        boost::mpi::wait_all(sent.begin(), sent.end());
    }

    /// Added to the place of a particle from a neighbor: the ring begins again at the last rank.
    double shift_from(side s) const {
        if (s == left) return ring_.comm.rank() == 0 ? -length() : 0;
        return ring_.comm.rank() == ring_.comm.size() - 1 ? length() : 0;
    }

    void choose_ghosts(side s) {
        chosen_[s].clear();
        for (std::size_t i = 0; i != mine_.size(); ++i)
            if (inside(mine_[i].place, s) < reach_ + 2 * margin_) chosen_[s].push_back(i);
        halo_.out[s].all.resize(chosen_[s].size());
    }

    /// Particles and ghosts in the order of their places.
    std::vector<body> bodies() const {
        std::vector<body> all;
        for (std::size_t i = 0; i != mine_.size(); ++i) all.push_back({mine_[i].place, static_cast<std::ptrdiff_t>(i)});
        for (auto const s : {left, right})
            for (auto const& p : halo_.in[s].all) all.push_back({p.place + shift_from(s), -1});
        std::sort(all.begin(), all.end(), [](body const& a, body const& b) { return a.place < b.place; });
        return all;
    }

    /// The force between two particles falls linearly to 0 at the reach.
    std::vector<double> compute_forces() const {
        std::vector<double> forces(mine_.size());
        auto const all = bodies();
        auto const add = [&](body const& b, double force) {
            if (b.index >= 0) forces[static_cast<std::size_t>(b.index)] += force;
        };
        for (auto a = all.begin(); a != all.end(); ++a)
            for (auto b = a + 1; b != all.end() && b->place - a->place < reach_; ++b) {
                auto const force = strength_ * (1 - (b->place - a->place) / reach_);
                add(*a, -force);
                add(*b, force);
            }
        return forces;
    }

    neighbors ring_;
    double reach_;
    double strength_;
    double margin_ = 0; // how far a particle may move until the next rebuild
    std::vector<particle> mine_;
    std::vector<std::size_t> chosen_[2]; // particles of this rank that are ghosts of the neighbor
    particles::halo halo_;
};

} // namespace particles
