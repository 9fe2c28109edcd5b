import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Times the library (the classes of the sample), and Decoder.java, on a packet and on a save.
 * Usage: java ByHand PACKET SAVE
 */
public final class ByHand {
    private static final int BATCHES = 9;
    /** The result of the last round. It is stored so that the compiler does not remove a round. */
    private static long last;

    private ByHand() {}

    private interface Round {
        long run();
    }

    private static long batch(int rounds, Round round) {
        long start = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            last = round.run();
        }
        return System.nanoTime() - start;
    }

    /**
     * Milliseconds per round: the median of nine batches of at least 20 ms. The first second, in which Java compiles
     * the code, does not count.
     */
    private static double median(Round round) {
        long start = System.nanoTime();
        int rounds = 1;
        while (batch(rounds, round) < 20_000_000 || System.nanoTime() - start < 1_000_000_000) {
            rounds = Math.min(rounds * 2, 1 << 20);
        }
        while (rounds > 1 && batch(rounds / 2, round) > 20_000_000) {
            rounds /= 2;
        }
        long[] times = new long[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            times[i] = batch(rounds, round);
        }
        Arrays.sort(times);
        return times[BATCHES / 2] / 1e6 / rounds;
    }

    private static Map<?, ?> map(Object value) {
        return (Map<?, ?>) value;
    }

    private static void compare(String name, String path, byte[] packet, Function<Map<?, ?>, Object> select) {
        Round byHand = () -> (Long) select.apply(map(Decoder.decode(packet)));
        Round library = () -> Variant.integer(packet, path);
        if (byHand.run() != library.run()) {
            throw new AssertionError("the decoders differ");
        }
        double theirs = median(byHand);
        double ours = median(library);
        System.out.printf("Java: %s: by hand %.6f ms, library %.6f ms, ratio %.1f%n", name, theirs, ours, theirs / ours);
    }

    public static void main(String[] arguments) throws Exception {
        compare("packet", "id", Files.readAllBytes(Path.of(arguments[0])), root -> root.get("id"));
        compare("save", "items[9999].id", Files.readAllBytes(Path.of(arguments[1])), root -> {
            List<?> items = (List<?>) root.get("items");
            return map(items.get(9999)).get("id");
        });
    }
}
