// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

// What the calls of a trace do in a replay.

namespace tools::replay {

/// "Allreduce" for Iallreduce and Allreduce_init; the name of a call that is no collective.
std::string blocking_name(std::string const& call);

/// A blocking or a nonblocking collective of a communicator.
bool is_collective(step const& s);

/// A call that makes a communicator with a topology, whose neighbors are its counts.
bool makes_topology(step const& s);

/// False for the collectives of one vector, and true for those that have a block of each rank; by the blocking name.
bool has_block_of_each_rank(std::string const& name);

/// A call that makes a persistent collective.
bool makes_persistent_collective(step const& s);

/// A call that makes a persistent or a partitioned message.
bool makes_persistent_message(step const& s);

/// A call that sends a message, or whose request does when it is started.
bool sends(step const& s);

/// A call that receives a message, or whose request does when it is started. A probe that takes the message receives.
bool receives(step const& s);

/// A probe that takes the message, which a later call receives.
bool takes_message(step const& s);

/// A call that receives a message that a probe took.
bool receives_taken(step const& s);

/// A message that is copied to the attached buffer.
bool is_buffered(step const& s);

/// A call that starts a request which is not persistent.
bool starts_request(step const& s);

/// A call that is left out and starts a request, which is complete in the replay.
bool starts_nothing(step const& s);

/// A call that is left out and whose time passes in the replay as if it were between calls.
bool takes_time(step const& s);

/// MPI_Start and MPI_Startall.
bool starts_persistent(step const& s);

/// MPI_Waitany and others: the number of completed requests is known, and the requests of which they are, or all that
/// are open.
bool completes_any(step const& s);

/// A call that completes or frees the requests that it names.
bool completes_named(step const& s);

/// An operation on the memory of a window.
bool is_one_sided(step const& s);

/// False for a message, or a one-sided operation, to and from MPI_PROC_NULL, which takes no memory.
bool has_partner(step const& s);

/// A call that begins or ends an epoch of a window, or synchronizes in it.
bool synchronizes_window(step const& s);

/// True for a call that is replayed. The others are left out.
bool is_replayed(step const& s);

/// The calls that made the persistent requests of a program, by the calls that use them.
class persistent_requests {
public:
    explicit persistent_requests(program const& of);

    /// The call that made the persistent request of this number before a call; null for a number that is none.
    step const* maker(step const& user, std::int64_t number) const;

private:
    void find(std::vector<step> const& body);

    std::map<std::int64_t, step const*> latest_; // by the number
    std::map<std::pair<step const*, std::int64_t>, step const*> makers_;
};

} // namespace tools::replay
