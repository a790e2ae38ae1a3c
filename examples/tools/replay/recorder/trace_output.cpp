// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/recorder.hpp"

#include "tools/replay/recorder/checkpoints.hpp"
#include "tools/replay/recorder/unrecorded_programs.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/report/text.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tools::replay {

/// The file of rank 0; on other ranks, and after a failure, which is said once, nothing is written.
class trace_file {
public:
    trace_file(std::string const& path, bool is_root) {
        guard([&] {
            if (is_root) file_.emplace(path);
        });
    }
    /// Whole lines.
    void write(std::string const& text) {
        guard([&] {
            if (file_) file_->write(text);
        });
        lines_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    void finish() { write(end_line(lines_)); }

private:
    void guard(auto f) {
        try {
            f();
        } catch (std::exception const& e) {
            std::fprintf(stderr, "libsonde-trace: %s\n", e.what());
            file_.reset();
        }
    }

    std::optional<sonde::output_file> file_;
    std::size_t lines_ = 0;
};

namespace {

std::string own_path(std::string const& output, int rank) { return output + ".rank" + std::to_string(rank); }

/// A file that is not complete: `sonde.trace.rank*` does not name it.
std::string draft_path(std::string const& output, int rank) { return own_path(output + ".draft", rank); }

std::string spawned_path(std::string const& output, int number) { return output + ".spawned" + std::to_string(number); }

#ifndef SMPI_H
/// The number of the first file of spawned ranks that is not there, which is made. 0 if the folder takes no file.
int new_spawned_file(std::string const& output) {
    for (int number = 1;; ++number) {
        auto* const file = std::fopen(spawned_path(output, number).c_str(), "wx");
        if (file == nullptr && errno == EEXIST) continue;
        if (file == nullptr) return 0;
        std::fclose(file);
        return number;
    }
}
#endif

/// Why a file cannot be written, as far as it is known without writing it: a number of errno; 0 if it is not known.
int error_of_output(std::string const& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return EISDIR;
    auto const folder = std::filesystem::path{path}.parent_path();
    return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0 ? 0 : errno;
}

void remove_file(std::string const& path) {
    std::error_code ignored; // it need not be there
    std::filesystem::remove(path, ignored);
}

std::string library_name() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    return first_sentence(text);
}

std::uint64_t hash_of(std::string const& text) {
    std::uint64_t hash = 0;
    for (auto const c : text) hash = mixed(hash, static_cast<unsigned char>(c));
    return hash;
}

constexpr int tag = 0;

/// Calls `f` with the begin and the length of each piece of a text, which a call of MPI can count.
void for_each_piece(std::size_t size, auto f) {
    constexpr std::size_t piece = std::size_t{1} << 24;
    for (std::size_t at = 0; at < size; at += piece) f(at, static_cast<int>(std::min(piece, size - at)));
}

void send(std::string const& text, MPI_Comm comm) {
    auto size = static_cast<unsigned long long>(text.size());
    SONDE_LIBRARY_CALL(Send)(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, tag, comm);
    for_each_piece(text.size(), [&](std::size_t at, int n) {
        SONDE_LIBRARY_CALL(Send)(&text[at], n, MPI_CHAR, 0, tag, comm);
    });
}

std::string receive(int from, MPI_Comm comm) {
    unsigned long long size = 0;
    SONDE_LIBRARY_CALL(Recv)(&size, 1, MPI_UNSIGNED_LONG_LONG, from, tag, comm, MPI_STATUS_IGNORE);
    std::string text(size, '\0');
    for_each_piece(text.size(), [&](std::size_t at, int n) {
        SONDE_LIBRARY_CALL(Recv)(&text[at], n, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
    });
    return text;
}

/// Numbers of all ranks on rank 0, in the order of the ranks; `counts` of each. Empty on the others.
std::vector<unsigned long long> gathered(std::vector<unsigned long long> const& own, std::vector<int>& counts,
                                         MPI_Comm comm, int rank, int size) {
    auto const n = static_cast<int>(own.size());
    counts.resize(rank == 0 ? static_cast<std::size_t>(size) : 0);
    SONDE_LIBRARY_CALL(Gather)(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
    std::vector<int> places;
    int all = 0;
    for (auto const count : counts) {
        places.push_back(all);
        all += count;
    }
    std::vector<unsigned long long> found(static_cast<std::size_t>(all));
    SONDE_LIBRARY_CALL(Gatherv)
    (own.data(), n, MPI_UNSIGNED_LONG_LONG, found.data(), counts.data(), places.data(), MPI_UNSIGNED_LONG_LONG, 0,
     comm);
    return found;
}

} // namespace

trace_about recorder::about() const { return {size_, library_name(), command_}; }

/// The output of the job that starts is in the folder where it starts. Ranks that a program spawned have a world, and a
/// file, of their own. What an earlier job left for this output is replaced.
void recorder::choose_output() {
    std::error_code failed; // in a folder that is gone, on this rank or on others
    auto const whole = std::filesystem::absolute(settings_.output, failed);
    if (!failed) settings_.output = whole.string();
#ifndef SMPI_H
    MPI_Comm parent = MPI_COMM_NULL;
    int has_world = 0; // a program of sessions alone has none, and no parent
    PMPI_Initialized(&has_world);
    if (has_world != 0) PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        int number = rank_ == 0 ? new_spawned_file(settings_.output) : 0;
        SONDE_LIBRARY_CALL(Bcast)(&number, 1, MPI_INT, 0, comm_);
        settings_.output = spawned_path(settings_.output, number);
        return;
    }
#endif
    auto error = rank_ == 0 ? error_of_output(settings_.output) : 0;
    SONDE_LIBRARY_CALL(Bcast)(&error, 1, MPI_INT, 0, comm_);
    if (error != 0)
        throw std::invalid_argument{"SONDE_TRACE_OUTPUT='" + settings_.output + "': " + std::strerror(error)};
    for (auto const& path : {own_path(settings_.output, rank_), draft_path(settings_.output, rank_)}) remove_file(path);
    for (int number = 1; rank_ == 0 && std::filesystem::exists(spawned_path(settings_.output, number)); ++number)
        remove_file(spawned_path(settings_.output, number));
}

/// The texts of a thread as it is now: a call that is not over, and tests that found nothing, are the last event,
/// without its arguments.
recorder::texts recorder::texts_of(recorded_thread& thread, bool is_over) {
    auto const now = record_clock::now();
    auto const since_origin = [&](auto t) { return sonde::seconds{t - origin_}.count(); };
    auto const* const under_way = thread.under_way.load(std::memory_order_relaxed);
    auto const& last = under_way != nullptr ? *under_way : thread.last_poll;
    auto& events = thread.events;
    events.close();
    auto const is_a_call = static_cast<std::size_t>(last.call) < tables_.calls.size(); // not after a handler's jump
    auto const is_incomplete = is_a_call && (under_way != nullptr || thread.polls != 0);
    if (is_incomplete) {
        sample s{.think = {}, .call = thread.polling, .polls = thread.polls};
        if (under_way != nullptr) {
            s.think = under_way->begin - thread.end - thread.polling - thread.paused;
            s.call += now - under_way->begin;
        }
        s.end = since_init(now);
        events.push_incomplete({.call = last.call, .site = site(last.address)}, s);
        static_cast<void>(is_short_of_memory()); // the next call is not dropped for it
    }
    rank_about about{.rank = rank_,
                     .thread = thread.number,
                     .begin = since_origin(thread.begin),
                     .end = since_origin(is_incomplete || (thread.number == 0 && !is_over) ? now : thread.end),
                     .clock = clocks_->since(origin_, now),
                     .crowded = clocks_->crowded(),
                     .communicators = {},
                     .windows = {},
                     .not_recorded = thread.not_recorded,
                     .dropped = events.dropped()};
    for (auto const& c : communicators_.all()) about.communicators.push_back(c.name());
    for (auto const& w : windows_.all()) {
        about.windows.push_back(w.memory);
        about.windows.back().ranks = w.name();
    }
    texts const found{program_text(events.nodes(), tables_), rank_text(about, events.nodes())};
    if (is_incomplete) events.pop_incomplete();
    return found;
}

std::vector<recorder::texts> recorder::own_texts(bool is_over) {
    std::vector<texts> all;
    for (auto const& thread : threads_) {
        auto const has_calls = !thread->events.nodes().empty() || thread->polls != 0 || !thread->not_recorded.empty();
        if (has_calls || thread->under_way != nullptr) all.push_back(texts_of(*thread, is_over));
    }
    return all;
}

void recorder::write_own_file() {
    auto const path = own_path(settings_.output, rank_), draft = draft_path(settings_.output, rank_);
    try {
        sonde::output_file file{draft};
        auto const own = own_texts(false);
        file.write(trace_line(about()));
        for (std::size_t i = 0; i != own.size(); ++i) {
            file.write(program_line(i, own[i].program));
            file.write(rank_line(i, own[i].rank));
        }
        file.write(end_line(1 + 2 * own.size()));
        std::filesystem::rename(draft, path);
        has_own_file_ = true;
    } catch (std::exception const& e) {
        if (!std::exchange(has_failed_, true)) std::fprintf(stderr, "libsonde-trace: rank %d: %s\n", rank_, e.what());
        remove_file(draft);
    }
}

/// A file that takes long to write is written less often: at most a twentieth of the time goes into files.
record_clock::duration recorder::write_checkpoint() {
    auto const begin = record_clock::now();
    write_own_file();
    auto const end = record_clock::now();
    next_checkpoint_ = end + std::max<record_clock::duration>(settings_.checkpoint, 20 * (end - begin));
    return end - begin;
}

/// A tenth of the setting later than a call would, so that ranks that make calls write there, between two of them.
void recorder::checkpoint_from_outside() {
    if (!lock_.enter_from_outside()) return;
    if (record_clock::now() >= next_checkpoint_ + settings_.checkpoint / 10) write_checkpoint();
    lock_.leave_from_outside();
}

void recorder::save() {
    if (!lock_.enter_from_outside()) return;
    write_own_file();
    lock_.leave_from_outside();
}

bool recorder::wait_for_all() {
    if (MPIX_Comm_revoke != nullptr) PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN); // otherwise the job ends
    auto const is_whole = SONDE_LIBRARY_CALL(Barrier)(comm_) == MPI_SUCCESS;
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    if (is_whole) return true;
    if (MPIX_Comm_revoke != nullptr) MPIX_Comm_revoke(comm_); // no rank waits in it any longer
    auto const died = sonde::mpi::detail::failed_ranks();
    auto first = 0;
    while (std::find(died.begin(), died.end(), first) != died.end()) ++first;
    if (rank_ == first)
        std::fprintf(stderr, "libsonde-trace: a rank has died: the others have the files %s\n",
                     (settings_.output + ".rank*").c_str());
    return false;
}

