// SPDX-License-Identifier: BSL-1.0
#pragma once

// A stand-in for UPC++, for tests where it is not installed. It has the calls of the specification (1.0, revision
// 2020.10) that Sonde and its tests use, and no others, and is no implementation to measure: ranks are threads of one
// process (ranks_as_threads.hpp) or, with FAKE_UPCXX_OVER_MPI, processes of an MPI job on one host. Transfers and
// remote procedure calls are done while a rank makes progress, so that a test whose completion is missing fails.

#include <upcxx/atomic.hpp>
#include <upcxx/collective.hpp>
#include <upcxx/completion.hpp>
#include <upcxx/memory.hpp>
#include <upcxx/process.hpp>
#include <upcxx/rma.hpp>
#include <upcxx/rpc.hpp>

#ifdef FAKE_UPCXX_OVER_MPI
#include <upcxx/ranks_as_processes.hpp>
#endif

#define FAKE_UPCXX 1
#define UPCXX_VERSION 20201000L
#define UPCXX_SPEC_VERSION 20201000L

namespace upcxx {

inline long release_version() { return UPCXX_VERSION; }
inline long spec_version() { return UPCXX_SPEC_VERSION; }

/// Starts the library on this rank: a world of one process, unless ranks are threads or processes of MPI.
inline void init() {
    using fake_upcxx::current;
    if (current == nullptr) {
#ifdef FAKE_UPCXX_OVER_MPI
        current = new fake_upcxx::process{fake_upcxx::start_over_mpi()};
#else
        current = new fake_upcxx::process{std::make_unique<fake_upcxx::one_process>()};
#endif
        current->owned = true;
    }
    ++current->initializations;
}
inline bool initialized() { return fake_upcxx::current != nullptr && fake_upcxx::current->initializations > 0; }
inline void finalize() {
    auto& here = fake_upcxx::here();
    if (--here.initializations > 0) return;
    barrier();
    fake_upcxx::require(here.blocks.empty(), "finalize with memory of the shared segment");
    fake_upcxx::require(here.deferred.empty(), "finalize with transfers under way");
    here.write_counts();
    if (!here.owned) return;
    delete fake_upcxx::current;
    fake_upcxx::current = nullptr;
}

} // namespace upcxx
