#!/usr/bin/env python3
"""Decoder and encoder of binary Variants of Godot 2 to 4 and Pandemonium 3 to 5, the companion of format.md. CC0-1.0.

    data = encode({"name": "Ada", "level": 3, "bag": ["rope", 1.5, Vector2(1, 2)]}, "godot4")
    value = decode(data, "godot4")
    python3 decoder.py godot4 save.variant     prints the value of a file
"""
import re
import struct
import sys
from collections import namedtuple
from types import GeneratorType

# format.md#type-ids: the kinds in the order of their ids. The words after the bar name packed arrays: `Byte` is
# `PackedByteArray`.
KINDS = {}
for _names, _packed in re.findall(r"([^|]+)\|([^;]+);", """
    godot2 Vector2 Rect2 Vector3 Transform2D Plane Quaternion Aabb Basis Transform3D Color Image NodePath Rid Object
    InputEvent Dictionary Array | Byte Int32 Float32 String Vector2 Vector3 Color;
    godot4 Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quaternion Aabb Basis
    Transform3D Projection Color StringName NodePath Rid Object Callable Signal Dictionary Array
    | Byte Int32 Int64 Float32 Float64 String Vector2 Vector3 Color Vector4;
    pandemonium3 Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Plane Quaternion Aabb Basis Transform3D
    Color NodePath Rid Object StringName Dictionary Array
    | Byte Int32 Float32 String Vector2 Vector2i Vector3 Vector3i Color;
    pandemonium5 Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane Quaternion Aabb Basis Transform3D
    Transform2D Projection Color NodePath Rid Object StringName Dictionary Array TypedArray PackedTypedArray
    | Byte Int32 Float32 String Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Color;"""):
    _dialect, *_plain = _names.split()
    KINDS[_dialect] = "Nil Bool Int Float String".split() + _plain + ["Packed%sArray" % n for n in _packed.split()]
KINDS["godot3"] = [kind for kind in KINDS["godot2"] if kind not in ("Image", "InputEvent")]
KINDS["pandemonium4"] = [kind for kind in KINDS["pandemonium5"] if kind not in ("TypedArray", "PackedTypedArray")]
IDS = {dialect: {kind: at for at, kind in enumerate(kinds)} for dialect, kinds in KINDS.items()}

# The fields of a value, or of an element of a packed array: letters of struct, `s` a text, `z` a text with a NUL, `b`
# counted bytes; after the slash the form with flag 16 (format.md#mathematical-types, format.md#packed-arrays).
LAYOUTS = dict(entry.split("=") for entry in """
    Nil= Bool=I Int=i/q Float=f/d String=s StringName=s Rid=Q Callable= Signal=sQ Image=4Ib PackedByteArray=b
    Vector2=2f/2d Vector2i=2i Vector3=3f/3d Vector3i=3i Vector4=4f/4d Vector4i=4i Rect2=4f/4d Rect2i=4i Plane=4f/4d
    Quaternion=4f/4d Aabb=6f/6d Basis=9f/9d Transform2D=6f/6d Transform3D=12f/12d Projection=16f/16d Color=4f
    PackedInt32Array=i PackedInt64Array=q PackedFloat32Array=f PackedFloat64Array=d PackedStringArray=z""".split())
MATH = [kind for kind, layout in LAYOUTS.items() if layout[:1].isdigit() and kind != "Image"]
_ELEMENTS = {"Packed%sArray" % kind: kind for kind in MATH if kind[:6] == "Vector" or kind == "Color"}
LAYOUTS.update((kind, LAYOUTS[element]) for kind, element in _ELEMENTS.items())
PACKED = [kind for kind in LAYOUTS if kind[:6] == "Packed" and kind != "PackedByteArray"]

class _Named:  # printed as a constructor: Vector2(1.0, 2.0), PackedInt32Array([1, 2])
    def __repr__(self):
        return type(self).__name__ + ("%s" if isinstance(self, tuple) else "(%s)") % (super().__repr__(),)
class _Flat(_Named, tuple):  # the numbers in the order of the wire
    def __new__(cls, *numbers): return tuple.__new__(cls, numbers)
class TypedArray(_Named, list):  # an Array with a declared type in Godot 4; TypedArray in Pandemonium 5
    def __init__(self, type, elements=()):
        list.__init__(self, elements)
        self.type = type
