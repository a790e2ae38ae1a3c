// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <exception>

namespace sonde::nccl::detail {

/// Is it an exception that ends what has this as a member? A copy, too, asks for exceptions since it was made.
class unwinding {
public:
    unwinding() = default;
    unwinding(unwinding const&) noexcept {}
    unwinding& operator=(unwinding const&) noexcept { return *this; }

    bool happens() const { return std::uncaught_exceptions() > before_; }

private:
    int before_ = std::uncaught_exceptions();
};

} // namespace sonde::nccl::detail
