// SPDX-License-Identifier: BSL-1.0
// Each adaptor of a concept passes each hook of the concept's list on: a new row of the list is tested here.
#include "../../remote_memory.hpp"

#include <sonde/link.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/recorded.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <sonde/detail/hooks.inc>

#pragma GCC diagnostic ignored "-Wunused-parameter" // of the lists

namespace {

using namespace sonde::detail; // as the types of the lists are named

std::string called; // the latest hook

/// An argument of any type; also a buffer.
struct anything {
    template <class T>
    operator T() const {
        return T{};
    }
    sonde::region next() const { return {}; }
    std::size_t size() const { return 0; }
};

template <class R>
R made() {
    if constexpr (std::is_constructible_v<R> || std::is_void_v<R>) return R();
    else return R(0);
}

/// Bases of a type with all hooks of a list but one, each of which notes its call.
#define SONDE_NOTED(owner, result, name, parameters, constness, ...)                                                   \
    template <bool, class Result = result>                                                                             \
    struct noted_##name {                                                                                              \
        Result name parameters constness {                                                                             \
            called = #name;                                                                                            \
            return made<Result>();                                                                                     \
        }                                                                                                              \
    };                                                                                                                 \
    template <class Result>                                                                                            \
    struct noted_##name<false, Result> {};
#define SONDE_NOTED_BASE(owner, result, name, ...) , noted_##name<#name != left_out>

/// Calls the hook of an adaptor, which the adapted type has, with the arguments that it takes.
#define SONDE_CALLED(owner, result, name, parameters, constness, ...)                                                  \
    if (#name != left_out) {                                                                                           \
        called.clear();                                                                                                \
        [](auto constness& x) {                                                                                        \
            if constexpr (requires { x.name(); }) x.name();                                                            \
            else if constexpr (requires { x.name(anything{}); }) x.name(anything{});                                   \
            else if constexpr (requires { x.name(anything{}, anything{}); }) x.name(anything{}, anything{});           \
        }(adaptor);                                                                                                    \
        CHECK(called == #name);                                                                                        \
    }

constexpr std::string_view none, peers = "peers";

} // namespace

namespace {

namespace links {

SONDE_LINK_HOOKS(SONDE_NOTED)

template <std::string_view const& left_out>
struct noted : no_hooks<void> SONDE_LINK_HOOKS(SONDE_NOTED_BASE) {
    auto send_buffer(sonde::Buffer auto buffer) {
        called = "send_buffer";
        return buffer;
    }
    auto recv_buffer(sonde::Buffer auto buffer) {
        called = "recv_buffer";
        return buffer;
    }
};

template <std::string_view const& left_out>
void check(auto adaptor) {
    SONDE_LINK_HOOKS(SONDE_CALLED)
}

} // namespace links

} // namespace

TEST_CASE("each adaptor of a link has the hooks of the link") {
    sonde::timeline line;
    auto const touch = [](sonde::opaque_region) {};
    links::check<none>(sonde::touched_link{links::noted<none>{}, touch});
    links::check<peers>(sonde::staged_link{links::noted<peers>{}, remote_memory{}});
    links::check<peers>(sonde::recorded_link{line.add_track("link"), links::noted<peers>{}, 1});
    static_assert(!link_hook::has_complete<sonde::touched_link<int, decltype(touch)>>);
}

#include <sonde/detail/hooks.inc>
