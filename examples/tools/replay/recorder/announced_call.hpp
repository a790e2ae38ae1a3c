// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_page.hpp"
#include "tools/replay/recorder/handle_map.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace tools::replay {

/// A call before it is made, for the page of its rank. Its functions are those of `call_description` that need nothing
/// but the arguments, which may be wrong: they are not looked up.
class announced_call {
public:
    explicit announced_call(std::int32_t call) { call_.call = call; }

    page_call& arguments() { return call_; }
    page_call const& arguments() const { return call_; }

    announced_call& with(std::uint32_t roles) {
        call_.roles |= roles;
        return *this;
    }
    announced_call& on(MPI_Comm comm) {
        call_.object = key_of(comm);
        return *this;
    }
    announced_call& on_window(MPI_Win win) {
        call_.object = key_of(win);
        return with(window_role);
    }
    announced_call& at(int target, MPI_Win win) {
        call_.to = target;
        return on_window(win);
    }
    announced_call& to(int rank, int tag) {
        call_.to = partner(rank);
        call_.tag = tag;
        return *this;
    }
    announced_call& from(int rank, int tag) {
        call_.from = partner(rank);
        call_.recv_tag = tag == MPI_ANY_TAG ? any_tag : tag;
        return *this;
    }
    announced_call& root(int rank) {
        call_.root = rank;
        return *this;
    }
    announced_call& sends(MPI_Count count, MPI_Datatype type) {
        call_.count = count;
        call_.type = key_of(type);
        return *this;
    }
    announced_call& sends(void const* buffer, MPI_Count count, MPI_Datatype type) {
        return buffer == MPI_IN_PLACE ? *this : sends(count, type);
    }
    announced_call& sends_with_root(MPI_Count count, MPI_Datatype type) { return sends(count, type); }
    announced_call& sends_to_root(void const* buffer, MPI_Count count, MPI_Datatype type) {
        return sends(buffer, count, type);
    }
    announced_call& receives(MPI_Count count, MPI_Datatype type) {
        call_.recv_count = count;
        call_.recv_type = key_of(type);
        return *this;
    }
    announced_call& receives(void const* buffer, MPI_Count count, MPI_Datatype type) {
        return buffer == MPI_IN_PLACE ? *this : receives(count, type);
    }
    announced_call& receives_from_root(void const* buffer, MPI_Count count, MPI_Datatype type) {
        return receives(buffer, count, type);
    }
    announced_call& reduces(MPI_Op op) {
        call_.operation = key_of(op);
        return *this;
    }
    announced_call& names(int n, MPI_Request const* requests) {
        for (int i = 0; i < n && requests != nullptr; ++i) {
            if (requests[i] == MPI_REQUEST_NULL) continue;
            if (call_.request_count < page_call::most_requests)
                call_.requests[call_.request_count] = key_of(requests[i]);
            ++call_.request_count;
        }
        return *this;
    }

private:
    static std::int32_t partner(int rank) {
        return rank == MPI_PROC_NULL ? null_partner : rank == MPI_ANY_SOURCE ? any_partner : rank;
    }

    page_call call_;
};

} // namespace tools::replay
