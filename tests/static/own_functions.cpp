// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: no function of an application is found by accident, whatever its name. Each name below is a
// deleted function of the application's, and a better match for its types than any function of the library.

#include <sonde/sync.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/sonde.hpp>
#include <sonde/link.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/map.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace app {

struct group : sonde::single_rank {};
struct instant {
    double at;
    friend sonde::seconds operator-(instant a, instant b) { return sonde::seconds{a.at - b.at}; }
    sonde::seconds time_since_epoch() const { return sonde::seconds{at}; }
};
struct clock {
    instant now() { return {1}; }
};
struct control_channel {
    void send(int, std::span<std::byte const>) {}
    void receive(int, std::span<std::byte>) {}
};
struct rule {
    std::size_t next(std::size_t) const { return 1; }
    sonde::decision operator()(sonde::progress const&) { return {true, sonde::stop_reason::other}; }
};
struct sync {
    template <class G>
    void operator()(G&, std::size_t) {}
    void describe(sonde::point&) const {}
    bool allows_batches() const { return true; }
};
struct global_clock {
    bool on_time() const { return true; }
    sonde::seconds to_global(sonde::seconds t) const { return t; }
    void synchronize(group&) {}
    sonde::clock_deviation measure_deviation(group&) { return {}; }
};
struct timed_sync : sync {
    app::global_clock own;
    app::global_clock* global_clock() { return &own; }
};
struct buffer {
    std::byte bytes[1];
    sonde::region next() { return bytes; }
    std::size_t size() const { return 1; }
    std::size_t regions() const { return 1; }
};
struct link {
    void send(sonde::region) {}
    void recv(sonde::region) {}
    void isend(sonde::region) {}
    void irecv(sonde::region) {}
    void wait_all() {}
    void complete() {}
};
struct pattern {
    void operator()() {}
    template <class F>
    void in_role(F f) {
        f(*this);
    }
    sonde::role role() const { return sonde::role::initiator; }
    sonde::traffic traffic() const { return {1, 1}; }
    void complete() {}
    void after_warmup() {}
    void before_sample() {}
    void after_sample(auto, auto) {}
};
struct split : pattern {
    void start() {}
    bool test() { return true; }
    void wait() {}
};
struct work {
    void operator()() {}
    void set_duration(sonde::seconds) {}
};
struct epoch {
    void open(auto) {}
    void close(auto) {}
};
struct transfer {
    void operator()(std::size_t) {}
    sonde::traffic traffic() const { return {1, 1}; }
    std::size_t capacity() const { return 1; }
    void reserve(std::size_t) {}
};
struct reporter {
    void operator()(sonde::record const&) {}
};
struct device {
    static constexpr bool host_accessible = false, device_accessible = true;
    std::byte room[1 << 12];
    void* allocate(std::size_t) { return room; }
    void deallocate(void*, std::size_t) {}
    void fill(sonde::opaque_region, std::byte) {}
    void write(sonde::opaque_region, std::span<std::byte const>) {}
    void read(sonde::region, sonde::opaque_region) {}
};
struct memory {
    static constexpr bool host_accessible = true, device_accessible = false;
    void* allocate(std::size_t n) { return ::operator new(n); }
    void deallocate(void* p, std::size_t) { ::operator delete(p); }
    void fill(sonde::region, std::byte) {}
};

// A function of every name that requires one of the application's types as its first or second argument.
// clang-format off
#define APP_OWN(type, name)                                                                                            \
    void name(type&, auto&&...) = delete; void name(type const&, auto&&...) = delete;                                  \
    void name(type&&, auto&&...) = delete;                                                                             \
    void name(auto&&, type&, auto&&...) = delete; void name(auto&&, type const&, auto&&...) = delete;
#define APP_OF_ALL_TYPES(name)                                                                                         \
    APP_OWN(group, name) APP_OWN(instant, name) APP_OWN(clock, name) APP_OWN(control_channel, name) APP_OWN(rule, name)        \
    APP_OWN(sync, name) APP_OWN(timed_sync, name) APP_OWN(buffer, name) APP_OWN(link, name) APP_OWN(pattern, name)     \
    APP_OWN(split, name) APP_OWN(app::work, name) APP_OWN(epoch, name) APP_OWN(transfer, name)                         \
    APP_OWN(reporter, name) APP_OWN(device, name) APP_OWN(memory, name)
#define APP_FOUR(a, b, c, d) APP_OF_ALL_TYPES(a) APP_OF_ALL_TYPES(b) APP_OF_ALL_TYPES(c) APP_OF_ALL_TYPES(d)
// Hooks of patterns, links and buffers.
APP_FOUR(role, moves, complete, after_warmup)
APP_FOUR(in_role, perform, send_buffer, recv_buffer)
APP_FOUR(reserve, regions, time_batch, start)
// Operations on groups, clocks, rules and synchronizers.
APP_FOUR(broadcast, differences, all_gather, combine)
APP_FOUR(is_shorter, evaluate, union_of_scopes, combine_late_rounds)
APP_FOUR(reduce_block, append_means, add_block, largest_over_ranks)
APP_FOUR(clock_properties_of, measure_clock_properties, since_epoch, reading)
APP_FOUR(is_uniform, global_clock_of, describe, allows_batches)
APP_FOUR(synchronize_clocks, clock_deviation_of, require_equal, require_same)
APP_FOUR(require_same_number, require_some_in_time, finish, mean_over_ranks)
APP_FOUR(combine_passes, take_sample, take_rounds, sample)
APP_FOUR(warm_up, warm_up_by_count, warm_up_until_stable, find_batch)
APP_OF_ALL_TYPES(read_cost) APP_OF_ALL_TYPES(read_differences) APP_OF_ALL_TYPES(after_sample)
APP_OF_ALL_TYPES(before_sample)
APP_FOUR(add_schedule, parameters_of, block_size, require_regions)
APP_FOUR(send_value, receive_value, request_time, serve_time)
APP_FOUR(end_service, for_each_tree_edge, measure_offset, control_channel_of)
APP_FOUR(broadcast_bytes, gather_bytes, reduce_bytes, elements_of)
APP_FOUR(gather_elements, gather_texts, domain_of, host_name_of)
// Functions that an application calls by name.
APP_FOUR(run, compare, fastest, validate) APP_FOUR(map, shift_map, gather, expect)
APP_FOUR(measure_overlap, measure_references, collect, merge)
APP_FOUR(find_slowest, for_each_scope, add_scopes, find_or_make)
APP_FOUR(cell_text, touch, name, find_scope)
// clang-format on
// As many arguments as the library's own calls, so that it is the better match where a call is not qualified.
template <class P>
void run(group&, auto const&, P&) = delete;

} // namespace app

