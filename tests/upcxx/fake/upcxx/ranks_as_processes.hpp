// SPDX-License-Identifier: BSL-1.0
#pragma once

// Ranks that are processes of an MPI job on one host: segments in a shared window, messages by MPI.

#include <upcxx/process.hpp>

#include <mpi.h>

#include <cstring>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace fake_upcxx {

class process_link : public transport {
public:
    process_link() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
        void* mine = nullptr;
        require(MPI_Win_allocate_shared(static_cast<MPI_Aint>(segment_bytes_), 1, MPI_INFO_NULL, comm_, &mine,
                                        &window_) == MPI_SUCCESS,
                "no shared memory for the segments");
        for (int rank = 0; rank != size_; ++rank) {
            MPI_Aint length = 0;
            int unit = 0;
            void* first = nullptr;
            MPI_Win_shared_query(window_, rank, &length, &unit, &first);
            segments_.push_back(static_cast<std::byte*>(first));
        }
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    }
    ~process_link() override {
        while (!sent_.empty()) remove_sent();
        MPI_Barrier(comm_);
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
        MPI_Comm_free(&comm_);
    }
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void send(int to, message what) override {
        remove_sent();
        MPI_Win_sync(window_);
        auto& one = sent_.emplace_back();
        auto const* const channel = reinterpret_cast<std::byte const*>(&what.channel);
        one.content.assign(channel, channel + sizeof what.channel);
        one.content.insert(one.content.end(), what.content.begin(), what.content.end());
        MPI_Isend(one.content.data(), static_cast<int>(one.content.size()), MPI_BYTE, to, 0, comm_, &one.request);
    }
    bool receive(message& into) override {
        int found = 0, n = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, comm_, &found, &status);
        if (found == 0) return false;
        MPI_Get_count(&status, MPI_BYTE, &n);
        bytes all(static_cast<std::size_t>(n));
        MPI_Recv(all.data(), n, MPI_BYTE, status.MPI_SOURCE, 0, comm_, MPI_STATUS_IGNORE);
        MPI_Win_sync(window_);
        into.from = status.MPI_SOURCE;
        std::memcpy(&into.channel, all.data(), sizeof into.channel);
        into.content.assign(all.begin() + sizeof into.channel, all.end());
        return true;
    }
    std::byte* segment(int rank) const override { return segments_[static_cast<std::size_t>(rank)]; }
    std::size_t segment_bytes() const override { return segment_bytes_; }

private:
    struct sent_message {
        bytes content;
        MPI_Request request;
    };
    void remove_sent() {
        for (auto one = sent_.begin(); one != sent_.end();) {
            int done = 0;
            MPI_Test(&one->request, &done, MPI_STATUS_IGNORE);
            if (done == 0) ++one;
            else one = sent_.erase(one);
        }
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 0;
    std::size_t segment_bytes_ = (segment_bytes_asked() + 4095) / 4096 * 4096;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<std::byte*> segments_;
    std::list<sent_message> sent_;
};

inline std::unique_ptr<transport> start_over_mpi() { return std::make_unique<process_link>(); }

} // namespace fake_upcxx
