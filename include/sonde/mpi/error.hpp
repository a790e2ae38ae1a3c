// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/error.hpp>

#include <mpi.h>

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// User-Level Failure Mitigation of the MPI Forum, in Open MPI 5 and MPICH 5. Weak symbols are null in other libraries.
extern "C" {
[[gnu::weak]] int MPIX_Comm_get_failed(MPI_Comm comm, MPI_Group* failed);
[[gnu::weak]] int MPIX_Comm_revoke(MPI_Comm comm);
}

namespace sonde::inline v0_1::mpi {

/// Exception for an MPI call that failed: its name, the error code, and the library's text for the code.
class error : public library_error {
public:
    error(char const* call, int code) : error{call, code, ""} {}

protected:
    error(char const* call, int code, std::string const& before)
        : library_error{call, code, before + call + ": " + text(code)} {}

private:
    static std::string text(int code);
};

/// Exception for an MPI call that failed when ranks have died, in a job that survives them: "rank 2 has died:
/// MPI_Allreduce: ...". Thrown with an MPI library that has MPIX_Comm_get_failed, such as Open MPI 5 (`mpirun --with-ft
/// ulfm`); others end the job.
class process_failure : public error {
public:
    process_failure(char const* call, int code, std::vector<int> ranks);
    /// The ranks in MPI_COMM_WORLD of which this process knows that they have died.
    std::vector<int> const& ranks() const { return ranks_; }

private:
    std::vector<int> ranks_;
};

namespace detail {

/// The ranks in MPI_COMM_WORLD of which this process knows that they have died; none without MPI_Init, or if the MPI
/// library does not tell. Local.
std::vector<int> failed_ranks();

/// The same at an error. A rank may learn that a communicator was revoked before it learns that a rank has died, so
/// that it waits for up to 1 s.
std::vector<int> failed_ranks_at(std::string const& error_text);

// Out of line, so that a call in a timed loop costs one predicted comparison and no more.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_error(char const* routine, int code) {
    error const plain{routine, code};
    if (auto ranks = failed_ranks_at(plain.what()); !ranks.empty())
        throw process_failure{routine, code, std::move(ranks)};
    throw plain;
}

/// Text that a function of the MPI library writes to the argument after `first`; `N` is the size that MPI requires.
template <int N>
std::string text_from(auto function, char const* name, auto... first) {
    char text[N];
    int length = 0;
    if (auto const code = function(first..., text, &length); code != MPI_SUCCESS) throw_error(name, code);
    return text; // ends at its null character, which Open MPI counts in the length of its version
}

/// Reason why MPI must not be called now, or null. With `may_be_session` the caller may use an MPI-4 session, which
/// needs no MPI_Init and is invisible to MPI_Initialized.
char const* not_running_reason(bool may_be_session);

/// Throws std::logic_error before MPI_Init and after MPI_Finalize, where the MPI library itself would end the job.
void require_running(bool may_be_session);

/// True for the communicators that MPI_Init makes. They belong to no session.
inline bool is_predefined(MPI_Comm comm) { return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF; }

/// True if every rank of `comm` calls this function within 2 s. A destructor asks it before a collective free, because
/// an exception may keep some ranks from the free. Collective over the communicator. All ranks get the same answer. A
/// rank that gives up contributes "no" to a reduction and does not wait for it; ranks that arrive later wait for that
/// reduction. The reduction completes when the MPI library of the rank that gave up makes progress again, unless the
/// job ends first.
bool all_ranks_arrive(MPI_Comm comm);

/// Prints `message` on stderr, with the rank if MPI is running. Then aborts the job, or exits with status 1 if MPI is
/// not running.
[[noreturn]] void print_and_abort(MPI_Comm comm, char const* message);

/// Owner of a handle of the MPI library, which `release(&handle)` frees unless it is null.
template <class Handle, class Release = int (*)(Handle*)>
class owned_handle {
public:
    owned_handle(Handle null, Release release) : handle_{null}, null_{null}, release_{release} {}
    owned_handle(owned_handle&& other) noexcept : owned_handle{other.null_, other.release_} {
        *this = std::move(other);
    }
    owned_handle& operator=(owned_handle&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(release_, other.release_);
        return *this;
    }
    ~owned_handle() {
        if (handle_ != null_) release_(&handle_);
    }
    Handle get() const { return handle_; }
    /// For the call that makes the handle.
    Handle* address() { return &handle_; }

private:
    Handle handle_;
    Handle null_;
    Release release_;
};

/// Frees a group of processes, unless it is the predefined empty one.
inline int release_group(MPI_Group* group) { return *group == MPI_GROUP_EMPTY ? MPI_SUCCESS : MPI_Group_free(group); }

/// Release of a handle by a call that waits for all ranks of a communicator. If an exception destroys the owner, the
/// owner makes the call only if all ranks arrive. Otherwise a single failing rank would wait and never report its
/// error.
template <class Handle>
struct collective_release {
    int (*release)(Handle*);
    MPI_Comm comm;
    int exceptions = std::uncaught_exceptions();

