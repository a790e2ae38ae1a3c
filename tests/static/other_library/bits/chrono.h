// SPDX-License-Identifier: BSL-1.0
#ifndef SONDE_TEST_INSIDE_CHRONO
#error "a header of this name belongs to libstdc++"
#endif
#include_next <bits/chrono.h>
