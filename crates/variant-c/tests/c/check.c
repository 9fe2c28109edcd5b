/* Calls each function of variant.h. `.ci/c` builds it with sanitizers, which find memory errors, leaks and undefined
 * behaviour. Usage: check SAVE */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <variant.h>

static const variant_options godot4 = {.size = sizeof godot4, .dialect = VARIANT_DIALECT_GODOT4};

static void ok(variant_code code, const variant_error *error) {
    if (code != VARIANT_OK) fprintf(stderr, "%s: %s: %s\n", variant_code_name(code), error->path, error->message);
    assert(code == VARIANT_OK);
}

static variant_bytes packet_of(const char *literal) {
    variant_writer *writer;
    variant_bytes packet;
    variant_error error;
    ok(variant_writer_new(&godot4, &writer, &error), &error);
    assert(variant_write_literal(writer, literal) == VARIANT_OK);
    ok(variant_writer_finish(writer, &packet, &error), &error);
    variant_writer_free(writer);
    return packet;
}

static variant_value read_all(const variant_bytes *packet) {
    variant_value root;
    variant_summary summary;
    variant_error error;
    ok(variant_read(packet->data, packet->len, &godot4, &root, &summary, &error), &error);
    assert(summary.bytes == packet->len && summary.frames == 1);
    return root;
}

static variant_value at(variant_value value, const char *path) {
    variant_error error;
    ok(variant_at(value, path, &value, &error), &error);
    return value;
}

static void leaves(void) {
    variant_bytes packet = packet_of("{\"t\": true, \"i\": -7, \"f\": 0.5, \"s\": \"\xc3\x85sa\", \"b\": PackedByteArray(1, 2),"
                                     "\"ss\": PackedStringArray(\"a\", \"bc\"), \"r\": RID(), \"o\": null}");
    variant_value root = read_all(&packet);
    variant_error error;
    variant_text texts[1];
    bool boolean;
    int64_t integer;
    double number;
    const char *text;
    const uint8_t *bytes;
    uint64_t id;
    size_t len;

    assert(root.kind == VARIANT_KIND_DICTIONARY && root.len == packet.len);
    ok(variant_as_bool(at(root, "t"), &boolean, &error), &error);
    ok(variant_as_int(at(root, "i"), &integer, &error), &error);
    ok(variant_as_double(at(root, "f"), &number, &error), &error);
    assert(boolean && integer == -7 && number == 0.5);
    ok(variant_as_text(at(root, "s"), &text, &len, &error), &error);
    assert(len == 4 && !memcmp(text, "\xc3\x85sa", 4));
    ok(variant_as_bytes(at(root, "b"), &bytes, &len, &error), &error);
    assert(len == 2 && bytes[1] == 2 && bytes > packet.data && bytes < packet.data + packet.len);
    ok(variant_as_texts(at(root, "ss"), texts, 1, &len, &error), &error);
    assert(len == 2 && texts[0].len == 1 && *texts[0].data == 'a');
    ok(variant_as_id(at(root, "r"), &id, &error), &error);
    assert(id == 0 && at(root, "o").kind == VARIANT_KIND_NIL);

    /* A failure has the offset, and its message names the kinds. A NULL error is accepted. */
    assert(variant_as_int(at(root, "s"), &integer, &error) == VARIANT_ERROR_KIND);
    assert(error.offset == at(root, "s").offset && strstr(error.message, "expected int, found String"));
    assert(variant_as_int(at(root, "s"), &integer, NULL) == VARIANT_ERROR_KIND);
    assert(variant_at(root, "x", &root, NULL) == VARIANT_ERROR_NOT_FOUND);
    assert(variant_get(root, "x", &root, NULL) == VARIANT_ERROR_NOT_FOUND);
    assert(variant_as_class(root, &text, &len, NULL) == VARIANT_ERROR_KIND);
    variant_bytes_free(&packet);
    variant_bytes_free(&packet);
    variant_bytes_free(NULL);
}

