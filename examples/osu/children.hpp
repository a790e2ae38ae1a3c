// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace osu {

/// A process forked off this one, which sleeps two seconds and ends without a call of MPI; reaped at the end.
class child {
public:
    /// Throws std::system_error where the system allows no more processes.
    child() : id_{fork()} {
        if (id_ < 0) throw std::system_error{errno, std::generic_category(), "fork"};
        if (id_ > 0) return;
        sleep(2);
        _exit(0); // not exit: what the parent has to write out and to finalize is the parent's
    }
    child(child&& other) noexcept : id_{std::exchange(other.id_, -1)} {}
    child& operator=(child&&) = delete;
    ~child() {
        if (id_ < 0) return;
        while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

private:
    pid_t id_;
};

} // namespace osu