/// Write the programs of all ranks, each once; returns the numbers of this rank's. Collective.
std::vector<std::size_t> recorder::write_programs(trace_file& file, std::vector<texts> const& own) {
    std::vector<unsigned long long> hashes;
    for (auto const& t : own) hashes.push_back(hash_of(t.program));
    std::vector<int> counts;
    auto const all = gathered(hashes, counts, comm_, rank_, size_);
    // Rank 0 numbers the programs, and asks a rank for those that no rank before it has.
    std::map<unsigned long long, unsigned long long> numbers;
    std::vector<unsigned long long> answers; // the number, and 1 if the text is asked for
    std::size_t at = 0;
    for (std::size_t rank = 0; rank != counts.size(); ++rank) {
        answers.clear();
        for (int i = 0; i != counts[rank]; ++i) {
            auto const [known, is_new] = numbers.try_emplace(all[at++], numbers.size());
            answers.insert(answers.end(), {known->second, is_new ? 1u : 0u});
        }
        auto const take = [&](std::size_t i, std::string const& text) {
            file.write(program_line(answers[2 * i], text));
        };
        if (rank == 0) {
            hashes = answers;
            for (std::size_t i = 0; i != own.size(); ++i)
                if (answers[2 * i + 1] != 0) take(i, own[i].program);
            continue;
        }
        auto const from = static_cast<int>(rank);
        SONDE_LIBRARY_CALL(Send)(answers.data(), 2 * counts[rank], MPI_UNSIGNED_LONG_LONG, from, tag, comm_);
        for (std::size_t i = 0; 2 * i != answers.size(); ++i)
            if (answers[2 * i + 1] != 0) take(i, receive(from, comm_));
    }
    if (rank_ != 0) {
        hashes.resize(2 * own.size());
        SONDE_LIBRARY_CALL(Recv)
        (hashes.data(), static_cast<int>(hashes.size()), MPI_UNSIGNED_LONG_LONG, 0, tag, comm_, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i != own.size(); ++i)
            if (hashes[2 * i + 1] != 0) send(own[i].program, comm_);
    }
    std::vector<std::size_t> programs;
    for (std::size_t i = 0; i != own.size(); ++i) programs.push_back(hashes[2 * i]);
    return programs;
}