static void containers(void) {
    variant_bytes packet = packet_of("{\"a\": [1, 2, 3], 5: Vector2(1, 2.5)}");
    variant_value root = read_all(&packet), element;
    variant_items items;
    variant_item item;
    variant_error error;
    variant_packed packed;
    double doubles[2];
    float floats[2];
    int64_t sum = 0, integer;
    size_t count, pairs = 0;
    variant_code code;

    ok(variant_count(root, &count, &error), &error);
    ok(variant_items_of(root, &items, &error), &error);
    while ((code = variant_next(&items, &item, &error)) == VARIANT_OK) {
        pairs++;
        assert(item.name.data ? item.name.len == 1 : item.key.kind == VARIANT_KIND_INT);
    }
    assert(code == VARIANT_END && pairs == 2 && count == 2);
    ok(variant_items_of(at(root, "a"), &items, &error), &error);
    while (variant_next(&items, &item, &error) == VARIANT_OK) {
        ok(variant_as_int(item.value, &integer, &error), &error);
        sum += integer;
    }
    assert(sum == 6);
    ok(variant_index(at(root, "a"), 2, &element, &error), &error);
    ok(variant_as_int(element, &integer, &error), &error);
    assert(integer == 3);

    ok(variant_as_doubles(at(root, "[5]"), doubles, 2, &count, &error), &error);
    ok(variant_as_floats(at(root, "[5]"), floats, 2, &count, &error), &error);
    assert(count == 2 && doubles[1] == 2.5 && floats[1] == 2.5f);
    assert(variant_as_ints(at(root, "[5]"), &integer, 1, &count, NULL) == VARIANT_ERROR_KIND);
    ok(variant_packed_of(at(root, "[5]"), &packed, &error), &error);
    assert(packed.number == VARIANT_NUMBER_FLOAT && packed.count == 2);
    memcpy(floats, packed.data, sizeof floats);
    assert(!packed.is_native || (((const float *)packed.data)[1] == floats[1]));
    variant_bytes_free(&packet);
}

static void writing(void) {
    const float point[] = {1, 2.5f};
    const double doubles[] = {0.1};
    const int32_t ints[] = {3, -4};
    const int64_t longs[] = {1LL << 40};
    const uint8_t bytes[] = {1, 2};
    const variant_text texts[] = {{"a", 1}, {"bc", 2}};
    const char *json = "{\"hp\": 7}";
    variant_options framed = {.size = sizeof framed, .dialect = VARIANT_DIALECT_GODOT3, .framing = VARIANT_FRAMING_FRAMES};
    variant_writer *writer;
    variant_bytes written, printed, losses, converted;
    variant_value root;
    variant_error error;

    ok(variant_writer_new(&godot4, &writer, &error), &error);
    variant_begin_array(writer);
    variant_write_null(writer);
    variant_write_bool(writer, true);
    variant_write_int(writer, 7);
    variant_write_double(writer, 0.5);
    variant_write_text(writer, "text", 4);
    variant_write_string_name(writer, "name", 4);
    variant_write_bytes(writer, bytes, 2);
    variant_write_texts(writer, texts, 2);
    variant_write_floats(writer, VARIANT_KIND_VECTOR2, point, 2);
    variant_write_doubles(writer, VARIANT_KIND_PACKED_FLOAT64_ARRAY, doubles, 1);
    variant_write_int32s(writer, VARIANT_KIND_VECTOR2I, ints, 2);
    variant_write_int64s(writer, longs, 1);
    variant_write_json(writer, json, strlen(json), VARIANT_JSON_PLAIN);
    variant_begin_dictionary(writer);
    variant_write_key(writer, "key");
    variant_begin_object(writer, "Node");
    variant_write_property(writer, "hp");
    variant_write_int(writer, 7);
    variant_end(writer);
    variant_end(writer);
    variant_end(writer);
    ok(variant_writer_finish(writer, &written, &error), &error);
    root = read_all(&written);
    ok(variant_to_json(at(root, "[12]"), VARIANT_JSON_PLAIN, false, &printed, &error), &error);
    assert(printed.len == 8 && !memcmp(printed.data, "{\"hp\":7}", 8));
    variant_bytes_free(&printed);
    ok(variant_to_text(at(root, "[10]"), &printed, &error), &error);
    assert(printed.len == 15 && !memcmp(printed.data, "Vector2i(3, -4)", 15));
    variant_bytes_free(&printed);

    /* The writer keeps a failure until the value is finished. Then it writes the next value. */
    assert(variant_end(writer) == VARIANT_ERROR_WRITE && variant_write_null(writer) == VARIANT_ERROR_WRITE);
    assert(variant_writer_finish(writer, &converted, &error) == VARIANT_ERROR_WRITE && *error.message);
    variant_write_null(writer);
    ok(variant_writer_finish(writer, &converted, &error), &error);
    variant_bytes_free(&converted);
    variant_begin_array(writer);
    variant_writer_free(writer);

    ok(variant_writer_new(&framed, &writer, &error), &error);
    variant_write_value(writer, at(root, "[10]"), &losses);
    assert(losses.len && strstr((const char *)losses.data, "Vector2i became Vector2"));
    ok(variant_writer_finish(writer, &converted, &error), &error);
    assert(converted.len == 16 && converted.data[0] == 12 && converted.data[4] == 5);
    variant_bytes_free(&losses);
    variant_bytes_free(&converted);
    variant_bytes_free(&written);
    variant_writer_free(writer);
    variant_writer_free(NULL);
}

