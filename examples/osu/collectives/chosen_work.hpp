// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../placement.hpp"
#include "burn.hpp"
#include "device_work.hpp"

#include <sonde/overlap.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <variant>

namespace osu {

/// What is done beside a communication, where `-r` says: a sonde::Work, so that collectives are compiled once for all.
class chosen_work {
public:
    /// OMB's on the host, whose clock readings and overshoot are part of it.
    static chosen_work of_suite(work_place where, std::size_t tests) {
        if (where == work_place::cpu) return {burn{tests}, "matrix"};
        if (where == work_place::gpu) return {kernel_beside(tests), "kernel"};
        return {kernel_beside(burn{tests}), "kernel and matrix"};
    }
    /// Without them.
    static chosen_work calibrated(work_place where, std::size_t tests) {
        if (where == work_place::cpu) return {sonde::calibrated_work{tests}, "spin"};
        if (where == work_place::gpu) return {kernel_beside(tests), "typical kernel"};
        return {kernel_beside(sonde::calibrated_work{tests}), "kernel and spin"};
    }

    /// As records call it.
    char const* name() const { return name_; }

    void set_duration(sonde::seconds target) {
        std::visit([&](auto& w) { w.set_duration(target); }, work_);
    }
    /// Few alternatives: the visit is inlined compares, which go the same way each time, no call through a table.
    template <class Test>
    void operator()(Test&& test) {
        std::visit([&](auto& w) { w(test); }, work_);
    }

private:
    using any = std::variant<burn<>, sonde::calibrated_work<>, device_work>;
    chosen_work(any work, char const* name) : work_{std::move(work)}, name_{name} {}

    any work_;
    char const* name_;
};

} // namespace osu
