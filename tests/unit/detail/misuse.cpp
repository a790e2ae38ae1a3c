// SPDX-License-Identifier: BSL-1.0
// Each adaptor of a concept passes each hook of the concept's list on: a new row of the list is tested here.
#include "../../remote_memory.hpp"

#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/link.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/report.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/recorded.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <sonde/detail/hooks.inc>

#pragma GCC diagnostic ignored "-Wunused-parameter" // of the lists

namespace {

using namespace sonde::detail; // as the types of the lists are named

std::string called; // hooks, in order, each between blanks

/// An argument of any type; also a buffer, a reading and a function.
struct anything {
    template <class T>
    operator T() const {
        return T{};
    }
    operator sonde::point&() const {
        static sonde::point at;
        return at;
    }
    sonde::region next() const { return {}; }
    std::size_t size() const { return 0; }
    sonde::seconds time_since_epoch() const { return {}; }
    void operator()(auto&&) const {}
};

template <class R>
R made() {
    if constexpr (std::is_constructible_v<R> || std::is_void_v<R>) return R();
    else return R(0);
}

void note(char const* name) { called += ' ' + std::string{name} + ' '; }

/// Bases of a type with all hooks of a list, without those that are left out; each notes its call.
#define SONDE_NOTED(owner, result, name, parameters, constness, ...)                                                   \
    template <bool, class Result = result>                                                                             \
    struct noted_##name {                                                                                              \
        Result name parameters constness {                                                                             \
            note(#name);                                                                                               \
            return made<Result>();                                                                                     \
        }                                                                                                              \
    };                                                                                                                 \
    template <class Result>                                                                                            \
    struct noted_##name<false, Result> {};
#define SONDE_HAS(name) (left_out.find(" " #name " ") == std::string_view::npos)
#define SONDE_NOTED_BASE(owner, result, name, ...) , noted_##name<SONDE_HAS(name)>

/// Makes an adaptor of a type with the hook, and calls the adaptor's with as many arguments as it takes.
#define SONDE_CALLED(owner, result, name, parameters, constness, ...)                                                  \
    if (SONDE_HAS(name)) {                                                                                             \
        called.clear();                                                                                                \
        auto adaptor = make();                                                                                         \
        [](auto constness& x) {                                                                                        \
            if constexpr (requires { x.name(); }) (void)x.name();                                                      \
            else if constexpr (requires { x.name(anything{}); }) (void)x.name(anything{});                             \
            else if constexpr (requires { x.name(anything{}, anything{}); }) (void)x.name(anything{}, anything{});     \
        }(adaptor);                                                                                                    \
        INFO(left_out);                                                                                                \
        CHECK_MESSAGE(called.find(" " #name " ") != std::string::npos, #name);                                         \
    }

constexpr std::string_view none = "";

} // namespace

namespace {

namespace links {

SONDE_LINK_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_LINK_HOOKS(SONDE_NOTED_BASE) {
    auto send_buffer(sonde::Buffer auto buffer) {
        note("send_buffer");
        return buffer;
    }
    auto recv_buffer(sonde::Buffer auto buffer) {
        note("recv_buffer");
        return buffer;
    }
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_LINK_HOOKS(SONDE_CALLED)
}

constexpr std::string_view peers = " peers ";

} // namespace links

} // namespace

TEST_CASE("each adaptor of a link has the hooks of the link") {
    sonde::timeline line;
    auto const touch = [](sonde::opaque_region) {};
    using links::noted, links::peers;
    links::check<none>([&] { return sonde::touched_link{noted<none>{}, touch}; });
    links::check<peers>([] { return sonde::staged_link{noted<peers>{}, remote_memory{}}; });
    links::check<peers>([&] { return sonde::recorded_link{line.add_track("link"), noted<peers>{}, 1}; });
    static_assert(!link_hook::has_complete<sonde::touched_link<int, decltype(touch)>>);
}

namespace {

namespace patterns {

SONDE_PATTERN_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_PATTERN_HOOKS(SONDE_NOTED_BASE) {
    void operator()() {}
    void start() {}
    bool test() { return true; }
    void wait() {}
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_PATTERN_HOOKS(SONDE_CALLED)
}

constexpr std::string_view point = " point ", traffic = " traffic ", complete = " complete ", in_role = " in_role ";

} // namespace patterns

} // namespace

TEST_CASE("each adaptor of a pattern has the hooks of the pattern") {
    sonde::timeline line;
    std::exception_ptr failure;
    patterns::noted<none> own;
    patterns::noted<patterns::in_role> without_role;
    auto const nothing = [] {};
    using patterns::check, patterns::noted;
    check<none>([&] { return sonde::with_setup{nothing, own}; });
    check<none>([&] { return sonde::repeat{2, own}; });
    check<none>([&] { return sonde::repeat{2, sonde::repeat{2, noted<none>{}}}; });
    check<none>([&] { return sonde::recorded{line.add_track("pattern"), "", own}; });
    check<none>([&] { return guarded_pattern<noted<none>>{own, failure}; });
    check<patterns::traffic>([] { return sonde::with_traffic{{}, noted<patterns::traffic>{}}; });
    check<patterns::complete>([] { return sonde::without_completion{noted<patterns::complete>{}}; });
    check<patterns::point>([] { return sonde::named{"", noted<patterns::point>{}}; });
    check<patterns::in_role>([&] { return sonde::pattern_ref<>{without_role}; });
    check<patterns::in_role>([&] { return sonde::overlapped{without_role, nothing}; });
    static_assert(!pattern_hook::has_complete<decltype(sonde::without_completion{own})>);
    static_assert(!pattern_hook::has_complete<decltype(sonde::repeat{2, sonde::without_completion{own}})>);
    static_assert(!pattern_hook::has_point<decltype(sonde::repeat{2, nothing})>);
}

namespace {

namespace groups {

SONDE_GROUP_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_GROUP_HOOKS(SONDE_NOTED_BASE) {
    int rank() const { return 0; }
    int size() const { return 1; }
    void barrier() {}
    void all_reduce(std::span<double>, sonde::reduction) {}
    sonde::watchdog_base* watchdog() {
        note("watchdog");
        return nullptr;
    }
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_GROUP_HOOKS(SONDE_CALLED)
}

/// Their results have a type of their own, which a reference to any group does not know.
constexpr std::string_view typed = " hold  control_channel ";

} // namespace groups

} // namespace

TEST_CASE("a reference to a group has the hooks of the group") {
    groups::noted<groups::typed> group;
    groups::check<groups::typed>([&] { return sonde::group_ref{group}; });
}

namespace {

namespace synchronizers {

SONDE_SYNC_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_SYNC_HOOKS(SONDE_NOTED_BASE) {
    void operator()(auto&, std::size_t) {}
    noted* global_clock() {
        note("global_clock");
        return this;
    }
    void synchronize(auto&) {}
    bool on_time() const { return true; }
    sonde::seconds to_global(sonde::seconds t) const { return t; }
    sonde::clock_deviation measure_deviation(auto&) { return {}; }
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_SYNC_HOOKS(SONDE_CALLED)
}

} // namespace synchronizers

} // namespace

TEST_CASE("each adaptor of a synchronizer has the hooks of the synchronizer") {
    using synchronizers::check, synchronizers::noted;
    void (** const nothing)() = nullptr; // with a function, batches are refused
    sonde::eviction* const no_eviction = nullptr;
    check<none>([&] { return sonde::prepared_sync{noted<none>{}, nothing}; });
    check<none>([&] { return sonde::flushed_sync{noted<none>{}, no_eviction}; });
    check<none>([] { return sonde::any_synchronizer<sonde::single_rank>{noted<none>{}}; });
    noted<none> own;
    check<none>([&] { return pair_synchronizer{own}; });
}

namespace {

namespace rules {

SONDE_RULE_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_RULE_HOOKS(SONDE_NOTED_BASE) {
    std::size_t next(std::size_t) const { return 1; }
    sonde::decision operator()(sonde::progress const&) { return {}; }
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_RULE_HOOKS(SONDE_CALLED)
}

} // namespace rules

namespace reporters {

SONDE_REPORTER_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_REPORTER_HOOKS(SONDE_NOTED_BASE) {
    void operator()(sonde::record const&) {}
};

template <std::string_view const& left_out>
void check(auto make) {
    SONDE_REPORTER_HOOKS(SONDE_CALLED)
}

} // namespace reporters

} // namespace

TEST_CASE("each combination of a stopping rule has the hooks of the rule") {
    using rules::check, rules::noted;
    check<none>([] { return sonde::any_of{noted<none>{}, sonde::samples{1}}; });
    check<none>([] { return sonde::any_of{sonde::samples{1}, noted<none>{}}; });
    check<none>([] { return sonde::all_of{noted<none>{}, noted<none>{}}; });
    check<none>([] { return sonde::any_rule{noted<none>{}}; });
}

TEST_CASE("each adaptor of a reporter has the hooks of the reporter") {
    using reporters::check, reporters::noted;
    sonde::single_rank group;
    check<none>([] { return sonde::tee([](sonde::record const&) {}, noted<none>{}); });
    check<none>([&] { return sonde::on_root{group, noted<none>{}}; });
    check<none>([&] { return sonde::on_root{group, [] { return noted<none>{}; }}; });
}

#include <sonde/detail/hooks.inc>
