// SPDX-License-Identifier: BSL-1.0

// A measurement in an application, repeated USES times with different patterns, for the size of one more in the object
// file.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

using sonde::role, sonde::run, sonde::mpi::group;

template <class B>
sonde::record measure(group& ranks, B buffer) {
    return run(ranks, sonde::plan<>{}, sonde::ping_pong{sonde::mpi::link{ranks, 1}, role::initiator, buffer, buffer});
}

template <class B>
sonde::record measure_window(group& ranks, B buffer) {
    return run(ranks, sonde::plan<>{},
               sonde::bidirectional{sonde::mpi::async_link{ranks, 1}, role::initiator, 64, buffer, buffer});
}

#if USES > 0
sonde::record first(group& ranks, sonde::slice b) { return measure(ranks, b); }
#endif
#if USES > 1
sonde::record second(group& ranks, sonde::rotating b) { return measure(ranks, b); }
#endif
#if USES > 2
sonde::record third(group& ranks, sonde::slice b) { return measure_window(ranks, b); }
#endif
#if USES > 3
sonde::record fourth(group& ranks, sonde::rotating b) { return measure_window(ranks, b); }
#endif
