// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/upcxx.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace fake_upcxx {

/// The messages to ranks that are threads, and their segments.
struct shared_world {
    struct rank_memory {
        std::mutex mutex;
        std::deque<message> messages;
        private_segment segment;
    };
    explicit shared_world(int n) : ranks(static_cast<std::size_t>(n)) {}
    rank_memory& of(int rank) { return ranks[static_cast<std::size_t>(rank)]; }

    std::vector<rank_memory> ranks;
};

class thread_link : public transport {
public:
    thread_link(shared_world& all, int rank) : all_{all}, rank_{rank} {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.ranks.size()); }
    void send(int to, message what) override {
        std::scoped_lock const lock{all_.of(to).mutex};
        all_.of(to).messages.push_back(std::move(what));
    }
    bool receive(message& into) override {
        std::scoped_lock const lock{all_.of(rank_).mutex};
        auto& queue = all_.of(rank_).messages;
        if (queue.empty()) return false;
        into = std::move(queue.front());
        queue.pop_front();
        return true;
    }
    std::byte* segment(int rank) const override { return all_.of(rank).segment.first(); }
    std::size_t segment_bytes() const override { return segment_bytes_asked(); }

private:
    shared_world& all_;
    int rank_;
};

/// Calls `f` on n ranks, which are threads, each within init and finalize.
inline void run(int n, std::function<void()> const& f) {
    shared_world all{n};
    std::vector<std::thread> threads;
    for (int rank = 0; rank != n; ++rank)
        threads.emplace_back([&all, &f, rank] {
            process mine{std::make_unique<thread_link>(all, rank)};
            current = &mine;
            upcxx::init();
            f();
            upcxx::finalize();
            current = nullptr;
        });
    for (auto& thread : threads) thread.join();
}

} // namespace fake_upcxx
