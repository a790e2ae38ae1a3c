// SPDX-License-Identifier: BSL-1.0
#include "exchange.hpp"
#include "fail.hpp"
#include "failures.hpp"

#include <fake/devices.hpp>
#include <fake/log.hpp>

#include <cstdlib>
#include <string>
#include <utility>

using namespace fake;

static bool devices_may_be_shared() {
    auto const* const value = std::getenv("FAKE_NCCL_SHARE");
    return value != nullptr && std::string{value} == "1";
}

/// A rank that has the same device, or -1.
static int who_shares(member const& me) {
    for (int rank = 0; rank != me.size; ++rank)
        if (rank != me.rank && me.shared->devices[rank] == me.shared->devices[me.rank]) return rank;
    return -1;
}

static ncclResult_t settle(member& me) {
    auto& all = *me.shared;
    all.devices[me.rank] = current_device();
    for (++all.arrived; all.arrived < me.size; rest())
        if (all.absent) return refuse(ncclRemoteError, "");
    auto const other = devices_may_be_shared() ? -1 : who_shares(me);
    if (other >= 0) all.failed = true;
    for (++all.checked; all.checked < me.size;) rest();
    if (other >= 0)
        return refuse(ncclInvalidUsage, "Duplicate GPU detected : rank " + std::to_string(me.rank) + " and rank " +
                                            std::to_string(other) + " both on CUDA device " +
                                            std::to_string(1000 * (1 + all.devices[me.rank])));
    return all.failed ? refuse(ncclRemoteError, "") : ncclSuccess;
}

static std::shared_ptr<member> absent_member;

// The others have opened the segment by then: rank 0 removes its name once it returns.
void fake::nccl_notices() {
    auto const me = std::exchange(absent_member, nullptr);
    if (me == nullptr) return;
    while (me->shared->arrived < me->size - 1) rest();
    me->shared->absent = true;
}

ncclResult_t ncclGetVersion(int* version) {
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    log(line("ncclGetUniqueId"));
    if (auto const code = planned_nccl_failure("ncclGetUniqueId"); code != ncclSuccess) return refuse(code, "planned");
    *id = {};
    return make_segment(*id) ? ncclSuccess : refuse(ncclSystemError, "no shared memory");
}

ncclResult_t ncclCommInitRank(ncclComm_t* made, int size, ncclUniqueId id, int rank) {
    log(line("ncclCommInitRank", size, rank));
    if (size < 1 || size > most_ranks || rank < 0 || rank >= size) return refuse(ncclInvalidArgument, "no such rank");
    auto const shared = open_segment(id);
    if (!shared) return refuse(ncclSystemError, "no such unique id");
    if (auto const planned = planned_nccl_failure("ncclCommInitRank"); planned != ncclSuccess) {
        absent_member = std::make_shared<member>(shared, rank, size);
        return refuse(planned, "planned");
    }
    auto const me = std::make_shared<member>(shared, rank, size);
    auto code = settle(*me);
    if (rank == 0) unlink_segment(id); // all ranks have opened it
    if (auto const planned = planned_nccl_failure(at_its_end); planned != ncclSuccess)
        code = refuse(planned, "planned");
    *made = code == ncclSuccess ? new ncclComm{me} : nullptr;
    return code;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    log(line("ncclCommDestroy"));
    while (comm->me->ended != comm->me->begun) rest();
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    log(line("ncclCommAbort"));
    comm->me->shared->failed = true;
    comm->me->aborted = true;
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* failure) {
    if (comm == nullptr) return refuse(ncclInvalidArgument, "the communicator is null");
    *failure = comm->me->shared->failed ? refuse(ncclRemoteError, "") : ncclSuccess;
    return ncclSuccess;
}