static void files(const char *path) {
    variant_file *file = NULL, *copy = NULL;
    variant_value level, root;
    variant_summary summary;
    variant_error error;
    variant_bytes wrapped;
    const uint8_t *bytes;
    const char *name;
    size_t len;
    uint64_t count;
    int64_t number;

    assert(variant_file_open("no/such/file", NULL, &file, &error) == VARIANT_ERROR_FILE && !file);
    ok(variant_file_open(path, NULL, &file, &error), &error);
    assert(variant_file_dialect(file) == VARIANT_DIALECT_GODOT3 && variant_file_is_certain(file));
    assert(!strcmp(variant_framing_name(variant_file_framing(file)), "frames"));
    ok(variant_file_count(file, &count, &error), &error);
    ok(variant_file_value(file, 1, &root, &error), &error);
    ok(variant_file_validate(file, &summary, &error), &error);
    ok(variant_file_at(file, "frame 1: player.level", &level, &error), &error);
    ok(variant_as_int(level, &number, &error), &error);
    assert(count == 1 && root.kind == VARIANT_KIND_DICTIONARY && summary.values > 10000 && number == 37);
    assert(variant_file_name(file, 1, &name, &len, NULL) == VARIANT_ERROR_NOT_FOUND);
    ok(variant_file_bytes(file, &bytes, &len, &error), &error);
    ok(variant_file_wrap(file, bytes, len, &wrapped, &error), &error);

    /* Bytes without compression and encryption are borrowed. */
    ok(variant_file_of_bytes(wrapped.data, wrapped.len, NULL, &copy, &error), &error);
    ok(variant_file_at(copy, "player", &root, &error), &error);
    assert(root.bytes > wrapped.data && root.bytes < wrapped.data + wrapped.len);
    variant_file_free(copy);
    variant_file_free(file);
    variant_file_free(NULL);
    variant_bytes_free(&wrapped);
}

static variant_file *file_of(const variant_bytes *bytes) {
    variant_file *file;
    variant_error error;
    ok(variant_file_of_bytes(bytes->data, bytes->len, &godot4, &file, &error), &error);
    return file;
}

