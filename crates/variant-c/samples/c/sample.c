/* Reads values of a save by their paths, and answers packets. Usage: sample SAVE */
#include <stdio.h>
#include <variant.h>

/* Prints two values of a save. */
static variant_code print_player(const char *path, variant_error *error) {
    variant_file *save;
    variant_value name, level;
    const char *text;
    size_t len;
    int64_t number;
    variant_code code;

    if ((code = variant_file_open(path, NULL, &save, error))) return code;
    if (!(code = variant_file_at(save, "player.name", &name, error)) &&
        !(code = variant_as_text(name, &text, &len, error)) &&
        !(code = variant_file_at(save, "player.level", &level, error)) &&
        !(code = variant_as_int(level, &number, error))) {
        printf("player.name: %.*s\n", (int)len, text);
        printf("player.level: %lld\n", (long long)number);
    }
    variant_file_free(save);
    return code;
}

/* Answers the packet {"buy": item, "count": n} of an untrusted client with {"ok": true, "item": item, "price": 10 * n}. */
static variant_code answer(variant_writer *writer, const uint8_t *packet, size_t packet_len, variant_bytes *reply,
                           variant_error *error) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_value request, item, count;
    const char *text;
    size_t len;
    int64_t number;
    variant_code code;

    options.limits = VARIANT_LIMITS_SERVER;
    if ((code = variant_read(packet, packet_len, &options, &request, NULL, error)) ||
        (code = variant_get(request, "buy", &item, error)) ||
        (code = variant_as_text(item, &text, &len, error)) ||
        (code = variant_get(request, "count", &count, error)) ||
        (code = variant_as_int(count, &number, error))) return code;
    if (number < 0 || number > 99) number = 0;

    /* The first failure of these calls is reported by variant_writer_finish. */
    variant_begin_dictionary(writer);
    variant_write_key(writer, "ok");
    variant_write_bool(writer, number > 0);
    variant_write_key(writer, "item");
    variant_write_text(writer, text, len);
    variant_write_key(writer, "price");
    variant_write_int(writer, 10 * number);
    variant_end(writer);
    return variant_writer_finish(writer, reply, error);
}

/* Makes the packet of a client from a literal in the syntax of scripts. */
static variant_code ask(variant_writer *writer, const char *literal, variant_bytes *packet, variant_error *error) {
    variant_write_literal(writer, literal);
    return variant_writer_finish(writer, packet, error);
}

static variant_code print(const char *what, const variant_bytes *packet, variant_error *error) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_value value;
    variant_bytes json;
    variant_code code;

    if ((code = variant_read(packet->data, packet->len, &options, &value, NULL, error)) ||
        (code = variant_to_json(value, VARIANT_JSON_PLAIN, false, &json, error))) return code;
    printf("%s: %.*s\n", what, (int)json.len, (const char *)json.data);
    variant_bytes_free(&json);
    return VARIANT_OK;
}

/* Sends a request to the server, which is in the same program. */
static variant_code play(variant_writer *writer, variant_error *error) {
    variant_bytes request = {0}, reply = {0};
    variant_code code;

    if (!(code = ask(writer, "{\"buy\": \"axe\", \"count\": 3}", &request, error)) &&
        !(code = print("request", &request, error)) &&
        !(code = answer(writer, request.data, request.len, &reply, error))) {
        code = print("reply", &reply, error);
    }
    variant_bytes_free(&request);
    variant_bytes_free(&reply);
    if (code) return code;

    /* The server refuses this packet, since its count is a text. */
    if ((code = ask(writer, "{\"buy\": \"axe\", \"count\": \"three\"}", &request, error))) return code;
    code = answer(writer, request.data, request.len, &reply, error);
    if (code == VARIANT_ERROR_KIND) printf("refused: count: %.26s\n", error->message);
    variant_bytes_free(&request);
    return code == VARIANT_ERROR_KIND ? VARIANT_OK : VARIANT_ERROR_INTERNAL;
}

int main(int argc, char **argv) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_writer *writer = NULL;
    variant_error error = {0};
    variant_code code;

    if (argc != 2) return fputs("usage: sample SAVE\n", stderr), 2;
    if (!(code = print_player(argv[1], &error)) && !(code = variant_writer_new(&options, &writer, &error))) {
        code = play(writer, &error);
    }
    variant_writer_free(writer);
    if (code) fprintf(stderr, "%s: %s: %s\n", variant_code_name(code), error.path, error.message);
    return code != VARIANT_OK;
}
