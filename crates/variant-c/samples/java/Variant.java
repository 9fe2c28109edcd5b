import java.nio.charset.StandardCharsets;

/** The functions of shim.c, and the same functions with Java strings. They copy bytes: no value outlives its bytes. */
final class Variant {
    /** A failure of the library. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(byte[] message) {
            super(new String(message, StandardCharsets.UTF_8));
        }
    }

    static {
        System.loadLibrary("variantjni");
    }

    private Variant() {}

    /** Opens a file; {@link #close} frees it. */
    static long open(String path) {
        return open(terminated(path));
    }

    /** A text in a file, by its path. */
    static String text(long file, String path) {
        return new String(text(file, terminated(path)), StandardCharsets.UTF_8);
    }

    /** An int in a file, by its path. */
    static long integer(long file, String path) {
        return integer(file, terminated(path));
    }

    /** A text in the packet of an untrusted client, by its path. */
    static String text(byte[] packet, String path) {
        return new String(text(packet, terminated(path)), StandardCharsets.UTF_8);
    }

    /** An int in the packet of an untrusted client, by its path. */
    static long integer(byte[] packet, String path) {
        return integer(packet, terminated(path));
    }

    /** A packet as JSON. */
    static String json(byte[] packet) {
        return new String(toJson(packet), StandardCharsets.UTF_8);
    }

    /** Writes a packet. {@link #finish} throws the failures of the other methods. */
    static final class Writer implements AutoCloseable {
        private final long handle = newWriter();

        Writer key(String key) {
            writeText(handle, key.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        Writer text(String text) {
            return key(text);
        }

        Writer bool(boolean value) {
            writeBool(handle, value);
            return this;
        }

        Writer integer(long value) {
            writeInt(handle, value);
            return this;
        }

        Writer literal(String source) {
            writeLiteral(handle, terminated(source));
            return this;
        }

        Writer beginDictionary() {
            Variant.beginDictionary(handle);
            return this;
        }

        Writer end() {
            Variant.end(handle);
            return this;
        }

        /** Ends the value. The writer is then ready for the next value. */
        byte[] finish() {
            return Variant.finish(handle);
        }

        @Override
        public void close() {
            freeWriter(handle);
        }
    }

    private static byte[] terminated(String text) {
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }

    static native void close(long file);

    private static native long open(byte[] path);

    private static native byte[] text(long file, byte[] path);

    private static native long integer(long file, byte[] path);

    private static native byte[] text(byte[] packet, byte[] path);

    private static native long integer(byte[] packet, byte[] path);

    private static native byte[] toJson(byte[] packet);

    private static native long newWriter();

    private static native void freeWriter(long writer);

    private static native void writeText(long writer, byte[] text);

    private static native void writeBool(long writer, boolean value);

    private static native void writeInt(long writer, long value);

    private static native void writeLiteral(long writer, byte[] source);

    private static native void beginDictionary(long writer);

    private static native void end(long writer);

    private static native byte[] finish(long writer);
}
