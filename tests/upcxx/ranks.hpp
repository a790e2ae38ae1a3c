// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/upcxx.hpp>

#ifdef FAKE_UPCXX
#include <upcxx/ranks_as_threads.hpp>
#endif

#include <functional>

/// Calls `f` on all ranks: with UPC++ on those of the job, with the stand-in on one to four threads.
inline void on_ranks(std::function<void()> const& f) {
#ifdef FAKE_UPCXX
    for (int n = 1; n <= 4; ++n) fake_upcxx::run(n, f);
#else
    f();
#endif
}

inline int rank() { return static_cast<int>(::upcxx::rank_me()); }
inline int size() { return static_cast<int>(::upcxx::rank_n()); }
inline int right() { return (rank() + 1) % size(); }
inline int left() { return (rank() + size() - 1) % size(); }
