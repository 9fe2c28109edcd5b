import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A decoder for Godot 4, as an application may write it by hand. It makes values of Java, and knows only the kinds in
 * the two inputs. It checks each length and the depth, but neither UTF-8 nor other limits.
 */
final class Decoder {
    record Vector2(float x, float y) {}

    record Vector3(float x, float y, float z) {}

    private final ByteBuffer rest;

    private Decoder(byte[] packet) {
        rest = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
    }

    static Object decode(byte[] packet) {
        return new Decoder(packet).value(128);
    }

    private Object value(int depth) {
        int header = rest.getInt();
        if (depth == 0) {
            throw new IllegalArgumentException("too deep");
        }
        boolean wide = (header & 1 << 16) != 0;
        return switch (header & 0xff) {
            case 0 -> null;
            case 1 -> rest.getInt() != 0;
            case 2 -> wide ? rest.getLong() : (long) rest.getInt();
            case 3 -> wide ? rest.getDouble() : (double) rest.getFloat();
            case 4 -> text();
            case 5 -> new Vector2(rest.getFloat(), rest.getFloat());
            case 9 -> new Vector3(rest.getFloat(), rest.getFloat(), rest.getFloat());
            case 27 -> dictionary(depth - 1);
            case 28 -> array(depth - 1);
            default -> throw new IllegalArgumentException("a kind that the inputs lack");
        };
    }

    private String text() {
        int size = rest.getInt();
        if (size < 0 || size > rest.remaining()) {
            throw new BufferUnderflowException();
        }
        String text = new String(rest.array(), rest.position(), size, StandardCharsets.UTF_8);
        rest.position(Math.min(rest.position() + (size + 3 & ~3), rest.limit()));
        return text;
    }

    /** Reads the number of items. Each item has at least `size` bytes, so a larger number is an error. */
    private int count(int size) {
        int count = rest.getInt() & Integer.MAX_VALUE;
        if (count > rest.remaining() / size) {
            throw new BufferUnderflowException();
        }
        return count;
    }

    private Map<Object, Object> dictionary(int depth) {
        int count = count(8);
        Map<Object, Object> pairs = new HashMap<>(count * 2);
        for (int i = 0; i < count; i++) {
            pairs.put(value(1), value(depth));
        }
        return pairs;
    }

    private List<Object> array(int depth) {
        int count = count(4);
        List<Object> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(value(depth));
        }
        return items;
    }
}
