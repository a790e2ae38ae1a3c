// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/probe/live_scope.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Pages of shared memory by which the ranks of a node share their counters without a message: a file for each rank in a
// folder in memory. The kernel's lock on a file shows that its process runs, whichever way the process ends.

namespace sonde::inline v0_1 {

/// Counters of a scope, as they were read.
struct scope_counters {
    std::string name;                   // with those of the enclosing scopes, "step/halo"
    std::uint64_t passes = 0;           // that have ended
    seconds time{};                     // of these passes
    double bytes = 0;                   // moved by these passes
    std::optional<seconds> ended{};     // reading at the end of the last pass
    std::optional<seconds> begun{};     // reading at the beginning of the pass under way
    scope_kind kind = scope_kind::part; // what the rank does in the scope
    std::vector<int> partners{};        // of an exchange; empty: all ranks
};

/// A pass of an exchange, or successive passes of work, as it was read.
struct counted_pass {
    std::size_t scope = 0;    // index in the counters of the rank
    std::uint64_t number = 0; // among the passes of the scope
    seconds begin{};          // reading at the beginning
    seconds length{};         // of successive passes together
};

/// Counters of a rank, as they were read.
struct rank_counters {
    int rank = 0;                         // of the process
    bool running = true;                  // its process has not ended
    std::size_t left_out = 0;             // scopes that its table had no room for
    std::vector<scope_counters> scopes{}; // scopes of one name are added up
    std::vector<counted_pass> passes{};   // the latest passes of exchanges and of work, in the order of their ends
};

namespace detail {

/// The counters in a table.
rank_counters read_counters(scope_table const& table);

/// A file descriptor, which is closed at the end.
class unique_descriptor {
public:
    explicit unique_descriptor(int number = -1) : number_{number} {}
    unique_descriptor(unique_descriptor&& other) noexcept : number_{other.number_} { other.number_ = -1; }
    unique_descriptor& operator=(unique_descriptor&& other) noexcept {
        auto const mine = number_;
        number_ = other.number_;
        other.number_ = mine;
        return *this;
    }
    ~unique_descriptor();

    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_;
};

/// The pages of one job on this node: files in a folder, whose names begin with a key.
class page_folder {
public:
    page_folder(std::string folder, std::string const& key)
        : prefix_{"sonde-monitor-" + key + '-'}, folder_{std::move(folder)} {}

    /// Path of the page of a rank.
    std::string path_of(int rank) const { return folder_ + '/' + prefix_ + std::to_string(rank); }
    /// Path of the lock of the process that writes for the node.
    std::string writer_path() const { return folder_ + '/' + prefix_ + "writer"; }
    std::string const& folder() const { return folder_; }

    /// The counters of all pages of this user, in the order of ranks.
    std::vector<rank_counters> read() const;
    /// Remove all pages if no process of the job runs; false if one does.
    bool remove_if_unused() const;
    /// Remove the pages of other jobs of which no process runs.
    void remove_old() const;

private:
    std::string prefix_;
    std::string folder_;
};

/// The page of this process: a table of scopes in shared memory.
class own_page {
public:
    /// Without a page, if the folder does not take it: then the table is in memory of the process, where no one reads
    /// it.
    own_page(page_folder const& in, int rank);
    /// Removes the file.
    ~own_page();
    own_page(own_page const&) = delete;
    own_page& operator=(own_page const&) = delete;

    scope_table& table() { return *table_; }
    /// Why the folder did not take the page; empty if it did.
    std::string const& error() const { return error_; }

private:
    bool map(std::string const& draft);

