// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::replay {

/// `sonde-replay hang`, which says where ranks are. Returns 0 if all go on, else 1.
int hang(int argc, char** argv);

} // namespace tools::replay
