// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/mpi/rma.hpp>

#include <cstddef>

struct my_window {
    MPI_Win handle() const;
    sonde::region region() const;
    MPI_Aint base(int rank) const; // displacement of the first byte of a rank's window memory
    std::size_t size(int rank) const;
};
static_assert(sonde::mpi::Window<my_window>);
// [/satisfies]

#include <concepts>
#include <limits>

namespace window_concept {

using namespace sonde::mpi;
static_assert(Window<created_window> && Window<allocated_window> && Window<shared_window> && Window<dynamic_window>);
static_assert(Window<section<my_window>> && Window<section<section<dynamic_window>>>);

// A window of device memory is a window, but code that dereferences its bytes on the host does not compile.
static_assert(Window<opaque_created_window> && Window<opaque_dynamic_window>);
static_assert(std::same_as<window_region<created_window>, sonde::region> &&
              std::same_as<window_region<section<created_window>>, sonde::region> &&
              std::same_as<window_region<section<opaque_dynamic_window>>, sonde::opaque_region>);
template <class W>
constexpr bool host_looks = requires(W const& w) { sonde::region{w.region()}; };
static_assert(host_looks<created_window> && host_looks<allocated_window> && host_looks<section<dynamic_window>>);
static_assert(!host_looks<opaque_created_window> && !host_looks<opaque_dynamic_window>);
static_assert(!host_looks<section<opaque_created_window>>);
template <class W>
constexpr bool host_dereferences = requires(W const& w) { *w.region().data() = w.region()[0]; };
static_assert(host_dereferences<created_window> && !host_dereferences<opaque_created_window>);
static_assert(!std::constructible_from<created_window, group const&, sonde::opaque_region>);
static_assert(std::constructible_from<opaque_created_window, group const&, sonde::region>);

struct no_handle : my_window { void handle() = delete; };
struct no_region : my_window { void region() = delete; };
struct no_base : my_window { void base() = delete; };
struct no_size : my_window { void size() = delete; };
struct one_size : my_window { std::size_t size() const; }; // ranks may have window memory of different sizes
static_assert(!sonde::mpi::Window<no_handle> && !sonde::mpi::Window<no_region> && !sonde::mpi::Window<no_base> &&
              !sonde::mpi::Window<no_size> && !sonde::mpi::Window<one_size>);

static_assert(!Window<MPI_Win>);

// The address of another rank behind an absolute one wraps around as MPI_Aint_add does.
constexpr auto last_address = std::numeric_limits<MPI_Aint>::max();
static_assert(sonde::mpi::detail::displaced(last_address, 1) == std::numeric_limits<MPI_Aint>::min());
static_assert(sonde::mpi::detail::displaced(-8, 16) == 8 && sonde::mpi::detail::displaced(5, 0) == 5);

} // namespace window_concept
