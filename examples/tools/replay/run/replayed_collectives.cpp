// SPDX-License-Identifier: BSL-1.0
// The collectives of a replayed rank.
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tools::replay {

using sonde::mpi::check;

/// Blocks without gaps between them.
class count_list {
public:
    explicit count_list(std::vector<MPI_Count> each = {}) : counts_{std::move(each)} {
        for (auto const n : counts_) {
            places_.push_back(static_cast<MPI_Aint>(total_));
            total_ = counted(total_ + n);
        }
        int_counts_ = sonde::mpi::detail::as_int(counts_);
        int_places_ = sonde::mpi::detail::as_int(places_);
    }
    sonde::mpi::detail::array_argument<MPI_Count> counts() const { return {int_counts_.data(), counts_.data()}; }
    sonde::mpi::detail::array_argument<MPI_Aint> places() const { return {int_places_.data(), places_.data()}; }
    std::int64_t total() const { return total_; }
    bool is_large() const { return total_ > INT_MAX; }

private:
    std::vector<MPI_Count> counts_;
    std::vector<MPI_Aint> places_{};
    std::vector<int> int_counts_{}, int_places_{};
    std::int64_t total_ = 0;
};

/// Arguments of the functions of the table of collectives; each takes those that it needs.
struct replayed_collective {
    sent_memory const* memory;
    bool is_sent_in_place = false;
    elements out{}, in{};    // of a block, or of all blocks
    count_list to{}, from{}; // with a count for each rank or neighbor
    void* here = nullptr;    // where blocks are received
    int root = 0;
    MPI_Op op = MPI_OP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;

    void const* sent() const { return is_sent_in_place ? MPI_IN_PLACE : memory->get(); }
    void const* sent_always() const { return memory->get(); }
    bool is_large() const { return out.is_large() || in.is_large() || to.is_large() || from.is_large(); }
};

namespace {

/// How a collective is called.
enum class call_form { blocking, nonblocking, persistent };

using collective_function = int (*)(replayed_collective const&, call_form, MPI_Request*);

// FUNCTION(is_large, name, arguments): SONDE_COUNTED, or SONDE_UNCOUNTED for a function without counts.
#define SONDE_UNCOUNTED(is_large, name, ...) MPI_##name(__VA_ARGS__)
#if MPI_VERSION >= 4
#define SONDE_PERSISTENT(FUNCTION, name, ...) FUNCTION(a.is_large(), name##_init, __VA_ARGS__, MPI_INFO_NULL, request)
#else
#define SONDE_PERSISTENT(FUNCTION, name, ...) MPI_ERR_UNSUPPORTED_OPERATION
#endif
#define SONDE_FORMS(FUNCTION, recorded, name, nonblocking, ...)                                                        \
    {                                                                                                                  \
        #recorded, [](replayed_collective const& a, call_form form, [[maybe_unused]] MPI_Request* request) -> int {    \
            if (form == call_form::persistent) return SONDE_PERSISTENT(FUNCTION, name, __VA_ARGS__);                   \
            return form == call_form::blocking ? FUNCTION(a.is_large(), name, __VA_ARGS__)                             \
                                               : FUNCTION(a.is_large(), nonblocking, __VA_ARGS__, request);            \
        }                                                                                                              \
    }
#define SONDE_AS(...) SONDE_FORMS(SONDE_COUNTED, __VA_ARGS__)
#define SONDE_COLLECTIVE(name, nonblocking, ...) SONDE_AS(name, name, nonblocking, __VA_ARGS__)
#define SONDE_BLOCK(of) a.of.count(), a.of.type
#define SONDE_BLOCKS(of) a.of.counts(), a.of.places()
#define SONDE_REDUCED a.sent(), a.here, a.out.count(), a.out.type, a.op
#define SONDE_TO_EACH a.sent(), SONDE_BLOCKS(to), a.out.type, a.here, SONDE_BLOCKS(from), a.in.type, a.comm
#define SONDE_TO_NEIGHBORS a.sent_always(), SONDE_BLOCKS(to), a.out.type, a.here, SONDE_BLOCKS(from), a.in.type, a.comm
#define SONDE_GATHERED_FROM_NEIGHBORS a.sent_always(), SONDE_BLOCK(out), a.here, SONDE_BLOCKS(from), a.in.type, a.comm

/// What is called for each collective. Those of neighborhoods are the v variants, because neighbors that are not there
/// are left out.
std::map<std::string, collective_function> const collective_functions{
    SONDE_FORMS(SONDE_UNCOUNTED, Barrier, Barrier, Ibarrier, a.comm),
    SONDE_COLLECTIVE(Bcast, Ibcast, a.here, SONDE_BLOCK(out), a.root, a.comm),
    SONDE_COLLECTIVE(Reduce, Ireduce, SONDE_REDUCED, a.root, a.comm),
    SONDE_COLLECTIVE(Allreduce, Iallreduce, SONDE_REDUCED, a.comm),
    SONDE_COLLECTIVE(Scan, Iscan, SONDE_REDUCED, a.comm),
    SONDE_COLLECTIVE(Exscan, Iexscan, SONDE_REDUCED, a.comm),
    SONDE_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, SONDE_REDUCED, a.comm),
    SONDE_COLLECTIVE(Reduce_scatter, Ireduce_scatter, a.sent_always(), a.here, a.to.counts(), a.out.type, a.op, a.comm),
    SONDE_COLLECTIVE(Gather, Igather, a.sent(), SONDE_BLOCK(out), a.here, SONDE_BLOCK(in), a.root, a.comm),
    SONDE_COLLECTIVE(Gatherv, Igatherv, a.sent(), SONDE_BLOCK(out), a.here, SONDE_BLOCKS(from), a.in.type, a.root,
                     a.comm),
    SONDE_COLLECTIVE(Scatter, Iscatter, a.sent_always(), SONDE_BLOCK(out), a.in.is_in_place ? MPI_IN_PLACE : a.here,
                     SONDE_BLOCK(in), a.root, a.comm),
    SONDE_COLLECTIVE(Scatterv, Iscatterv, a.sent_always(), SONDE_BLOCKS(to), a.out.type,
                     a.in.is_in_place ? MPI_IN_PLACE : a.here, SONDE_BLOCK(in), a.root, a.comm),
    SONDE_COLLECTIVE(Allgather, Iallgather, a.sent(), SONDE_BLOCK(out), a.here, SONDE_BLOCK(in), a.comm),
    SONDE_COLLECTIVE(Allgatherv, Iallgatherv, a.sent(), SONDE_BLOCK(out), a.here, SONDE_BLOCKS(from), a.in.type,
                     a.comm),
    SONDE_COLLECTIVE(Alltoall, Ialltoall, a.sent(), SONDE_BLOCK(out), a.here, SONDE_BLOCK(in), a.comm),
    SONDE_COLLECTIVE(Alltoallv, Ialltoallv, SONDE_TO_EACH),
    SONDE_AS(Alltoallw, Alltoallv, Ialltoallv, SONDE_TO_EACH),
    SONDE_AS(Neighbor_alltoall, Neighbor_alltoallv, Ineighbor_alltoallv, SONDE_TO_NEIGHBORS),
    SONDE_AS(Neighbor_alltoallv, Neighbor_alltoallv, Ineighbor_alltoallv, SONDE_TO_NEIGHBORS),
    SONDE_AS(Neighbor_alltoallw, Neighbor_alltoallv, Ineighbor_alltoallv, SONDE_TO_NEIGHBORS),
    SONDE_AS(Neighbor_allgather, Neighbor_allgatherv, Ineighbor_allgatherv, SONDE_GATHERED_FROM_NEIGHBORS),
    SONDE_AS(Neighbor_allgatherv, Neighbor_allgatherv, Ineighbor_allgatherv, SONDE_GATHERED_FROM_NEIGHBORS)};

