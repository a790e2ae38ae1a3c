// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/recorder.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>

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

std::string library_name() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    std::replace(text, text + length, '\t', ' ');
    std::string_view all{text};
    for (std::string_view const behind : {",", "\n", ". "})
        all = all.substr(0, all.find(behind)); // a sentence, if it is SMPI's
    return std::string{all};
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

std::vector<recorder::texts> recorder::own_texts() {
    std::vector<texts> all;
    for (auto const& thread : threads_) {
        auto& events = thread->events;
        events.close();
        if (events.nodes().empty() && thread->not_recorded.empty()) continue;
        auto const since_origin = [&](auto t) { return std::chrono::duration<double>(t - origin_).count(); };
        rank_about about{.rank = rank_,
                         .thread = thread->number,
                         .begin = since_origin(thread->begin),
                         .end = since_origin(thread->end),
                         .communicators = {},
                         .windows = {},
                         .not_recorded = thread->not_recorded,
                         .dropped = events.dropped()};
        auto const name = [](recorded_communicator const& c) {
            return c.ordinal == 0 ? c.ranks : c.ranks + '#' + std::to_string(c.ordinal);
        };
        for (auto const& c : communicators_) about.communicators.push_back(name(c));
        for (auto const& w : windows_) {
            about.windows.push_back(w.memory);
            about.windows.back().ranks = name(w);
        }
        all.push_back({program_text(events.nodes(), tables_), rank_text(about, events.nodes())});
    }
    return all;
}

void recorder::write_own_file() {
    auto const path = own_path(settings_.output, rank_), draft = path + ".draft";
    try {
        sonde::output_file file{draft};
        auto const own = own_texts();
        file.write(trace_line(about()));
        for (std::size_t i = 0; i != own.size(); ++i) {
            file.write(program_line(i, own[i].program));
            file.write(rank_line(i, own[i].rank));
        }
        file.write(end_line(1 + 2 * own.size()));
        std::filesystem::rename(draft, path);
        has_own_file_ = true;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "libsonde-trace: rank %d: %s\n", rank_, e.what());
        next_checkpoint_ = record_clock::time_point::max() - settings_.checkpoint;
    }
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
    auto const own = settings_.records(rank_) ? own_texts() : std::vector<texts>{};
    trace_file file{settings_.output, rank_ == 0};
    file.write(trace_line(about()));
    write_ranks(file, own, write_programs(file, own));
    file.finish();
    if (has_own_file_) std::filesystem::remove(own_path(settings_.output, rank_));
    SONDE_LIBRARY_CALL(Comm_free)(&comm_);
}

} // namespace tools::replay
