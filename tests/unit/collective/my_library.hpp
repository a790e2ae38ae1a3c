// SPDX-License-Identifier: BSL-1.0
#pragma once

// A backend that somebody writes elsewhere, complete and small: ranks are threads of one process, which read and write
// each other's memory. docs/concepts/Backend.md shows parts of it.

#include <sonde/error.hpp>
#include <sonde/group.hpp>

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace my_library {

/// Failure of a call of the library.
struct error : sonde::library_error {
    error(char const* call, int code) : library_error{call, code, std::string{call} + " failed"} {}
};

/// What the ranks of a job share: a barrier, and a place for each rank to show its values and its memory.
struct job {
    explicit job(int n) : ranks{n}, meeting{n}, values(shown()), memory(shown()) {}
    std::size_t shown() const { return static_cast<std::size_t>(ranks); }

    int ranks;
    std::barrier<> meeting;
    std::vector<std::span<double>> values;
    std::vector<std::span<std::byte>> memory;
};

/// A rank of the job: a sonde::Group.
class group {
public:
    group(job& of, int rank) : job_{&of}, rank_{rank} {}

    int rank() const { return rank_; }
    int size() const { return job_->ranks; }
    void barrier() { job_->meeting.arrive_and_wait(); }
    void all_reduce(std::span<double> mine, sonde::reduction op) {
        job_->values[static_cast<std::size_t>(rank_)] = mine;
        barrier();
        std::vector<double> result(job_->values[0].begin(), job_->values[0].end());
        for (std::size_t r = 1; r != job_->values.size(); ++r)
            for (std::size_t i = 0; i != result.size(); ++i) result[i] = combined(result[i], job_->values[r][i], op);
        barrier(); // all ranks have read
        std::copy(result.begin(), result.end(), mine.begin());
    }
    std::string library() const { return "my_library 1.0"; } // optional: for the environment of results

    job& shared() const { return *job_; }

private:
    static double combined(double a, double b, sonde::reduction op) {
        if (op == sonde::reduction::sum) return a + b;
        return op == sonde::reduction::max ? std::max(a, b) : std::min(a, b);
    }

    job* job_;
    int rank_;
};
static_assert(sonde::Group<group>);

} // namespace my_library

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <new>

namespace my_library {

/// Memory of the library, for buffers: a sonde::Memory.
struct pages {
    static constexpr bool host_accessible = true, device_accessible = false;
    static constexpr std::align_val_t page{4096};

    void* allocate(std::size_t n) { return ::operator new(n, page); }
    void deallocate(void* p, std::size_t) { ::operator delete(p, page); }
    void fill(sonde::region r, std::byte value) { std::fill(r.begin(), r.end(), value); }
};
static_assert(sonde::Memory<pages>);

/// Memory of this rank that the others may access. Constructor and destructor are collective over the group.
class window {
public:
    window(group& ranks, sonde::region mine) : ranks_{&ranks} {
        ranks.shared().memory[static_cast<std::size_t>(ranks.rank())] = mine;
        ranks.barrier();
    }
    window(window const&) = delete;
    ~window() { ranks_->barrier(); } // no rank accesses it any more

    sonde::region of(int rank) const {
        if (rank < 0 || rank >= ranks_->size()) throw error{"my_window", 1};
        return ranks_->shared().memory[static_cast<std::size_t>(rank)];
    }

private:
    group* ranks_;
};

} // namespace my_library

#include <sonde/pattern/one_sided.hpp>

namespace my_library {

// [put]
/// Writes block i of `origin` to block i of the target's window: a sonde::Transfer.
class put {
public:
    put(window const& where, int target, sonde::region origin, std::size_t bytes)
        : to_{where.of(target)}, from_{origin}, bytes_{bytes} {}

    void operator()(std::size_t i) const { std::memcpy(&to_[i * bytes_], &from_[i * bytes_], bytes_); }
    std::size_t capacity() const { return std::min(to_.size(), from_.size()) / bytes_; }
    sonde::traffic traffic() const { return {bytes_, 1}; }

private:
    sonde::region to_, from_;
    std::size_t bytes_;
};

/// Epochs between two barriers, in which all ranks take part: a sonde::Epoch.
struct fence {
    group* ranks;
    void open(auto) const { ranks->barrier(); }
    void close(auto) const { ranks->barrier(); }
};
static_assert(sonde::TransferIn<put, fence>);
// [/put]

} // namespace my_library

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>

