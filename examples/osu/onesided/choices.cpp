// SPDX-License-Identifier: BSL-1.0
#include "choices.hpp"

#include "../common.hpp"
#include "../option_values.hpp"

#include <cstddef>

namespace osu {

namespace {

struct choice {
    char const* word;
    char const* called; // MPI_Win_...
};

// In the order of the enumerators.
constexpr choice creations[] = {{"create", "create"}, {"allocate", "allocate"}, {"dynamic", "create_dynamic"}};
constexpr choice synchronizations[] = {{"lock", "lock/unlock"},
                                       {"flush", "flush"},
                                       {"flush_local", "flush_local"},
                                       {"lock_all", "lock_all/unlock_all"},
                                       {"pscw", "post/start/complete/wait"},
                                       {"fence", "fence"}};

choice const& of(creation how) { return creations[static_cast<std::size_t>(how)]; }
choice const& of(synchronization s) { return synchronizations[static_cast<std::size_t>(s)]; }

/// The enumerator of a word in any case that `allows` holds for. Throws bad_value that lists those.
template <class E, std::size_t N, class Allows>
E chosen(choice const (&all)[N], std::string const& text, Allows allows) {
    std::string accepted;
    for (std::size_t i = 0; i != N; ++i) {
        auto const e = static_cast<E>(i);
        if (!allows(e)) continue;
        if (lower(text) == all[i].word) return e;
        accepted += (accepted.empty() ? "" : ", ") + std::string{all[i].word};
    }
    throw bad_value{"Invalid option or invalid argument", accepted};
}

} // namespace

std::string word(creation how) { return of(how).word; }
std::string word(synchronization s) { return of(s).word; }
std::string called(creation how) { return std::string{"MPI_Win_"} + of(how).called; }
std::string called(synchronization s) { return std::string{"MPI_Win_"} + of(s).called; }

void set_creation(options& into, program const&, std::string const& text) {
    into.made_by = chosen<creation>(creations, text, [](creation) { return true; });
}

void set_synchronization(options& into, program const& about, std::string const& text) {
    into.sync = chosen<synchronization>(synchronizations, text,
                                        [&](synchronization s) { return !about.active_only || !is_passive(s); });
}

} // namespace osu
