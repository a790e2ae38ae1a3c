// SPDX-License-Identifier: BSL-1.0
#include "osu/one_sided/one_sided_measure.hpp"

#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/one_sided/one_sided_driver.hpp"
#include "suite/one_sided.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

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

namespace {

/// Contents of one round of a validation: origin data, window memory, and data to compare with.
template <class T>
class round_values {
public:
    round_values(rma_operation op, std::size_t round)
        : op_{op}, swaps_{round % 2 == 0}, all_{round, accumulates(op) ? 2 : 1} {}

    T origin(int rank, std::size_t i) const { return all_.element<T>(rank, 0, i); }
    T window(int rank, std::size_t i) const { return all_.element<T>(rank, 1, i); }
    /// The value in the peer's window in every other round, so that half of the swaps take place.
    T compare(int rank, int peer, std::size_t i) const {
        return swaps_ ? window(peer, i) : all_.element<T>(rank, 2, i);
    }
    /// The value in a rank's window after the peer's transfer.
    T window_after(int rank, int peer, std::size_t i) const {
        if (accumulates(op_)) return static_cast<T>(window(rank, i) + origin(peer, i));
        if (op_ == rma_operation::put || (compares(op_) && swaps_)) return origin(peer, i);
        return window(rank, i);
    }

private:
    rma_operation op_;
    bool swaps_;
    known_values all_;
};

/// The first n elements of a region; none if the operation does not use it.
template <class T>
suite::host_view first_elements(memory const& of, sonde::opaque_region bytes, std::size_t n) {
    return {of, bytes.first(bytes.empty() ? 0 : n * sizeof(T))};
}

/// Write value(i) into the first n elements.
template <class T, class F>
void write_first(memory const& of, sonde::opaque_region bytes, std::size_t n, F value) {
    auto elements = first_elements<T>(of, bytes, n);
    write_each<T>(elements.bytes(), value);
    elements.store();
}

/// Append those of the first n elements that differ from value(i).
template <class T, class F>
void compare_first(memory const& of, sonde::opaque_region bytes, std::size_t n, F value,
                   std::vector<wrong_element>& wrong) {
    auto elements = first_elements<T>(of, bytes, n);
    elements.load();
    compare_each<T>(elements.bytes(), value, append_to(wrong));
}

/// The validation of one point on one rank. Elements are of type T.
template <class T>
class rma_validation {
public:
    rma_validation(one_sided_driver const& on, point const& at, rma_buffers& buffers, std::size_t round)
        : on_{on}, buffers_{buffers}, n_{on.transfers() * on.arguments(at, buffers).block.count},
          rank_{on.world().rank()}, peer_{on.pairing().peer}, values_{on.what().operation, round} {}

    void write() const {
        auto const& [origin, result, compare, window] = buffers_;
        write_first<T>(origin.memory(), origin.bytes(), n_, [&](std::size_t i) { return values_.origin(rank_, i); });
        write_first<T>(compare.memory(), compare.bytes(), n_,
                       [&](std::size_t i) { return values_.compare(rank_, peer_, i); });
        write_first<T>(window.memory(), window.region(), n_, [&](std::size_t i) { return values_.window(rank_, i); });
    }
    /// Wrong elements of the result and of the window.
    std::vector<wrong_element> find_wrong(bool has_result, bool is_target) const {
        auto const& [origin, result, compare, window] = buffers_;
        std::vector<wrong_element> wrong;
        auto const fetched = [&](std::size_t i) { return values_.window(peer_, i); };
        auto const arrived = [&](std::size_t i) { return values_.window_after(rank_, peer_, i); };
        if (has_result) compare_first<T>(result.memory(), result.bytes(), n_, fetched, wrong);
        if (is_target) compare_first<T>(window.memory(), window.region(), n_, arrived, wrong);
        return wrong;
    }

private:
    one_sided_driver const& on_;
    rma_buffers& buffers_;
    std::size_t n_;
    int rank_;
    int peer_;
    round_values<T> values_;
};

} // namespace

std::size_t one_sided_driver::count_wrong(point const& at, rma_buffers& buffers, std::function<void()> const& epochs) {
    auto const rank = world().rank();
    auto const has_result = fetches(what_.operation) && is_origin(rank);
    auto const with_validation = [&](std::size_t round, auto f) {
        auto const lock = suite::lock_own_memory(buffers.window, rank);
        return with_element(at.type.kind, [&](auto type) {
            return f(rma_validation<decltype(type)>{*this, at, buffers, round});
        });
    };
    auto const prepare = [&](std::size_t round) {
        if (!buffers.result.bytes().empty()) buffers.result.fill(std::byte{0xff}); // no element's value
        with_validation(round, [](auto const& v) { v.write(); });
    };
    auto const iteration = [&] {
        epochs();
        world().barrier();
    };
    auto const verify = [&](std::size_t round) {
        auto const wrong = with_validation(round, [&](auto const& v) { return v.find_wrong(has_result, is_target()); });
        if (is_target() || has_result) summary_.add(!wrong.empty());
        if (log_) (*log_)({at.type.kind, at.size, round}, wrong);
        return wrong.size();
    };
    return sonde::validate(world(), iteration, prepare, verify, check_rounds(options()));
}

} // namespace osu
