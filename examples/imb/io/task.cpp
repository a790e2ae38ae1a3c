// SPDX-License-Identifier: BSL-1.0
#include "imb/io/task.hpp"

#include "imb/driver/imb_work.hpp"
#include "imb/io/io_contents.hpp"
#include "suite/agreement.hpp"

#include <sonde/measure/overlap.hpp>

#include <algorithm>
#include <exception>
#include <type_traits>

namespace imb::io {

namespace {

namespace mio = sonde::mpi::io;

constexpr sonde::seconds work_time{0.01}; // for each access, as in IMB

imb_work<> work_beside_access() {
    imb_work<> work;
    work.set_duration(work_time);
    return work;
}

/// IMB's overlap of non-blocking accesses: an iteration starts an access. When all accesses of a batch have started,
/// the work is done once for each of them, then all are completed.
template <sonde::NonblockingOperation S>
class batch_overlap {
public:
    batch_overlap(S& access, imb_work<>& work) : access_{&access}, work_{&work} {}
    void operator()() {
        ++started_;
        access_->start();
    }
    void complete() {
        for (; started_ != 0; --started_) (*work_)();
        std::exception_ptr error;
        auto const try_step = [&error](auto step) { // after an error, too: the other ranks are in the next step
            try {
                step();
            } catch (...) {
                if (!error) error = std::current_exception();
            }
        };
        try_step([this] { access_->wait(); });
        try_step([this] { access_->complete(); });
        if (error) std::rethrow_exception(error);
    }
    sonde::traffic traffic() const { return access_->traffic(); }

private:
    S* access_;
    imb_work<>* work_;
    std::size_t started_ = 0;
};

} // namespace

task::task(setting& s, access_kind const& kind) : s_{s}, kind_{kind}, file_{test_file::of(s, kind)} {
    file_->reserve(s, std::max<std::size_t>(s.max_repetitions, checked_transfers));
    open_file_ = file_->open(s);
}

result task::measure(std::size_t n) {
    auto error = no_error();
    result found{measure_access(n, error)};
    if (kind_.with_overlap) {
        reopen();
        found.overlap = measure_overlap(n, error);
        found.work = measure_work();
    }
    error.refuse(s_.group); // after all measurements, because other groups measure at the same time
    return found;
}

double task::defects() {
    auto error = no_error();
    rewind(error);
    auto const defects_of = [&](auto access) {
        auto const once = [&] { error.catch_in([&] { access(); }); };
        return kind_.reads() ? read_defects(s_, *file_, once) : written_defects(s_, *file_, once, error);
    };
    auto const when = kind_.reads() ? mio::file_sync::never : mio::file_sync::each_iteration;
    auto const found = !kind_.with_overlap       ? defects_of(access_pattern<mio::blocking>(when))
                       : kind_.access.collective ? defects_of(access_pattern<mio::split_collective>(when))
                                                 : defects_of(access_pattern<mio::nonblocking>(when));
    error.refuse(s_.group);
    return found;
}

sonde::record task::measure_access(std::size_t n, first_error& error) {
    rewind(error);
    auto access = access_pattern<mio::blocking>(completion());
    auto const point = s_.point(kind_.with_overlap ? "pure" : nullptr);
    return imb::run(s_.group, s_.timed_loop(n), error_catching{access, error}, point);
}

sonde::record task::measure_overlap(std::size_t n, first_error& error) {
    rewind(error);
    auto work = work_beside_access();
    auto const measured = [&](auto& pattern) {
        return imb::run(s_.group, s_.timed_loop(n), error_catching{pattern, error}, s_.point("overlap"));
    };
    if (kind_.access.collective) {
        auto access = access_pattern<mio::split_collective>(completion());
        sonde::overlapped<decltype(access)&, imb_work<>&> pattern{access, work};
        return measured(pattern);
    }
    auto access = access_pattern<mio::nonblocking>(completion());
    access.reserve(n);
    batch_overlap pattern{access, work};
    return measured(pattern);
}

/// On all ranks at the same time, as beside the accesses.
sonde::record task::measure_work() {
    auto work = work_beside_access();
    return imb::run(s_.group, s_.timed_loop(1), work, s_.point("work"));
}

/// Groups that measure at the same time give up together: the others would wait for a group without a file.
void task::reopen() {
    open_file_.reset(); // collective, before the same file is opened again
    suite::together(s_.all_groups != nullptr ? *s_.all_groups : s_.group, [this] { open_file_ = file_->open(s_); });
}

void task::rewind(first_error& error) const {
    error.catch_in([&] { open_file_->rewind(kind_.access.positioning); });
}

/// Writes are synchronized after each transfer in non-aggregate mode, otherwise after the last one.
mio::file_sync task::completion() const {
    if (kind_.reads()) return mio::file_sync::never;
    return s_.mode == mode::non_aggregate ? mio::file_sync::each_iteration : mio::file_sync::at_end;
}

template <template <class> class Form>
Form<sonde::opaque_rotating> task::access_pattern(mio::file_sync when) const {
    auto buffers = kind_.reads() ? s_.receive : s_.send;
    auto const active_together = std::is_same_v<Form<sonde::opaque_rotating>, mio::nonblocking<sonde::opaque_rotating>>;
    if (!active_together) buffers.layout.count = 1;
    return Form<sonde::opaque_rotating>{*open_file_, kind_.access, buffers.of(file_->range(s_).length),
                                        file_->offsets(s_), when};
}

} // namespace imb::io