namespace own_functions {

using sonde::role;

auto plan_of(auto rule, auto sync) {
    return sonde::plan<>{}.until(rule).synchronized(sync).timed_by(app::clock{}).keep({.sample_means = true,
                                                                                       .rank_means = true});
}

void measure(app::group& group) {
    auto const plan = plan_of(app::rule{}, app::sync{});
    app::pattern pattern;
    (void)sonde::run(group, plan, pattern);
    (void)sonde::run(group, plan.warmup(sonde::until_stable{}).batch(sonde::by_timer), pattern);
    (void)sonde::run(group, plan_of(app::rule{} || sonde::samples{1}, app::timed_sync{}), pattern);
    (void)sonde::run(group, plan_of(app::rule{} && sonde::samples{1}, sonde::prepared_sync{app::sync{}, &pattern}), pattern);
    (void)sonde::compare(group, plan, pattern, app::pattern{});
    (void)sonde::compare(group, plan_of(app::rule{}, app::timed_sync{}).batch(sonde::by_timer), pattern);
    (void)sonde::fastest(group, plan, pattern);
    (void)sonde::validate(group, pattern, [](std::size_t) {}, [](std::size_t) { return 0; });
    sonde::synchronized_start<app::clock, app::control_channel> start{group, app::clock{}, app::control_channel{}, "one"};
    (void)sonde::run(group, plan.synchronized(start), pattern);
}

void measure_adapted(app::group& group) {
    auto const plan = plan_of(app::rule{}, app::sync{});
    app::pattern pattern;
    app::split split;
    app::work work;
    (void)sonde::run(group, plan, sonde::with_traffic{{1, 1}, sonde::with_setup{[] {}, sonde::repeat{2, pattern}}});
    (void)sonde::run(group, plan, sonde::overlapped{split, work, sonde::phase_timer{app::clock{}}});
    (void)sonde::measure_overlap(group, plan, split, work, {}, sonde::overlap_timing::phases);
    (void)sonde::run(group, plan, sonde::rma{app::epoch{}, role::initiator, 1, app::transfer{}});
    (void)sonde::run(group, plan, sonde::rma_ping_pong{app::epoch{}, role::initiator, 1, app::transfer{}});
    (void)sonde::run(group, plan, sonde::rma_exchange{app::epoch{}, role::initiator, 1, app::transfer{}});
    sonde::calibrated_work<sonde::multiply_chain, app::clock> spin;
    spin.set_duration(sonde::seconds{1});
}

template <class L>
void measure_links(app::group& group, L link) {
    auto const plan = plan_of(app::rule{}, app::sync{});
    app::buffer const b{};
    (void)sonde::run(group, plan, sonde::ping_pong{link, role::initiator, b, b});
    (void)sonde::run(group, plan, sonde::stream{link, role::initiator, 1, b, b, link, b});
    (void)sonde::run(group, plan, sonde::bidirectional{link, role::initiator, 1, b, b});
}

void measure_links(app::group& group) {
    measure_links(group, app::link{});
    measure_links(group, sonde::touched_link{app::link{}, [](sonde::opaque_region) {}});
    sonde::allocation<app::memory> const host{64, app::memory{}};
    (void)sonde::run(group, sonde::plan<>{},
                     sonde::ping_pong{app::link{}, role::initiator, host.first(8), host.distinct_regions(8, 2)});
    sonde::allocation<app::device> const device{8, app::device{}};
    (void)sonde::run(group, sonde::plan<>{},
                     sonde::ping_pong{sonde::staged_link{app::link{}, app::device{}, app::memory{}}, role::initiator,
                                      device.first(8), device.first(8)});
}

void observe(app::group& group) {
    sonde::basic_probe<app::clock> probe{app::clock{}};
    auto& outer = probe.scope("outer");
    auto& inner = outer.scope("inner");
    inner.set_reference([] { return app::pattern{}; });
    { auto const pass = inner.enter(); }
    auto found = sonde::collect(group, probe);
    sonde::measure_references(group, probe, found);
    sonde::thread_team team{group, 1};
    team.run([&](auto& member) { (void)sonde::run(member, sonde::plan<>{}.until(app::rule{}), app::pattern{}); });
}

struct finishing : app::pattern {
    void finish() {}
};

void map_pairs(app::group& group) {
    auto const plan = plan_of(app::rule{}, app::sync{});
    (void)sonde::map(group, plan, [](int, role) { return app::pattern{}; });
    (void)sonde::shift_map(group, plan, [](int, int) { return finishing{}; });
}

void report(app::group& group, sonde::record const& found) {
    sonde::progress_line all{1, sonde::tee(sonde::on_root{group, app::reporter{}}, app::reporter{}), {}, app::clock{}};
    all(found);
}

} // namespace own_functions