#undef SONDE_UNCOUNTED
#undef SONDE_PERSISTENT
#undef SONDE_FORMS
#undef SONDE_AS
#undef SONDE_COLLECTIVE
#undef SONDE_BLOCK
#undef SONDE_BLOCKS
#undef SONDE_REDUCED
#undef SONDE_TO_EACH
#undef SONDE_TO_NEIGHBORS
#undef SONDE_GATHERED_FROM_NEIGHBORS

/// Counts of a rank's list, from one of its numbers on, in elements of a datatype that stands for the recorded one.
/// Zeros where only the root has a list.
count_list counts_of(step const& s, std::size_t from, std::size_t n, elements const& unit) {
    std::vector<MPI_Count> found(n);
    for (std::size_t i = 0; i != n && from + i < s.counts.size(); ++i) found[i] = counted(s.counts[from + i] * unit.n);
    return count_list{std::move(found)};
}

/// Counts of the neighbors that are there. `first` of `n` ones in the list of neighbors; their counts, if they have
/// any, are in the call's list from `at` on.
count_list neighbor_counts(step const& s, std::vector<std::int64_t> const& neighbors, std::size_t first, std::size_t n,
                           std::size_t at, elements const& each, elements const& unit) {
    std::vector<MPI_Count> found;
    for (std::size_t i = 0; i != n; ++i)
        if (neighbors[first + i] >= 0)
            found.push_back(s.counts.empty() ? each.n : counted(s.counts.at(at + i) * unit.n));
    return count_list{std::move(found)};
}

} // namespace

