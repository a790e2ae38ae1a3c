// SPDX-License-Identifier: BSL-1.0
// The collectives of a replayed rank.
#include "tools/replay/predefined_operations.hpp"
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

namespace {

using sonde::mpi::check;

constexpr std::size_t largest_element = 16; // bytes of an element of the predefined datatypes that are replayed

/// MPI_OP_NULL for another name.
MPI_Op op_of(std::string const& name) {
    for (auto const& known : predefined_operations())
        if (name == known.name) return known.op;
    return MPI_OP_NULL;
}

std::vector<int> as_counts(std::vector<std::int64_t> const& list, std::size_t from, std::size_t n) {
    std::vector<int> found(n);
    for (std::size_t i = 0; i != n && from + i < list.size(); ++i) found[i] = static_cast<int>(list[from + i]);
    return found;
}

/// Blocks without gaps between them.
struct blocks {
    std::vector<int> counts, places;
    int total = 0;

    explicit blocks(std::vector<int> each) : counts{std::move(each)} {
        for (auto const n : counts) {
            places.push_back(total);
            total += n;
        }
    }
};

} // namespace

/// The operation; of one that is not predefined, or on a datatype that is not, one of bytes.
MPI_Op replayed_rank::operation_of(step const& s, elements& of) const {
    auto const op = s.what.operation == absent ? MPI_OP_NULL
                                               : op_of(program_.operations[static_cast<std::size_t>(s.what.operation)]);
    if (op != MPI_OP_NULL && of.type != MPI_BYTE) return op;
    if (of.type != MPI_BYTE) of.n *= static_cast<int>(program_.size_of(s.what.type));
    of.type = MPI_BYTE;
    return MPI_BOR;
}

// The blocking or the nonblocking function of a collective.
#define SONDE_COLLECTIVE(blocking, nonblocking, ...)                                                                   \
    return [=, this] {                                                                                                 \
        check(starts ? MPI_##nonblocking(__VA_ARGS__, next_request()) : MPI_##blocking(__VA_ARGS__),                   \
              "MPI_" #blocking);                                                                                       \
    }

std::function<void()> replayed_rank::collective(step const& s) {
    auto const name = blocking_name(s.call);
    auto const starts = name != s.call;
    auto const& e = s.what;
    auto const comm = comm_of(s);
    if (name == "Barrier")
        return [=, this] { check(starts ? MPI_Ibarrier(comm, next_request()) : MPI_Barrier(comm), "MPI_Barrier"); };
    if (name.starts_with("Neighbor_")) return neighbor_collective(s, name, starts);
    if (!s.counts.empty() || name.ends_with('v') || name.ends_with('w') || name == "Reduce_scatter")
        return collective_v(s, name, starts);
    auto const ranks = ranks_of(s).world.size();
    auto out = elements_of(e.count, e.type);
    auto const in = elements_of(e.recv_count, e.recv_type);
    auto const size = [&](elements const& of, std::int32_t type) {
        return of.type == MPI_BYTE ? static_cast<std::size_t>(of.n)
                                   : static_cast<std::size_t>(of.n) * static_cast<std::size_t>(program_.size_of(type));
    };
    auto const out_size = size(out, e.type), in_size = size(in, e.recv_type);
    will_send(out_size * ranks);
    auto* const here = received(std::max(out_size, in_size) * ranks);
    auto const root = e.root;
    auto const op = e.operation == absent ? MPI_OP_NULL : operation_of(s, out);
    auto const from = [this, in_place = out.is_in_place] { return in_place ? MPI_IN_PLACE : sent_memory_.get(); };
    void* const to = in.is_in_place && name == "Scatter" ? MPI_IN_PLACE : here;
    if (name == "Bcast") SONDE_COLLECTIVE(Bcast, Ibcast, here, out.n, out.type, root, comm);
    if (name == "Reduce") SONDE_COLLECTIVE(Reduce, Ireduce, from(), here, out.n, out.type, op, root, comm);
    if (name == "Allreduce") SONDE_COLLECTIVE(Allreduce, Iallreduce, from(), here, out.n, out.type, op, comm);
    if (name == "Scan") SONDE_COLLECTIVE(Scan, Iscan, from(), here, out.n, out.type, op, comm);
    if (name == "Exscan") SONDE_COLLECTIVE(Exscan, Iexscan, from(), here, out.n, out.type, op, comm);
    if (name == "Reduce_scatter_block")
        SONDE_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, from(), here, out.n, out.type, op, comm);
    if (name == "Gather") SONDE_COLLECTIVE(Gather, Igather, from(), out.n, out.type, to, in.n, in.type, root, comm);
    if (name == "Scatter") SONDE_COLLECTIVE(Scatter, Iscatter, from(), out.n, out.type, to, in.n, in.type, root, comm);
    if (name == "Allgather") SONDE_COLLECTIVE(Allgather, Iallgather, from(), out.n, out.type, to, in.n, in.type, comm);
    if (name == "Alltoall") SONDE_COLLECTIVE(Alltoall, Ialltoall, from(), out.n, out.type, to, in.n, in.type, comm);
    throw std::runtime_error{"MPI_" + s.call + " cannot be replayed"};
}

