// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace common {

/// A report that is asked for: FORM=FILE, of the forms table, csv and json.
struct report_file {
    std::string form;
    std::string path;
};

} // namespace common
