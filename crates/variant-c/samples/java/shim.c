/* The functions of class Variant in Variant.java. Bytes of Java are copied, since Java may move them. */
#include <jni.h>
#include <stdlib.h>
#include <string.h>
#include <variant.h>

static jbyteArray to_java(JNIEnv *env, const void *data, size_t len) {
    jbyteArray bytes = (*env)->NewByteArray(env, (jsize)len);
    if (bytes) (*env)->SetByteArrayRegion(env, bytes, 0, (jsize)len, data);
    return bytes;
}

/* A copy of the bytes, which the caller frees; NULL if the memory is exhausted. */
static uint8_t *from_java(JNIEnv *env, jbyteArray bytes, size_t *len) {
    *len = (size_t)(*env)->GetArrayLength(env, bytes);
    uint8_t *copy = malloc(*len + 1);
    if (copy) (*env)->GetByteArrayRegion(env, bytes, 0, (jsize)*len, (jbyte *)copy);
    return copy;
}

/* Throws an exception if a call failed. Returns whether the call succeeded. */
static bool check(JNIEnv *env, variant_code code, const variant_error *error) {
    if (code == VARIANT_OK) return true;
    jclass type = (*env)->FindClass(env, "Variant$Failure");
    jmethodID make = type ? (*env)->GetMethodID(env, type, "<init>", "([B)V") : NULL;
    jbyteArray message = make ? to_java(env, error->message, strlen(error->message)) : NULL;
    jobject failure = message ? (*env)->NewObject(env, type, make, message) : NULL;
    if (failure) (*env)->Throw(env, failure);
    return false;
}

JNIEXPORT jlong JNICALL Java_Variant_open(JNIEnv *env, jclass type, jbyteArray path) {
    variant_error error = {0};
    variant_file *file = NULL;
    size_t len;
    uint8_t *chars = from_java(env, path, &len);
    (void)type;
    check(env, variant_file_open((const char *)chars, NULL, &file, &error), &error);
    free(chars);
    return (jlong)(intptr_t)file;
}

JNIEXPORT void JNICALL Java_Variant_close(JNIEnv *env, jclass type, jlong file) {
    (void)env, (void)type;
    variant_file_free((variant_file *)(intptr_t)file);
}

static bool file_at(JNIEnv *env, jlong file, jbyteArray path, variant_value *found) {
    variant_error error = {0};
    size_t len;
    uint8_t *chars = from_java(env, path, &len);
    variant_code code = variant_file_at((variant_file *)(intptr_t)file, (const char *)chars, found, &error);
    free(chars);
    return check(env, code, &error);
}

static jbyteArray text_of(JNIEnv *env, variant_value value) {
    variant_error error = {0};
    const char *text;
    size_t len;
    if (!check(env, variant_as_text(value, &text, &len, &error), &error)) return NULL;
    return to_java(env, text, len);
}

static jlong integer_of(JNIEnv *env, variant_value value) {
    variant_error error = {0};
    int64_t number = 0;
    check(env, variant_as_int(value, &number, &error), &error);
    return number;
}

JNIEXPORT jbyteArray JNICALL Java_Variant_text__J_3B(JNIEnv *env, jclass type, jlong file, jbyteArray path) {
    variant_value found;
    (void)type;
    return file_at(env, file, path, &found) ? text_of(env, found) : NULL;
}

JNIEXPORT jlong JNICALL Java_Variant_integer__J_3B(JNIEnv *env, jclass type, jlong file, jbyteArray path) {
    variant_value found;
    (void)type;
    return file_at(env, file, path, &found) ? integer_of(env, found) : 0;
}

/* Reads the packet of an untrusted client, and selects a value. Returns a copy of the packet, into which the value
 * points. The caller frees it. */
static uint8_t *packet_at(JNIEnv *env, jbyteArray packet, jbyteArray path, variant_value *found) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_error error = {0};
    size_t len, path_len;
    uint8_t *bytes = from_java(env, packet, &len), *chars = from_java(env, path, &path_len);
    options.limits = VARIANT_LIMITS_SERVER;
    variant_code code = variant_read(bytes, len, &options, found, NULL, &error);
    if (code == VARIANT_OK) code = variant_at(*found, (const char *)chars, found, &error);
    free(chars);
    if (check(env, code, &error)) return bytes;
    free(bytes);
    return NULL;
}

