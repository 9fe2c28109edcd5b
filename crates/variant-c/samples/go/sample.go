// Reads values of a save by their paths, and answers packets. Usage: sample SAVE
package main

/*
#cgo pkg-config: variant
#include <stdlib.h>
#include <variant.h>
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

// A failure of the library.
type failure struct {
	code          C.variant_code
	path, message string
}

func (f *failure) Error() string { return f.message }

// The failure of a call, or nil.
func check(code C.variant_code, details *C.variant_error) error {
	if code == C.VARIANT_OK {
		return nil
	}
	return &failure{code, C.GoString(&details.path[0]), C.GoString(&details.message[0])}
}

// Calls `use` with a text that ends with a NUL.
func with(text string, use func(*C.char)) {
	chars := C.CString(text)
	defer C.free(unsafe.Pointer(chars))
	use(chars)
}

func optionsOf(dialect, limits C.uint8_t) C.variant_options {
	var options C.variant_options
	options.size = C.uint32_t(unsafe.Sizeof(options))
	options.dialect, options.limits = dialect, limits
	return options
}

func text(value C.variant_value) (string, error) {
	var data *C.char
	var len C.size_t
	var details C.variant_error
	if err := check(C.variant_as_text(value, &data, &len, &details), &details); err != nil {
		return "", err
	}
	return C.GoStringN(data, C.int(len)), nil
}

func integer(value C.variant_value) (int64, error) {
	var number C.int64_t
	var details C.variant_error
	err := check(C.variant_as_int(value, &number, &details), &details)
	return int64(number), err
}

// Prints two values of a save.
func printPlayer(path string) error {
	var save *C.variant_file
	var details C.variant_error
	var code C.variant_code
	with(path, func(path *C.char) { code = C.variant_file_open(path, nil, &save, &details) })
	if err := check(code, &details); err != nil {
		return err
	}
	defer C.variant_file_free(save)
	var name, level C.variant_value
	with("player.name", func(path *C.char) { code = C.variant_file_at(save, path, &name, &details) })
	if err := check(code, &details); err != nil {
		return err
	}
	with("player.level", func(path *C.char) { code = C.variant_file_at(save, path, &level, &details) })
	if err := check(code, &details); err != nil {
		return err
	}
	called, err := text(name)
	if err != nil {
		return err
	}
	number, err := integer(level)
	fmt.Printf("player.name: %s\nplayer.level: %d\n", called, number)
	return err
}

// Reads a packet. A value keeps a pointer to its bytes, so the packet is copied to memory of C. The memory is freed after
// `use`.
func read(packet []byte, options C.variant_options, use func(C.variant_value) error) error {
	bytes := C.CBytes(packet)
	defer C.free(bytes)
	var root C.variant_value
	var details C.variant_error
	code := C.variant_read((*C.uint8_t)(bytes), C.size_t(len(packet)), &options, &root, nil, &details)
	if err := check(code, &details); err != nil {
		return err
	}
	return use(root)
}

func get(value C.variant_value, key string) (C.variant_value, error) {
	var found C.variant_value
	var details C.variant_error
	var code C.variant_code
	with(key, func(key *C.char) { code = C.variant_get(value, key, &found, &details) })
	return found, check(code, &details)
}

// A writer. Its method finish returns the failures of the other methods.
type writer struct{ handle *C.variant_writer }

func newWriter() (writer, error) {
	options := optionsOf(C.VARIANT_DIALECT_GODOT4, C.VARIANT_LIMITS_FILE)
	var w writer
	var details C.variant_error
	return w, check(C.variant_writer_new(&options, &w.handle, &details), &details)
}

func (w writer) key(key string) { with(key, func(key *C.char) { C.variant_write_key(w.handle, key) }) }

func (w writer) text(text string) {
	with(text, func(chars *C.char) { C.variant_write_text(w.handle, chars, C.size_t(len(text))) })
}

func (w writer) finish() ([]byte, error) {
	var written C.variant_bytes
	var details C.variant_error
	if err := check(C.variant_writer_finish(w.handle, &written, &details), &details); err != nil {
		return nil, err
	}
	defer C.variant_bytes_free(&written)
	return C.GoBytes(unsafe.Pointer(written.data), C.int(written.len)), nil
}

// Answers the packet {"buy": item, "count": n} of an untrusted client with {"ok": true, "item": item, "price": 10 * n}.
func answer(w writer, packet []byte) (reply []byte, err error) {
	err = read(packet, optionsOf(C.VARIANT_DIALECT_GODOT4, C.VARIANT_LIMITS_SERVER), func(request C.variant_value) error {
		item, err := get(request, "buy")
		if err != nil {
			return err
		}
		called, err := text(item)
		if err != nil {
			return err
		}
		value, err := get(request, "count")
		if err != nil {
			return err
		}
		count, err := integer(value)
		if err != nil {
			return err
		}
		if count < 0 || count > 99 {
			count = 0
		}
		C.variant_begin_dictionary(w.handle)
		w.key("ok")
		C.variant_write_bool(w.handle, C.bool(count > 0))
		w.key("item")
		w.text(called)
		w.key("price")
		C.variant_write_int(w.handle, C.int64_t(10*count))
		C.variant_end(w.handle)
		reply, err = w.finish()
		return err
	})
	return reply, err
}

// Makes the packet of a client from a literal in the syntax of scripts.
func ask(w writer, literal string) ([]byte, error) {
	with(literal, func(literal *C.char) { C.variant_write_literal(w.handle, literal) })
	return w.finish()
}

func print(what string, packet []byte) error {
	return read(packet, optionsOf(C.VARIANT_DIALECT_GODOT4, C.VARIANT_LIMITS_FILE), func(value C.variant_value) error {
		var json C.variant_bytes
		var details C.variant_error
		code := C.variant_to_json(value, C.VARIANT_JSON_PLAIN, false, &json, &details)
		if err := check(code, &details); err != nil {
			return err
		}
		defer C.variant_bytes_free(&json)
		fmt.Printf("%s: %s\n", what, C.GoBytes(unsafe.Pointer(json.data), C.int(json.len)))
		return nil
	})
}

func play(path string) error {
	if err := printPlayer(path); err != nil {
		return err
	}
	w, err := newWriter()
	if err != nil {
		return err
	}
	defer C.variant_writer_free(w.handle)
	request, err := ask(w, `{"buy": "axe", "count": 3}`)
	if err != nil {
		return err
	}
	if err := print("request", request); err != nil {
		return err
	}
	reply, err := answer(w, request)
	if err != nil {
		return err
	}
	if err := print("reply", reply); err != nil {
		return err
	}
	wrong, err := ask(w, `{"buy": "axe", "count": "three"}`)
	if err != nil {
		return err
	}
	if _, err := answer(w, wrong); err != nil {
		fmt.Printf("refused: count: %.26s\n", err)
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sample SAVE")
		os.Exit(2)
	}
	if err := play(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
