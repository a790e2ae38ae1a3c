// SPDX-License-Identifier: BSL-1.0
#include "suite/launch.hpp"

#include "suite/agreement.hpp"
#include "suite/launcher.hpp"

#include <sonde/measure/launcher.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/report/text.hpp>

#include <mpi.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace suite {

namespace {

using sonde::mpi::check;

constexpr int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
constexpr char const* level_names[] = {"single", "funneled", "serialized", "multiple"};

int index(threading level) { return static_cast<int>(level); }

/// MPI between MPI_Init_thread and MPI_Finalize, which another library that has started it calls itself.
class world_model {
public:
    world_model(int& argc, char**& argv, threading level) {
        auto started = 0;
        check(MPI_Initialized(&started), "MPI_Initialized");
        finalizes_ = started == 0;
        if (finalizes_) check(MPI_Init_thread(&argc, &argv, levels[index(level)], &provided_), "MPI_Init_thread");
        else check(MPI_Query_thread(&provided_), "MPI_Query_thread");
        check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    world_model(world_model&&) = delete;
    /// Open MPI's shmem_finalize has finalized MPI.
    ~world_model() {
        auto finalized = 0;
        if (finalizes_ && MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Finalize();
    }
    void leave_finalization() { finalizes_ = false; }

    MPI_Comm comm() const { return MPI_COMM_WORLD; }
    threading provided() const {
        auto level = threading::single;
        while (level != threading::multiple && levels[index(level) + 1] <= provided_)
            level = static_cast<threading>(index(level) + 1);
        return level;
    }

private:
    int provided_ = MPI_THREAD_SINGLE;
    bool finalizes_ = true;
};

#if MPI_VERSION >= 4

/// A session of MPI-4, and a communicator of all processes of the job made in it.
class session_model {
public:
    explicit session_model(threading level) {
        MPI_Info wanted = MPI_INFO_NULL;
        check(MPI_Info_create(&wanted), "MPI_Info_create");
        if (level != threading::single)
            check(MPI_Info_set(wanted, "thread_level", info_names[index(level)].data()), "MPI_Info_set");
        check(MPI_Session_init(wanted, MPI_ERRORS_RETURN, &session_), "MPI_Session_init");
        check(MPI_Info_free(&wanted), "MPI_Info_free");
        MPI_Group everybody = MPI_GROUP_NULL;
        check(MPI_Group_from_session_pset(session_, "mpi://WORLD", &everybody), "MPI_Group_from_session_pset");
        check(MPI_Comm_create_from_group(everybody, "sonde.suite", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm_),
              "MPI_Comm_create_from_group");
        check(MPI_Group_free(&everybody), "MPI_Group_free");
    }
    session_model(session_model&&) = delete;
    ~session_model() {
        MPI_Comm_free(&comm_);
        MPI_Session_finalize(&session_);
    }

    void leave_finalization() const {} // a session is not MPI
    MPI_Comm comm() const { return comm_; }
    threading provided() const {
        char level[64] = "";
        int length = sizeof level, found = 0;
        MPI_Info granted = MPI_INFO_NULL;
        check(MPI_Session_get_info(session_, &granted), "MPI_Session_get_info");
        check(MPI_Info_get_string(granted, "thread_level", &length, level, &found), "MPI_Info_get_string");
        check(MPI_Info_free(&granted), "MPI_Info_free");
        for (auto i = index(threading::multiple); found != 0 && i > 0; --i)
            if (info_names[i] == level) return static_cast<threading>(i);
        return threading::single;
    }

private:
    static constexpr std::string_view info_names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                      "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};

    MPI_Session session_ = MPI_SESSION_NULL;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

#else

/// Stands for sessions where there are none; the programs refuse them before.
struct session_model {
    explicit session_model(threading) {}
    void leave_finalization() const {}
    MPI_Comm comm() const { return MPI_COMM_NULL; }
    threading provided() const { return threading::single; }
};

#endif

/// Throws refusal if a launcher started several processes and did not connect them: each of them is alone in its world.
/// Only one of them has a line to print.
void require_connected(sonde::mpi::group const& world, std::optional<launched_job> const& job) {
    if (world.size() != 1 || !job) return;
    throw refusal{job->speaks() ? complaint_about(*job, world.library()) : ""};
}

/// Prints what the user of a library that ends the processes in MPI_Init would like to know.
void warn_before_start(std::optional<launched_job> const& job) {
    if (!job || !job->speaks()) return;
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    auto length = 0;
    check(MPI_Get_library_version(library, &length), "MPI_Get_library_version");
    std::fputs(warning_before_start(*job, library).c_str(), stderr);
}

/// Rank among the processes that a launcher started, connected or not; none of a process that was started alone.
std::optional<int> launched_rank() {
    auto const process = sonde::launched_process_in(sonde::variable_of_process);
    return process ? std::optional{process->rank} : std::nullopt;
}

/// Prints help, a list or a version without MPI, which takes half a second to start and does not start on each login
/// node. Returns the exit status.
int answer(std::string const& text) {
    return sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        sonde::output_file{stdout}.write(text);
        return 0;
    });
}

template <class Model, class... Arguments>
int run_in(request const& asked, std::string const& refused, Arguments&&... arguments) {
    // Before MPI is started: a process of Open MPI that is alone sets variables of PMIx for itself.
    auto const job = launched_job_in(sonde::variable_of_process);
    auto const is_first = launched_rank().value_or(0) == 0;
    if (asked.run) warn_before_start(job);
    sonde::steady_clock clock;
    auto const begin = clock.now();
    Model mpi{arguments..., asked.level};
    sonde::seconds const took{clock.now() - begin};
    further_library further;
    return sonde::mpi::abort_on_exception(mpi.comm(), [&] {
        sonde::mpi::group world{mpi.comm()};
        auto const says_it = world.size() > 1 || is_first; // what each process knows
        auto status = 1;
        try {
            agree(world, refused); // ranks may read different files
            if (asked.run) require_connected(world, job);
            if (says_it) print(world, asked.text);
            status = asked.run ? asked.run({world, mpi.provided(), took, further}) : 0;
        } catch (refusal const& e) {
            std::string const why{e.what()};
            if (!why.empty() && (says_it || refused.empty())) print(world, why + "\n", stderr);
        }
        if (further.finalizes_mpi) mpi.leave_finalization();
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

} // namespace

char const* name(threading level) { return level_names[index(level)]; }

bool has_sessions() { return MPI_VERSION >= 4; }

int launch(int argc, char** argv, std::function<request()> const& read) {
    request asked;
    std::string refused;
    try {
        asked = read();
    } catch (refusal const& e) {
        refused = e.what();
    }
    // The ranks that SMPI simulates have no variables of a launcher.
    if (refused.empty() && !asked.run && !is_simulated && !launched_rank()) return answer(asked.text);
    if (asked.session) return run_in<session_model>(asked, refused);
    return run_in<world_model>(asked, refused, argc, argv);
}

void print(sonde::mpi::group const& world, std::string const& text, std::FILE* to) {
    if (world.rank() != 0 || text.empty()) return;
    try {
        sonde::output_file{to}.write(text);
    } catch (std::system_error const&) {
        if (to != stderr) throw; // a failure to warn is not worth the measurement
    }
}

namespace {

using program_families = std::vector<std::vector<named_program>>;

named_program const* find(program_families const& families, std::string const& path) {
    auto const name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    for (auto const& family : families)
        for (auto const& p : family)
            if (p.name == name) return &p;
    return nullptr;
}

} // namespace

int run_program(program_families const& families, int argc, char** argv) {
    if (auto const* const linked = find(families, argv[0])) return linked->main(argc, argv);
    std::string const first = argc > 1 ? argv[1] : "";
    if (auto const* const named = find(families, first)) return named->main(argc - 1, argv + 1);
    if (first == "--programs") {
        for (auto const& family : families)
            for (auto const& p : family) std::puts(p.name.c_str());
        return 0;
    }
    return launch(argc, argv, [&]() -> request {
        auto const names = "the names that " + std::string{argv[0]} + " --programs prints";
        if (first == "-h" || first == "--help" || first == "-help")
            return {.text = "Usage: " + std::string{argv[0]} + " PROGRAM [options]; PROGRAM is one of " + names + "\n"};
        throw refusal{(argc > 1 ? "No program [" + first + "]" : "A program is missing") + "; accepted: " + names};
    });
}

} // namespace suite
