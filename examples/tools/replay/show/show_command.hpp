// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::replay {

/// `sonde-replay show`. Returns the exit status. Throws what tools::guarded prints.
int show(int argc, char** argv);

} // namespace tools::replay