class WideText(str):  # `points` has code points above 10FFFF, the str has U+FFFD for them
    def __new__(cls, text, points=None):
        self = str.__new__(cls, text)
        self.points = points or getattr(text, "points", None)
        return self
class Dictionary(dict):  # keys of type str and int are used directly; all others are in a Key
    key_type, value_type, ids = None, None, ()
    def pairs(self): return [(key.value if isinstance(key, Key) else key, value) for key, value in self.items()]

class DecodeError(ValueError):
    def __init__(self, error, offset, what):
        ValueError.__init__(self, "%s at byte %d: %s" % (error, offset, what))
        self.error, self.offset, self.what = error, offset, what
class EncodeError(ValueError): pass
class StringName(_Named, WideText): pass
class PackedTypedArray(TypedArray): pass

_CLASSES = {kind: type(kind, (_Flat,), {}) for kind in MATH}
_CLASSES.update((kind, type(kind, (_Named, list), {})) for kind in PACKED)
# `kind` is one of KINDS, or a number that the dialect lacks; `cls` is a class, or the path of a script.
ElementType = namedtuple("ElementType", "kind cls script", defaults=("", False))
NodePath = namedtuple("NodePath", "names subnames absolute property plain", defaults=((), (), False, False, None))
Object = namedtuple("Object", "cls properties", defaults=("", ()))  # properties are pairs; without a class it is null
EncodedObjectAsID, InputEvent = namedtuple("EncodedObjectAsID", "id"), namedtuple("InputEvent", "type device fields")
Rid, Callable, Key = namedtuple("Rid", "id", defaults=(0,)), namedtuple("Callable", ""), namedtuple("Key", "value")
Image, Signal = namedtuple("Image", "format mipmaps width height data"), namedtuple("Signal", "name object_id")
Key.__hash__, Key.__eq__, Key.__ne__ = object.__hash__, object.__eq__, object.__ne__
globals().update(_CLASSES)
_CLASSES.update(Nil=lambda: None, Bool=bool, Int=int, Float=float, String=lambda text: text, PackedByteArray=bytes,
                StringName=StringName, Rid=Rid, Callable=Callable, Signal=Signal, Image=Image)
_KIND_OF = {type(None): "Nil", bool: "Bool", int: "Int", float: "Float", str: "String", WideText: "String",
            bytes: "PackedByteArray", list: "Array", tuple: "Array", dict: "Dictionary", EncodedObjectAsID: "Object"}

def kind_of(value, dialect):
    kind = _KIND_OF.get(type(value), type(value).__name__)
    return "Array" if kind == "TypedArray" and dialect == "godot4" else kind

def _run(start, found=None):
    """Runs generators that yield for each value inside, so that nesting does not recurse."""
    stack, found = [], start(found, 0)
    while stack or isinstance(found, GeneratorType):
        if isinstance(found, GeneratorType): stack.append(found)
        try:
            found = start(stack[-1].send(None if found is stack[-1] else found), len(stack))
        except StopIteration as end:
            found, _ = end.value, stack.pop()
    return found
# format.md#float: f32 are read and written as words, because Python would make their NaNs quiet. The NaN of an f64 must
# become quiet: `* 1.0` does that.
def _cast(source, target, number): return struct.unpack("<" + target, struct.pack("<" + source, number))[0]
def widen(word):
    real = _cast("I", "f", word)
    return real if real == real else _cast("Q", "d", word >> 31 << 63 | 0x7FF << 52 | (word & 0x7FFFFF) << 29)
def narrow(real):
    if real != real:
        bits = _cast("d", "Q", real)
        return bits >> 63 << 31 | 0x7F800000 | (bits >> 29 & 0x7FFFFF or 0x400000)
    if abs(real) >= (2 - 2**-24) * 2.0**127: real *= float("inf")  # format.md#mathematical-types
    return _cast("f", "I", real)
def _narrowed(real): return widen(narrow(real * 1.0))

def _spelled(point):  # a code point as UTF-8 of up to 6 bytes
    if point < 0x110000: return chr(point).encode("utf-8", "surrogatepass")
    n = 4 + (point >= 0x200000) + (point >= 0x4000000)
    return bytes([0xFF00 >> n & 0xFF | point >> 6 * n - 6, *(0x80 | point >> 6 * k & 63 for k in range(n - 2, -1, -1))])

