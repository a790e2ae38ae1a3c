// SPDX-License-Identifier: BSL-1.0
#error "a header of this name belongs to libstdc++"
