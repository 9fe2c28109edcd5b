/* variant.h: Godot's and Pandemonium's binary Variants.
 *
 * Rules of all functions:
 *
 * - A function that can fail returns a variant_code. VARIANT_OK is 0. The last argument, if it is not NULL, receives the
 *   details of a failure, and is otherwise unchanged. Results are unchanged after a failure, except that a handle is NULL.
 * - A variant_value is a small struct that points into the caller's bytes. It is copied and dropped freely. It is valid as
 *   long as the bytes or the variant_file that it came from. Zeroed memory is a value without bytes, which every function
 *   refuses.
 * - Names, paths and passwords end with a NUL. Texts and bytes have a length. Names, paths, passwords and texts are
 *   UTF-8.
 * - Handles (variant_file, variant_edit, variant_rows, variant_selection, variant_writer) and variant_bytes are freed by their
 *   functions, which accept NULL.
 * - Values and files are not changed by reading, and any number of threads may read them at once. The other handles and
 *   variant_items are used by one thread at a time. The library has no global state.
 * - Reports are JSON objects, one a line, with the fields that the command prints with --json (docs/json.md).
 * - No bytes make the library crash, or take more than linear time and memory. There is one exception: iterating over
 *   nested containers reads the inner bytes once for each level.
 */

#ifndef VARIANT_H
#define VARIANT_H

