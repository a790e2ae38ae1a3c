// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../exploit.hpp"
#include "one_sided.hpp"

#include <sonde/pattern.hpp>
#include <sonde/run.hpp>

#include <memory>
#include <utility>

namespace imb {

/// A repetition that ends with a barrier, which targets come to after work: do transfers progress without them?
template <sonde::Pattern P>
class busy_target : public sonde::pattern_adaptor<busy_target<P>, P> {
public:
    busy_target(P accesses, sonde::mpi::group const& group, exploit<> work)
        : busy_target::pattern_adaptor{std::move(accesses)}, group_{group}, work_{work} {}

    void iterate(auto& accesses) {
        accesses();
        if (this->plays() == sonde::role::responder) work_();
        group_.barrier();
    }

private:
    sonde::mpi::group const& group_;
    exploit<> work_;
};

/// A row's `make`: the target waits in the barrier at first, then computes for as long as a repetition took.
inline auto truly_passive(access how) {
    constexpr auto operation = operations::put;
    constexpr auto epoch = epochs::flush;
    return [=](setting& on) -> work {
        auto const at = std::make_shared<place>(on, how);
        auto const run = [=](std::size_t n, sonde::seconds busy, char const* part) {
            exploit<> cpu;
            cpu.set_duration(busy);
            auto accesses = pattern_at<per_repetition::one>(*at, operation, epoch, true, at->slots());
            busy_target pattern{std::move(accesses), at->on().group, cpu};
            return sonde::run(at->on().group, plan_at(*at, n), pattern, at->on().point(part));
        };
        work made;
        made.measure = [=](std::size_t n) -> outcome {
            auto pure = run(n, {}, "pure");
            auto beside = run(n, pure.over_ranks.max, "overlap");
            return {std::move(pure), std::move(beside), {}};
        };
        made.defects = [=] { return defects_at<per_repetition::one>(*at, operation, epoch); };
        return made;
    };
}

} // namespace imb