#include <utility>

namespace my_library {

struct bytes_of_rank {
    std::size_t n;
    std::size_t bytes() const { return n; }
};
using blocks = sonde::uniform_blocks<bytes_of_rank>;

/// Where ranks show each other blocks: what the calls below need.
class board {
public:
    explicit board(group& ranks) : ranks_{&ranks} {}

    void put(std::size_t rank, std::byte* from, std::size_t n) {
        ranks_->shared().memory[rank] = {from, n};
        barrier();
    }
    void get(std::size_t rank, std::byte* to, std::size_t n) const {
        auto const from = ranks_->shared().memory[rank];
        if (from.data() != to) std::memcpy(to, from.data(), n);
    }
    void barrier() const { ranks_->barrier(); }

private:
    group* ranks_;
};

// [allgather]
/// Every rank receives a block of every rank.
struct allgather : sonde::gather_base<sonde::group_member, sonde::no_root, blocks> {
    static constexpr auto name = "my_allgather";

    allgather(auto const& ranks, std::size_t each, sonde::placement where = sonde::placement::out_of_place)
        : gather_base{{ranks.rank(), ranks.size(), "my_library"}, {each}, {}, where} {}
    void invoke(sonde::call_arguments a, auto& board) const {
        board.put(self(), in_place_ ? a.recvbuf + all_.offset(self()) : a.sendbuf, all_.span(self()));
        for (std::size_t i = 0; i != ranks(); ++i) board.get(i, a.recvbuf + all_.offset(i), all_.span(i));
        board.barrier();
    }
};
// [/allgather]

/// Every rank receives the root's block.
struct bcast : sonde::broadcast_base<sonde::group_member, sonde::root_rank, blocks> {
    static constexpr auto name = "my_bcast";

    bcast(auto const& ranks, std::size_t all, sonde::root_rank root = 0)
        : broadcast_base{{ranks.rank(), ranks.size(), "my_library"}, {all}, root, sonde::in_place} {}
    void invoke(sonde::call_arguments a, auto& board) const {
        board.put(self(), a.recvbuf, all_.span());
        board.get(static_cast<std::size_t>(a.root), a.recvbuf, all_.span());
        board.barrier();
    }
};

/// Every rank receives the sum of the vectors of n ints of all ranks. A block of a reduction is one element.
struct allreduce : sonde::reduction_base<sonde::group_member, sonde::no_root, blocks> {
    static constexpr auto name = "my_allreduce";

    allreduce(auto const& ranks, std::size_t n, sonde::placement where = sonde::placement::out_of_place)
        : reduction_base{{ranks.rank(), ranks.size(), "my_library"}, {sizeof(int)}, n, {}, where}, sum_(n), other_(n) {}
    sonde::traffic traffic() const { return share_with_all(); } // bus factor 2 (P - 1) / P
    void invoke(sonde::call_arguments a, auto& board) const {
        board.put(self(), in_place_ ? a.recvbuf : a.sendbuf, all_.span());
        std::fill(sum_.begin(), sum_.end(), 0);
        for (std::size_t i = 0; i != ranks(); ++i) {
            board.get(i, reinterpret_cast<std::byte*>(other_.data()), all_.span());
            for (std::size_t k = 0; k != sum_.size(); ++k) sum_[k] += other_[k];
        }
        board.barrier(); // all ranks have read
        std::memcpy(a.recvbuf, sum_.data(), all_.span());
    }

private:
    mutable std::vector<int> sum_, other_; // so that a call allocates nothing
};

/// Call mode: one call in each iteration. `Board` is what the library's calls need.
template <class Board, class Op, class Out, class In>
class blocking : public sonde::bound_operation<Op, Out, In, sonde::InvocableOperation<Op, Board&>> {
public:
    blocking(Board& board, Op operation, Out out, In in)
        : blocking::bound_operation{"my_library", std::move(operation), std::move(out), std::move(in)}, board_{&board} {
    }
    void operator()() { this->operation_.invoke(this->next(), *board_); }

private:
    Board* board_;
};

} // namespace my_library
