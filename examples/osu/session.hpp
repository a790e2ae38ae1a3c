// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <string_view>

namespace osu {

#if MPI_VERSION >= 4

/// MPI without MPI_Init (`-I`): a session of MPI-4, and a communicator of all processes of the job made in it.
class session {
public:
    static constexpr bool available = true;

    explicit session(bool thread_multiple) {
        using sonde::mpi::check;
        MPI_Info wanted = MPI_INFO_NULL;
        check(MPI_Info_create(&wanted), "MPI_Info_create");
        if (thread_multiple) check(MPI_Info_set(wanted, "thread_level", "MPI_THREAD_MULTIPLE"), "MPI_Info_set");
        check(MPI_Session_init(wanted, MPI_ERRORS_RETURN, &session_), "MPI_Session_init");
        check(MPI_Info_free(&wanted), "MPI_Info_free");
        MPI_Group everybody = MPI_GROUP_NULL;
        check(MPI_Group_from_session_pset(session_, "mpi://WORLD", &everybody), "MPI_Group_from_session_pset");
        check(MPI_Comm_create_from_group(everybody, "sonde.osu", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm_),
              "MPI_Comm_create_from_group");
        check(MPI_Group_free(&everybody), "MPI_Group_free");
    }
    session(session const&) = delete;
    session& operator=(session const&) = delete;
    ~session() {
        MPI_Comm_free(&comm_);
        MPI_Session_finalize(&session_);
    }
    MPI_Comm comm() const { return comm_; }

    bool thread_multiple() const {
        using sonde::mpi::check;
        char level[64] = "";
        int length = sizeof level, found = 0;
        MPI_Info granted = MPI_INFO_NULL;
        check(MPI_Session_get_info(session_, &granted), "MPI_Session_get_info");
        check(MPI_Info_get_string(granted, "thread_level", &length, level, &found), "MPI_Info_get_string");
        check(MPI_Info_free(&granted), "MPI_Info_free");
        return found != 0 && std::string_view{level} == "MPI_THREAD_MULTIPLE";
    }

private:
    MPI_Session session_ = MPI_SESSION_NULL;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

#else

/// An MPI library of before MPI-4 has no sessions; `-I` is refused.
class session {
public:
    static constexpr bool available = false;

    explicit session(bool) {}
    MPI_Comm comm() const { return MPI_COMM_NULL; }
    bool thread_multiple() const { return false; }
};

#endif

} // namespace osu
