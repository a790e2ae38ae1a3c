// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/collective/collective_rows.hpp"
#include "osu/collective/neighbor_topology.hpp"
#include "osu/driver/buffers.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_options.hpp"
#include "suite/collectives.hpp"
#include "suite/contents.hpp"
#include "suite/launch.hpp"

#include <sonde/clock.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace osu {

/// Bytes of the send and receive buffers of this rank.
struct buffer_bytes {
    std::size_t send = 0;
    std::size_t receive = 0;
};

/// Bytes of an operation's buffers, of MPI or of NCCL.
template <class Operation>
buffer_bytes bytes_of_buffers(Operation const& op) {
    return {op.send_bytes(), op.recv_bytes()};
}

/// Send and receive region of one point.
struct collective_buffers {
    sonde::opaque_region out;
    sonde::opaque_region in;

    sonde::opaque_slice out_slice() const { return sonde::opaque_slice{out}; }
    sonde::opaque_slice in_slice() const { return sonde::opaque_slice{in}; }
};

/// Driver of collective operations: the ranks with their topology, the buffers, the root, and validation.
class collective_driver : public driver {
public:
    using bytes_function = std::function<buffer_bytes(recipe const&)>;

    /// Limits sizes as `-M` requires, creates the topology, and allocates the buffers of the largest sizes; `bytes` has
    /// their lengths. Throws refusal, on all ranks, if any of this fails. Collective over the group.
    collective_driver(invocation const& from, collective const& what, sweep_plan const& sweep,
                      bytes_function const& bytes);

    collective const& what() const { return what_; }
    /// Lines above the title.
    std::string preamble() const { return topology_ ? topology_->preamble() : ""; }

    /// Arguments of the operation. They are valid as long as the point's message.
    recipe recipe_of(point const& at) const;
    /// Name and parameters of the record.
    sonde::point point_of(point const& at) const;
    /// Plan of one size, which keeps the ranks' mean of each sample if percentiles are shown.
    size_plan plan_of(std::size_t size) const;
    /// Regions of these lengths, initialized as in OMB: send regions with 1, receive regions with 0.
    collective_buffers buffers(buffer_bytes const& bytes);

    /// Validate contents after the measurement. Each round is `-u` warm-up calls and one validated call. Contributions
    /// are written again before the validated call, so that a call that transfers nothing is found. `call` has not been
    /// called before, so that its root is known. Returns the number of wrong elements of all ranks. Collective over the
    /// group.
    std::size_t count_wrong(point const& at, collective_buffers const& buffers, std::function<void()> const& call);

private:
    void require_kernels() const;
    std::size_t memory_limit() const;
    void limit_memory();
    void require_root() const;
    buffer_bytes largest(bytes_function const& bytes) const;
    void allocate(buffer_bytes const& most);

    known_values values_in(std::size_t round) const;
    int root_in(std::size_t round) const;
    using contribution_writer = std::function<void(sonde::region, sonde::contribution const&)>;
    /// Write the contributions of this rank, and clear the receive buffer.
    void write_each(point const& at, collective_buffers const& buffers, std::size_t round,
                    contribution_writer const& write);
    void write_contributions(point const& at, collective_buffers const& buffers, std::size_t round);
    std::size_t count_wrong_in(point const& at, collective_buffers const& buffers, std::size_t round);
    /// True if all bits of contributions are compared: `--check-bits`, unless they are added up.
    bool checks_bits();
    std::size_t count_wrong_words(sonde::region in, std::vector<sonde::expected_block> const& blocks,
                                  std::size_t round);
    /// `--check-bits` of a reduction of reals: whether the sums have the same bits again. `call` has a fixed root.
    void repeat_sums(point const& at, collective_buffers const& buffers, std::function<void()> const& call);
    std::vector<suite::wrong_word> wrong_words(point const& at, std::vector<wrong_element> const& wrong,
                                               std::size_t round) const;

    collective const& what_;
    sweep_plan sweep_;
    std::optional<neighbor_topology> topology_;
    std::optional<buffer> out_;
    std::optional<buffer> in_;
    std::optional<wrong_log> log_;
};

/// Measure one point. Collective over the group.
using collective_measurement = std::function<result(collective_driver& on, point const& at)>;

/// The programs of all collectives in a call mode.
std::vector<suite::named_program> collective_programs(call_modes mode, collective_measurement const& measure);

/// The program of a collective in a call mode.
program program_of(collective const& what, call_modes mode);

} // namespace osu
