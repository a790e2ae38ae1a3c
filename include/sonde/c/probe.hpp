// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/measure.hpp>
#include <sonde/c/plan.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/probe/scope_record.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// A probe of the C interface.
struct sonde_probe {
    static constexpr auto noun = "the probe"; // in messages

    explicit sonde_probe(sonde::probe_options options) : probe{{}, options} {}

    std::vector<std::shared_ptr<void>> tables; // that have counters of its scopes: they outlive it
    sonde::probe probe;                        // of the application
};

/// The scopes of all ranks.
struct sonde_scopes {
    static constexpr auto noun = "the list of scopes"; // in messages

    explicit sonde_scopes(std::vector<sonde::scope_record> found) : all{std::move(found)} {}

    std::vector<sonde::scope_record> all; // parents before their children
};

// Probes. The handle of a scope is its address.

namespace sonde::inline v0_1::detail::c {

inline probe_scope* in(sonde_scope* handle) { return reinterpret_cast<probe_scope*>(handle); }

/// True if the scope is one of the list, or nested in one.
inline bool contains(std::list<probe_scope> const& scopes, probe_scope const* scope) {
    for (auto const& s : scopes)
        if (&s == scope || contains(s.children(), scope)) return true;
    return false;
}

inline sonde_scope_summary summary_of(scope_record const& r) {
    sonde_scope_summary s{};
    s.size = sizeof s;
    s.name = r.name.c_str();
    s.parent = r.parent ? static_cast<std::int64_t>(*r.parent) : -1;
    s.ranks = r.ranks;
    s.passes = r.times.count();
    s.bytes = r.bytes;
    s.median = median(r).value_or(seconds{}).count();
    s.total_min = r.totals.min.count();
    s.total_mean = r.totals.mean.count();
    s.total_max = r.totals.max.count();
    s.slowest = r.slowest;
    s.slow_rank = slow_rank(r).value_or(-1);
    s.share = share(r).value_or(0);
    s.imbalance = imbalance(r).value_or(0);
    s.bandwidth = bandwidth(r).value_or(0);
    s.kind = static_cast<int>(r.kind);
    return s;
}

/// The scope that `make` finds in a probe, or nested in `parent`: make(probe or scope) -> probe_scope&.
template <class Make>
void find_scope(sonde_probe* probe, sonde_scope* parent, char const* name, sonde_scope** scope, Make make) {
    auto& owner = checked(probe).probe;
    require(name, "the name of the scope");
    require(scope, "the result");
    if (parent != nullptr && !contains(owner.scopes(), in(parent)))
        throw std::invalid_argument{"sonde: the enclosing scope is not of this probe"};
    auto& found = parent == nullptr ? make(owner) : make(*in(parent));
    *scope = reinterpret_cast<sonde_scope*>(&found);
}

/// The probe of this rank. Throws on all ranks if one has none, has no place for the result, or has another problem.
inline probe const& probe_of_all(mpi::group& ranks, char const* function, sonde_probe const* handle, void const* result,
                                 std::string const& other_problem = "") {
    auto const* const of_rank = find(handle);
    agree(ranks, function,
          handle == nullptr    ? "sonde: the probe is NULL"
          : of_rank == nullptr ? freed_message<sonde_probe>()
          : result == nullptr  ? "sonde: the result is NULL"
                               : other_problem);
    return of_rank->probe;
}

inline void require_bytes(char const* name, std::size_t bytes) {
    if (auto const wrong = problem_of_count("the bytes of the scope " + shortened(name), bytes); !wrong.empty())
        throw std::invalid_argument{wrong};
}

extern "C" {

sonde_status sonde_probe_create(size_t kept_passes, sonde_probe** probe, sonde_error* error) {
    return guarded(error, [&] {
        require(probe, "the result");
        probe_options options;
        if (kept_passes != 0) options.kept_passes = kept_passes;
        *probe = make_handle<sonde_probe>(options);
    });
}

void sonde_probe_free(sonde_probe** probe) { destroy(probe); }

sonde_status sonde_probe_scope(sonde_probe* probe, sonde_scope* parent, char const* name, size_t bytes,
                               sonde_scope** scope, sonde_error* error) {
    return guarded(error, [&] {
        find_scope(probe, parent, name, scope, [&](auto& outer) -> probe_scope& {
            require_bytes(name, bytes);
            return outer.scope(name, {bytes});
        });
    });
}

sonde_status sonde_probe_work(sonde_probe* probe, sonde_scope* parent, char const* name, sonde_scope** scope,
                              sonde_error* error) {
    return guarded(
        error, [&] { find_scope(probe, parent, name, scope, [&](auto& outer) -> auto& { return outer.work(name); }); });
}

sonde_status sonde_probe_exchange(sonde_probe* probe, sonde_scope* parent, char const* name, size_t bytes,
                                  int const* partners, size_t partner_count, sonde_scope** scope, sonde_error* error) {
    return guarded(error, [&] {
        find_scope(probe, parent, name, scope, [&](auto& outer) -> probe_scope& {
            require_bytes(name, bytes);
            if (partner_count != 0) require(partners, "the array of partners");
            return outer.exchange(name, {bytes, std::vector<int>(partners, partners + partner_count)});
        });
    });
}

sonde_pass sonde_scope_enter(sonde_scope* scope) {
    auto const now = sonde_now();
    if (scope != nullptr) in(scope)->begin(time_point_of(now));
    return {scope, now};
}

void sonde_scope_begin(sonde_scope* scope, sonde_pass* pass) {
    if (pass != nullptr) *pass = sonde_scope_enter(scope);
}

void sonde_scope_leave(sonde_pass* pass) {
    if (pass == nullptr || pass->scope == nullptr) return;
    in(pass->scope)->count(time_point_of(pass->begin));
    pass->scope = nullptr;
}

sonde_status sonde_collect(sonde_group* group, sonde_probe const* probe, sonde_scopes** scopes, sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group).ranks;
        auto const& of_rank = probe_of_all(ranks, "collect", probe, scopes);
        *scopes = make_handle<sonde_scopes>(sonde::collect(ranks, of_rank));
    });
}

size_t sonde_scopes_count(sonde_scopes const* scopes) {
    auto const* const found = find(scopes);
    return found == nullptr ? 0 : found->all.size();
}

sonde_status sonde_scopes_summary(sonde_scopes const* scopes, size_t index, sonde_scope_summary* summary,
                                  sonde_error* error) {
    return guarded(error, [&] {
        auto const& all = checked(scopes).all;
        require(summary, "the summary");
        require_size(summary->size, sizeof *summary, "the summary", "SONDE_SCOPE_SUMMARY_INIT");
        if (index >= all.size()) throw std::invalid_argument{"sonde: there is no scope " + std::to_string(index)};
        *summary = summary_of(all[index]);
    });
}

void sonde_scopes_free(sonde_scopes** scopes) { destroy(scopes); }

} // extern "C"

} // namespace sonde::detail::c
