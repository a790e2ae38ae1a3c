// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>

namespace sonde::detail {

/// Tells a destructor whether stack unwinding destroys its object. It is a member of the object, and stores the number
/// of uncaught exceptions when it is constructed or copied.
class exception_checker {
public:
    exception_checker() = default;
    exception_checker(exception_checker const&) noexcept {}
    exception_checker& operator=(exception_checker const&) noexcept { return *this; }

    bool is_unwinding() const { return std::uncaught_exceptions() > before_; }

private:
    int before_ = std::uncaught_exceptions();
};

} // namespace sonde::detail