/* Whether a report contains a text. A report does not end with a NUL, so strstr cannot search it. */
static bool has(const variant_bytes *report, const char *text) {
    size_t len = strlen(text), start;
    for (start = 0; start + len <= report->len; start++) {
        if (!memcmp(report->data + start, text, len)) return true;
    }
    return false;
}

static void free_all(variant_bytes *first, variant_bytes *second) {
    variant_bytes_free(first);
    variant_bytes_free(second);
}

static void edits(void) {
    variant_bytes packet = packet_of("{\"a\": [1, 2], \"b\": \"text\"}"), changes, edited;
    variant_file *file = file_of(&packet);
    variant_edit *edit;
    variant_value value;
    variant_error error;
    int64_t number;

    ok(variant_file_edit(file, &edit, &error), &error);
    ok(variant_file_at(file, "a", &value, &error), &error);
    ok(variant_edit_insert_value(edit, "c", value, NULL, &error), &error);
    ok(variant_edit_set_value(edit, "b", value, NULL, &error), &error);
    variant_file_free(file);
    ok(variant_edit_set(edit, "c[0]", "7", &changes, &error), &error);
    assert(changes.len && changes.data[0] == '{' && changes.data[changes.len - 1] == '\n');
    variant_bytes_free(&changes);
    ok(variant_edit_insert(edit, "a[+]", "\"x\"", NULL, &error), &error);
    ok(variant_edit_delete(edit, "a[0]", NULL, &error), &error);
    ok(variant_edit_rename_key(edit, "a", "z", NULL, &error), &error);
    ok(variant_edit_undo(edit, NULL, &error), &error);
    ok(variant_edit_redo(edit, NULL, &error), &error);
    assert(variant_edit_redo(edit, NULL, &error) == VARIANT_END);
    assert(variant_edit_delete(edit, "missing", NULL, &error) == VARIANT_ERROR_EDIT && *error.message);
    ok(variant_edit_changes(edit, &changes, &error), &error);
    ok(variant_edit_finish(edit, &edited, &error), &error);
    variant_edit_free(edit);
    variant_edit_free(NULL);

    value = read_all(&edited);
    ok(variant_as_int(at(value, "c[0]"), &number, &error), &error);
    assert(number == 7);
    ok(variant_as_int(at(value, "z[0]"), &number, &error), &error);
    assert(number == 2 && at(value, "z[1]").kind == VARIANT_KIND_STRING);
    ok(variant_save("edited.variant", edited.data, edited.len, &error), &error);
    assert(variant_save("no/folder/edited.variant", edited.data, edited.len, &error) == VARIANT_ERROR_FILE);
    ok(variant_file_open("edited.variant", &godot4, &file, &error), &error);
    variant_file_free(file);
    assert(!remove("edited.variant"));
    free_all(&changes, &edited);
    variant_bytes_free(&packet);
}

static void many(void) {
    const char *paths[] = {"id", "a[*].n"};
    variant_bytes packet = packet_of("{\"id\": 9, \"a\": [{\"n\": 1}, {\"n\": 2}, {}]}");
    variant_file *file = file_of(&packet);
    variant_selection *selection;
    variant_match found;
    variant_rows *rows;
    variant_value row[2];
    variant_error error;
    uint64_t frame;
    int64_t number, sum = 0, count = 0;
    variant_code code;

    ok(variant_file_select(file, "..n", &selection, &error), &error);
    while ((code = variant_selection_next(selection, &found, &error)) == VARIANT_OK) {
        ok(variant_as_int(found.value, &number, &error), &error);
        sum += number;
        assert(found.path.len == 6 && !memcmp(found.path.data, "a[", 2) && found.frame == 1);
    }
    assert(code == VARIANT_END && sum == 3);
    variant_selection_free(selection);
    variant_selection_free(NULL);
    assert(variant_file_select(file, "a[", &selection, &error) == VARIANT_ERROR_PATH && !selection);

    ok(variant_file_rows(file, paths, 2, &rows, &error), &error);
    while ((code = variant_rows_next(rows, row, 2, &frame, &error)) == VARIANT_OK) {
        ok(variant_as_int(row[0], &number, &error), &error);
        assert(number == 9 && frame == 1);
        count += row[1].bytes != NULL;
    }
    assert(code == VARIANT_END && count == 2);
    variant_rows_free(rows);
    variant_rows_free(NULL);
    variant_file_free(file);
    variant_bytes_free(&packet);
}

