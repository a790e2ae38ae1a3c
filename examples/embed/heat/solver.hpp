// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "field.hpp"

#include <sonde/clock/global_clock.hpp>
#include <sonde/lateness.hpp>
#include <sonde/monitor.hpp>
#include <sonde/mpi.hpp>
#include <sonde/probe.hpp>
#include <sonde/report/lateness_table.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>

#include <mpi.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heat {

/// The parts of a time step as scopes of a probe; with a timeline, also the messages of the exchange.
class step_scopes {
public:
    /// `partners`: ranks with which this rank exchanges.
    explicit step_scopes(std::vector<int> partners = {})
        : exchange_{probe_.exchange("exchange", {.partners = std::move(partners)})}, diffuse_{probe_.work("diffuse")} {}

    /// Record the passes and the messages: `tag` of a message is the side of the block at which it is sent.
    void record_in(sonde::timeline_track& track, decomposition const& part) {
        probe_.record_in(track);
        for (auto const s : sides) {
            sent_.emplace_back(track, part.neighbor(s), s);
            received_.emplace_back(track, part.neighbor(s), opposite(s));
        }
    }

    void show_in(sonde::monitor& monitor) { monitor.add(probe_); }
    /// Write who made ranks wait. Collective over the decomposition; throws on all ranks if the file cannot be written.
    void write_waiting(decomposition const& part, std::string const& path) const {
        sonde::mpi::group ranks{part.comm()};
        auto const found = sonde::collect_lateness(ranks, probe_);
        sonde::collectively(ranks, [&] {
            if (ranks.rank() == 0) sonde::lateness_table{path}(found);
        });
    }

    void exchange(auto exchange) {
        auto const pass = exchange_.enter();
        for (auto& messages : sent_) messages.sent();
        exchange();
        for (auto& messages : received_) messages.received();
    }
    void diffuse(auto diffuse) {
        auto const pass = diffuse_.enter();
        diffuse();
    }

private:
    sonde::probe probe_;
    sonde::probe_scope &exchange_, &diffuse_;
    std::vector<sonde::recorded_messages<>> sent_, received_; // of the four sides; empty without a timeline
};

/// The timeline of a run, written by `write`. Construction and `write` are collective.
class recording {
public:
    /// Throws std::invalid_argument on all ranks if the file cannot be written.
    recording(decomposition const& part, std::string path, step_scopes& scopes)
        : path_{require_writable(part, std::move(path))}, ranks_{part.comm()}, clock_{ranks_} {
        scopes.record_in(timeline_.add_track("time steps"), part);
    }
    void write() {
        auto const written = sonde::write_timeline(ranks_, timeline_, clock_, path_); // collective
        if (ranks_.rank() == 0)
            std::printf("timeline: %zu events, %zu dropped, times within %.3g us, in %s\n", written.events,
                        written.dropped, written.error_bound.count() * 1e6, path_.c_str());
    }

private:
    static std::string require_writable(decomposition const& part, std::string path) {
        int failed = 0;
        std::string reason = "rank 0 cannot write it";
        if (part.rank() == 0) try {
                sonde::require_writable(path);
            } catch (std::exception const& e) {
                failed = 1;
                reason = e.what();
            }
        MPI_Bcast(&failed, 1, MPI_INT, 0, part.comm());
        if (failed != 0) throw std::invalid_argument{"--timeline: " + reason};
        return path;
    }

    std::string path_;
    sonde::mpi::group ranks_;
    sonde::global_clock<sonde::steady_clock, sonde::mpi::control_channel> clock_;
    sonde::timeline timeline_;
};

/// Weights of the differences between a cell and its neighbors in a time step.
struct weights {
    double beside;
    double above;
};

inline weights weights_of(grid const& g, double time_step) {
    return {time_step / (g.width() * g.width()), time_step / (g.height() * g.height())};
}

/// The initial temperatures of a section of the grid.
inline void set_initial_temperatures(field& u, grid const& whole, section rows, section columns) {
    for (int i = 1; i <= u.rows(); ++i)
        for (int j = 1; j <= u.columns(); ++j)
            *u.cell(i, j) = initial_temperature((columns.first + j) * whole.width(), (rows.first + i) * whole.height());
}

/// One time step of every cell of u, whose ghosts are up to date, into `next`.
inline void diffuse(field const& u, field& next, weights w) {
    for (int i = 1; i <= u.rows(); ++i) {
        auto const *above = u.cell(i - 1, 0), *here = u.cell(i, 0), *below = u.cell(i + 1, 0);
        auto* const to = next.cell(i, 0);
        for (int j = 1; j <= u.columns(); ++j)
            to[j] = here[j] + w.beside * (here[j - 1] - 2 * here[j] + here[j + 1]) +
                    w.above * (above[j] - 2 * here[j] + below[j]);
    }
}

/// Time steps, each after an exchange: `halo.exchange(u)`.
template <class Halo>
void advance(field& u, field& next, weights w, int steps, Halo& halo, step_scopes& scopes) {
    for (; steps != 0; --steps) {
        scopes.exchange([&] { halo.exchange(u); });
        scopes.diffuse([&] { diffuse(u, next, w); });
        u.swap(next);
    }
}

/// Solution of the whole grid by one process.
inline field solve_serially(grid const& whole, weights w, int steps) {
    struct nothing {
        void exchange(field&) const {}
    } none;
    field u{whole.rows, whole.columns}, next{whole.rows, whole.columns};
    set_initial_temperatures(u, whole, {0, whole.rows}, {0, whole.columns});
    step_scopes scopes;
    advance(u, next, w, steps, none, scopes);
    return u;
}

/// A block of cells of a field, as one element of a datatype.
inline sonde::mpi::owned_datatype block(field const& of, int rows, int columns) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, columns, of.stride(), MPI_DOUBLE, &type);
    return sonde::mpi::owned_datatype{type};
}

/// All blocks in one field on rank 0 of the decomposition; an empty field on the others. Collective.
inline field collect(decomposition const& part, field const& u) {
    MPI_Request sent = MPI_REQUEST_NULL;
    auto const mine = block(u, u.rows(), u.columns());
    MPI_Isend(u.cell(1, 1), 1, mine.get(), 0, 0, part.comm(), &sent);
    auto const root = part.rank() == 0;
    field all{root ? part.whole().rows : 0, root ? part.whole().columns : 0};
    for (int rank = 0; root && rank != part.dims()[0] * part.dims()[1]; ++rank) {
        int place[2] = {};
        MPI_Cart_coords(part.comm(), rank, 2, place);
        auto const rows = part.rows_of(place[0]), columns = part.columns_of(place[1]);
        auto const theirs = block(all, rows.count, columns.count);
        MPI_Recv(all.cell(rows.first + 1, columns.first + 1), 1, theirs.get(), rank, 0, part.comm(), MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return all;
}

/// True if a number is neither infinite nor NaN, by the bits of its exponent: with -ffast-math the compiler assumes
/// that all numbers are finite and replaces std::isfinite by true.
inline bool is_finite(double x) { return (std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) != 0x7ff; }

/// The largest difference between the cells of two fields, or the first difference that is not a finite number.
inline double difference(field const& a, field const& b) {
    double largest = 0;
    for (int i = 1; i <= a.rows(); ++i)
        for (int j = 1; j <= a.columns(); ++j) {
            auto const d = std::abs(*a.cell(i, j) - *b.cell(i, j));
            if (!is_finite(d)) return d;
            if (d > largest) largest = d;
        }
    return largest;
}

} // namespace heat
