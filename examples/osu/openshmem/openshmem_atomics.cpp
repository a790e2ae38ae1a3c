// SPDX-License-Identifier: BSL-1.0
// osu_oshm_atomics: atomic operations on successive elements of a PE of the upper half of the PEs.
#include "osu/openshmem/openshmem_atomics.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/openshmem/openshmem_driver.hpp"
#include "suite/contents.hpp"
#include "suite/launch.hpp"

#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/atomics.hpp>
#include <sonde/shmem/transfers.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace osu::openshmem {

namespace {

/// Operations on an element, named like OpenSHMEM 1.3 does.
enum class atomic : unsigned char { fadd, finc, add, inc, cswap, swap, set, fetch };

/// Rows in this order, for elements of type int and long long.
constexpr char const* int_rows[] = {"shmem_int_fadd",  "shmem_int_finc", "shmem_int_add", "shmem_int_inc",
                                    "shmem_int_cswap", "shmem_int_swap", "shmem_int_set", "shmem_int_fetch"};
constexpr char const* longlong_rows[] = {"shmem_longlong_fadd", "shmem_longlong_finc",  "shmem_longlong_add",
                                         "shmem_longlong_inc",  "shmem_longlong_cswap", "shmem_longlong_swap",
                                         "shmem_longlong_set",  "shmem_longlong_fetch"};

constexpr bool returns_previous(atomic op) { return op != atomic::add && op != atomic::inc && op != atomic::set; }

/// Operations of an iteration; OMB calls them iterations.
constexpr std::size_t operations = 500;
/// Bytes from an element to the next one, for all types: OMB's elements are unions.
constexpr std::size_t distance = 8;
constexpr sweep_plan atomics_plan{.iterations = 1, .warmup = 0, .large = {1, 0}, .synchronize = before_each_size};

alignas(64) std::byte global_elements[operations * distance];

/// Atomic operations on elements that are `distance` bytes apart.
template <class Operation>
class spread_elements {
public:
    /// `stride`: elements of the type from one to the next.
    spread_elements(Operation operation, std::size_t stride) : operation_{std::move(operation)}, stride_{stride} {}
    void operator()(std::size_t i) const { operation_(i * stride_); }
    std::size_t capacity() const { return operation_.capacity() / stride_; }
    sonde::traffic traffic() const { return operation_.traffic(); }

private:
    Operation operation_;
    std::size_t stride_;
};

/// Operands of an operation on elements of type T, and what it makes of an element.
template <class T>
struct operands {
    atomic op;
    T expected; // by cswap
    T value = 1;

    T after(T before) const {
        if (op == atomic::fadd || op == atomic::add) return before + value;
        if (op == atomic::finc || op == atomic::inc) return before + 1;
        if (op == atomic::cswap) return before == expected ? value : before;
        return op == atomic::fetch ? before : value;
    }
};

/// Returns f(operation), a sonde::Transfer, for the elements of `target` on PE `pe`.
template <class T, class F>
decltype(auto) with_operation(operands<T> const& o, int pe, std::span<T> target, std::span<T> previous, F f) {
    auto const spread = [&](auto operation) { return f(spread_elements{operation, distance / sizeof(T)}); };
    switch (o.op) {
    case atomic::fadd:
        return spread(shmem::fetch_add{pe, target, o.value, previous});
    case atomic::finc:
        return spread(shmem::fetch_inc{pe, target, previous});
    case atomic::add:
        return spread(shmem::add{pe, target, o.value});
    case atomic::inc:
        return spread(shmem::inc{pe, target});
    case atomic::cswap:
        return spread(shmem::compare_swap{pe, target, o.expected, o.value, previous});
    case atomic::swap:
        return spread(shmem::swap{pe, target, o.value, previous});
    case atomic::set:
        return spread(shmem::set{pe, target, o.value});
    case atomic::fetch:
        break;
    }
    return spread(shmem::fetch{pe, target, previous});
}

/// Driver of the atomic operations.
class atomics_driver : public openshmem_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the elements. Collective over the group.
    explicit atomics_driver(invocation const& from);

    /// Measure the operations of the rows on elements of type T, until contents are wrong: false then.
    template <class T, std::size_t N>
    bool sweep(char const* const (&rows)[N]) {
        for (std::size_t i = 0; i != N; ++i) {
            auto const op = static_cast<atomic>(i);
            if (op == atomic::cswap && !shmem::has_compare_swap<T>) skip(rows[i]);
            else if (!measure<T>(op, rows[i])) return false;
        }
        return true;
    }

private:
    /// The operands of a pair, equal on both of its PEs: cswap expects the target's number.
    template <class T>
    operands<T> operands_of(atomic op) const {
        return {op, static_cast<T>(std::max(world().rank(), pairing().peer))};
    }
    template <class T>
    bool measure(atomic op, char const* operation);
    /// A row without values.
    void skip(char const* operation) {
        table().unmeasured_row(operation, 2);
        print(world(),
              std::string{"Note: "} + operation +
                  " is not measured, because it overwrites its stack in Open MPI before 4.1.5\n",
              stderr);
    }
    template <class T>
    sonde::record run_until(operands<T> const& o, std::vector<T>& previous, auto epoch, char const* operation);
    template <class T>
    std::size_t count_wrong_elements(point const& at, operands<T> const& o, std::vector<T>& previous);