/// The blocks of the calls that have a count for each rank or neighbor.
void replayed_rank::set_blocks(replayed_collective& a, step const& s, std::string const& name) const {
    auto const ranks = ranks_of(s).world.size();
    auto const unit_out = elements_of(program_, 1, s.what.type), unit_in = elements_of(program_, 1, s.what.recv_type);
    if (name.starts_with("Neighbor_")) {
        auto const& neighbors = communicators_.neighbors(ranks_of(s));
        auto const sources = static_cast<std::size_t>(neighbors[0]), destinations = neighbors.size() - 1 - sources;
        auto const is_to_each = name.starts_with("Neighbor_alltoall");
        if (is_to_each) a.to = neighbor_counts(s, neighbors, 1 + sources, destinations, 0, a.out, unit_out);
        a.from = neighbor_counts(s, neighbors, 1, sources, is_to_each ? destinations : 0, a.in, unit_in);
    } else if (name == "Alltoallv" || name == "Alltoallw") {
        a.is_sent_in_place = unit_out.is_in_place;
        if (!a.is_sent_in_place) a.to = counts_of(s, 0, ranks, unit_out);
        a.from = counts_of(s, a.is_sent_in_place ? 0 : ranks, ranks, unit_in);
    } else if (name == "Scatterv" || name == "Reduce_scatter") {
        auto unit = unit_out;
        if (s.what.operation != absent) a.op = operation_of(program_, s, unit);
        a.to = counts_of(s, 0, ranks, unit);
        a.out.type = unit.type;
        a.out.extent = unit.extent;
    } else {
        a.from = counts_of(s, 0, ranks, unit_in);
    }
    auto const set_type = [](elements& of, elements const& unit) { // of a side that has counts, and no single one
        if (!of.is_in_place) return;
        of.type = unit.type;
        of.extent = unit.extent;
    };
    if (s.what.operation == absent) set_type(a.out, unit_out);
    set_type(a.in, unit_in);
}

replayed_collective replayed_rank::arguments_of_collective(step const& s, std::string const& name) {
    auto const& e = s.what;
    replayed_collective a{.memory = &sent_memory_, .root = e.root};
    a.out = elements_of(program_, e.count, e.type);
    a.in = elements_of(program_, e.recv_count, e.recv_type);
    a.comm = name.starts_with("Neighbor_") ? communicators_.with_neighbors(ranks_of(s)) : comm_of(s);
    a.is_sent_in_place = a.out.is_in_place;
    auto const has_blocks = !s.counts.empty() || name.ends_with('v') || name.starts_with("Neighbor_");
    if (has_blocks) set_blocks(a, s, name);
    else if (e.operation != absent) a.op = operation_of(program_, s, a.out);
    auto const blocks = has_block_of_each_rank(name) ? ranks_of(s).world.size() : 1;
    auto const bytes = [&](elements const& each) { return each.memory() * blocks; };
    auto const total = [](count_list const& all, elements const& each) {
        return each.extent * static_cast<std::size_t>(all.total());
    };
    will_send(std::max(bytes(a.out), total(a.to, a.out)));
    a.here = received(std::max({bytes(a.out), bytes(a.in), total(a.to, a.out), total(a.from, a.in)}));
    return a;
}

std::function<void()> replayed_rank::collective(step const& s) {
    auto const name = blocking_name(s.call);
    auto const function = collective_functions.at(name);
    auto const a = arguments_of_collective(s, name);
    if (name == s.call) return [=, &s] { check(function(a, call_form::blocking, nullptr), s.call.c_str()); };
    return [=, this, &s] { check(function(a, call_form::nonblocking, next_request()), s.call.c_str()); };
}

/// Makes the request.
std::function<void()> replayed_rank::persistent_collective(step const& s) {
    if (MPI_VERSION < 4) throw std::runtime_error{"this MPI library has no MPI_" + s.call};
    auto const name = blocking_name(s.call);
    return [=, this, &s, function = collective_functions.at(name), a = arguments_of_collective(s, name)] {
        check(function(a, call_form::persistent, &slot(s)), s.call.c_str());
    };
}

} // namespace tools::replay
