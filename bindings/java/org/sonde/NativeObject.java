// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** An object of the native library, which must be freed. It is for one thread at a time. */
abstract class NativeObject implements AutoCloseable {
    private long handle;

    NativeObject(long handle) {
        this.handle = handle;
    }

    /** The address of the native object. Throws IllegalStateException if it is closed. */
    long handle() {
        if (handle == 0) throw closed();
        return handle;
    }

    /** The address of the native object; 0 if it is closed. */
    long handleOrZero() {
        return handle;
    }

    IllegalStateException closed() {
        return new IllegalStateException("sonde: this " + getClass().getSimpleName() + " is closed");
    }

    abstract void free(long address);

    /** Free the object; nothing to do if it is closed already. */
    @Override
    public void close() {
        long address = handle;
        handle = 0;
        if (address != 0) free(address);
    }
}