_TEXT = re.compile(rb"(?:\xef\xbb\xbf)?([^\0]*)")
_LENIENT = re.compile(  # format.md#text: a sequence of the lenient rule, of 1 to 6 bytes, or a byte that breaks it
    rb"[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?!\xe0\x80[\x80-\x8f])[\xe0-\xef][\x80-\xbf]{2}|"
    rb"(?!\xf0\x80[\x80-\x87])[\xf0-\xf7][\x80-\xbf]{3}|(?!\xf8\x80[\x80-\x83])[\xf8-\xfb][\x80-\xbf]{4}|"
    rb"(?!\xfc\x80[\x80\x81])[\xfc\xfd][\x80-\xbf]{5}|([\x80-\xff])")

def _alike(value):  # format.md#key-identity: equal results for leaves that are the same key
    if isinstance(value, str): return getattr(value, "points", None) or str(value)
    return tuple(map(_alike, value)) if isinstance(value, (tuple, list)) else value if value == value else "nan"

class _Codec:
    def __init__(self, dialect, objects, double, depth, data=b"", has=None, is_a=None):
        self.dialect, self.kinds, self.ids, self.objects = dialect, KINDS[dialect], IDS[dialect], objects
        self.double, self.depth = double, float("inf") if depth is None else depth
        self.godot2, self.godot4, self.lenient = dialect == "godot2", dialect == "godot4", "3" in dialect
        self.data, self.at, self.has, self.is_a, self.forms, self.out = bytes(data), 0, has, is_a, {}, []

    def parts(self, kind, wide):
        layout = "" if kind == "Rid" and not self.godot4 else LAYOUTS[kind].split("/")[-1 if wide else 0]
        return [(int(number or 1), letter) for number, letter in re.findall(r"(\d*)(\w)", layout)]

