// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace fake {

/// The events of a device, or of all (-1), are no more.
void forget_events(int device);

} // namespace fake