/* Made by cbindgen from crates/variant-c/src. Changes here are lost. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The call succeeded.
#define VARIANT_OK 0

// The iteration has no more items.
#define VARIANT_END 1

// The bytes end too early. More bytes may help.
#define VARIANT_ERROR_TRUNCATED 2

// The bytes break a rule of their dialect or profile.
#define VARIANT_ERROR_MALFORMED 3

// The bytes exceed a limit of the options, or have objects that the options refuse.
#define VARIANT_ERROR_LIMIT 4

// The value has another kind than the call expects.
#define VARIANT_ERROR_KIND 5

// No value has this key, index, path or frame number.
#define VARIANT_ERROR_NOT_FOUND 6

// The path has a syntax error.
#define VARIANT_ERROR_PATH 7

// The bytes have another format, or their dialect cannot be determined.
#define VARIANT_ERROR_FORMAT 8

// The file is encrypted, and the options have no key.
#define VARIANT_ERROR_LOCKED 9

// Decryption or decompression failed: the key is wrong, or the bytes are damaged.
#define VARIANT_ERROR_LAYER 10

// The system cannot read the file.
#define VARIANT_ERROR_FILE 11

// The dialect cannot hold the value, or the writer does not expect this call, such as variant_end without a container.
#define VARIANT_ERROR_WRITE 12

// The JSON, or the literal, cannot be read.
#define VARIANT_ERROR_TEXT 13

// An argument is wrong: a null pointer, an unknown number, a text that is not UTF-8.
#define VARIANT_ERROR_ARGUMENT 14

// A defect of this library. After it, the handle that the call used can only be freed.
#define VARIANT_ERROR_INTERNAL 15

// The change cannot be made: nothing is at the path, several frames have the path, or the file cannot hold the value
// there.
#define VARIANT_ERROR_EDIT 16

// The first number of the version of this header.
#define VARIANT_MAJOR 0

// The second number of the version of this header. Before version 1, versions that differ in this number may have
// different interfaces.
#define VARIANT_MINOR 1

// The third number of the version of this header.
#define VARIANT_PATCH 0

// The value of `offset` in an error that has no offset.
#define VARIANT_NO_OFFSET UINT64_MAX

// null.
#define VARIANT_KIND_NIL 0

// bool.
#define VARIANT_KIND_BOOL 1

// int.
#define VARIANT_KIND_INT 2

// float.
#define VARIANT_KIND_FLOAT 3

// String.
#define VARIANT_KIND_STRING 4

// Vector2.
#define VARIANT_KIND_VECTOR2 5

// Vector2i.
#define VARIANT_KIND_VECTOR2I 6

// Rect2.
#define VARIANT_KIND_RECT2 7

// Rect2i.
#define VARIANT_KIND_RECT2I 8

// Vector3.
#define VARIANT_KIND_VECTOR3 9

// Vector3i.
#define VARIANT_KIND_VECTOR3I 10

// Transform2D.
#define VARIANT_KIND_TRANSFORM2D 11

// Vector4.
#define VARIANT_KIND_VECTOR4 12

// Vector4i.
#define VARIANT_KIND_VECTOR4I 13

// Plane.
#define VARIANT_KIND_PLANE 14

// Quaternion, in Godot 3 Quat.
#define VARIANT_KIND_QUATERNION 15

// AABB.
#define VARIANT_KIND_AABB 16

// Basis: 9 numbers, row by row.
#define VARIANT_KIND_BASIS 17

// Transform3D, in Godot 3 Transform: a basis, row by row, and the origin.
#define VARIANT_KIND_TRANSFORM3D 18

// Projection.
#define VARIANT_KIND_PROJECTION 19

// Color.
#define VARIANT_KIND_COLOR 20

// StringName.
#define VARIANT_KIND_STRING_NAME 21

// NodePath.
#define VARIANT_KIND_NODE_PATH 22

// RID.
#define VARIANT_KIND_RID 23

// Object: null, an id, or a class with properties.
#define VARIANT_KIND_OBJECT 24

// Callable.
#define VARIANT_KIND_CALLABLE 25

// Signal.
#define VARIANT_KIND_SIGNAL 26

// Dictionary.
#define VARIANT_KIND_DICTIONARY 27

// Array.
#define VARIANT_KIND_ARRAY 28

// PackedByteArray, in Godot 3 PoolByteArray. The names of the other packed arrays also begin with Pool in Godot 3.
#define VARIANT_KIND_PACKED_BYTE_ARRAY 29

// PackedInt32Array.
#define VARIANT_KIND_PACKED_INT32_ARRAY 30

// PackedInt64Array.
#define VARIANT_KIND_PACKED_INT64_ARRAY 31

// PackedFloat32Array.
#define VARIANT_KIND_PACKED_FLOAT32_ARRAY 32

// PackedFloat64Array.
#define VARIANT_KIND_PACKED_FLOAT64_ARRAY 33

// PackedStringArray.
#define VARIANT_KIND_PACKED_STRING_ARRAY 34

// PackedVector2Array.
#define VARIANT_KIND_PACKED_VECTOR2_ARRAY 35

// PackedVector3Array.
#define VARIANT_KIND_PACKED_VECTOR3_ARRAY 36

// PackedColorArray.
#define VARIANT_KIND_PACKED_COLOR_ARRAY 37

// PackedVector4Array.
#define VARIANT_KIND_PACKED_VECTOR4_ARRAY 38

// Image, in Godot 2 only.
#define VARIANT_KIND_IMAGE 64

// InputEvent, in Godot 2 only.
#define VARIANT_KIND_INPUT_EVENT 65

// TypedArray, in Pandemonium 5 only.
#define VARIANT_KIND_TYPED_ARRAY 66

// PackedTypedArray, in Pandemonium 5 only.
#define VARIANT_KIND_PACKED_TYPED_ARRAY 67

// PoolVector2iArray, in Pandemonium only.
#define VARIANT_KIND_PACKED_VECTOR2I_ARRAY 68

// PoolVector3iArray, in Pandemonium only.
#define VARIANT_KIND_PACKED_VECTOR3I_ARRAY 69

// PoolVector4iArray, in Pandemonium only.
#define VARIANT_KIND_PACKED_VECTOR4I_ARRAY 70

// A kind that has no number in this header. A later version of the library may have one.
#define VARIANT_KIND_OTHER 255

// In variant_file_merge: the call fails if both files changed a value in different ways.
#define VARIANT_PREFER_NONE 0

// In variant_file_merge: if both files changed a value, the value of `file` is kept.
#define VARIANT_PREFER_OURS 1

// In variant_file_merge: if both files changed a value, the value of `other` replaces it.
#define VARIANT_PREFER_THEIRS 2

// In options: the dialect is detected from the bytes.
#define VARIANT_DIALECT_DETECT 0

// Godot 2.
#define VARIANT_DIALECT_GODOT2 2

// Godot 3.
#define VARIANT_DIALECT_GODOT3 3

// Godot 4.
#define VARIANT_DIALECT_GODOT4 4

// Pandemonium 3.
#define VARIANT_DIALECT_PANDEMONIUM3 13

// Pandemonium 4.
#define VARIANT_DIALECT_PANDEMONIUM4 14

// Pandemonium 5.
#define VARIANT_DIALECT_PANDEMONIUM5 15

// In options: the framing is detected from the bytes.
#define VARIANT_FRAMING_DETECT 0

// One value without a length before it: var_to_bytes, PacketPeer.put_var.
#define VARIANT_FRAMING_BARE 1

// A length before each value: File.store_var, StreamPeer.put_var.
#define VARIANT_FRAMING_FRAMES 2

// A big-endian length before each value.
#define VARIANT_FRAMING_FRAMES_BE 3

// A name and a length before each value: project.binary.
#define VARIANT_FRAMING_SETTINGS 4

// Values one after another without lengths.
#define VARIANT_FRAMING_SEQUENCE 5

// In options: the width of reals is detected with the dialect. If nothing is detected, it is VARIANT_REALS_BY_FLAG.
#define VARIANT_REALS_DETECT 0

// A flag in the header of a value states the width of its reals, as in every release of the engines.
#define VARIANT_REALS_BY_FLAG 1

// Each real of a mathematical value has 64 bits, without a flag.
#define VARIANT_REALS_ALWAYS64 2

// The form of JSON that restores every byte.
#define VARIANT_JSON_EXACT 0

// The form of JSON.from_native of Godot 4.
#define VARIANT_JSON_NATIVE 1

// The form of JSON for people and other tools.
#define VARIANT_JSON_PLAIN 2

// An unsigned integer of 8 bits.
#define VARIANT_NUMBER_UINT8 1

// A signed integer of 32 bits.
#define VARIANT_NUMBER_INT32 2

// A signed integer of 64 bits.
#define VARIANT_NUMBER_INT64 3

// A float of 32 bits.
#define VARIANT_NUMBER_FLOAT 4

// A float of 64 bits.
#define VARIANT_NUMBER_DOUBLE 5

// In options: everything that an engine reads is valid.
#define VARIANT_PROFILE_ENGINE 0

// In options: only bytes that an engine writes are valid.
#define VARIANT_PROFILE_CANONICAL 1

// In options: limits for files that are trusted: 1,024 levels, and any size.
#define VARIANT_LIMITS_FILE 0

// In options: limits for untrusted bytes: 128 levels, 64 MiB, a million values, and no objects with properties.
#define VARIANT_LIMITS_SERVER 1

// Changes of a file. Made by variant_file_edit, freed by variant_edit_free, and used by one thread at a time. It has a
// copy of the file's plain (decrypted and decompressed) bytes, so the file may be freed earlier.
//
// A path has the syntax of variant_file_at, and may also select many values, as in variant_file_select. If several
// frames have the path, the path must begin with the number of one frame, as in `frame 3: player.hp`. A call that
// fails changes nothing.
typedef struct variant_edit variant_edit;

// A file: its bytes without compression and encryption, and how they are read. Made by variant_file_open and
// variant_file_of_bytes, freed by variant_file_free. Any number of threads may read it at once.
typedef struct variant_file variant_file;

// The values of several paths in a file, row by row. Made by variant_file_rows, freed by variant_rows_free before the
// file is freed, and used by one thread at a time.
typedef struct variant_rows variant_rows;

// The values that a path selects in a file. Made by variant_file_select, freed by variant_selection_free, and used by one
// thread at a time. The file must exist as long as its values are used.
typedef struct variant_selection variant_selection;

// Writes values one after another, in the dialect and the framing of its options. Made by variant_writer_new, freed by
// variant_writer_free, and used by one thread at a time.
//
// Each call appends one piece: a value, or the begin or end of a container. After a failure the other calls do nothing
// and return the same code, until variant_writer_finish reports the failure. So a program needs to check only the
// result of variant_writer_finish.
typedef struct variant_writer variant_writer;

// Bytes that the library allocated. A zeroed struct has no bytes. The caller may change the bytes.
typedef struct {
  // The first byte.
  uint8_t *data;
  // The number of bytes.
  size_t len;
  // The number of allocated bytes.
  size_t capacity;
} variant_bytes;

// The result of a call: VARIANT_OK, VARIANT_END, or one of VARIANT_ERROR_*. Later versions may add codes.
typedef int32_t variant_code;

// The details of a failure. The caller owns the memory, and nothing in it needs to be freed. Later versions of the
// library do not add members.
typedef struct {
  // The code that the call returned.
  variant_code code;
  // Zero.
  uint32_t reserved;
  // The offset of the fault in the packet, or in the plain (decrypted and decompressed) bytes of the file;
  // VARIANT_NO_OFFSET if the failure has no offset.
  uint64_t offset;
  // The number of the frame or setting in the file, from 1; 0 if the call was not about a file.
  uint64_t frame;
  // The path from the value that was passed to the call to the faulty value; empty if they are the same. The middle
  // of a path with more than about 200 characters is left out. Ends with a NUL.
  char path[256];
  // What was found, what was expected, and what to try. A long message is cut. Ends with a NUL.
  char message[512];
} variant_error;

// A value: a pointer to its bytes, and the settings for reading them. It is passed by value, and does not need to be
// freed. The caller reads `kind`, `offset` and `dialect`, and leaves all members unchanged.
typedef struct {
  // The bytes, which begin with the header of the value; NULL if there is no value.
  const uint8_t *bytes;
  // The number of bytes: at least the size of the value, and at most up to the end of the packet or frame.
  size_t len;
  // The offset of the value in the packet, or in the plain bytes of the file.
  uint64_t offset;
  // The number of levels of nested values that are allowed below this value.
  uint32_t depth;
  // The kind, VARIANT_KIND_*.
  uint8_t kind;
  // The dialect, VARIANT_DIALECT_*.
  uint8_t dialect;
  // The width of reals, VARIANT_REALS_*.
  uint8_t reals;
  // 1 if objects with class and properties are refused.
  uint8_t objects;
} variant_value;

// How bytes are read and written. A member that is zero has its default, which its comment names. Callers set `size`,
// as in `variant_options options = {.size = sizeof options};`, since later versions may add members at the end. NULL
// instead of options means that all members have the default.
typedef struct {
  // The size of this struct in bytes.
  uint32_t size;
  // The dialect, VARIANT_DIALECT_*. By default it is detected. To write, a dialect is required.
  uint8_t dialect;
  // The framing of a file or of written values, VARIANT_FRAMING_*. By default, the framing of a file is detected,
  // and values are written with VARIANT_FRAMING_BARE.
  uint8_t framing;
  // The width of reals, VARIANT_REALS_*. By default it is detected.
  uint8_t reals;
  // The bytes that are valid, VARIANT_PROFILE_*. By default VARIANT_PROFILE_ENGINE.
  uint8_t profile;
  // The limits, VARIANT_LIMITS_*. By default VARIANT_LIMITS_FILE.
  uint8_t limits;
  // 1 to refuse objects with class and properties. Accepted objects are only data: no instance of the class is
  // created.
  uint8_t refuse_objects;
  // 1 to decrypt and decompress a damaged file as far as possible.
  uint8_t lenient;
  // Zero.
  uint8_t reserved;
  // The greatest depth of a value, instead of that of `limits`.
  uint32_t max_depth;
  // The greatest size of a value in bytes, instead of that of `limits`.
  uint64_t max_bytes;
  // The greatest number of values in a value, instead of that of `limits`.
  uint64_t max_values;
  // The greatest size of decrypted and decompressed bytes. 1 GiB by default.
  uint64_t max_unpacked;
  // The number of bytes before the first value of a file.
  uint64_t skip;
  // The number of bytes after the last value of a file. The library may detect more such bytes.
  uint64_t tail;
  // The password of an encrypted file, or NULL.
  const char *password;
  // The key of an encrypted file, 32 bytes, or NULL.
  const uint8_t *key;
} variant_options;

// The counts of a validation.
typedef struct {
  // The number of bytes of all values.
  uint64_t bytes;
  // The number of values, containers and keys included. Elements of packed arrays do not count.
  uint64_t values;
  // The number of frames or settings; 1 for a packet.
  uint64_t frames;
  // The depth of the deepest value; 0 for the root.
  uint32_t depth;
  // Zero.
  uint32_t reserved;
} variant_summary;

// An iteration over an array, a dictionary or an object. The caller leaves the members unchanged. Nothing needs to be
// freed.
typedef struct {
  // The bytes from the next item on.
  variant_value rest;
  // The number of items that remain, as the bytes claim.
  uint32_t left;
  // The form of the items: 0 for elements, 1 for pairs, 2 for properties.
  uint8_t form;
  // Zero.
  uint8_t reserved[3];
} variant_items;

// A text in the caller's bytes. It does not end with a NUL.
typedef struct {
  // The first byte.
  const char *data;
  // The number of bytes.
  size_t len;
} variant_text;

// An item of a container.
typedef struct {
  // The element, or the value of the pair or property.
  variant_value value;
  // The key of a pair. In an array or an object its `bytes` are NULL.
  variant_value key;
  // The key of a pair if it is a text, or the name of a property; otherwise `data` is NULL.
  variant_text name;
} variant_item;

// The elements of a packed array, or the numbers of a mathematical value, in the caller's bytes.
typedef struct {
  // The first number. Numbers are little-endian.
  const void *data;
  // The number of numbers.
  size_t count;
  // The type of the numbers, VARIANT_NUMBER_*.
  uint8_t number;
  // The number of numbers in an element: 1, or 2 for a Vector2, and so on.
  uint8_t per_element;
  // 1 if `data` can be read as a C array of the type: this machine is little-endian, and the numbers are aligned for it.
  // Otherwise memcpy, variant_as_doubles, variant_as_floats or variant_as_ints reads them.
  uint8_t is_native;
  // Zero.
  uint8_t reserved[5];
} variant_packed;

// A value that a path selects.
typedef struct {
  // The value.
  variant_value value;
  // The number of the frame or setting, from 1.
  uint64_t frame;
  // The path of the value in its frame; `(root)` for the whole value. If the path is long, this is an offset such as
  // `@16`, the byte of the value in its frame. The text is valid until the selection is freed.
  variant_text path;
} variant_match;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Frees bytes of this library, and zeroes the struct. Zeroed bytes and NULL are accepted.
void variant_bytes_free(variant_bytes *bytes);

// The name of a code in lower case, such as "truncated"; "unknown" for other numbers. The text is never freed.
const char *variant_code_name(variant_code code);

// The version of the library, such as "0.1.0". The text is never freed.
const char *variant_version(void);

// The file in another dialect. Its frames, the bytes around its values, its compression and its encryption are kept.
// O(bytes). The bytes are freed by variant_bytes_free.
//
// If `losses` is NULL, the call fails with VARIANT_ERROR_WRITE if the conversion would change a value. Otherwise
// `losses` receives the values that change as JSON objects, one a line, with `frame`, `path` and `message`. If no
// value changes, `losses` is empty. variant_bytes_free frees it.
variant_code variant_file_convert(const variant_file *file,
                                  uint8_t dialect,
                                  variant_bytes *converted,
                                  variant_bytes *losses,
                                  variant_error *error);

// The differences between the values of two files, which may differ in dialect, compression and encryption. Frames are
// matched by number, and settings by name. O(bytes of both files) expected.
//
// `differences` receives JSON objects, one a line. The object of a difference has `change` (`added`, `removed` or
// `changed`), `frame` and `path`. It describes the old value by `before`, `kind_before` and `offset_before`, and the
// new value by `after`, `kind_after` and `offset_after`. At most `most` differences are listed. The last object has
// the numbers `changed`, `added`, `removed` and `reordered`. variant_bytes_free frees `differences`.
variant_code variant_file_diff(const variant_file *old,
                               const variant_file *new_,
                               uint64_t most,
                               variant_bytes *differences,
                               variant_error *error);

// Makes an edit, which changes a copy of the file's plain bytes. O(bytes).
//
// A change is refused with VARIANT_ERROR_FORMAT if several engines may have written the file and would write the
// change in different bytes. In this case, set the dialect in the options when you open the file.
variant_code variant_file_edit(const variant_file *file, variant_edit **edit, variant_error *error);

// Frees an edit. The file on the disk does not change. NULL is accepted.
void variant_edit_free(variant_edit *edit);

// Replaces the values at a path by the value of a literal, such as `7`, `"text"`, `Vector2(1, 2)` or `{"a": [1]}`. The other
// bytes of the file are kept. O(bytes of the file).
//
// `changes` may be NULL. Otherwise it receives the changes, at most 100, as JSON objects, one a line. An object has
// `frame`, `path`, and the short literals `before` and `after`. variant_bytes_free frees `changes`.
variant_code variant_edit_set(variant_edit *edit,
                              const char *path,
                              const char *source,
                              variant_bytes *changes,
                              variant_error *error);

// Replaces the values at a path by a value that was read, as variant_edit_set does. A value of another dialect is refused
// with VARIANT_ERROR_WRITE unless its conversion changes nothing.
variant_code variant_edit_set_value(variant_edit *edit,
                                    const char *path,
                                    variant_value value,
                                    variant_bytes *changes,
                                    variant_error *error);

// Adds the value of a literal. The last step of the path is the key or the index of the new value, or `[+]` for the end of
// an array. `changes` is as in variant_edit_set. O(bytes of the file).
variant_code variant_edit_insert(variant_edit *edit,
                                 const char *path,
                                 const char *source,
                                 variant_bytes *changes,
                                 variant_error *error);

// Adds a value that was read, as variant_edit_insert does. A value of another dialect is refused as in
// variant_edit_set_value.
variant_code variant_edit_insert_value(variant_edit *edit,
                                       const char *path,
                                       variant_value value,
                                       variant_bytes *changes,
                                       variant_error *error);

// Removes the values at a path. `changes` is as in variant_edit_set. O(bytes of the file).
variant_code variant_edit_delete(variant_edit *edit, const char *path, variant_bytes *changes, variant_error *error);

// Replaces the keys of the values at a path, or the names of properties or settings. `changes` is as in variant_edit_set.
// O(bytes of the file).
variant_code variant_edit_rename_key(variant_edit *edit,
                                     const char *path,
                                     const char *key,
                                     variant_bytes *changes,
                                     variant_error *error);

// Undoes the last change. Returns VARIANT_END if there is no change. `changes`, which may be NULL, receives the undone
// changes, as in variant_edit_set. A call that altered no value is not a change. O(bytes of the file).
variant_code variant_edit_undo(variant_edit *edit, variant_bytes *changes, variant_error *error);

// Redoes the last undone change. Returns VARIANT_END if no change was undone. `changes`, which may be NULL, receives the
// redone changes, as in variant_edit_set. O(bytes of the file).
variant_code variant_edit_redo(variant_edit *edit,
                               variant_bytes *changes,
                               variant_error *error);

// The changes that were not undone, in order, as the JSON objects of variant_edit_set. O(changes).
variant_code variant_edit_changes(const variant_edit *edit, variant_bytes *changes, variant_error *error);

// The whole file with the changes: its frames, the bytes before and after its values, its compression and its encryption are
// kept. The bytes are freed by variant_bytes_free, and variant_save writes them. More changes may follow. O(bytes).
variant_code variant_edit_finish(const variant_edit *edit,
                                 variant_bytes *written,
                                 variant_error *error);

// Reads the file at `path` and removes its compression and encryption. Its dialect and framing are detected, unless
// the options name them. O(bytes). Values are not validated; variant_file_validate validates them.
variant_code variant_file_open(const char *path,
                               const variant_options *options,
                               variant_file **file,
                               variant_error *error);

// Opens a file whose bytes are in memory, as variant_file_open does. Bytes without compression and encryption are not
// copied: they must exist, unchanged, until the file is freed.
variant_code variant_file_of_bytes(const uint8_t *bytes,
                                   size_t len,
                                   const variant_options *options,
                                   variant_file **file,
                                   variant_error *error);

// Frees a file. Values, texts and bytes that came from it are then no longer valid. NULL is accepted.
void variant_file_free(variant_file *file);

// The dialect of the file's values, VARIANT_DIALECT_*; 0 for NULL.
uint8_t variant_file_dialect(const variant_file *file);

// The framing of the file's values, VARIANT_FRAMING_*; 0 for NULL.
uint8_t variant_file_framing(const variant_file *file);

// Whether the bytes and the options determine the dialect. If not, the file is read in the likeliest of several
// dialects that fit.
bool variant_file_is_certain(const variant_file *file);

// The plain bytes of the file: decrypted and decompressed. Offsets of values and of errors count from their start.
variant_code variant_file_bytes(const variant_file *file, const uint8_t **bytes, size_t *len, variant_error *error);

// The number of values: frames, settings, or 1 for a bare value. O(values) for the first call, then O(1). If the file
// ends within a value, the call fails with VARIANT_ERROR_TRUNCATED, and variant_file_value reads the whole values
// before this value.
variant_code variant_file_count(const variant_file *file, uint64_t *count, variant_error *error);

// Value `number` of the file, from 1. The first call for a file is O(values), later calls are O(1).
variant_code variant_file_value(const variant_file *file, uint64_t number, variant_value *found, variant_error *error);

// The name of setting `number` of a file of settings, from 1: a pointer into the file, and a length.
variant_code variant_file_name(const variant_file *file,
                               uint64_t number,
                               const char **name,
                               size_t *len,
                               variant_error *error);

// The value at a path, which has the syntax of variant_at and begins at the root of the first value of the file. The
// path `frame 3: player.hp` begins at the root of value 3. In a file of settings the first step is the name of the
// setting, such as `application/config/name`.
variant_code variant_file_at(const variant_file *file, const char *path, variant_value *found, variant_error *error);

// Validates every byte of every value against the limits and the profile in the options of the file. O(bytes).
// `summary` may be NULL.
variant_code variant_file_validate(const variant_file *file, variant_summary *summary, variant_error *error);

// Compresses and encrypts other bytes as this file is compressed and encrypted. `plain` must be the contents of a
// whole file. The bytes are freed by variant_bytes_free. O(bytes).
variant_code variant_file_wrap(const variant_file *file,
                               const uint8_t *plain,
                               size_t len,
                               variant_bytes *wrapped,
                               variant_error *error);

// Begins an iteration over the items of a container: elements, pairs or properties. O(1).
variant_code variant_items_of(variant_value container, variant_items *items, variant_error *error);

// Reads the next item. Returns VARIANT_END after the last item, and after a failure. O(1). If the item is a container
// or a text array, O(bytes of the item), since the `len` of its value is exact.
variant_code variant_next(variant_items *items, variant_item *item, variant_error *error);

// The name of a kind as Godot 4 spells it, such as "Vector2"; NULL for other numbers. The text is never freed.
const char *variant_kind_name(uint8_t kind);

// Reads a bool.
variant_code variant_as_bool(variant_value value, bool *result, variant_error *error);

// Reads an int.
variant_code variant_as_int(variant_value value, int64_t *result, variant_error *error);

// Reads a float, or an int as the nearest float.
variant_code variant_as_double(variant_value value, double *result, variant_error *error);

// Reads a String or a StringName: a pointer into the caller's bytes, and a length. No NUL follows the text. If the
// value contains a NUL, the text ends before the first one, as in the engines. In Godot 4 and Pandemonium 4 and 5, a
// text that variant_read or variant_file_validate accepted is UTF-8. Other dialects also accept other bytes.
variant_code variant_as_text(variant_value value, const char **text, size_t *len, variant_error *error);

// Reads the class of an object with class and properties, as variant_as_text reads a text.
variant_code variant_as_class(variant_value value, const char **text, size_t *len, variant_error *error);

// Reads a PackedByteArray: a pointer into the caller's bytes, and a length.
variant_code variant_as_bytes(variant_value value, const uint8_t **bytes, size_t *len, variant_error *error);

// Reads the id of an RID, of an object without properties, or of the object in a Signal. The id of a null object is 0.
variant_code variant_as_id(variant_value value, uint64_t *id, variant_error *error);

// Reads a PackedStringArray into an array of the caller, which has room for `capacity` texts. `count` receives the number
// of texts in the value: if it exceeds `capacity`, only the first texts were written. `texts` may be NULL if `capacity` is
// 0. O(bytes).
variant_code variant_as_texts(variant_value value,
                              variant_text *texts,
                              size_t capacity,
                              size_t *count,
                              variant_error *error);

// `file` with the values of `other`: they are added, and replace values at the same paths. With `base`, which may be
// NULL, only the changes that lead from `base` to `other` are made. If `file` and `other` changed a value in different
// ways, `prefer`, one of VARIANT_PREFER_*, decides. Without `base`, `prefer` must be VARIANT_PREFER_NONE. Frames are
// matched by number, and settings by name. The other bytes of `file` are kept. O(bytes of the files) expected. The
// bytes are freed by variant_bytes_free.
//
// A value of another dialect is refused with VARIANT_ERROR_WRITE unless its conversion changes nothing. `changes` is as in
// variant_edit_set.
variant_code variant_file_merge(const variant_file *file,
                                const variant_file *other,
                                const variant_file *base,
                                uint8_t prefer,
                                variant_bytes *merged,
                                variant_bytes *changes,
                                variant_error *error);

// Migrates the values of the file to the newest version of a game. `steps` is the text of a file of steps
// (`docs/migrate.md`). `migrated` receives the whole new file, whose other bytes are kept. O(steps × bytes).
// variant_bytes_free frees `migrated`.
//
// `report` may be NULL. Otherwise it receives a JSON object: `status`, which is `migrated`, or `current` if all values
// have the newest version; `values`, a list of objects with `from`, `to` and `steps`; `change_count` and `changes`.
// variant_bytes_free frees `report`.
variant_code variant_file_migrate(const variant_file *file,
                                  const char *steps,
                                  size_t len,
                                  variant_bytes *migrated,
                                  variant_bytes *report,
                                  variant_error *error);

// The name of a dialect in lower case, such as "godot3"; NULL for other numbers. The text is never freed.
const char *variant_dialect_name(uint8_t dialect);

// The name of a framing in lower case, such as "frames"; NULL for other numbers. The text is never freed.
const char *variant_framing_name(uint8_t framing);

// Finds the numbers of a mathematical value or of a packed array, without a copy. O(1).
//
// The numbers have the order of the bytes. A vector has x, y and so on; a colour r, g, b and a; a Basis its rows; a
// Transform3D the rows of its basis and then its origin; a Transform2D x, y and its origin.
variant_code variant_packed_of(variant_value value, variant_packed *packed, variant_error *error);

// Copies the numbers of a mathematical value or of a packed array to doubles, in the order of variant_packed_of. `numbers`
// has room for `capacity` numbers. `count` receives the number of numbers in the value: if it exceeds `capacity`, only the
// first ones were written. O(numbers).
variant_code variant_as_doubles(variant_value value,
                                double *numbers,
                                size_t capacity,
                                size_t *count,
                                variant_error *error);

// Copies numbers to floats, as variant_as_doubles does. A double becomes the nearest float.
variant_code variant_as_floats(variant_value value,
                               float *numbers,
                               size_t capacity,
                               size_t *count,
                               variant_error *error);

// Copies integers, as variant_as_doubles does. For values and arrays of floats, the call fails with
// VARIANT_ERROR_KIND.
variant_code variant_as_ints(variant_value value,
                             int64_t *numbers,
                             size_t capacity,
                             size_t *count,
                             variant_error *error);

// Prints a value with everything in it as JSON, in one of the forms VARIANT_JSON_*. The text is UTF-8 without a NUL, and is
// freed by variant_bytes_free. O(bytes).
variant_code variant_to_json(variant_value value,
                             uint8_t form,
                             bool is_pretty,
                             variant_bytes *text,
                             variant_error *error);

// Prints a value with everything in it as var_to_str of its engine does. The text is UTF-8 without a NUL, and is freed by
// variant_bytes_free. O(bytes).
variant_code variant_to_text(variant_value value,
                             variant_bytes *text,
                             variant_error *error);

// Begins to read rows. Each path is a column. It selects one value of a frame, or many values, as `items[*].id` does.
// Each of many values makes a row, and the values outside of the items are the same in these rows. A frame without
// such items has one row. A path with `..` is refused. O(columns).
variant_code variant_file_rows(const variant_file *file,
                               const char *const *paths,
                               size_t count,
                               variant_rows **rows,
                               variant_error *error);

// Frees rows. NULL is accepted.
void variant_rows_free(variant_rows *rows);

// Reads the next row. Returns VARIANT_END after the last one, and after a failure. `values` has room for `count`
// values, one for each path. If the row lacks a value, `bytes` of this value is NULL. `frame`, which may be NULL,
// receives the number of the frame. O(columns + bytes up to the next row).
variant_code variant_rows_next(variant_rows *rows,
                               variant_value *values,
                               size_t count,
                               uint64_t *frame,
                               variant_error *error);

// The undamaged values of a damaged file, with its compression and its encryption. To open a file whose compression or
// encryption is damaged, set `lenient` in the options. O(bytes), with a large constant if much cannot be read. The
// bytes are freed by variant_bytes_free.
//
// `report` may be NULL. Otherwise it receives JSON objects, one a line. Each hole (a range of lost bytes) has an
// object with `start`, `end`, `length`, `path` and `reason`; at most 1,000 holes are listed. The last object has
// `values`, `recovered_bytes`, `holes` and `lost_bytes`. variant_bytes_free frees `report`.
variant_code variant_file_salvage(const variant_file *file,
                                  variant_bytes *salvaged,
                                  variant_bytes *report,
                                  variant_error *error);

// Writes the file at `path`: the bytes are written to a new file in the same folder, which then replaces the old file.
// After a failure or a crash the old file is unchanged. The old file is overwritten in place if a new file would
// change its owner or its hard links, or if its folder is not writable. A pipe is also written in place. The path `-`
// is standard output.
variant_code variant_save(const char *path, const uint8_t *bytes, size_t len, variant_error *error);

// Lists each path that occurs in the values of the file as a JSON object, one a line. An object has `path`, with `[*]`
// for all elements; `kinds`; `is_optional`, which is true if some containers lack the path; and `values`, the number
// of values at the path. O(bytes) expected. variant_bytes_free frees `report`.
variant_code variant_file_schema(const variant_file *file, variant_bytes *report, variant_error *error);

// Checks each value of the file against a JSON Schema (`docs/command.md`). The call fails if the file is damaged, but
// not if a value breaks the schema.
//
// `report` receives JSON objects, one a line. Each breach of the schema has an object with `severity`, `rule`, `value`
// (the frame), `offset`, `path`, `message`, `keyword` and `schema`; at most 1,000 breaches in a frame are listed. The
// last object has `status` (`ok` or `invalid`), `dialect`, `framing`, `frames`, and `errors`, the number of breaches.
// variant_bytes_free frees `report`.
variant_code variant_file_check(const variant_file *file,
                                const char *schema,
                                size_t len,
                                variant_bytes *report,
                                variant_error *error);

// Selects values by a path. In addition to the steps of variant_at, it may have `items[2:5]`, `items[*]`, `player.*`,
// `..gold` (at any depth), and filters such as `items[?hp<10]`. A filter may use `== != < <= > >=`,
// `=~ "regular expression"` and `&& || ! ( )`. A path without `frame 3: ` at its start selects values in each frame.
// The call also succeeds if the path selects nothing. O(bytes).
variant_code variant_file_select(const variant_file *file,
                                 const char *path,
                                 variant_selection **selection,
                                 variant_error *error);

// Frees a selection and its paths. NULL is accepted.
void variant_selection_free(variant_selection *selection);

// The next selected value, in the order of the file. Returns VARIANT_END after the last one. O(1).
variant_code variant_selection_next(variant_selection *selection, variant_match *found, variant_error *error);

// Validates a packet, which has one value without a length before it, and returns the value. Later calls with this
// value fail only because of their request, such as another kind or a missing key. Bytes after the value are ignored:
// the `len` of the value is its size. O(bytes) in one pass; nothing is copied or allocated.
//
// For untrusted bytes, set the dialect and VARIANT_LIMITS_SERVER in the options. `summary` may be NULL.
variant_code variant_read(const uint8_t *bytes,
                          size_t len,
                          const variant_options *options,
                          variant_value *value,
                          variant_summary *summary,
                          variant_error *error);

// The value at a path such as `player.items[3].name`, counted from `value`. O(bytes of the containers on the path).
//
// A step is `name` or `["any text"]` (a key or a property), `[3]` or `[-1]` (an element, or the value of an integer
// key), `[&"name"]` (a StringName), `{2}` (the value of pair 2), `{2:key}` (the key of pair 2), or a key as a script
// writes it, such as `[Vector2(1, 2)]`. The empty path selects `value`. A step into a PackedByteArray continues in the
// value that its bytes hold.
variant_code variant_at(variant_value value, const char *path, variant_value *found, variant_error *error);

// The value of a text key in a dictionary, or of a property of an object. If several pairs have this key, the last one
// counts, as in the engines. O(bytes of the container).
variant_code variant_get(variant_value value, const char *key, variant_value *found, variant_error *error);

// Element `index` of an array, from 0. O(bytes before the element), so variant_next is faster for reading all
// elements.
variant_code variant_index(variant_value value, size_t index, variant_value *found, variant_error *error);

// The number of elements of an array or a packed array, of pairs of a dictionary, or of properties of an object. O(1).
// In a damaged container the number may be wrong, so limit the memory that you allocate for it.
variant_code variant_count(variant_value value, size_t *count, variant_error *error);

// The bytes of the value, from its header to its end. They can be copied into another packet. O(1); for a container
// O(bytes).
variant_code variant_raw(variant_value value, const uint8_t **bytes, size_t *len, variant_error *error);

// Appends null.
variant_code variant_write_null(variant_writer *writer);

// Appends a bool.
variant_code variant_write_bool(variant_writer *writer, bool value);

// Appends an int. It is written with 32 bits if they can hold it, and otherwise with 64 bits, as the engines do.
variant_code variant_write_int(variant_writer *writer, int64_t value);

// Appends a float. It is written with 32 bits if they hold it exactly, and otherwise with 64 bits, as the engines do.
variant_code variant_write_double(variant_writer *writer, double value);

// Appends a String, in UTF-8.
variant_code variant_write_text(variant_writer *writer, const char *text, size_t len);

// Appends a StringName, in UTF-8. Dialects before Godot 4 do not have this kind.
variant_code variant_write_string_name(variant_writer *writer, const char *text, size_t len);

// Appends a String that ends with a NUL, such as a key of a dictionary.
variant_code variant_write_key(variant_writer *writer, const char *key);

// Appends a PackedByteArray.
variant_code variant_write_bytes(variant_writer *writer, const uint8_t *bytes, size_t len);

// Appends a PackedStringArray.
variant_code variant_write_texts(variant_writer *writer, const variant_text *texts, size_t count);

// Appends a value of this kind, which must consist of floats: a vector, a matrix, a Color, a PackedFloat32Array, or a
// packed array of vectors or colours. `count` is the number of floats. They have the order of variant_packed_of.
variant_code variant_write_floats(variant_writer *writer, uint8_t kind, const float *floats, size_t count);

// Appends a PackedFloat64Array, or a value of a kind of variant_write_floats with reals of 64 bits. Only builds of
// Godot 4 with double precision write such reals.
variant_code variant_write_doubles(variant_writer *writer, uint8_t kind, const double *doubles, size_t count);

// Appends a value of this kind, which must consist of integers of 32 bits: a Vector2i, Rect2i, Vector3i or Vector4i, a
// PackedInt32Array, or a packed array of such vectors.
variant_code variant_write_int32s(variant_writer *writer, uint8_t kind, const int32_t *ints, size_t count);

// Appends a PackedInt64Array.
variant_code variant_write_int64s(variant_writer *writer, const int64_t *ints, size_t count);

// Appends a value that was read, with everything in it. O(bytes).
//
// A value of another dialect is converted. If `losses` is NULL, the call fails with VARIANT_ERROR_WRITE if the
// conversion would change the value. Otherwise `losses` receives a line for each change, and is empty if nothing
// changes. variant_bytes_free frees it.
variant_code variant_write_value(variant_writer *writer, variant_value value, variant_bytes *losses);

// Appends the value of a JSON text, in one of the forms VARIANT_JSON_*. O(text).
variant_code variant_write_json(variant_writer *writer, const char *text, size_t len, uint8_t form);

// Appends the value of a literal in the syntax of the engine's scripts, such as `Vector2(1, 2.5)` or
// `^"Player:position"`. O(text).
variant_code variant_write_literal(variant_writer *writer, const char *source);

// Begins an array. Its elements follow, and then variant_end.
variant_code variant_begin_array(variant_writer *writer);

// Begins a dictionary. The key and the value of each pair follow, and then variant_end. The library does not check
// that the keys differ.
variant_code variant_begin_dictionary(variant_writer *writer);

// Begins an object of this class. For each property, variant_write_property and the value follow, and at the end
// variant_end.
variant_code variant_begin_object(variant_writer *writer, const char *class_);

// Appends the name of a property of an object. Its value follows.
variant_code variant_write_property(variant_writer *writer, const char *name);

// Ends the container that was begun last.
variant_code variant_end(variant_writer *writer);

// Makes a writer. The options must name a dialect; `framing`, `reals` and `max_depth` also apply.
variant_code variant_writer_new(const variant_options *options, variant_writer **writer, variant_error *error);

// Frees a writer, and discards a value that is not finished. NULL is accepted.
void variant_writer_free(variant_writer *writer);

// Ends the value, and gives its bytes to the caller, who frees them by variant_bytes_free. Reports the first failure
// of the calls since the writer was made or last finished. After this call, also if it fails, the writer is ready for
// the next value.
variant_code variant_writer_finish(variant_writer *writer, variant_bytes *written, variant_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* VARIANT_H */