/// Write the lines of all ranks' threads, in the order of the ranks. A rank sends when rank 0 asks. Collective.
void recorder::write_ranks(trace_file& file, std::vector<texts> const& own, std::vector<std::size_t> const& programs) {
    std::string lines;
    for (std::size_t i = 0; i != own.size(); ++i) lines += rank_line(programs[i], own[i].rank);
    if (rank_ != 0) {
        SONDE_LIBRARY_CALL(Recv)(nullptr, 0, MPI_BYTE, 0, tag, comm_, MPI_STATUS_IGNORE);
        return send(lines, comm_);
    }
    file.write(lines);
    for (int rank = 1; rank != size_; ++rank) {
        SONDE_LIBRARY_CALL(Send)(nullptr, 0, MPI_BYTE, rank, tag, comm_);
        file.write(receive(rank, comm_));
    }
}

void recorder::finish() {
    checkpoints_.reset();
    clocks_->measure_end();
    auto const own = settings_.records(rank_) ? own_texts(true) : std::vector<texts>{};
    trace_file file{settings_.output, rank_ == 0};
    file.write(trace_line(about()));
    write_ranks(file, own, write_programs(file, own));
    file.finish();
    if (has_own_file_) remove_file(own_path(settings_.output, rank_));
    SONDE_LIBRARY_CALL(Comm_free)(&comm_);
}

} // namespace tools::replay