    symmetric_buffer data_;
};

/// OMB's warm-up: puts of four bytes, an element at a time.
atomics_driver::atomics_driver(invocation const& from)
    : openshmem_driver{from, heap_bytes(from.options, operations, distance, sizeof global_elements)},
      data_{allocate(global_elements, sizeof global_elements, alignof(std::max_align_t))} {
    auto const all = data_.bytes();
    std::fill(all.begin(), all.end(), std::byte{0});
    if (pairing().role == sonde::role::initiator)
        for (std::size_t i = 0; i != all.size(); i += distance)
            shmem_putmem(all.data() + i, all.data() + i, sizeof(int), pairing().peer);
    pes().barrier();
}

template <class T>
sonde::record atomics_driver::run_until(operands<T> const& o, std::vector<T>& previous, auto epoch,
                                        char const* operation) {
    auto const target = shmem::elements<T>(data_.bytes());
    std::fill(target.begin(), target.end(), static_cast<T>(pes().rank())); // what cswap compares with
    auto named = openshmem_driver::point_of({types().front(), sizeof(T)});
    named.parameters.emplace_back("operation", operation);
    named.parameters.emplace_back("completion", std::is_same_v<decltype(epoch), shmem::quiet<>> ? "quiet" : "none");
    return with_operation<T>(o, pairing().peer, target, previous, [&](auto transfer) {
        sonde::rma pattern{epoch, pairing().role, operations, transfer};
        return run(plan(atomics_plan, sizeof(T)).keep({.rank_means = true}), pattern, named);
    });
}

template <class T>
bool atomics_driver::measure(atomic op, char const* operation) {
    auto const type = types().front();
    point const at{type, sizeof(T)};
    auto const o = operands_of<T>(op);
    std::vector<T> previous(operations * distance / sizeof(T));
    result found = run_until(o, previous, shmem::no_completion{}, operation);
    if (options().statistics && !returns_previous(op))
        found.completed = run_until(o, previous, shmem::quiet{}, operation);
    if (options().check.on) found.record.errors = count_wrong_elements(at, o, previous);
    table().row(operation, found);
    return record(at, found);
}

template <class T>
std::size_t atomics_driver::count_wrong_elements(point const& at, operands<T> const& o, std::vector<T>& previous) {
    auto const target = shmem::elements<T>(data_.bytes());
    /// Every other element is the one that cswap expects.
    auto const before = [&o](std::size_t round, std::size_t i) {
        auto const value = known_values{round, 1}.element<T>(0, 0, i);
        return i % 2 == 0 ? o.expected : static_cast<T>(o.expected + value);
    };
    auto const write_elements = [&](std::size_t round) {
        std::fill(previous.begin(), previous.end(), T{-1});
        write_each<T>(
            data_.bytes(), [&](std::size_t i) { return before(round, i); }, distance);
    };
    auto const find = [&](std::size_t round) {
        std::vector<wrong_element> wrong;
        auto const was = [&](std::size_t i) { return before(round, i); };
        auto const is = [&](std::size_t i) { return o.after(before(round, i)); };
        if (pairing().role == sonde::role::responder) compare_each<T>(data_.bytes(), is, append_to(wrong), distance);
        else if (returns_previous(o.op))
            compare_each<T>(std::as_writable_bytes(std::span{previous}), was, append_to(wrong), distance);
        return wrong;
    };
    return with_operation<T>(o, pairing().peer, target, previous, [&](auto transfer) {
        sonde::rma pattern{shmem::no_completion{}, pairing().role, operations, transfer};
        return count_wrong(
            at, [&pattern] { pattern(); }, write_elements, find);
    });
}

} // namespace

suite::named_program atomics_program() {
    program about{.name = "osu_oshm_atomics",
                  .title = "OSU OpenSHMEM Atomic Operation Rate Test",
                  .moved_by = openshmem_library,
                  .accepted = (measurement_options - option_name::message_size) | validation_options,
                  .shows = metric::atomics,
                  .rows = rows::operations,
                  .operations = std::size(int_rows) + std::size(longlong_rows),
                  .needs = ranks::even,
                  .style = one_sided_style,
                  .heap_or_global = true};
    return named(std::move(about), [](invocation const& from) {
        auto const on = std::make_shared<atomics_driver>(from);
        return prepared_run{on, "", [on] {
                                on->table().titles();
                                if (on->sweep<int>(int_rows)) on->sweep<long long>(longlong_rows);
                            }};
    });
}

} // namespace osu::openshmem
