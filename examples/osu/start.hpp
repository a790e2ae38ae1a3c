// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "session.hpp"

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <optional>

namespace osu {

/// MPI from here to the end of the scope: started by Boost.MPI, or as a session.
class started {
public:
    started(int& argc, char**& argv, bool as_session, bool thread_multiple) {
        if (as_session) {
            session_.emplace(thread_multiple);
            world_ = {session_->comm(), boost::mpi::comm_attach};
        } else {
            namespace threading = boost::mpi::threading;
            environment_.emplace(argc, argv, thread_multiple ? threading::multiple : threading::single);
            world_ = boost::mpi::communicator{};
        }
    }
    boost::mpi::communicator const& world() const { return *world_; }
    bool thread_multiple() const {
        if (session_) return session_->thread_multiple();
        return boost::mpi::environment::thread_level() == boost::mpi::threading::multiple;
    }

private:
    std::optional<session> session_;
    std::optional<boost::mpi::environment> environment_;
    std::optional<boost::mpi::communicator> world_; // goes first
};

} // namespace osu