class _Reader(_Codec):
    def need(self, condition, what, offset, error="ERR_INVALID_DATA"):
        if not condition: raise DecodeError(error, offset, what)
    def take(self, form):
        size = struct.calcsize("<" + form)
        self.need(size <= len(self.data) - self.at, "%d bytes needed" % size, self.at)
        self.at += size
        return struct.unpack_from("<" + form, self.data, self.at - size)
    def word(self, form="I"): return self.take(form)[0]

    def value(self, _, depth):  # a value, or a generator if it holds values
        start = self.at
        self.need(depth <= self.depth, "nested too deep", start, "ERR_OUT_OF_MEMORY")  # format.md#limits
        header = self.word()  # format.md#header
        number = header if self.godot2 else header & 0xFF
        self.need(number < len(self.kinds), "unknown type %d" % number, start)
        kind = self.kinds[number]
        return getattr(self, "read_" + kind.lower(), self.read_fields)(kind, header >> 16)

    def read_fields(self, kind, flags):  # format.md#double-precision, format.md#packed-arrays
        wide, found, count, start = bool(flags & 1) and (self.godot4 or kind in ("Int", "Float")), [], 1, self.at
        if kind in PACKED:
            count = self.word("i")
            self.need(count >= 0 or kind == "PackedStringArray", "count %d" % count, start)
        for number, letter in self.parts(kind, wide):
            if letter == "b":  # padding may be missing: up to 3 bytes are after the end
                size, start = self.word("i"), self.at
                self.need(size >= 0, "count %d" % size, start - 4)
                found += self.take("%ds" % size)
                self.at += -size % 4
            elif letter in "sz":
                found += (self.text(self.godot2) for _ in range(count))
            else:
                numbers = self.take("%d%s" % (count * number, letter.replace("f", "I")))
                found += map(widen, numbers) if letter == "f" else numbers
        if "f/" in LAYOUTS[kind] and (kind == "Float" or self.double) not in (None, wide): found = map(_narrowed, found)
        if kind in _ELEMENTS: found = map(_CLASSES[_ELEMENTS[kind]], *[iter(found)] * number)
        return _CLASSES[kind](found) if kind in PACKED else _CLASSES[kind](*found)

    def read_inputevent(self, *_):  # format.md#inputevent
        event, device, total = self.take("3I")
        form = {1: "2I", 3: "I", 4: "I" if total == 16 else "If", 5: "I", 6: "I"}.get(event, "")
        return InputEvent(event, device, self.take(form))

    def text(self, lax=False, unit=4):  # format.md#text
        word, length = self.at, self.word("i")
        start, left, pad = self.at, len(self.data) - self.at, -length % unit
        self.need(length >= 0 and length + pad < 1 << 31, "length %d" % length, word, "ERR_FILE_EOF")
        self.need(length <= left, "text cut short", start, "ERR_FILE_EOF")
        self.need(length + pad <= left or lax, "padding cut short", start + length, "ERR_FILE_EOF")
        self.at = min(start + length + pad, len(self.data))
        found = _TEXT.match(self.data, start, start + length)
        raw, start, points = found[1], found.start(1), []
        try:
            return raw.decode("utf-8", "surrogateescape" if self.godot2 else "strict")
        except UnicodeDecodeError as error:
            self.need(self.lenient, "text is not UTF-8", start + error.start)
        for found in _LENIENT.finditer(raw):
            self.need(not found[1], "text breaks the lenient rule", start + found.start())
            lead, *tail = found[0]
            points.append(lead & (0x7F >> len(found[0]) if tail else 0x7F))
            for byte in tail: points[-1] = points[-1] << 6 | byte & 0x3F
        text = "".join(chr(point) if point < 0x110000 else "\ufffd" for point in points)
        return WideText(text, tuple(points)) if max(points) > 0x10FFFF else text

    def read_nodepath(self, *_):  # format.md#nodepath
        start, old = self.at, not self.word() >> 31
        self.need(self.godot2 or not old, "old form of a path", start)
        self.at = start
        if old: return NodePath(plain=self.text(unit=1))
        names, subnames, flags = self.take("3I")
        names &= 0x7FFFFFFF
        texts = [self.text() for _ in range(names + subnames + (flags >> 1 & 1) & 0xFFFFFFFF)]
        absolute = bool(flags & 1 and (texts or self.godot4))
        return NodePath(tuple(texts[:names]), tuple(texts[names:]), absolute, self.godot2 and bool(flags & 2))

    def read_object(self, _, flags):  # format.md#object
        if self.godot2: return Object()
        if flags & 1: return EncodedObjectAsID(number) if (number := self.word("Q")) else Object()
        self.need(self.objects, "objects are not allowed", self.at, "ERR_UNAUTHORIZED")
        start, name, pairs = self.at, self.text(), []
        error = "ERR_INVALID_DATA" if self.godot4 else "ERR_UNAVAILABLE"
        self.need(not name or self.has(name), "class " + name, start, error)
        for _ in range(self.word("i") if name else 0):
            start, key, inner = self.at, self.text(), (yield)
            self.need(not self.godot4 or key != "script" or inner is None or self.has(inner), "script", start)
            pairs.append((key, inner))
        return Object(name, tuple(pairs))

    def declared(self, flags):  # format.md#typed-containers
        start, form = self.at, flags & 3 if self.godot4 else 0
        number = self.ids["Object"] if form > 1 else self.word() if form else 0
        self.need(number < len(self.kinds), "unknown type %d" % number, start)
        name = self.text() if form > 1 else ""
        self.need(form < 3 or not self.objects or self.has(name), "script " + name, start)
        if self.kinds[number] == "Object" and not self.objects: return ElementType("Object", "EncodedObjectAsID")
        return ElementType(self.kinds[number], name, form == 3) if number else None

    def admit(self, wanted, value):  # a list of the value as converted for the wanted type; empty if it is dropped
        kind = kind_of(value, self.dialect)
        if wanted and kind == "Object" == wanted.kind:
            own = getattr(value, "cls", "EncodedObjectAsID")
            return [value] if not own or self.godot4 and not wanted.cls or self.is_a(own, wanted.cls) else []
        if not wanted or kind == wanted.kind or kind == "Nil" and wanted.kind == "Object": return [value]
        if self.godot4 and (kind, wanted.kind) == ("Int", "Float"):  # rounds once: lost low bits set bit 11
            return [_narrowed((value >> 11 | (value & 0x7FF != 0)) << 11 if abs(value) >> 53 else value)]
        are_texts = self.godot4 and {kind, wanted.kind} == {"String", "StringName"}
        return [StringName(value) if kind == "String" else str(value)] if are_texts else []

    def read_array(self, kind, flags):  # format.md#array, format.md#typedarray
        if kind == "Array":
            wanted = self.declared(flags)
        else:
            number = self.take("2I")[0] & 0x7FFFFFFF
            self.at -= 4
            wanted = ElementType(self.kinds[number] if number < len(self.kinds) else number)
            if wanted.kind == "Object":
                start, name = self.at, StringName("EncodedObjectAsID") if flags & 1 else (yield)
                self.need(type(name) is StringName, "no StringName as a class", start)
                wanted = ElementType("Object", name)
        out = PackedTypedArray(wanted) if kind == "PackedTypedArray" else TypedArray(wanted) if wanted else []
        for _ in range(self.word() & 0x7FFFFFFF):
            found = self.admit(wanted, (yield))
            out += map(_narrowed, found) if kind == "PackedTypedArray" and wanted.kind == "Float" else found
        return out
    read_typedarray = read_packedtypedarray = read_array

    def read_dictionary(self, _, flags):  # format.md#dictionary
        out, places = Dictionary(), {}
        out.key_type, out.value_type = self.declared(flags), self.declared(flags >> 2)
        for _ in range(self.word() & 0x7FFFFFFF):
            found, value = self.admit(out.key_type, (yield)), (yield)
            for key in found:
                form = _run(lambda inner, depth: self.form(inner, depth == 0), key)
                out[places.setdefault(form, key if type(key) in (str, int) else Key(key))] = value
        out.ids = tuple(places)
        return out

    def form(self, value, is_key):  # format.md#key-identity: a number for equal values; an object if it equals none
        kind = kind_of(value, self.dialect)
        if (kind in ("Image", "InputEvent") or kind == "Dictionary" and not self.godot4
                or kind == "Object" and value != Object()
                or kind == "Float" and value != value and self.godot4 and not is_key
                or kind == "PackedFloat32Array" and self.lenient and any(real != real for real in value)):
            return object()
        if kind in ("Array", "TypedArray", "PackedTypedArray", "Dictionary"):
            alike = list(getattr(value, "ids", (None if self.godot4 else getattr(value, "type", None),)))
            for inner in value.values() if kind == "Dictionary" else value: alike.append((yield inner))
            alike = tuple(alike)
        else:
            alike = tuple(map(narrow, value)) if kind == "PackedFloat32Array" and self.lenient else _alike(value)
        kind = "String" if kind == "StringName" and self.godot4 and is_key else kind
        return self.forms.setdefault((kind, alike), len(self.forms))

