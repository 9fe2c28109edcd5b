package main

import (
	"encoding/binary"
	"errors"
	"math"
)

// A decoder for Godot 4, as an application may write it by hand. It makes values of Go, and knows only the kinds in the
// two inputs. It checks each length and the depth, but neither UTF-8 nor other limits.
type decoder struct {
	rest []byte
}

type vector2 struct{ x, y float32 }

type vector3 struct{ x, y, z float32 }

var errShort = errors.New("the bytes end too early")

func (d *decoder) word() (uint32, error) {
	if len(d.rest) < 4 {
		return 0, errShort
	}
	word := binary.LittleEndian.Uint32(d.rest)
	d.rest = d.rest[4:]
	return word, nil
}

func (d *decoder) long() (uint64, error) {
	if len(d.rest) < 8 {
		return 0, errShort
	}
	long := binary.LittleEndian.Uint64(d.rest)
	d.rest = d.rest[8:]
	return long, nil
}

func (d *decoder) float() (float32, error) {
	word, err := d.word()
	return math.Float32frombits(word), err
}

func (d *decoder) text() (string, error) {
	size, err := d.word()
	if err != nil {
		return "", err
	}
	padded := (uint64(size) + 3) &^ 3
	if padded > uint64(len(d.rest)) {
		return "", errShort
	}
	text := string(d.rest[:size])
	d.rest = d.rest[padded:]
	return text, nil
}

// Reads the value at the start of the remaining bytes.
func (d *decoder) value(depth int) (any, error) {
	header, err := d.word()
	if err != nil {
		return nil, err
	}
	if depth == 0 {
		return nil, errors.New("too deep")
	}
	wide := header&(1<<16) != 0
	switch header & 0xff {
	case 0:
		return nil, nil
	case 1:
		word, err := d.word()
		return word != 0, err
	case 2:
		if wide {
			long, err := d.long()
			return int64(long), err
		}
		word, err := d.word()
		return int64(int32(word)), err
	case 3:
		if wide {
			long, err := d.long()
			return math.Float64frombits(long), err
		}
		real, err := d.float()
		return float64(real), err
	case 4:
		return d.text()
	case 5:
		return d.vector2()
	case 9:
		return d.vector3()
	case 27:
		return d.dictionary(depth - 1)
	case 28:
		return d.array(depth - 1)
	}
	return nil, errors.New("a kind that the inputs lack")
}

func (d *decoder) vector2() (v vector2, err error) {
	for _, part := range []*float32{&v.x, &v.y} {
		if *part, err = d.float(); err != nil {
			return
		}
	}
	return
}

func (d *decoder) vector3() (v vector3, err error) {
	for _, part := range []*float32{&v.x, &v.y, &v.z} {
		if *part, err = d.float(); err != nil {
			return
		}
	}
	return
}

// Reads the number of items. Each item has at least `size` bytes, so a larger number is an error.
func (d *decoder) count(size int) (int, error) {
	word, err := d.word()
	count := int(word &^ (1 << 31))
	if err == nil && count > len(d.rest)/size {
		err = errShort
	}
	return count, err
}

func (d *decoder) dictionary(depth int) (map[any]any, error) {
	count, err := d.count(8)
	if err != nil {
		return nil, err
	}
	pairs := make(map[any]any, count)
	for i := 0; i < count; i++ {
		key, err := d.value(1)
		if err != nil {
			return nil, err
		}
		if pairs[key], err = d.value(depth); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

func (d *decoder) array(depth int) ([]any, error) {
	count, err := d.count(4)
	if err != nil {
		return nil, err
	}
	items := make([]any, count)
	for i := range items {
		if items[i], err = d.value(depth); err != nil {
			return nil, err
		}
	}
	return items, nil
}
