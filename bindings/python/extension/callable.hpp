// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>
#include <pybind11/pybind11.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace binding {

namespace py = pybind11;

/// Ends the job if ranks wait in their callables for a rank whose callable has raised, instead of going on to the
/// reduction by which `run` agrees on errors: after the limit of the watchdog (`sonde::watchdog_limit`).
class failure_alarm {
public:
    explicit failure_alarm(MPI_Comm comm) : comm_{comm} {}
    failure_alarm(failure_alarm const&) = delete;
    failure_alarm& operator=(failure_alarm const&) = delete;
    ~failure_alarm();

    /// The callable of this rank has raised an exception. The first call starts the alarm's thread.
    void start(std::string reason);
    /// True after the first call of `start`, also if the watchdog is turned off.
    bool started() const { return started_; }

private:
    void wait(sonde::seconds limit, std::string const& reason);

    MPI_Comm comm_;
    std::mutex mutex_;
    std::condition_variable end_;
    bool started_ = false;
    bool ended_ = false;
    std::thread thread_;
};

namespace detail {

/// Number of forks by which this process and its ancestors came about, and of forks that it made.
extern int forks;

/// Counts forks from now on.
void count_forks();

/// Throws the exception of a call that raised, returned a value or forked. `result` is null or owned. Ends the process
/// if it is the child of the fork, because it must not communicate as its parent.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(PyObject* result, int forks_before, failure_alarm& alarm);

} // namespace detail

/// Pattern that calls a Python callable without arguments, which must return None. The callable and the alarm outlive
/// the pattern. The GIL is held from the first reading of the clock to the last: to release and take it again would
/// cost more than the call, and other threads of the program would run within samples.
class callable {
public:
    callable(py::handle f, sonde::role role, sonde::traffic moved, failure_alarm& alarm)
        : function_{f.ptr()}, forks_{detail::forks}, role_{role}, moved_{moved}, alarm_{&alarm} {}

    void operator()() const {
        auto* const result = PyObject_CallNoArgs(function_);
        if (result != Py_None || detail::forks != forks_) [[unlikely]]
            detail::refuse(result, forks_, *alarm_);
        Py_DECREF(result);
    }
    sonde::role role() const { return role_; }
    sonde::traffic traffic() const { return moved_; }

private:
    PyObject* function_;
    int forks_;
    sonde::role role_;
    sonde::traffic moved_;
    failure_alarm* alarm_;
};

} // namespace binding
