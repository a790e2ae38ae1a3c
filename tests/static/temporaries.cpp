// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: a temporary gives no reference to its own members.

#include <sonde/sync.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/pages.hpp>
#include <sonde/probe/collect.hpp>

#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace temporaries {

template <class A>
constexpr bool hands_out_bytes = requires(A a) { std::forward<A>(a).bytes(); };
template <class A>
constexpr bool hands_out_memory = requires(A a) { std::forward<A>(a).memory(); };
template <class A>
constexpr bool hands_out_first = requires(A a) { std::forward<A>(a).first(8); };
template <class A>
constexpr bool hands_out_apart = requires(A a) { std::forward<A>(a).distinct_regions(8, 2); };
template <class A>
constexpr bool hands_out_cold = requires(A a) { std::forward<A>(a).cold(8); };
template <class A>
constexpr bool hands_out_all =
    hands_out_bytes<A> && hands_out_memory<A> && hands_out_first<A> && hands_out_apart<A> && hands_out_cold<A>;
template <class A>
constexpr bool hands_out_any =
    hands_out_bytes<A> || hands_out_memory<A> || hands_out_first<A> || hands_out_apart<A> || hands_out_cold<A>;

static_assert(hands_out_all<sonde::host_allocation&> && hands_out_all<sonde::host_allocation const&>);
static_assert(!hands_out_any<sonde::host_allocation> && !hands_out_any<sonde::host_allocation const>);
static_assert(hands_out_bytes<sonde::eviction&> && !hands_out_bytes<sonde::eviction>);
static_assert(hands_out_memory<sonde::first_touch_memory<>&> && !hands_out_memory<sonde::first_touch_memory<>>);

template <class List>
constexpr bool found_by_name = requires(List list) { sonde::find_scope(std::forward<List>(list), "halo"); };
using list = std::vector<sonde::scope_record>;
static_assert(found_by_name<list&> && found_by_name<list const&>);
static_assert(!found_by_name<list> && !found_by_name<list const>);

template <class P>
constexpr bool has_scopes = requires(P p) {
    std::forward<P>(p).scope("halo");
    std::forward<P>(p).scopes();
};
static_assert(has_scopes<sonde::probe&> && !has_scopes<sonde::probe>);
template <class P>
constexpr bool has_unnamed_scopes = requires(P p) { std::forward<P>(p).scope(); };
static_assert(has_unnamed_scopes<sonde::probe&> && !has_unnamed_scopes<sonde::probe>);

// `auto scope = probe.scope("halo")`, without &, would count the passes of a copy.
static_assert(!std::is_constructible_v<sonde::probe_scope, sonde::probe_scope&>);
static_assert(!std::is_move_constructible_v<sonde::probe_scope> && std::is_nothrow_move_constructible_v<sonde::probe>);

} // namespace temporaries