    std::string path_;
    std::string error_;
    unique_descriptor file_; // open, because it holds the lock
    std::unique_ptr<scope_table> private_;
    scope_table* table_ = nullptr;
};

/// The lock of the process that writes for the node. The kernel releases it when the process ends.
class writer_lock {
public:
    /// True if this process holds the lock, or takes it now.
    bool take(page_folder const& in);
    void release() { file_ = unique_descriptor{}; }

private:
    unique_descriptor file_;
};

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/kernel_files.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sonde::inline v0_1::detail {

/// The passes of a table, without those that their thread may have replaced meanwhile. `index`: of each scope of the
/// table in the counters.
SONDE_INLINE std::vector<counted_pass> read_passes(live_passes const& from, std::vector<std::size_t> const& index) {
    auto const time = [](std::uint64_t const& bits) { return seconds{std::bit_cast<double>(live_passes::load(bits))}; };
    std::vector<counted_pass> found;
    auto const end = live_passes::load(from.added);
    auto const first = end - std::min<std::uint64_t>(end, live_passes::kept);
    for (auto n = first; n != end; ++n) {
        auto const& e = from.entries[n % live_passes::kept];
        found.push_back({index[live_passes::load(e.index) % scope_table::most_scopes], live_passes::load(e.number),
                         time(e.begin), time(e.length)});
    }
    auto const next = live_passes::load(from.added) + 1; // this one may be written now
    auto const replaced = next - std::min<std::uint64_t>(next, live_passes::kept + first);
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(replaced, end - first)));
    return found;
}

SONDE_INLINE rank_counters read_counters(scope_table const& table) {
    auto const load = [](std::uint64_t const& counter) { return live_scope::load(counter); };
    auto const reading = [&](std::uint64_t const& counter) -> std::optional<seconds> {
        auto const bits = load(counter);
        return bits == 0 ? std::nullopt : std::optional{seconds{std::bit_cast<double>(bits)}};
    };
    rank_counters found{.rank = static_cast<int>(table.rank)};
    std::vector<std::size_t> index(scope_table::most_scopes); // in the counters, of a scope in the table
    auto const claimed = load(table.claimed);
    found.left_out = claimed - std::min<std::uint64_t>(claimed, scope_table::most_scopes);
    for (std::size_t i = 0; i != claimed - found.left_out; ++i) {
        auto const& s = table.scopes[i];
        if (__atomic_load_n(&s.ready, __ATOMIC_ACQUIRE) == 0) continue;
        auto same =
            std::find_if(found.scopes.begin(), found.scopes.end(), [&](auto const& f) { return f.name == s.name; });
        if (same == found.scopes.end())
            same = found.scopes.insert(same, {.name = s.name,
                                              .kind = static_cast<scope_kind>(s.kind),
                                              .partners{s.partners, s.partners + s.partner_count}});
        index[i] = static_cast<std::size_t>(same - found.scopes.begin());
        auto const passes = load(s.passes);
        same->passes += passes;
        same->time += seconds{std::bit_cast<double>(load(s.time))};
        same->bytes += s.bytes * static_cast<double>(passes);
        if (auto const ended = reading(s.ended)) same->ended = std::max(same->ended.value_or(*ended), *ended);
        if (auto const begun = reading(s.begun)) same->begun = std::min(same->begun.value_or(*begun), *begun);
    }
    found.passes = read_passes(table.passes, index);
    return found;
}

SONDE_INLINE unique_descriptor::~unique_descriptor() {
    if (number_ >= 0) close(number_);
}

SONDE_INLINE bool is_locked(int file) {
    if (flock(file, LOCK_SH | LOCK_NB) != 0) return true;
    flock(file, LOCK_UN);
    return false;
}

/// A page of this user, opened; none for other files.
SONDE_INLINE unique_descriptor open_page(std::string const& path) {
    unique_descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
    struct stat about {};
    auto const is_page = file && fstat(file.number(), &about) == 0 && S_ISREG(about.st_mode) &&
                         about.st_uid == geteuid() && about.st_size == static_cast<off_t>(sizeof(scope_table));
    return is_page ? std::move(file) : unique_descriptor{};
}

SONDE_INLINE std::optional<rank_counters> read_page(std::string const& path) {
    auto const file = open_page(path);
    if (!file) return std::nullopt;
    auto const running = is_locked(file.number());
    auto* const memory = mmap(nullptr, sizeof(scope_table), PROT_READ, MAP_SHARED, file.number(), 0);
    if (memory == MAP_FAILED) return std::nullopt;
    auto const& table = *static_cast<scope_table const*>(memory);
    std::optional<rank_counters> found;
    if (__atomic_load_n(&table.layout, __ATOMIC_ACQUIRE) == scope_table::this_layout) {
        found = read_counters(table);
        found->running = running;
    }
    munmap(memory, sizeof(scope_table));
    return found;
}

SONDE_INLINE std::vector<rank_counters> page_folder::read() const {
    std::vector<rank_counters> all;
    for (auto const& name : names_in(folder_))
        if (name.starts_with(prefix_))
            if (auto found = read_page(folder_ + '/' + name)) all.push_back(std::move(*found));
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
    return all;
}

SONDE_INLINE bool page_folder::remove_if_unused() const {
    std::vector<std::string> paths;
    for (auto const& name : names_in(folder_)) {
        if (!name.starts_with(prefix_)) continue;
        paths.push_back(folder_ + '/' + name);
        auto const file = open_page(paths.back());
        if (file && is_locked(file.number())) return false;
    }
    for (auto const& path : paths) unlink(path.c_str());
    return true;
}

SONDE_INLINE void page_folder::remove_old() const {
    constexpr std::string_view begin = "sonde-monitor-";
    for (auto const& name : names_in(folder_)) {
        auto const end = name.find('-', begin.size());
        if (!name.starts_with(begin) || name.starts_with(prefix_) || end == name.npos) continue;
        if (open_page(folder_ + '/' + name)) // of this user
            page_folder{folder_, name.substr(begin.size(), end - begin.size())}.remove_if_unused();
    }
}

SONDE_INLINE own_page::own_page(page_folder const& in, int rank) : path_{in.path_of(rank)} {
    auto const draft = in.folder() + "/." + path_.substr(in.folder().size() + 1); // no page before it is locked
    if (!map(draft)) {
        error_ = std::strerror(errno);
        unlink(draft.c_str());
        private_ = std::make_unique<scope_table>();
        table_ = private_.get();
    }
    table_->rank = rank;
    __atomic_store_n(&table_->layout, scope_table::this_layout, __ATOMIC_RELEASE);
}

/// Takes the memory of a page now, because a folder that is full later would end the process.
SONDE_INLINE bool has_memory(int file) {
#ifdef __APPLE__ // has no posix_fallocate
    return ftruncate(file, sizeof(scope_table)) == 0;
#else
    errno = posix_fallocate(file, 0, sizeof(scope_table));
    return errno == 0;
#endif
}

SONDE_INLINE bool own_page::map(std::string const& draft) {
    unlink(draft.c_str());
    file_ = unique_descriptor{open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    if (!file_ || flock(file_.number(), LOCK_EX | LOCK_NB) != 0) return false;
    if (!has_memory(file_.number())) return false;
    auto* const memory = mmap(nullptr, sizeof(scope_table), PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (memory == MAP_FAILED) return false;
    table_ = static_cast<scope_table*>(memory);
    if (std::rename(draft.c_str(), path_.c_str()) == 0) return true;
    munmap(memory, sizeof(scope_table));
    return false;
}

SONDE_INLINE own_page::~own_page() {
    if (private_) return;
    unlink(path_.c_str());
    munmap(table_, sizeof(scope_table));
}

SONDE_INLINE bool writer_lock::take(page_folder const& in) {
    if (file_) return true;
    auto const path = in.writer_path();
    unique_descriptor file{open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)};
    if (!file || flock(file.number(), LOCK_EX | LOCK_NB) != 0) return false;
    struct stat mine {
    }, there{};
    auto const is_there =
        fstat(file.number(), &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino;
    if (is_there) file_ = std::move(file); // or else the writer before removed the file
    return is_there;
}

} // namespace sonde::detail

#endif
