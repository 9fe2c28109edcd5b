// Reads values of a save by their paths, and answers packets. Usage: sample SAVE
#include <iostream>
#include <variant.hpp>

// Answers the packet {"buy": item, "count": n} of an untrusted client with {"ok": true, "item": item, "price": 10 * n}.
static variant::bytes answer(const variant::bytes &packet) {
    variant::value request = variant::read(packet, variant::server_options(VARIANT_DIALECT_GODOT4));
    std::string_view item = request["buy"].as_text();
    std::int64_t count = request["count"].as_int();
    if (count < 0 || count > 99) count = 0;
    return variant::writer(VARIANT_DIALECT_GODOT4)
        .begin_dictionary()
        .key("ok").boolean(count > 0)
        .key("item").text(item)
        .key("price").integer(10 * count)
        .end()
        .finish();
}

static void print(const char *what, const variant::bytes &packet) {
    variant::value value = variant::read(packet, variant::options(VARIANT_DIALECT_GODOT4));
    std::cout << what << ": " << value.to_json().text() << '\n';
}

static void play(const std::string &path) {
    variant::file save(path);
    std::cout << "player.name: " << save.at("player.name").as_text() << '\n';
    std::cout << "player.level: " << save.at("player.level").as_int() << '\n';

    variant::writer client(VARIANT_DIALECT_GODOT4);
    variant::bytes request = client.literal("{\"buy\": \"axe\", \"count\": 3}").finish();
    print("request", request);
    print("reply", answer(request));
    try {
        answer(client.literal("{\"buy\": \"axe\", \"count\": \"three\"}").finish());
    } catch (const variant::error &error) {
        std::cout << "refused: count: " << std::string(error.what()).substr(0, 26) << '\n';
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return std::cerr << "usage: sample SAVE\n", 2;
    try {
        play(argv[1]);
    } catch (const variant::error &error) {
        return std::cerr << error.path() << ": " << error.what() << '\n', 1;
    }
}
