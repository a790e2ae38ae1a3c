// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace one_sided {

/// A window, or none where the MPI library makes none of a kind that not all libraries have everywhere; then
/// skipped(kind, reason).
template <class Make, class Skipped, class W = std::invoke_result_t<Make>>
std::unique_ptr<W> made(std::string const& kind, Make make, Skipped skipped) {
    try {
        return std::unique_ptr<W>{new W(make())};
    } catch (sonde::mpi::error const& e) {
        if (kind != "dynamic" && kind != "shared" && kind != "headed") throw;
        skipped(kind, std::string{e.what()});
        return nullptr;
    }
}

} // namespace one_sided
