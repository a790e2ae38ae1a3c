// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/monitor/changes.hpp>
#include <sonde/monitor/pages.hpp>
#include <sonde/monitor/text.hpp>
#include <sonde/monitor/waiting.hpp>
#include <sonde/probe.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sonde::inline v0_1 {

/// Options of a monitor.
struct monitor_options {
    seconds interval{10};                         // between two files
    monitor_detail detail = monitor_detail::node; // until the control file says otherwise
    double false_alarms = 0.01;    // expected number per hour and node: changes told of healthy scopes, and late ranks
    double change = 0.2;           // smallest share by which a pass grows that is reported
    std::size_t max_series = 2000; // per file; with more, ranks are added up
    std::string control{};         // file that sets the detail; by default the path and ".detail"
    std::string folder = "/dev/shm";                // in memory, for the pages of the ranks
    std::function<void(std::string const&)> tell{}; // takes each line; by default it goes to stderr
};

/// Live figures of an application with probes, in a file for each node that the textfile collector of Prometheus' node
/// exporter reads. Ranks do not communicate, and a collective function is not called: a rank that dies, hangs or leaves
/// is seen by the others.
///
///     sonde::monitor monitor{world, "/var/lib/node_exporter/solver.prom"};   // on every rank
///     monitor.add(probe);                                                    // scopes that are made later, too
///
/// Each pass also adds to counters in a page of memory that the ranks of the node share. On every rank a thread sleeps;
/// each interval the threads try to take a lock, and the one that holds it reads all pages of the node and writes the
/// file beside its path, then renames it. If its process ends, the next thread takes the lock. The thread makes no
/// calls of MPI, and takes no signals.
///
/// The file `control` switches the detail while the application runs: `echo rank > solver.prom.detail`. It is read
/// once in each interval.
///
/// A scope of a rank that becomes slower by `change` and stays so is reported once, in a line on stderr and as the
/// gauge `sonde_scope_change_ratio`; see `change_watch`. Waiting in exchanges for ranks of the same node, and the rank
/// that came late, are in the file; see `waiting_watch`. For them, ranks add the probe after the same number of passes,
/// and the monitor's ranks are those by which the probe names partners.
///
/// Ranks belong together if the path, the job of the resource manager and the user are the same: jobs at one time on
/// one node need different paths. A table has room for 64 scopes of a rank. Times are those of steady clocks.
///
/// If the folder does not take the page, a line says so and this rank is not seen. A file that cannot be written is
/// reported once, and tried again in each interval. Throws std::invalid_argument for an empty path,
/// and unless the interval is from 1 ms to 1e6 s, `change` is above 0, and `false_alarms` is above 0.
class monitor {
public:
    /// `rank`: of this process among those of the job.
    monitor(std::string path, int rank, monitor_options options = {});
    /// Of the calling process in the group. Not collective.
    template <Group G>
    monitor(G const& group, std::string path, monitor_options options = {})
        : monitor{std::move(path), group.rank(), std::move(options)} {}
    monitor(monitor const&) = delete;
    monitor& operator=(monitor const&) = delete;
    /// The last monitor on the node removes the file and the pages.
    ~monitor();

