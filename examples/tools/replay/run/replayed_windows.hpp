// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/window_epochs.hpp"
#include "tools/replay/trace/trace_reader.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tools::replay {

/// The windows of a trace, made anew. Construction and destruction are collective over all ranks.
class replayed_windows {
public:
    replayed_windows() = default; // none
    replayed_windows(trace const& t, thread_trace const& own);
    ~replayed_windows();
    replayed_windows(replayed_windows const&) = delete;
    replayed_windows& operator=(replayed_windows const&) = delete;

    MPI_Win of(window const& w) const { return made_.at(w.ranks.text).win; }

private:
    struct entry {
        std::unique_ptr<std::byte[]> memory{}; // of a window that does not allocate
        MPI_Comm comm = MPI_COMM_NULL;         // lives as long: in MPICH 4.0.2, the next window would get its number
        MPI_Win win = MPI_WIN_NULL;
    };
    std::map<std::string, entry> made_;
};

/// Displacements of the operations of a call: the recorded one, or evenly over the recorded range.
class displacements {
public:
    /// Displacements are multiples of `step` from the least one.
    displacements(displacement_range const& range, std::int64_t step)
        : least_{range[0]}, step_{step}, count_{(range[1] - range[0]) / step + 1} {}

    MPI_Aint next() {
        if (count_ == 1) return static_cast<MPI_Aint>(least_);
        place_ += 0.6180339887498949; // the golden ratio: parts of the range are reached equally often
        if (place_ >= 1) place_ -= 1;
        return static_cast<MPI_Aint>(least_ + step_ * static_cast<std::int64_t>(place_ * static_cast<double>(count_)));
    }

private:
    std::int64_t least_, step_, count_;
    double place_ = 0;
};

/// Bytes of memory that the operations of all ranks need on a rank in its window of the same ranks.
std::int64_t bytes_reached(trace const& t, window const& w);

/// Assertions of MPI for the bits of a mode.
int assertions_of(std::int32_t mode);

/// Open locks of `to` and close those of `from` that are not the same. Other epochs stay as they are.
void change_locks(MPI_Win win, window const& w, window_epoch const& from, window_epoch const& to);

} // namespace tools::replay
