// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_launch.hpp"
#include "osu/one_sided/one_sided_driver.hpp"
#include "suite/one_sided.hpp"

#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

namespace osu {

namespace {

/// The code that depends on the types of the transfers and the epoch, and so exists for each combination. Everything
/// else is compiled once.
struct rma_code {
    sonde::record (*measure)(one_sided_driver& on, point const& at, rma_buffers const& buffers);
    void (*iterate)(one_sided_driver const& on, point const& at, rma_buffers const& buffers); // once, untimed
};

template <rma_operation Op, rma_pattern Pattern, class MakeEpoch>
auto make_pattern(one_sided_driver const& on, point const& at, rma_buffers const& buffers) {
    auto epoch = MakeEpoch{}(on.epoch(buffers));
    auto transfer = suite::transfer_of<Op>(on.arguments(at, buffers));
    auto const role = on.pairing().role;
    if constexpr (Pattern == rma_pattern::bidirectional)
        return sonde::rma_exchange{std::move(epoch), role, on.transfers(), std::move(transfer)};
    else if constexpr (Pattern == rma_pattern::latency && !sonde::PassiveEpoch<decltype(epoch)>)
        return sonde::rma_ping_pong{std::move(epoch), role, on.transfers(), std::move(transfer)};
    else return sonde::rma{std::move(epoch), role, on.transfers(), std::move(transfer)};
}

template <rma_operation Op, rma_pattern Pattern, class MakeEpoch>
constexpr rma_code code_of(MakeEpoch /*epoch*/) {
    return {.measure =
                [](one_sided_driver& on, point const& at, rma_buffers const& buffers) {
                    return osu::run(on.world(), on.plan_of(at), make_pattern<Op, Pattern, MakeEpoch>(on, at, buffers),
                                    on.point_of(at));
                },
            .iterate =
                [](one_sided_driver const& on, point const& at, rma_buffers const& buffers) {
                    auto pattern = make_pattern<Op, Pattern, MakeEpoch>(on, at, buffers);
                    pattern();
                    sonde::complete(pattern);
                }};
}

/// The code of an operation and a pattern with the epochs of `-s`.
template <rma_operation Op, rma_pattern Pattern>
rma_code code_with(synchronization s) {
    if constexpr (Pattern != rma_pattern::bidirectional) {
        if (s == synchronization::lock) return code_of<Op, Pattern>(suite::epochs::lock);
        if (s == synchronization::flush) return code_of<Op, Pattern>(suite::epochs::flush);
        if (s == synchronization::flush_local) return code_of<Op, Pattern>(suite::epochs::flush_local);
        if (s == synchronization::lock_all) return code_of<Op, Pattern>(suite::epochs::lock_all);
    }
    if (s == synchronization::fence) return code_of<Op, Pattern>(suite::epochs::fence);
    return code_of<Op, Pattern>(suite::epochs::pscw);
}

/// The code of each row.
template <std::size_t... I>
constexpr auto code_table(std::index_sequence<I...> /*rows*/) {
    return std::array{&code_with<one_sided_programs[I].operation, one_sided_programs[I].pattern>...};
}

rma_code code_of(one_sided const& row, synchronization s) {
    constexpr auto table = code_table(std::make_index_sequence<std::size(one_sided_programs)>{});
    return table[static_cast<std::size_t>(&row - one_sided_programs)](s);
}

/// Wrong contents do not end the sweep, as in OMB; the exit status is 1 then.
void sweep(one_sided_driver& on) {
    for (auto const& type : on.types()) {
        on.begin_table(type);
        on.summary().begin(type.name);
        on.each_size(type, [&](point const& at) { return on.report(at, measure(on, at)), true; });
    }
    if (on.options().check.on && on.what().typed) on.summary().print(on.world(), on.table());
}

} // namespace

sonde::record measure(one_sided_driver& on, point const& at) {
    auto buffers = on.make_buffers(at);
    auto const code = code_of(on.what(), on.sync());
    auto found = code.measure(on, at, buffers);
    if (on.options().check.on) found.errors = on.count_wrong(at, buffers, [&] { code.iterate(on, at, buffers); });
    return found;
}

std::vector<suite::named_program> one_sided_suite() {
    return suite::programs_of(one_sided_programs, [](one_sided const& row) {
        return named(program_of(row), [&row](invocation const& from) {
            auto const on = std::make_shared<one_sided_driver>(from, row);
            return prepared_run{on, "", [on] { sweep(*on); }};
        });
    });
}

} // namespace osu