/// A collective with a count for each rank; bytes for those of datatypes of their own.
std::function<void()> replayed_rank::collective_v(step const& s, std::string const& name, bool starts) {
    auto const& e = s.what;
    auto const comm = comm_of(s);
    auto const ranks = ranks_of(s).world.size();
    auto const root = e.root;
    auto const unit_out = elements_of(1, e.type), unit_in = elements_of(1, e.recv_type);
    auto const scaled = [](std::vector<int> all, elements const& unit) {
        for (auto& n : all) n *= unit.n;
        return blocks{std::move(all)};
    };
    auto const is_pair = name == "Alltoallv" || name == "Alltoallw"; // of lists
    auto const in_place = is_pair && unit_out.is_in_place;
    blocks const first = scaled(as_counts(s.counts, 0, ranks),
                                name == "Allgatherv" || name == "Gatherv" || in_place ? unit_in : unit_out);
    blocks const second = scaled(as_counts(s.counts, is_pair && !in_place ? ranks : 0, ranks), unit_in);
    auto const largest = [&](blocks const& b) { return static_cast<std::size_t>(b.total) * largest_element; };
    auto out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    will_send(std::max({largest(first), static_cast<std::size_t>(out.n) * largest_element, std::size_t{1}}));
    auto* const here = received(
        std::max({largest(first), largest(second), static_cast<std::size_t>(in.n) * largest_element, std::size_t{1}}));
    auto const from =
        [this, is_in_place = is_pair ? in_place : name != "Scatterv" && name != "Reduce_scatter" && out.is_in_place] {
            return is_in_place ? MPI_IN_PLACE : sent_memory_.get();
        };
    auto const out_type = unit_out.type, in_type = unit_in.type;
    if (name == "Gatherv")
        SONDE_COLLECTIVE(Gatherv, Igatherv, from(), out.n, out.type, here, first.counts.data(), first.places.data(),
                         unit_out.is_in_place ? in_type : out_type, root, comm);
    if (name == "Allgatherv")
        SONDE_COLLECTIVE(Allgatherv, Iallgatherv, from(), out.n, out.type, here, first.counts.data(),
                         first.places.data(), in_type, comm);
    if (name == "Scatterv")
        SONDE_COLLECTIVE(Scatterv, Iscatterv, from(), first.counts.data(), first.places.data(), out_type,
                         in.is_in_place ? MPI_IN_PLACE : here, in.n, in.type, root, comm);
    if (name == "Reduce_scatter") {
        auto unit = unit_out;
        auto const op = operation_of(s, unit);
        blocks const mine = scaled(as_counts(s.counts, 0, ranks), unit);
        auto const type = unit.type;
        SONDE_COLLECTIVE(Reduce_scatter, Ireduce_scatter, from(), here, mine.counts.data(), type, op, comm);
    }
    SONDE_COLLECTIVE(Alltoallv, Ialltoallv, from(), first.counts.data(), first.places.data(), out_type, here,
                     second.counts.data(), second.places.data(), in_type, comm);
}

/// Blocks to and from the neighbors that are there: a block of the same length for each, or counts, or bytes.
std::function<void()> replayed_rank::neighbor_collective(step const& s, std::string const& name, bool starts) {
    auto const& e = s.what;
    auto const& in_comm = ranks_of(s);
    auto const comm = communicators_.with_neighbors(in_comm);
    auto const& neighbors = communicators_.neighbors(in_comm);
    auto const sources = static_cast<std::size_t>(neighbors[0]);
    auto const out = elements_of(e.count, e.type), in = elements_of(e.recv_count, e.recv_type);
    auto const unit_out = elements_of(1, e.type), unit_in = elements_of(1, e.recv_type);
    // The counts of neighbors from `first` on, which are in the list of counts from `at` on.
    auto const counts = [&](std::size_t first, std::size_t n, std::size_t at, elements const& each,
                            elements const& unit) {
        std::vector<int> found;
        for (std::size_t i = 0; i != n; ++i)
            if (neighbors[first + i] >= 0)
                found.push_back(s.counts.empty() ? each.n : static_cast<int>(s.counts.at(at + i)) * unit.n);
        return blocks{std::move(found)};
    };
    auto const destinations = neighbors.size() - 1 - sources;
    auto const to_each = name.starts_with("Neighbor_alltoall");
    auto const to = to_each ? counts(1 + sources, destinations, 0, out, unit_out) : blocks{{out.n}};
    auto const from = counts(1, sources, to_each ? destinations : 0, in, unit_in);
    will_send(largest_element * static_cast<std::size_t>(to.total));
    auto* const here = received(largest_element * static_cast<std::size_t>(from.total));
    auto const out_type = unit_out.type, in_type = unit_in.type;
    if (to_each)
        SONDE_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, sent_memory_.get(), to.counts.data(),
                         to.places.data(), out_type, here, from.counts.data(), from.places.data(), in_type, comm);
    SONDE_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, sent_memory_.get(), to.total, out_type, here,
                     from.counts.data(), from.places.data(), in_type, comm);
}

} // namespace tools::replay