    void operator()(Handle* handle) const {
        if (std::uncaught_exceptions() == exceptions || all_ranks_arrive(comm)) release(handle);
    }
};

/// Throws std::runtime_error, which names `what`, if the MPI library is older than MPI 4.0.
inline void require_mpi_4([[maybe_unused]] char const* what) {
#if MPI_VERSION < 4
    throw std::runtime_error{std::string{what} + " needs MPI 4.0; this is MPI " + std::to_string(MPI_VERSION) + '.' +
                             std::to_string(MPI_SUBVERSION)};
#endif
}

} // namespace detail

/// Throws mpi::error unless `code`, returned by `routine`, is MPI_SUCCESS.
inline void check(int code, char const* routine) {
    if (code != MPI_SUCCESS) [[unlikely]]
        detail::throw_error(routine, code);
}

/// Returns f(). If f throws, prints the exception's message on stderr and aborts the job with MPI_Abort: an exception
/// that left the function on one rank would leave the other ranks waiting in a deadlock. For a std::logic_error,
/// which usually all ranks throw, ranks other than 0 do so half a second later, so that it is one line.
///
/// For `main`, and for measurements in an application whose ranks cannot recover together. Not collective.
template <std::invocable F>
decltype(auto) abort_on_exception(MPI_Comm comm, F&& f) {
    return sonde::abort_on_exception([comm](char const* message) { detail::print_and_abort(comm, message); },
                                     std::forward<F>(f));
}

} // namespace sonde::mpi

#if SONDE_DEFINITIONS
#include <time.h> // nanosleep

namespace sonde::inline v0_1::mpi {

namespace detail {

SONDE_INLINE char const* not_running_reason(bool may_be_session) {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized != 0) return "MPI_Finalize has been called";
    return initialized != 0 || (may_be_session && MPI_VERSION >= 4) ? nullptr : "MPI_Init has not been called";
}

SONDE_INLINE std::vector<int> failed_ranks() {
    if (MPIX_Comm_get_failed == nullptr || not_running_reason(false) != nullptr) return {};
    owned_handle<MPI_Group> failed{MPI_GROUP_NULL, release_group}, world{MPI_GROUP_NULL, release_group};
    int n = 0;
    auto const known = MPIX_Comm_get_failed(MPI_COMM_WORLD, failed.address()) == MPI_SUCCESS &&
                       MPI_Group_size(failed.get(), &n) == MPI_SUCCESS && n != 0 &&
                       MPI_Comm_group(MPI_COMM_WORLD, world.address()) == MPI_SUCCESS;
    if (!known) return {};
    std::vector<int> in_failed, found(static_cast<std::size_t>(n));
    for (int i = 0; i != n; ++i) in_failed.push_back(i);
    MPI_Group_translate_ranks(failed.get(), n, in_failed.data(), world.get(), found.data());
    return found;
}

SONDE_INLINE std::vector<int> failed_ranks_at(std::string const& error_text) {
    auto found = failed_ranks();
    auto const revoked =
        MPIX_Comm_get_failed != nullptr && not_running_reason(false) == nullptr &&
        (error_text.find("REVOKED") != error_text.npos || error_text.find("evoked") != error_text.npos);
    for (int i = 0; revoked && found.empty() && i != 100; ++i) {
        constexpr timespec moment{.tv_sec = 0, .tv_nsec = 10'000'000};
        int arrived = 0;
        nanosleep(&moment, nullptr);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &arrived, MPI_STATUS_IGNORE); // makes progress
        found = failed_ranks();
    }
    return found;
}