JNIEXPORT jbyteArray JNICALL Java_Variant_text___3B_3B(JNIEnv *env, jclass type, jbyteArray packet, jbyteArray path) {
    variant_value found;
    uint8_t *bytes = packet_at(env, packet, path, &found);
    jbyteArray text = bytes ? text_of(env, found) : NULL;
    (void)type;
    free(bytes);
    return text;
}

JNIEXPORT jlong JNICALL Java_Variant_integer___3B_3B(JNIEnv *env, jclass type, jbyteArray packet, jbyteArray path) {
    variant_value found;
    uint8_t *bytes = packet_at(env, packet, path, &found);
    jlong number = bytes ? integer_of(env, found) : 0;
    (void)type;
    free(bytes);
    return number;
}

JNIEXPORT jbyteArray JNICALL Java_Variant_toJson(JNIEnv *env, jclass type, jbyteArray packet) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_error error = {0};
    variant_bytes json = {0};
    variant_value value;
    size_t len;
    uint8_t *bytes = from_java(env, packet, &len);
    variant_code code = variant_read(bytes, len, &options, &value, NULL, &error);
    (void)type;
    if (code == VARIANT_OK) code = variant_to_json(value, VARIANT_JSON_PLAIN, false, &json, &error);
    free(bytes);
    jbyteArray text = check(env, code, &error) ? to_java(env, json.data, json.len) : NULL;
    variant_bytes_free(&json);
    return text;
}

JNIEXPORT jlong JNICALL Java_Variant_newWriter(JNIEnv *env, jclass type) {
    variant_options options = {.size = sizeof options, .dialect = VARIANT_DIALECT_GODOT4};
    variant_error error = {0};
    variant_writer *writer = NULL;
    (void)type;
    check(env, variant_writer_new(&options, &writer, &error), &error);
    return (jlong)(intptr_t)writer;
}

#define WRITER(handle) ((variant_writer *)(intptr_t)(handle))

JNIEXPORT void JNICALL Java_Variant_freeWriter(JNIEnv *env, jclass type, jlong writer) {
    (void)env, (void)type;
    variant_writer_free(WRITER(writer));
}

JNIEXPORT void JNICALL Java_Variant_writeText(JNIEnv *env, jclass type, jlong writer, jbyteArray text) {
    size_t len;
    uint8_t *chars = from_java(env, text, &len);
    (void)type;
    variant_write_text(WRITER(writer), (const char *)chars, len);
    free(chars);
}

JNIEXPORT void JNICALL Java_Variant_writeBool(JNIEnv *env, jclass type, jlong writer, jboolean value) {
    (void)env, (void)type;
    variant_write_bool(WRITER(writer), value);
}

JNIEXPORT void JNICALL Java_Variant_writeInt(JNIEnv *env, jclass type, jlong writer, jlong value) {
    (void)env, (void)type;
    variant_write_int(WRITER(writer), value);
}

JNIEXPORT void JNICALL Java_Variant_writeLiteral(JNIEnv *env, jclass type, jlong writer, jbyteArray source) {
    size_t len;
    uint8_t *chars = from_java(env, source, &len);
    (void)type;
    variant_write_literal(WRITER(writer), (const char *)chars);
    free(chars);
}

JNIEXPORT void JNICALL Java_Variant_beginDictionary(JNIEnv *env, jclass type, jlong writer) {
    (void)env, (void)type;
    variant_begin_dictionary(WRITER(writer));
}

JNIEXPORT void JNICALL Java_Variant_end(JNIEnv *env, jclass type, jlong writer) {
    (void)env, (void)type;
    variant_end(WRITER(writer));
}

JNIEXPORT jbyteArray JNICALL Java_Variant_finish(JNIEnv *env, jclass type, jlong writer) {
    variant_error error = {0};
    variant_bytes written = {0};
    (void)type;
    bool is_written = check(env, variant_writer_finish(WRITER(writer), &written, &error), &error);
    jbyteArray bytes = is_written ? to_java(env, written.data, written.len) : NULL;
    variant_bytes_free(&written);
    return bytes;
}