class _Writer(_Codec):  # writing.md#normal-form
    def put(self, form, *numbers):
        try:
            self.out.append(struct.pack("<" + form, *numbers))
        except struct.error as error:
            raise EncodeError(str(error))
    def raw(self, raw): self.put("I%ds%dx" % (len(raw), -len(raw) % 4), len(raw), raw)

    def value(self, value, depth):
        kind = kind_of(value, self.dialect)
        if kind == "Object" and value == Object(): kind = "Nil"  # format.md#object
        if depth > self.depth or kind not in self.ids:
            raise EncodeError("ERR_OUT_OF_MEMORY" if depth > self.depth else "%s has no %s" % (self.dialect, kind))
        return getattr(self, "write_" + kind.lower(), self.write_fields)(self.ids[kind], kind, value)

    def write_fields(self, head, kind, value):
        wide, count = self.double and self.godot4 and "f/" in LAYOUTS[kind], 1
        if kind in ("Int", "Float") and not self.godot2:
            wide = not -1 << 31 <= value < 1 << 31 if kind == "Int" else widen(narrow(value)) != value
        self.put("I", head | wide << 16)
        values = value if isinstance(value, tuple) else [value]
        if kind in PACKED:
            self.put("I", count := len(value))
            values = [number for element in value for number in element] if kind in _ELEMENTS else value
        for number, letter in self.parts(kind, wide):
            part, values = values[:count * number], values[count * number:]
            if letter == "b":
                self.raw(*part)
            elif letter in "sz":
                for text in part: self.text(text, b"\0" if letter == "z" else b"")
            else:
                form = "%d%s" % (count * number, letter.replace("f", "I"))
                self.put(form, *(map(narrow, part) if letter == "f" else part))

    def write_inputevent(self, head, _, value):  # format.md#inputevent
        form = "4I" + "".join("f" if type(field) is float else "I" for field in value.fields)
        self.put(form, head, value.type, value.device, 12 + 4 * len(value.fields), *value.fields)

    def write_nodepath(self, head, _, value):  # format.md#nodepath
        names, subnames, absolute, is_property, plain = value
        if plain is not None:  # the old form, whose padding is not counted
            raw = plain.encode("utf-8", "surrogateescape")
            return self.put("2I%ds" % len(raw), head, len(raw), raw)
        self.put("4I", head, 1 << 31 | len(names), len(subnames) - is_property, absolute | is_property << 1)
        for text in names + subnames: self.text(text)

    def text(self, text, nul=b""):  # format.md#text
        if self.godot2: return self.raw(text.encode("utf-8", "surrogateescape") + nul)
        points = []
        for point in getattr(text, "points", None) or map(ord, text):
            if self.dialect == "pandemonium3" and point >> 10 == 0x37 and points and points[-1] >> 10 == 0x36:
                point = 0x10000 + (points.pop() - 0xD800 << 10) + point - 0xDC00
            points.append(point)
        other = {"godot4": 0xFFFD, "pandemonium3": 0x20}.get(self.dialect)
        points = [other if other and p >> 11 == 0x1B or self.godot4 and p > 0x10FFFF else p for p in points]
        self.raw(b"".join(map(_spelled, points)) + nul)

    def write_object(self, head, _, value):  # format.md#object
        if self.godot2 or isinstance(value, EncodedObjectAsID):
            return self.put("I", head) if self.godot2 else self.put("IQ", head | 1 << 16, value.id)
        if not self.objects: raise EncodeError("an object in full, which is not allowed")
        self.put("I", head)
        self.text(value.cls)
        self.put("I", len(value.properties))
        for name, inner in value.properties:
            self.text(name)
            yield inner

    def write_array(self, head, kind, value):  # format.md#typed-containers
        types = [getattr(value, t, None) for t in (("key_type", "value_type") if kind == "Dictionary" else ("type",))]
        if kind in ("Array", "Dictionary"):
            forms = [0 if t is None else 1 if not t.cls else 3 if t.script and self.objects else 2 for t in types]
            self.put("I", head | sum(form << 16 + 2 * at for at, form in enumerate(forms)))
            for wanted, form in zip(types, forms):
                if form == 1: self.put("I", self.ids[wanted.kind])
                if form > 1: self.text(wanted.cls if self.objects else "EncodedObjectAsID")
        else:
            number, of_objects = self.ids.get(types[0].kind, types[0].kind), types[0].kind == "Object"
            self.put("2I", head | (of_objects and not self.objects) << 16, number)
            if of_objects and self.objects: yield StringName(types[0].cls)
        self.put("I", len(value))
        for inner in value:
            yield inner.value if isinstance(inner, Key) else inner
            if kind == "Dictionary": yield value[inner]
    write_dictionary = write_typedarray = write_packedtypedarray = write_array

def decode_prefix(data, dialect, objects=False, double=None, depth=1024,
                  has=lambda name: True, is_a=lambda own, wanted: own == wanted):
    """The first value and the number of bytes consumed: up to 3 more than the input has (format.md#packedbytearray).
    `double` says whether the reading build of Godot 4 has reals of 8 bytes: False narrows them, None keeps both widths.
    `has` returns whether an engine has a class or script, `is_a` whether a class derives from another."""
    reader = _Reader(dialect, objects, double, depth, data, has, is_a)
    return _run(reader.value), reader.at

def decode(data, dialect, **options):
    """The first value. Bytes after it are ignored, as by engines; decode_prefix returns their offset."""
    return decode_prefix(data, dialect, **options)[0]
def encode(value, dialect, double=False, objects=False, depth=1024):
    writer = _Writer(dialect, objects, double, depth)
    _run(writer.value, value)
    return b"".join(writer.out)
if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS: sys.exit(__doc__)
    sys.setrecursionlimit(10000)
    with open(sys.argv[2], "rb") as _file:
        print(decode(_file.read(), sys.argv[1], objects=True))
