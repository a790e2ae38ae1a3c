// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/** What the ranks agree on, by collective calls over all of them. */
final class Ranks {
    private Ranks() {}

    /** Calls a function that must not communicate. The refusal of any rank is thrown on all. */
    static <T> T together(Supplier<T> f) {
        T found = null;
        String line = null;
        try {
            found = f.get();
        } catch (Refusal e) {
            line = e.getMessage();
        } catch (OutOfMemoryError e) {
            line = "Not enough memory [-m, -W]; accepted: what fits, or more by java -Xmx and -XX:MaxDirectMemorySize";
        }
        int size = NativeBinding.size();
        int first = NativeBinding.least(line == null ? size : NativeBinding.rank());
        if (first == size) return found;
        byte[] text = (line == null ? "" : line).getBytes(StandardCharsets.UTF_8);
        throw new Refusal(new String(NativeBinding.broadcast(text, first), StandardCharsets.UTF_8));
    }

    static void together(Runnable f) {
        together(() -> {
            f.run();
            return null;
        });
    }

    /** Throws a Refusal with this line on all ranks unless the words are the same on all. */
    static void requireEqual(String line, String... words) {
        byte[] text = String.join("\0", words).getBytes(StandardCharsets.UTF_8);
        byte[] ofRoot = NativeBinding.broadcast(text, 0);
        together(() -> {
            if (!Arrays.equals(text, ofRoot)) throw new Refusal(line);
        });
    }
}
