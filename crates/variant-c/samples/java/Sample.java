/** Reads values of a save by their paths, and answers packets. Usage: java Sample SAVE */
public final class Sample {
    private Sample() {}

    /** Prints two values of a save. */
    private static void printPlayer(String path) {
        long save = Variant.open(path);
        try {
            System.out.println("player.name: " + Variant.text(save, "player.name"));
            System.out.println("player.level: " + Variant.integer(save, "player.level"));
        } finally {
            Variant.close(save);
        }
    }

    /** Answers {"buy": item, "count": n} with {"ok": true, "item": item, "price": 10 * n}. */
    private static byte[] answer(Variant.Writer writer, byte[] packet) {
        String item = Variant.text(packet, "buy");
        long count = Variant.integer(packet, "count");
        if (count < 0 || count > 99) {
            count = 0;
        }
        return writer.beginDictionary()
            .key("ok").bool(count > 0)
            .key("item").text(item)
            .key("price").integer(10 * count)
            .end()
            .finish();
    }

    public static void main(String[] arguments) throws Exception {
        System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
        printPlayer(arguments[0]);
        try (Variant.Writer writer = new Variant.Writer()) {
            byte[] request = writer.literal("{\"buy\": \"axe\", \"count\": 3}").finish();
            System.out.println("request: " + Variant.json(request));
            System.out.println("reply: " + Variant.json(answer(writer, request)));
            byte[] wrong = writer.literal("{\"buy\": \"axe\", \"count\": \"three\"}").finish();
            try {
                answer(writer, wrong);
            } catch (Variant.Failure failure) {
                System.out.println("refused: count: " + failure.getMessage().substring(0, 26));
            }
        }
    }
}
