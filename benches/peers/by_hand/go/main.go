// Times the library, and the decoder of decode.go, on a packet and on a save. Usage: by_hand PACKET SAVE
package main

/*
#cgo pkg-config: variant
#include <stdlib.h>
#include <variant.h>
*/
import "C"

import (
	"fmt"
	"log"
	"os"
	"sort"
	"time"
	"unsafe"
)

// Reads an int in untrusted bytes: validates all bytes, then selects the value. The bytes are copied, because C must
// not keep pointers into the memory of Go.
func library(packet []byte, path *C.char) int64 {
	options := C.variant_options{dialect: C.VARIANT_DIALECT_GODOT4, limits: C.VARIANT_LIMITS_SERVER}
	options.size = C.uint32_t(unsafe.Sizeof(options))
	bytes := C.CBytes(packet)
	defer C.free(bytes)
	var value C.variant_value
	var number C.int64_t
	var failure C.variant_error
	if C.variant_read((*C.uint8_t)(bytes), C.size_t(len(packet)), &options, &value, nil, &failure) != C.VARIANT_OK ||
		C.variant_at(value, path, &value, &failure) != C.VARIANT_OK ||
		C.variant_as_int(value, &number, &failure) != C.VARIANT_OK {
		log.Fatal(C.GoString(&failure.message[0]))
	}
	return int64(number)
}

// The root, decoded by hand into values of Go.
func byHand(packet []byte) map[any]any {
	decoder := decoder{packet}
	root, err := decoder.value(128)
	if err != nil {
		log.Fatal(err)
	}
	return root.(map[any]any)
}

const batches = 9

// Milliseconds per round: the median of nine batches of at least 20 ms.
func median(round func()) float64 {
	batch := func(rounds int) time.Duration {
		start := time.Now()
		for i := 0; i < rounds; i++ {
			round()
		}
		return time.Since(start)
	}
	rounds := 1
	for batch(rounds) < 20*time.Millisecond {
		rounds *= 2
	}
	var times []time.Duration
	for i := 0; i < batches; i++ {
		times = append(times, batch(rounds))
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return float64(times[batches/2].Nanoseconds()) / 1e6 / float64(rounds)
}

func compare(name, path string, packet []byte, select_ func(map[any]any) any) {
	at := C.CString(path)
	defer C.free(unsafe.Pointer(at))
	if found := select_(byHand(packet)); found != library(packet, at) {
		log.Fatal("the decoders differ: ", found)
	}
	theirs := median(func() { select_(byHand(packet)) })
	ours := median(func() { library(packet, at) })
	fmt.Printf("Go: %s: by hand %.6f ms, library %.6f ms, ratio %.1f\n", name, theirs, ours, theirs/ours)
}

func read(path string) []byte {
	bytes, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	return bytes
}

func main() {
	compare("packet", "id", read(os.Args[1]), func(root map[any]any) any { return root["id"] })
	compare("save", "items[9999].id", read(os.Args[2]), func(root map[any]any) any {
		return root["items"].([]any)[9999].(map[any]any)["id"]
	})
}
