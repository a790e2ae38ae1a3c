// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace one_sided {

/// A window, or none if the MPI library cannot create one of an optional type; then skipped(type, reason).
template <class Make, class Skipped, class W = std::invoke_result_t<Make>>
std::unique_ptr<W> made(std::string const& type, Make make, Skipped skipped) {
    try {
        return std::unique_ptr<W>{new W(make())};
    } catch (sonde::mpi::error const& e) {
        if (type != "dynamic" && type != "shared" && type != "headed") throw;
        skipped(type, std::string{e.what()});
        return nullptr;
    }
}

} // namespace one_sided
