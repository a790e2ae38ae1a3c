// SPDX-License-Identifier: BSL-1.0
#include "callable.hpp"

#include "agreement.hpp"

#include <sonde/group/watchdog.hpp>
#include <sonde/mpi/error.hpp>

#include <pthread.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <utility>

namespace binding {

failure_alarm::~failure_alarm() {
    {
        std::lock_guard const lock{mutex_};
        ended_ = true;
    }
    end_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void failure_alarm::start(std::string reason) {
    if (std::exchange(started_, true)) return;
    auto const limit = sonde::watchdog_limit();
    if (limit > sonde::seconds{}) thread_ = std::thread{[this, limit, text = std::move(reason)] { wait(limit, text); }};
}

void failure_alarm::wait(sonde::seconds limit, std::string const& reason) {
    std::unique_lock lock{mutex_};
    if (end_.wait_for(lock, limit, [this] { return ended_; })) return;
    auto const message = reason + "; the other ranks wait in their callables for this rank, so the job ends";
    sonde::mpi::detail::print_and_abort(comm_, message.c_str());
}

} // namespace binding

namespace binding::detail {

int forks = 0;

namespace {

int last_fork_as_child = 0; // number of the fork by which this process came about; 0 if it was not forked

[[noreturn]] void raise(PyObject* result, bool forked) {
    if (result == nullptr) throw py::error_already_set{};
    auto const returned = py::reinterpret_steal<py::object>(result);
    if (forked)
        throw std::runtime_error{"sonde: the callable forked; a process that MPI does not know must not be measured"};
    throw py::type_error{"sonde: the callable returned a value of type " +
                         py::str(py::type::handle_of(returned).attr("__name__")).cast<std::string>() +
                         "; it must return None, so that its work is done when it returns"};
}

} // namespace

void count_forks() {
    static bool counting = false;
    if (!std::exchange(counting, true))
        pthread_atfork(
            nullptr, [] { ++forks; }, [] { last_fork_as_child = ++forks; });
}

void refuse(PyObject* result, int forks_before, failure_alarm& alarm) {
    if (last_fork_as_child > forks_before) {
        std::fputs("sonde: the callable forked, and its child returned from it; the child ends\n", stderr);
        std::_Exit(1);
    }
    try {
        raise(result, forks != forks_before);
    } catch (...) {
        if (!alarm.started()) alarm.start(fault_of(std::current_exception()).text);
        throw;
    }
}

} // namespace binding::detail