    /// Show the scopes of a probe, from now on; one monitor shows a probe, the last to which it was added. The passes
    /// of the probe must end before the monitor does.
    template <Clock C>
    void add(basic_probe<C>& scopes) {
        scopes.publish_in(table());
    }
    /// The counters that this process shares.
    scope_table& table();
    /// Write the file now, not at the end of the interval; false if another process writes for the node. A file that
    /// cannot be written is reported as in each interval.
    bool write();

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/hash.hpp>
#include <sonde/detail/kernel_files.hpp>
#include <sonde/measure/launcher.hpp>
#include <sonde/measure/system.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <signal.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace sonde::inline v0_1::detail {

/// Key of the pages of the processes that write one file: of path, job and user.
SONDE_INLINE std::string monitor_key(std::string const& path) {
    auto hash = fnv_1a(std::filesystem::absolute(path).lexically_normal().string());
    hash = fnv_1a(job_of_process().id + '\n' + variable_of_process("PMIX_NAMESPACE").value_or(""), hash);
    hash = fnv_1a(std::to_string(geteuid()), hash);
    char text[17]{};
    return {text, std::to_chars(text, text + 16, hash, 16).ptr};
}

/// The job's number, or the name of the file without its extension.
SONDE_INLINE std::string job_label(std::string const& path) {
    auto const id = job_of_process().id;
    return id.empty() ? std::filesystem::path{path}.stem().string() : id;
}

SONDE_INLINE std::string change_text(scope_change const& c, seconds interval) {
    auto const milliseconds = std::round(1e3 * static_cast<double>(c.intervals) * interval.count());
    return "sonde: since " + utc_date() + " less " + shortest(milliseconds / 1e3) + " s, a pass of " +
           plain_text(c.scope) + " on rank " + std::to_string(c.rank) + " takes " + fixed(c.after / c.before, 2) +
           " times as long: " + cell_text(c.after, 0) + " us instead of " + cell_text(c.before, 0) + " us\n";
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

struct monitor::parts {
    parts(std::string where, int rank, monitor_options with)
        : path{std::move(where)}, options{std::move(with)}, folder{options.folder, detail::monitor_key(path)},
          page{folder, rank}, changes{options.interval, options.false_alarms, options.change},
          waiting{options.interval, options.false_alarms},
          text{options.detail, detail::job_label(path), options.max_series} {
        if (options.control.empty()) options.control = path + ".detail";
        folder.remove_old();
        if (!page.error().empty())
            tell("sonde: the monitor does not see rank " + std::to_string(rank) + ": " + options.folder + ": " +
                 page.error() + '\n');
    }

    void tell(std::string const& line) const {
        if (options.tell) options.tell(line);
        else std::fputs(line.c_str(), stderr);
    }
    void read_control() {
        auto const word = detail::file_text(options.control, 4096);
        auto const level = detail::detail_named(word);
        text.level = level.value_or(options.detail);
        auto const is_wrong = !word.empty() && !level;
        if (is_wrong && !wrong_control)
            tell("sonde: " + options.control + ": off, node or rank, not '" + detail::plain_text(word) + "'\n");
        wrong_control = is_wrong;
    }
    bool write_file() {
        if (!lock.take(folder)) return false;
        try {
            read_control();
            auto const ranks = folder.read();
            for (auto const& c : changes.update(ranks)) tell(detail::change_text(c, options.interval));
            if (text.level != monitor_detail::off) waiting.update(ranks);
            auto const now = since_epoch(steady_clock::now());
            detail::replace_file(path, detail::monitor_text(ranks, changes, waiting, now, text));
            error.clear();
        } catch (std::exception const& e) {
            if (std::exchange(error, e.what()) != e.what())
                tell("sonde: the monitor goes on without its file: " + error + '\n');
        }
        return true;
    }
    void run() {
        std::unique_lock held{mutex};
        while (!wake.wait_for(held, std::chrono::duration<double>{options.interval}, [&] { return ends; }))
            write_file();
    }
    /// The thread inherits that all signals are blocked.
    void start() {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            thread = std::thread{[this] { run(); }};
        } catch (std::exception const& e) {
            tell("sonde: a monitor without its thread: " + std::string{e.what()} + '\n');
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void stop() {
        {
            std::lock_guard const held{mutex};
            ends = true;
        }
        wake.notify_one();
        if (thread.joinable()) thread.join();
    }

    std::string path;
    monitor_options options;
    detail::page_folder folder;
    detail::own_page page;
    detail::writer_lock lock;
    change_watch changes;
    waiting_watch waiting;
    detail::monitor_text_options text;
    std::string error;
    bool wrong_control = false;
    std::mutex mutex;
    std::condition_variable wake;
    bool ends = false;
    std::thread thread;
};

SONDE_INLINE monitor::monitor(std::string path, int rank, monitor_options options) {
    auto const is_positive = [](double x) { return detail::is_finite(x) && x > 0; };
    auto const interval = options.interval.count();
    if (!detail::is_finite(interval) || !(1e-3 <= interval && interval <= 1e6) || !is_positive(options.change) ||
        !is_positive(options.false_alarms))
        throw std::invalid_argument{"sonde::monitor: the interval must be at least 1 ms and at most 1e6 s, the change "
                                    "and the rate of false alarms above 0"};
    if (path.empty()) throw std::invalid_argument{"sonde::monitor: the path is empty"};
    parts_ = std::make_unique<parts>(std::move(path), rank, std::move(options));
    parts_->start();
}

SONDE_INLINE monitor::~monitor() {
    parts_->stop();
    // After its own page is removed: of ranks that end at one time, the last sees no other page.
    auto const path = parts_->path;
    auto const folder = parts_->folder;
    parts_.reset();
    if (folder.remove_if_unused()) unlink(path.c_str());
}

SONDE_INLINE scope_table& monitor::table() { return parts_->page.table(); }

SONDE_INLINE bool monitor::write() {
    std::lock_guard const held{parts_->mutex};
    return parts_->write_file();
}

} // namespace sonde

#endif
