// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.util.Locale;

/** Formats of figures and lines, in no language. */
final class Text {
    private static final int TAB = 8;

    private Text() {}

    static String fixed(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Without zeros that say nothing: 0.001, 100, 1e+06. */
    static String shortest(double value) {
        if (value == (long) value && Math.abs(value) < 1e6) return Long.toString((long) value);
        return String.format(Locale.ROOT, value < 1e-4 || value >= 1e6 ? "%.0e" : "%.3f", value);
    }

    static String right(String text, int width) {
        return String.format(Locale.ROOT, "%" + width + "s", text);
    }

    /** The line with spaces after it, up to a column of a terminal. */
    static String padded(String line, int column) {
        int width = 0;
        for (char c : line.toCharArray()) width = c == '\t' ? (width / TAB + 1) * TAB : width + 1;
        return line + " ".repeat(Math.max(column - width, 0));
    }
}
