// SPDX-License-Identifier: BSL-1.0
// Arguments that the measurement in one call takes, and those that it refuses.
#include <sonde/mpi/measure.hpp>

#include <cstddef>

namespace {

using sonde::mpi::compare, sonde::mpi::measure;

using exchange = decltype([] {});
using of_a_count = decltype([](int) {});

static_assert(requires(MPI_Comm comm, exchange f, std::size_t n) { measure(comm, "halo", {.bytes = n}, f); });
static_assert(requires(MPI_Comm comm, exchange f, sonde::table rows) { measure(comm, "halo", {}, f, rows); });
static_assert(requires(MPI_Comm comm, exchange f) { measure(comm, "halo", f); });
static_assert(requires(MPI_Comm comm, exchange f, sonde::table rows) { measure(comm, "halo", f, rows); });
static_assert(requires(MPI_Comm comm, exchange f) { compare(comm, {{"one", f}, {"two", f}}); });
static_assert(requires(MPI_Comm comm, exchange f, sonde::table rows) { compare(comm, {{"one", f}, {"two", f}}, rows); });

template <class Comm, class F>
concept takes_bytes_as_number = requires(Comm comm, F f) { measure(comm, "halo", 8, f); };
template <class Comm, class F>
concept takes_exchange_first = requires(Comm comm, F f) { measure(comm, f, "halo"); };
template <class Comm, class F>
concept takes_traffic_and = requires(Comm comm, F f) { measure(comm, "halo", sonde::traffic{}, f); };
template <class Comm, class F>
concept takes_exchange = requires(Comm comm, F f) { measure(comm, "halo", f); };
template <class Comm, class F>
concept takes_exchanges_without_names = requires(Comm comm, F f) { compare(comm, f, f); };

static_assert(!takes_bytes_as_number<MPI_Comm, exchange>);
static_assert(!takes_exchange_first<MPI_Comm, exchange>);
static_assert(takes_traffic_and<MPI_Comm, exchange>);
static_assert(!takes_traffic_and<MPI_Comm, of_a_count>);
static_assert(takes_exchange<MPI_Comm, exchange> && takes_exchange<MPI_Comm, void (&)()>);
static_assert(!takes_exchange<MPI_Comm, of_a_count>);
static_assert(requires(MPI_Comm comm, void (&f)()) { compare(comm, {{"one", f}, {"two", f}}); });
static_assert(!takes_traffic_and<sonde::mpi::group&, exchange>);
static_assert(!takes_exchanges_without_names<MPI_Comm, exchange>);

} // namespace