static void reports(void) {
    const char *steps = "version = \"v\"\ndefault = 1\n[[migration]]\nfrom = 1\nto = 2\nsteps = [{ rename = \"hp\", to = \"health\" }]\n";
    const char *schema = "{\"required\": [\"mana\"]}";
    variant_bytes old_packet = packet_of("{\"hp\": 7}"), new_packet = packet_of("{\"hp\": 8}"), result, report;
    variant_file *old = file_of(&old_packet), *new = file_of(&new_packet);
    variant_error error;

    ok(variant_file_diff(old, new, 10, &report, &error), &error);
    assert(has(&report, "\"path\":\"hp\""));
    variant_bytes_free(&report);
    ok(variant_file_merge(old, new, NULL, VARIANT_PREFER_NONE, &result, &report, &error), &error);
    assert(result.len == new_packet.len && !memcmp(result.data, new_packet.data, result.len));
    free_all(&result, &report);
    ok(variant_file_migrate(old, steps, strlen(steps), &result, &report, &error), &error);
    assert(read_all(&result).len > old_packet.len && has(&report, "migrated"));
    free_all(&result, &report);
    ok(variant_file_convert(old, VARIANT_DIALECT_GODOT3, &result, NULL, &error), &error);
    assert(result.data[0] == 18);
    variant_bytes_free(&result);
    ok(variant_file_salvage(old, &result, &report, &error), &error);
    assert(result.len == old_packet.len && has(&report, "\"holes\":0"));
    free_all(&result, &report);
    ok(variant_file_check(old, schema, strlen(schema), &report, &error), &error);
    assert(has(&report, "\"keyword\":\"required\""));
    variant_bytes_free(&report);
    ok(variant_file_schema(old, &report, &error), &error);
    assert(has(&report, "\"path\":\"hp\""));
    variant_bytes_free(&report);
    assert(variant_file_diff(old, NULL, 10, &report, &error) == VARIANT_ERROR_ARGUMENT);
    variant_file_free(old);
    variant_file_free(new);
    free_all(&old_packet, &new_packet);
}

/* Each incomplete packet is an error with an offset, and nothing is read after its end. */
static void damage(void) {
    variant_bytes packet = packet_of("{\"a\": [1, \"text\", Vector2(1, 2)], 5: PackedInt32Array(1, 2, 3)}");
    variant_value root;
    variant_error error;
    size_t len;

    for (len = 0; len < packet.len; len++) {
        uint8_t *copy = malloc(len ? len : 1);
        memcpy(copy, packet.data, len);
        assert(variant_read(copy, len, &godot4, &root, NULL, &error) == VARIANT_ERROR_TRUNCATED);
        assert(error.offset <= len);
        free(copy);
    }
    variant_bytes_free(&packet);
}

static void names(void) {
    assert(!strcmp(variant_kind_name(VARIANT_KIND_VECTOR2), "Vector2") && !variant_kind_name(200));
    assert(!strcmp(variant_dialect_name(VARIANT_DIALECT_GODOT4), "godot4") && !variant_dialect_name(0));
    assert(!strcmp(variant_code_name(VARIANT_OK), "ok") && !strcmp(variant_code_name(99), "unknown"));
    assert(!strncmp(variant_version(), "0.", 2));
}

int main(int argc, char **argv) {
    assert(argc == 2);
    names();
    leaves();
    containers();
    writing();
    files(argv[1]);
    edits();
    many();
    reports();
    damage();
    return 0;
}
