// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/setting.hpp"
#include "suite/collectives.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

namespace imb {

namespace mpi = sonde::mpi;

/// IMB's broadcast: the root sends from its send buffer.
struct bcast_from_sendbuf : mpi::bcast {
    bcast_from_sendbuf(mpi::group const& ranks, mpi::block all, sonde::root_rank root) : bcast{ranks, all, root} {}

    std::size_t send_bytes() const { return recv_bytes(); }
    std::vector<sonde::contribution> contributions(int root) const {
        auto from_recvbuf = bcast::contributions(root);
        for (auto& c : from_recvbuf) c.in_recvbuf = false;
        return from_recvbuf;
    }
    std::vector<sonde::expected_block> expected_blocks(int root) const {
        if (is_root(root)) return {};
        return bcast::expected_blocks(root);
    }
    int invoke(sonde::call_arguments const& a, auto function, auto... more) const {
        return bcast::invoke({a.sendbuf, is_root(a.root) ? a.sendbuf : a.recvbuf, a.root}, function, more...);
    }
};

/// Arguments of IMB's collectives. The size of a reduce-scatter is that of each rank's block.
struct recipe : suite::recipe {
    bcast_from_sendbuf bcast() const { return {ranks, each, root}; }
    std::vector<std::size_t> scattered_counts() const { return std::vector<std::size_t>(size(), each.count); }
    mpi::block scattered_block() const { return each; }
};

/// Arguments of a benchmark of one size. The root is rank 0, or rotates with `-root_shift`.
recipe recipe_of(setting const& s);

/// A collective operation as IMB-MPI1 (blocking), IMB-NBC (non-blocking) and IMB-MPI4 (persistent) measure it.
struct collective {
    char const* name; // of the blocking benchmark
    suite::operation operation;
    lengths (*needs)(std::size_t s, std::size_t ranks); // s: the size, at least 4
    bool reduces = false;
    bool rooted = false;
    bool persistent_by_default = true;

    bool is_barrier() const { return operation == suite::operation::barrier; }
};

/// Row of a benchmark without its `make` and as the blocking mode has it.
benchmark row_of(collective const& of);

/// The collectives of IMB-NBC and IMB-MPI4, in their order, in static storage.
std::vector<collective const*> overlapped_collectives();

/// Collectives of IMB-MPI1, with Reduce_local behind Reduce.
std::vector<benchmark> collective_rows();

/// Plan of n repetitions: each call is timed, with an untimed barrier between two of them; of MPI_Barrier the loop is
/// timed as a whole.
plan plan_of(collective const& of, setting const& s, std::size_t n);

/// `-check` of a collective that moves data: `call` makes one call on the first buffers, with the next root. Returns
/// the largest relative deviation over all ranks and roots. Collective over the setting's group.
double deviation_of(collective const& of, setting& s, std::function<void()> const& call);

/// Buffers that an operation is bound to: those of the repetitions, in rotation, or the first one only.
enum class bound_buffers : unsigned char { all, first };

/// Bind an operation to buffers: a pattern of a call mode, `Mode{op, out, in}`. All buffers have the same type, so that
/// a call mode of an operation is compiled once.
template <template <class, class, class> class Mode, sonde::CollectiveOperation Op>
auto bind(Op const& op, setting const& s, bound_buffers which) {
    if constexpr (std::is_same_v<Op, mpi::barrier>) return Mode<Op, sonde::slice, sonde::slice>{op};
    else {
        // One region of the first buffer, also of no bytes: all ranks must make the same number of persistent requests.
        auto const rotation = [which](message_buffers const& all, std::size_t n) {
            if (which == bound_buffers::all) return all.of(n);
            return sonde::opaque_rotating{all.bytes.first(n), n, all.layout.stride};
        };
        return Mode<Op, sonde::opaque_rotating, sonde::opaque_rotating>{op, rotation(s.send, op.send_bytes()),
                                                                        rotation(s.receive, op.recv_bytes())};
    }
}

/// A call of a collective that is bound to its buffers.
using call_ref = sonde::pattern_ref<mpi::wtime>;

} // namespace imb
