// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "combine.hpp"
#include "failures.hpp"
#include "groups.hpp"

#include <fake/log.hpp>
#include <fake/streams.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace fake {

/// The fake's own mapping of a program's address; null for an address that no device can access.
std::byte* found(void const* address, std::size_t bytes);

/// The arguments of one call.
struct request {
    char const* name;
    ncclComm_t comm;
    cudaStream_t stream;
    std::size_t bytes;
    int other = 0; // peer or root

    int rank() const { return comm->me->rank; }
    std::size_t ranks() const { return static_cast<std::size_t>(comm->me->size); }
    ncclResult_t refused(std::byte const* out, std::byte const* in) const;
};

inline void note(request const& r) { log(line(r.name, r.bytes, number_of(r.stream))); }
inline void note(request const& r, int other) { log(line(r.name, r.bytes, other, number_of(r.stream))); }

/// Enqueues the transfers that `make(task)` adds, unless the call is refused.
template <class Make>
ncclResult_t carry_out(request const& r, std::byte const* out, std::byte const* in, Make make) {
    if (auto const code = r.refused(out, in); code != ncclSuccess) return failed_in_group(code);
    task made{r.comm->me, r.stream, {}};
    make(made);
    submit(std::move(made));
    return ncclSuccess;
}

ncclResult_t no_communicator();

/// Adds a send to each rank, `step` bytes apart.
void send_to_all(task& into, std::byte* out, std::size_t bytes, std::size_t step);
void receive_from_all(task& into, std::byte* in, std::size_t bytes);

} // namespace fake
