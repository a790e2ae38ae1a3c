// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/buffer.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace imb::mt {

/// What an instance sends from and receives into.
struct places {
    sonde::region send;
    sonde::region receive;
};

/// Bytes that it needs for them.
struct needs {
    std::size_t send;
    std::size_t receive;
};

/// Zeroed blocks for the threads of a process, as `-malloc_algo` and `-malloc_align` say.
class memory {
public:
    memory(options const& asked, int threads, needs each)
        : alignment_{asked.alignment}, how_{asked.allocated}, each_{each},
          blocks_(2 * static_cast<std::size_t>(threads)) {
        if (how_ == allocate::parallel) return;
        auto const together = how_ == allocate::continuous ? blocks_.size() / 2 : 1;
        for (std::size_t i = 0; i != blocks_.size() / together; ++i)
            blocks_[i] = zeroed(together * (i % 2 == 0 ? each.send : each.receive));
    }

    /// To be called by the thread itself, once.
    places of(int thread) {
        auto const t = static_cast<std::size_t>(thread);
        if (how_ == allocate::continuous)
            return {{blocks_[0].get() + t * each_.send, each_.send},
                    {blocks_[1].get() + t * each_.receive, each_.receive}};
        auto &send = blocks_[2 * t], &receive = blocks_[2 * t + 1];
        if (how_ == allocate::parallel) {
            send = zeroed(each_.send);
            receive = zeroed(each_.receive);
        }
        return {{send.get(), each_.send}, {receive.get(), each_.receive}};
    }

private:
    struct release {
        std::align_val_t alignment;
        void operator()(std::byte* p) const { ::operator delete(p, alignment); }
    };
    using block = std::unique_ptr<std::byte, release>;

    block zeroed(std::size_t bytes) const {
        std::align_val_t const at{alignment_};
        block made{static_cast<std::byte*>(::operator new(bytes, at)), release{at}};
        std::memset(made.get(), 0, bytes);
        return made;
    }

    std::size_t alignment_;
    allocate how_;
    needs each_;
    std::vector<block> blocks_; // send and receive, of each thread or of all
};

} // namespace imb::mt
