// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Memory of messages: a direct ByteBuffer, or an array of bytes or floats. */
final class MessageBuffer {
    /** What the binding of MPI takes: ByteBuffer, byte[] or float[]. */
    final Object object;
    final boolean isArray;

    private MessageBuffer(Object object) {
        this.object = object;
        isArray = !(object instanceof ByteBuffer);
    }

    /** Memory of at least these bytes. */
    static MessageBuffer allocate(int bytes, boolean isArray, boolean ofFloats) {
        if (!isArray) return new MessageBuffer(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
        return new MessageBuffer(ofFloats ? new float[(int) (((long) bytes + Float.BYTES - 1) / Float.BYTES)] : new byte[bytes]);
    }

    /** A view of bytes, whose position is 0. */
    private ByteBuffer bytes() {
        return object instanceof ByteBuffer buffer ? buffer.duplicate().clear() : ByteBuffer.wrap((byte[]) object);
    }

    void write(byte[] content) {
        if (object instanceof float[] array)
            ByteBuffer.wrap(content).order(ByteOrder.nativeOrder()).asFloatBuffer().get(array, 0, content.length / Float.BYTES);
        else bytes().put(content);
    }

    /** The first bytes. */
    byte[] read(int n) {
        byte[] found = new byte[n];
        if (object instanceof float[] array)
            ByteBuffer.wrap(found).order(ByteOrder.nativeOrder()).asFloatBuffer().put(array, 0, n / Float.BYTES);
        else bytes().get(found);
        return found;
    }

    /** Sets all bytes. */
    void fill(byte value) {
        if (object instanceof byte[] array) {
            Arrays.fill(array, value);
        } else if (object instanceof float[] array) {
            int bits = (value & 0xff) * 0x01010101;
            Arrays.fill(array, Float.intBitsToFloat(bits));
        } else {
            ByteBuffer all = bytes();
            while (all.hasRemaining()) all.put(value);
        }
    }
}
