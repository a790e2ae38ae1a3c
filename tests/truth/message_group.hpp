// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

namespace truth {

/// Messages that one rank sends and receives, and their bytes.
struct message_count {
    std::size_t messages = 0;
    std::size_t bytes = 0;

    void add(std::size_t size) {
        ++messages;
        bytes += size;
    }
    friend message_count operator-(message_count a, message_count b) {
        return {a.messages - b.messages, a.bytes - b.bytes};
    }
};

/// Collective operations of one kind: calls, and the messages of this rank.
struct operation_count : message_count {
    std::size_t calls = 0;
};

/// Allocator of the group's buffers, which stand for memory of the MPI library: not by operator new, so that a program
/// that counts the memory of Sonde does not count them.
template <class T>
struct library_memory {
    using value_type = T;

    T* allocate(std::size_t n) {
        auto* const p = std::malloc(n * sizeof(T));
        if (p == nullptr) throw std::bad_alloc{};
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) { std::free(p); }
    friend bool operator==(library_memory, library_memory) { return true; }
};

/// A group whose collectives are the usual algorithms for short messages, message by message: a dissemination barrier,
/// recursive doubling with a fold for other numbers than powers of two, a broadcast and a gather along a binomial tree.
/// It counts them, which no MPI library shows.
class message_group {
public:
    explicit message_group(sonde::mpi::group_ref ranks)
        : comm_{ranks.comm()}, rank_{ranks.get().rank()}, size_{ranks.get().size()} {}

    int rank() const { return rank_; }
    int size() const { return size_; }

    void barrier() {
        ++barriers.calls;
        for (int distance = 1; distance < size_; distance *= 2)
            send_and_receive({}, (rank_ + distance) % size_, {}, (rank_ - distance + size_) % size_, barriers);
    }

    void all_reduce(std::span<double> values, sonde::reduction how) {
        ++reductions.calls;
        int whole = 1;
        while (2 * whole <= size_) whole *= 2;
        auto const folded = size_ - whole; // this many ranks from `whole` on are folded into the first ones
        buffer other(values.size());
        auto const combine = [&] {
            for (std::size_t i = 0; i != values.size(); ++i)
                values[i] = how == sonde::reduction::sum   ? values[i] + other[i]
                            : how == sonde::reduction::min ? std::min(values[i], other[i])
                                                           : std::max(values[i], other[i]);
        };
        if (rank_ >= whole) {
            send(values, rank_ - whole, reductions);
            receive(values, rank_ - whole, reductions);
            return;
        }
        if (rank_ < folded) {
            receive(std::span{other}, rank_ + whole, reductions);
            combine();
        }
        for (int distance = 1; distance < whole; distance *= 2) {
            send_and_receive(values, rank_ ^ distance, other, rank_ ^ distance, reductions);
            combine();
        }
        if (rank_ < folded) send(values, rank_ + whole, reductions);
    }

    void broadcast(std::span<std::byte> bytes, int root) {
        ++broadcasts.calls;
        auto const after_root = (rank_ - root + size_) % size_;
        int distance = 1; // to the rank that sends to this one; beyond all of them for the root
        while (distance < size_ && (after_root & distance) == 0) distance *= 2;
        if (after_root != 0) receive(bytes, (rank_ - distance + size_) % size_, broadcasts);
        for (distance /= 2; distance >= 1; distance /= 2)
            if (after_root + distance < size_) send(bytes, (rank_ + distance) % size_, broadcasts);
    }

    void gather(std::span<std::byte const> mine, std::span<std::byte> all) {
        ++gathers.calls;
        std::vector<std::byte, library_memory<std::byte>> held{mine.begin(), mine.end()}; // of the ranks from here on
        for (int distance = 1; distance < size_; distance *= 2) {
            if ((rank_ & distance) != 0) {
                send(std::span{held}, rank_ - distance, gathers);
                return;
            }
            auto const from = rank_ + distance;
            if (from >= size_) continue;
            auto const ranks = static_cast<std::size_t>(std::min(distance, size_ - from));
            auto const before = held.size();
            held.resize(before + ranks * mine.size());
            receive(std::span{held}.subspan(before), from, gathers);
        }
        std::copy(held.begin(), held.end(), all.begin());
    }

    /// What is made after a block of samples.
    operation_count organized() const {
        return {{reductions.messages + broadcasts.messages, reductions.bytes + broadcasts.bytes},
                reductions.calls + broadcasts.calls};
    }

    operation_count barriers, reductions, broadcasts, gathers;

private:
    using buffer = std::vector<double, library_memory<double>>;

    static constexpr int tag = 77;

    template <class T>
    void send(std::span<T> v, int to, message_count& count) const {
        count.add(v.size_bytes());
        MPI_Send(v.data(), static_cast<int>(v.size_bytes()), MPI_BYTE, to, tag, comm_);
    }
    template <class T>
    void receive(std::span<T> v, int from, message_count& count) const {
        count.add(v.size_bytes());
        MPI_Recv(v.data(), static_cast<int>(v.size_bytes()), MPI_BYTE, from, tag, comm_, MPI_STATUS_IGNORE);
    }
    void send_and_receive(std::span<double const> out, int to, std::span<double> in, int from,
                          message_count& count) const {
        count.add(out.size_bytes());
        count.add(in.size_bytes());
        MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, to, tag, in.data(),
                     static_cast<int>(in.size()), MPI_DOUBLE, from, tag, comm_, MPI_STATUS_IGNORE);
    }

    MPI_Comm comm_;
    int rank_;
    int size_;
};

} // namespace truth