SONDE_INLINE void require_running(bool may_be_session) {
    if (auto const* const reason = not_running_reason(may_be_session))
        throw std::logic_error{std::string{"sonde::mpi: "} + reason};
}

/// Buffers of a reduction for which no rank waits, in a list of all of them, so that they are reachable to the end.
struct abandoned_reduction {
    int const no = 0;
    int all = 0;
    abandoned_reduction* const next = __atomic_exchange_n(&latest, this, __ATOMIC_RELAXED);

    static inline abandoned_reduction* latest = nullptr;
};

SONDE_INLINE bool all_ranks_arrive(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    int arrived = 0;
    if (MPI_Ibarrier(comm, &request) != MPI_SUCCESS) return false;
    struct {
        seconds now() const { return seconds{MPI_Wtime()}; }
    } clock;
    sonde::detail::stopwatch waited{clock};
    while (arrived == 0 && waited() < seconds{2} && !waited.stands_still())
        if (MPI_Test(&request, &arrived, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    int all = 0;
    // A rank that gives up returns before its reduction ends, so the buffers of the reduction are never freed.
    auto* const abandoned = arrived != 0 ? nullptr : new abandoned_reduction{};
    auto const* const answer = arrived != 0 ? &arrived : &abandoned->no;
    auto const code =
        MPI_Iallreduce(answer, arrived != 0 ? &all : &abandoned->all, 1, MPI_INT, MPI_MIN, comm, &request);
    return arrived != 0 && code == MPI_SUCCESS && MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && all != 0;
}

/// True if the exception that is being handled refuses a call, as all ranks usually do.
SONDE_INLINE bool is_refusal() {
    try {
        if (std::current_exception()) throw;
    } catch (std::logic_error const&) {
        return true;
    } catch (...) {
    }
    return false;
}

SONDE_INLINE void print_and_abort(MPI_Comm comm, char const* message) {
    auto const running = not_running_reason(!is_predefined(comm)) == nullptr;
    int rank = 0;
    if (running) MPI_Comm_rank(comm, &rank);
    // Of a refusal on all ranks, rank 0 alone prints its line, and ends the others.
    constexpr timespec later{.tv_sec = 0, .tv_nsec = 500'000'000};
    if (rank != 0 && is_refusal()) nanosleep(&later, nullptr);
    if (running) std::fprintf(stderr, "sonde: rank %d: %s\n", rank, message);
    else std::fprintf(stderr, "sonde: %s\n", message);
    // Time for the launcher to read the output: MPICH's ends all processes at an abort and loses unread output.
    std::fflush(nullptr);
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 200'000'000};
    nanosleep(&moment, nullptr);
    // After a death that the job survives, the exit of this rank is one more, which the other ranks notice as well.
    // Open MPI 5's launcher may hang at MPI_Abort then.
    if (!running || !failed_ranks().empty()) std::_Exit(1);
    MPI_Abort(comm, 1);
    std::_Exit(1); // of a second thread: Open MPI's MPI_Abort returns while the first thread is in it
}

/// "rank 2 has died: ", "ranks 2, 5 have died: ".
SONDE_INLINE std::string text_of_died(std::vector<int> const& ranks) {
    std::string list;
    for (auto const rank : ranks) list += (list.empty() ? "" : ", ") + std::to_string(rank);
    return ranks.size() == 1 ? "rank " + list + " has died: " : "ranks " + list + " have died: ";
}

} // namespace detail

SONDE_INLINE process_failure::process_failure(char const* call, int code, std::vector<int> ranks)
    : error{call, code, detail::text_of_died(ranks)}, ranks_{std::move(ranks)} {}

SONDE_INLINE std::string error::text(int code) {
    char message[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, message, &length) != MPI_SUCCESS) return "error code " + std::to_string(code);
    return {message, static_cast<std::size_t>(length)};
}

} // namespace sonde::mpi

#endif
