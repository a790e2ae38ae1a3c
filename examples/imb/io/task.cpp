// SPDX-License-Identifier: BSL-1.0
#include "task.hpp"

#include "../../common/refusal.hpp"
#include "../exploit.hpp"
#include "begun_first.hpp"
#include "contents.hpp"

#include <sonde/overlap.hpp>
#include <sonde/run.hpp>

#include <algorithm>

namespace imb::io {

namespace {

namespace mio = sonde::mpi::io;

constexpr sonde::seconds cpu_time{0.01}; // IMB's

} // namespace

task::task(setting& s, row const& of) : s_{s}, row_{of}, place_{workplace::of(s, of)} {
    place_->reserve(s, std::max<std::size_t>(s.most, checked_transfers));
    file_ = place_->open(s);
}

mio::file_sync task::completion() const {
    if (row_.how.direction == mio::direction::read) return mio::file_sync::never;
    return s_.mode == mode::non_aggregate ? mio::file_sync::each_iteration : mio::file_sync::at_end;
}

void task::rewind(failure_note& failed) const {
    failed.in([&] { file_->rewind(row_.how.positioning); });
}

/// The same memory for all transfers, but for accesses under way together that write there.
template <template <class> class Form>
auto task::made(mio::file_sync when) const {
    auto const reads = row_.how.direction == mio::direction::read;
    auto const& memory = reads ? s_.receive : s_.send;
    auto const& where = reads ? s_.receives : s_.sends;
    auto const several = std::is_same_v<Form<sonde::rotating>, mio::nonblocking<sonde::rotating>>;
    auto const buffer = slots{several ? where.count : 1, where.stride}.of(memory, place_->mine(s_).bytes);
    return Form<sonde::rotating>{*file_, row_.how, buffer, place_->places(s_), when};
}

sonde::record task::alone(std::size_t n, failure_note& failed) {
    rewind(failed);
    auto access = made<mio::blocking>(completion());
    return sonde::run(s_.group, s_.whole(n), going_on{access, failed}, s_.point(row_.beside_work ? "pure" : nullptr));
}

sonde::record task::both(std::size_t n, failure_note& failed) {
    rewind(failed);
    exploit<> work;
    work.set_duration(cpu_time);
    auto const measured = [&](auto& pattern) {
        return sonde::run(s_.group, s_.whole(n), going_on{pattern, failed}, s_.point("overlap"));
    };
    if (row_.how.collective) {
        auto split = made<mio::split_collective>(completion());
        sonde::overlapped<decltype(split)&, exploit<>&> pattern{split, work};
        return measured(pattern);
    }
    auto requested = made<mio::nonblocking>(completion());
    requested.reserve(n);
    begun_first pattern{requested, work};
    return measured(pattern);
}

/// On all ranks at the same time, as beside the accesses.
sonde::record task::work_alone() {
    exploit<> work;
    work.set_duration(cpu_time);
    return sonde::run(s_.group, s_.whole(1), work, s_.point("work"));
}

/// Groups that keep step give up together: the others would wait for one that has no file.
void task::reopen() {
    file_.reset(); // collective: before the same file is opened again
    common::together(s_.all_groups != nullptr ? *s_.all_groups : s_.group, [this] { file_ = place_->open(s_); });
}

outcome task::measure(std::size_t n) {
    failure_note failed{name()};
    outcome found{alone(n, failed), {}, {}};
    if (row_.beside_work) {
        reopen();
        found.overlap = both(n, failed);
        found.work = work_alone();
    }
    failed.agree(s_.group); // not before all is measured: other groups keep step
    return found;
}

double task::defects() {
    failure_note failed{name()};
    rewind(failed);
    auto const writes = row_.how.direction == mio::direction::write;
    auto const passed = [&](auto access) {
        auto const once = [&] { failed.in([&] { access(); }); };
        return writes ? written_defects(s_, *place_, once, failed) : read_defects(s_, *place_, once);
    };
    auto const when = writes ? mio::file_sync::each_iteration : mio::file_sync::never;
    auto const found = !row_.beside_work     ? passed(made<mio::blocking>(when))
                       : row_.how.collective ? passed(made<mio::split_collective>(when))
                                             : passed(made<mio::nonblocking>(when));
    failed.agree(s_.group);
    return found;
}

} // namespace imb::io
