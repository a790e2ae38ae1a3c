// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace tools::replay {

class recorder;

/// A thread that writes the file of a rank which is in one call, or makes none, when the next file is due: a program
/// that hangs leaves its trace. It makes no call of MPI and takes no signal, and sleeps between the files.
class checkpoints {
public:
    explicit checkpoints(recorder& of);
    ~checkpoints();
    checkpoints(checkpoints const&) = delete;
    checkpoints& operator=(checkpoints const&) = delete;

private:
    void run();

    recorder& recorder_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_ended_ = false;
    std::thread thread_;
};

} // namespace tools::replay
