// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <nccl.h>

#include <stdexcept>
#include <string>

namespace sonde::nccl {

/// A call of NCCL failed: which, with what code, and what the library says to that, in one line.
class error : public std::runtime_error {
public:
    error(std::string const& what, ncclResult_t code) : std::runtime_error{what}, code_{code} {}
    ncclResult_t code() const { return code_; }

private:
    ncclResult_t code_;
};

namespace detail {

inline std::string first_line(std::string const& text) { return text.substr(0, text.find('\n')); }

/// The library's own hint, to run again with its log, is of no use to who reads what the log would say.
inline std::string without_hint(std::string const& text) { return text.substr(0, text.find(" (run with")); }

/// What the library noted last. A failure of another's making leaves no note: the last one may then be an old one.
inline std::string last_note(ncclResult_t code) {
    return code == ncclRemoteError ? std::string{} : first_line(ncclGetLastError(nullptr));
}

inline std::string explained(char const* call, ncclResult_t code) {
    auto const note = last_note(code);
    auto const what = std::string{call} + ": " + without_hint(ncclGetErrorString(code)) + (note.empty() ? "" : ": ");
    // Only the note tells this case from other wrong uses.
    auto const shared = code == ncclInvalidUsage && note.find("Duplicate GPU") != std::string::npos;
    return shared ? std::string{call} + ": NCCL needs a device for each rank: " + note : what + note;
}

// Out of line, so that a call in a timed loop costs one predicted comparison and no more.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(char const* call, ncclResult_t code) {
    throw error{explained(call, code), code};
}

} // namespace detail

/// Throws nccl::error unless `code`, which `call` returned, is ncclSuccess.
inline void check(ncclResult_t code, char const* call) {
    if (code != ncclSuccess) [[unlikely]]
        detail::fail(call, code);
}

} // namespace sonde::nccl
