// SPDX-License-Identifier: BSL-1.0
#include "groups.hpp"

#include "failures.hpp"

#include <fake/enqueue.hpp>
#include <fake/log.hpp>

#include <utility>

namespace fake {

namespace {

struct open_group {
    int depth = 0;
    ncclResult_t failure = ncclSuccess;
    std::vector<task> tasks;
};
thread_local open_group group;

void carry_out(task const& what, long turn) {
    while (what.me->ended != turn) rest();
    exchange(*what.me, what.transfers);
    if (what.then && !what.me->aborted) what.then();
    ++what.me->ended;
}

void enqueue(task what) {
    auto const turn = what.me->begun++;
    auto const stream = what.stream;
    fake_cuda_enqueue(stream, [what = std::move(what), turn] { carry_out(what, turn); });
}

/// Merges sends and receives of one communicator on one stream into one task.
std::vector<task> joined(std::vector<task> all) {
    std::vector<task> fewer;
    for (auto& one : all) {
        auto const joins = !fewer.empty() && !one.then && !fewer.back().then && fewer.back().me == one.me &&
                           fewer.back().stream == one.stream;
        if (joins) fewer.back().transfers.push_back(one.transfers.front());
        else fewer.push_back(std::move(one));
    }
    return fewer;
}

} // namespace

void submit(task what) {
    if (group.depth == 0) enqueue(std::move(what));
    else group.tasks.push_back(std::move(what));
}

ncclResult_t failed_in_group(ncclResult_t code) {
    if (group.depth != 0) group.failure = code;
    return code;
}

} // namespace fake

using namespace fake;

ncclResult_t ncclGroupStart() {
    log(line("ncclGroupStart"));
    ++group.depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    log(line("ncclGroupEnd"));
    if (group.depth == 0) return refuse(ncclInvalidUsage, "no group was started");
    if (--group.depth != 0) return ncclSuccess;
    auto const failure = std::exchange(group.failure, ncclSuccess);
    auto tasks = std::exchange(group.tasks, {});
    if (failure == ncclSuccess)
        for (auto& one : joined(std::move(tasks))) enqueue(std::move(one));
    return failure;
}
