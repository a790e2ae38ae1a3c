// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

/** Invalid input, as the line that rank 0 prints. It ends the program on all ranks. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refusal(String line) {
        super(line);
    }

    Refusal(String line, Throwable cause) {
        super(line, cause);
    }
}
