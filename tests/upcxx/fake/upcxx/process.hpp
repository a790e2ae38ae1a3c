// SPDX-License-Identifier: BSL-1.0
#pragma once

// A rank of the stand-in: its messages, its segment, and the work that waits for progress.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace upcxx {

using intrank_t = int;

} // namespace upcxx

namespace fake_upcxx {

using bytes = std::vector<std::byte>;

/// Exits with a status of its own for a call that no correct program makes.
inline void require(bool correct, char const* what) {
    if (correct) return;
    std::fprintf(stderr, "stand-in for UPC++: %s\n", what);
    std::_Exit(42);
}

/// A message to another rank. Channel 0 has remote procedure calls, the other channels are teams.
struct message {
    int from;
    std::uint64_t channel;
    bytes content;
};

/// How ranks exchange messages, and where their segments are in the memory of this one.
class transport {
public:
    transport() = default;
    transport(transport const&) = delete;
    transport& operator=(transport const&) = delete;
    virtual ~transport() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual void send(int to, message what) = 0;
    virtual bool receive(message& into) = 0;
    virtual std::byte* segment(int rank) const = 0;
    virtual std::size_t segment_bytes() const = 0;
};

/// Bytes of a segment: those of UPCXX_SHARED_HEAP_SIZE ("64MB"), or 64 MiB.
inline std::size_t segment_bytes_asked() {
    auto const* const text = std::getenv("UPCXX_SHARED_HEAP_SIZE");
    if (text == nullptr) return std::size_t{64} << 20;
    char* unit = nullptr;
    auto const number = std::strtoull(text, &unit, 10);
    auto const shift = *unit == 'K' ? 10 : *unit == 'M' || *unit == '\0' ? 20 : *unit == 'G' ? 30 : 0;
    return static_cast<std::size_t>(number) << shift;
}

/// A segment, whose pages take memory when they are touched.
class private_segment {
public:
    private_segment()
        : first_{mmap(nullptr, segment_bytes_asked(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)} {
        require(first_ != MAP_FAILED, "no memory for a segment");
    }
    private_segment(private_segment const&) = delete;
    private_segment& operator=(private_segment const&) = delete;
    ~private_segment() { munmap(first_, segment_bytes_asked()); }
    std::byte* first() const { return static_cast<std::byte*>(first_); }

private:
    void* first_;
};

/// A world of one process.
class one_process : public transport {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void send(int, message what) override { messages_.push_back(std::move(what)); }
    bool receive(message& into) override {
        if (messages_.empty()) return false;
        into = std::move(messages_.front());
        messages_.pop_front();
        return true;
    }
    std::byte* segment(int) const override { return segment_.first(); }
    std::size_t segment_bytes() const override { return segment_bytes_asked(); }

private:
    std::deque<message> messages_;
    private_segment segment_;
};

struct process {
    explicit process(std::unique_ptr<transport> to_others) : link{std::move(to_others)} {}

    std::unique_ptr<transport> link;
    bool owned = false; // by init and finalize
    int initializations = 0;
    std::map<std::size_t, std::size_t> blocks;                                 // offset and length in the segment
    std::deque<std::function<void()>> deferred;                                // transfers under way
    std::deque<message> calls;                                                 // of remote procedures, not yet executed
    std::map<std::pair<std::uint64_t, int>, std::deque<bytes>> of_collectives; // by channel and sender
    std::map<std::uint64_t, std::function<void()>> replies;                    // to remote procedure calls
    std::uint64_t last_reply = 0;
    std::map<std::string, long> counts; // of calls
    std::shared_ptr<void> world;        // the team of all ranks

    /// Takes the messages that have arrived.
    void poll() {
        message m{};
        while (link->receive(m)) {
            if (m.channel == 0) calls.push_back(std::move(m));
            else of_collectives[{m.channel, m.from}].push_back(std::move(m.content));
        }
    }
    /// Executes one step of each transfer under way.
    void transfer() {
        for (auto n = deferred.size(); n != 0; --n) {
            auto const step = std::move(deferred.front());
            deferred.pop_front();
            step();
        }
    }
    /// The next message of a rank on a channel; executes remote procedure calls meanwhile. Transfers go on only when
    /// the other rank has been late for some time, because collectives do not complete them.
    bytes receive(std::uint64_t channel, int from);
    void write_counts() const {
        auto const* const path = std::getenv("SONDE_COUNTS");
        if (path == nullptr) return;
        auto* const out = std::fopen((std::string{path} + "-" + std::to_string(link->rank())).c_str(), "w");
        if (out == nullptr) return;
        for (auto const& [name, n] : counts) std::fprintf(out, "%s %ld\n", name.c_str(), n);
        std::fclose(out);
    }
};

inline thread_local process* current = nullptr;

inline process& here() {
    require(current != nullptr, "a call before init");
    return *current;
}

/// True if the environment asks for a fault of the calls that move elements of type T: the bytes of programs. Other
/// elements are those of Sonde's group, whose faults would be no faults of a program.
template <class T>
bool has_fault(char const* which) {
    auto const* const fault = std::getenv("SONDE_FAULT");
    return sizeof(T) == 1 && fault != nullptr && std::string_view{fault} == which;
}
/// Counts a call. True if SONDE_FAULT says that it is to be lost.
template <class T>
bool is_lost(char const* call) {
    if (sizeof(T) == 1) ++here().counts[call];
    return has_fault<T>("lost");
}
/// Flips a bit of the last element if SONDE_FAULT says "flipped".
template <class T>
void damage(T* data, std::size_t n) {
    if (n != 0 && has_fault<T>("flipped")) reinterpret_cast<std::byte*>(data + n)[-1] ^= std::byte{16};
}

void execute(message const& call);

inline void execute_calls() {
    here().poll();
    for (auto n = here().calls.size(); n != 0; --n) {
        auto const call = std::move(here().calls.front());
        here().calls.pop_front();
        execute(call);
    }
}

inline bytes process::receive(std::uint64_t channel, int from) {
    auto& queue = of_collectives[{channel, from}];
    poll();
    for (int i = 0; queue.empty(); execute_calls()) {
        if (++i > 100) transfer();
        std::this_thread::yield();
    }
    auto found = std::move(queue.front());
    queue.pop_front();
    return found;
}

} // namespace fake_upcxx

namespace upcxx {

inline intrank_t rank_me() { return fake_upcxx::here().link->rank(); }
inline intrank_t rank_n() { return fake_upcxx::here().link->size(); }

/// Executes one step of each transfer under way, and the remote procedure calls that have arrived.
inline void progress() {
    fake_upcxx::here().transfer();
    fake_upcxx::execute_calls();
    std::this_thread::yield();
}

} // namespace upcxx
