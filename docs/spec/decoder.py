#!/usr/bin/env python3
"""Decoder and encoder of binary Variants of Godot 2 to 4 and Pandemonium 3 to 5, with the standard library alone.

    from decoder import Vector2, encode
    with open("save.variant", "wb") as file:
        file.write(encode({"name": "Ada", "level": 3, "bag": ["rope", 1.5, Vector2(1, 2)]}, "godot4"))

decode(data, dialect) gives the value; decode_prefix also the number of bytes taken. `python3 decoder.py DIALECT FILE`
prints the value of a file. This is the executable companion of format.md; comments name its sections. CC0-1.0.
"""
import re
import struct
import sys
from collections import namedtuple
from types import GeneratorType

# format.md#type-ids: the kinds in the order of their ids; behind the bracket, packed arrays by their middle names.
_SPACE, _V3 = "Plane Quaternion Aabb Basis Transform3D ", "Vector2 Vector2i Vector3 Vector3i "
_OLD = "Vector2 Rect2 Vector3 Transform2D " + _SPACE + "Color "
_NEW = "Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D "
_PANDEMONIUM = ("Rect2 Rect2i " + _V3 + "Vector4 Vector4i " + _SPACE + "Transform2D Projection Color NodePath Rid "
                "Object StringName Dictionary Array ")
_PACKED = "[Byte Int32 Float32 String "
KINDS = {
    "godot2": _OLD + "Image NodePath Rid Object InputEvent Dictionary Array " + _PACKED + "Vector2 Vector3 Color",
    "godot3": _OLD + "NodePath Rid Object Dictionary Array " + _PACKED + "Vector2 Vector3 Color",
    "godot4": _NEW + "Vector4 Vector4i " + _SPACE + "Projection Color StringName NodePath Rid Object Callable Signal "
    "Dictionary Array [Byte Int32 Int64 Float32 Float64 String Vector2 Vector3 Color Vector4",
    "pandemonium3": _NEW + _SPACE + "Color NodePath Rid Object StringName Dictionary Array " + _PACKED + _V3 + "Color",
    "pandemonium4": _PANDEMONIUM + _PACKED + _V3 + "Vector4 Vector4i Color",
    "pandemonium5": _PANDEMONIUM + "TypedArray PackedTypedArray " + _PACKED + _V3 + "Vector4 Vector4i Color",
}
for _dialect, _names in KINDS.items():
    _plain, _packs = _names.split("[")
    KINDS[_dialect] = ("Nil Bool Int Float String " + _plain).split() + ["Packed%sArray" % n for n in _packs.split()]
IDS = {dialect: {kind: at for at, kind in enumerate(kinds)} for dialect, kinds in KINDS.items()}

# format.md#mathematical-types: the letter of a number, "r" for a real of the build, and how many there are.
FLAT = {"Vector2": "r2", "Vector2i": "i2", "Vector3": "r3", "Vector3i": "i3", "Vector4": "r4", "Vector4i": "i4",
        "Rect2": "r4", "Rect2i": "i4", "Plane": "r4", "Quaternion": "r4", "Aabb": "r6", "Basis": "r9",
        "Transform2D": "r6", "Transform3D": "r12", "Projection": "r16", "Color": "f4"}
# format.md#packed-arrays: the same of an element.
PACKED = {"PackedInt32Array": "i1", "PackedInt64Array": "q1", "PackedFloat32Array": "f1", "PackedFloat64Array": "d1"}
PACKED.update({"Packed%sArray" % k: FLAT[k] for k in FLAT if k.startswith("Vector") or k == "Color"})

class _Flat(tuple):  # Vector2(1.0, 2.0): the numbers in the order of the wire
    def __new__(cls, *numbers): return tuple.__new__(cls, numbers)
    def __repr__(self): return type(self).__name__ + tuple.__repr__(self)

class _List(list):  # PackedInt32Array([1, 2])
    def __repr__(self): return "%s(%s)" % (type(self).__name__, list.__repr__(self))

class TypedArray(_List):  # an Array with a declared type in Godot 4; TypedArray in Pandemonium 5
    def __init__(self, type, elements=()):
        list.__init__(self, elements)
        self.type = type

class PackedTypedArray(TypedArray): pass

class WideText(str):  # code points above 10FFFF are in `points`, and U+FFFD in the str
    def __new__(cls, text):
        is_text = isinstance(text, str)
        self = str.__new__(cls, text if is_text else "".join(chr(p) if p < 0x110000 else "\ufffd" for p in text))
        self.points = getattr(text, "points", None) if is_text else tuple(text)
        return self

class StringName(WideText):
    def __repr__(self): return "StringName(%s)" % str.__repr__(self)

class Dictionary(dict):  # keys of type str and int are themselves; all others are in a Key
    key_type, value_type, ids = None, None, ()
    def pairs(self): return [(key.value if isinstance(key, Key) else key, value) for key, value in self.items()]

class DecodeError(ValueError):
    def __init__(self, error, offset, what):
        ValueError.__init__(self, "%s at byte %d: %s" % (error, offset, what))
        self.error, self.offset, self.what = error, offset, what

class EncodeError(ValueError): pass

_CLASSES = {kind: type(kind, (_Flat,), {}) for kind in FLAT}
_CLASSES.update({kind: type(kind, (_List,), {}) for kind in list(PACKED) + ["PackedStringArray"]})
globals().update(_CLASSES)
# `kind` is one of KINDS, or a number that the dialect lacks; `cls` is a class, or the path of a script.
ElementType = namedtuple("ElementType", "kind cls script", defaults=("", False))
NodePath = namedtuple("NodePath", "names subnames absolute property plain", defaults=((), (), False, False, None))
Object = namedtuple("Object", "cls properties", defaults=("", ()))  # properties are pairs; without a class it is null
Image = namedtuple("Image", "format mipmaps width height data")
InputEvent, Signal = namedtuple("InputEvent", "type device fields"), namedtuple("Signal", "name object_id")
Rid, EncodedObjectAsID = namedtuple("Rid", "id", defaults=(0,)), namedtuple("EncodedObjectAsID", "id")
Callable, Key = namedtuple("Callable", ""), namedtuple("Key", "value")
Key.__hash__, Key.__eq__, Key.__ne__ = object.__hash__, object.__eq__, object.__ne__
_KIND_OF = {type(None): "Nil", bool: "Bool", int: "Int", float: "Float", str: "String", WideText: "String",
            bytes: "PackedByteArray", list: "Array", tuple: "Array", dict: "Dictionary", EncodedObjectAsID: "Object"}
_CONTAINERS = ("Array", "TypedArray", "PackedTypedArray", "Dictionary")

def kind_of(value, dialect):
    kind = _KIND_OF.get(type(value), type(value).__name__)
    return "Array" if kind == "TypedArray" and dialect == "godot4" else kind

def _run(start):
    """Runs generators that yield for each value inside, so that nesting takes no stack."""
    stack, item = [], start(None, 0)
    while True:
        if isinstance(item, GeneratorType):
            stack.append(item)
            item = None
        elif not stack:
            return item
        try:
            item = start(stack[-1].send(item), len(stack))
        except StopIteration as end:
            stack.pop()
            item = end.value

# format.md#float. Python quiets the NaNs of 4 bytes, so they are widened and narrowed as bits.
def _bits(real): return struct.unpack("<Q", struct.pack("<d", real))[0]
def _real(bits): return struct.unpack("<d", struct.pack("<Q", bits))[0]
def _quiet(real): return real if real == real else _real(_bits(real) | 1 << 51)

def f32_bytes(real):
    if real != real:
        return struct.pack("<I", _bits(real) >> 63 << 31 | 0x7F800000 | (_bits(real) >> 29 & 0x7FFFFF or 0x400000))
    try:
        return struct.pack("<f", real)
    except OverflowError:  # format.md#mathematical-types
        return struct.pack("<f", real * float("inf"))

def _from_f32(raw):
    found = struct.unpack("<%df" % (len(raw) // 4), raw)
    if sum(found) == sum(found): return found
    words = struct.unpack("<%dI" % len(found), raw)  # there may be NaNs
    wide = lambda word: _real(word >> 31 << 63 | 0x7FF << 52 | (word & 0x7FFFFF) << 29)
    return tuple(real if real == real else wide(word) for real, word in zip(found, words))

def _narrowed(real): return _from_f32(f32_bytes(_quiet(real)))[0]

def _int_as_f32(number):  # format.md#typed-containers: in one step
    shift = max(abs(number).bit_length() - 24, 0)
    whole, rest, half = abs(number) >> shift, abs(number) & (1 << shift) - 1, 1 << shift >> 1
    whole += rest > half or rest == half > 0 and whole & 1
    return float(whole << shift) * (-1 if number < 0 else 1)

def _spelled(point):  # a code point as UTF-8 of up to 6 bytes
    if point < 0x80: return bytes([point])
    n = 2 + sum(point >= limit for limit in (0x800, 0x10000, 0x200000, 0x4000000))
    tail = [0x80 | point >> 6 * at & 0x3F for at in range(n - 2, -1, -1)]
    return bytes([0xFF00 >> n & 0xFF | point >> 6 * (n - 1)] + tail)

def _alike(value):  # format.md#key-identity: equal for leaves that are one key
    if isinstance(value, (tuple, list)): return tuple(map(_alike, value))
    if isinstance(value, str): return getattr(value, "points", None) or str(value)
    return value if value == value else "nan"

_LENIENT = re.compile(  # format.md#text: a sequence of the lenient rule, of 1 to 6 bytes
    rb"[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?!\xe0\x80[\x80-\x8f])[\xe0-\xef][\x80-\xbf]{2}|"
    rb"(?!\xf0\x80[\x80-\x87])[\xf0-\xf7][\x80-\xbf]{3}|(?!\xf8\x80[\x80-\x83])[\xf8-\xfb][\x80-\xbf]{4}|"
    rb"(?!\xfc\x80[\x80\x81])[\xfc\xfd][\x80-\xbf]{5}")

class _Reader:
    def __init__(self, data, dialect, objects, double, depth, has, is_a):
        self.data, self.at, self.dialect, self.kinds = bytes(data), 0, dialect, KINDS[dialect]
        self.objects, self.double, self.has, self.is_a = objects, double, has, is_a
        self.depth = float("inf") if depth is None else depth
        self.godot2, self.godot4, self.forms = dialect == "godot2", dialect == "godot4", {}
        self.lenient = dialect in ("godot3", "pandemonium3")

    def fail(self, what, offset, error="ERR_INVALID_DATA"):
        raise DecodeError(error, offset, what)

    def take(self, form, what):
        size = struct.calcsize("<" + form)
        if len(self.data) - self.at < size: self.fail("incomplete " + what, self.at)
        self.at += size
        return struct.unpack_from("<" + form, self.data, self.at - size)

    def word(self, what, form="I"): return self.take(form, what)[0]

    def value(self, role, depth):
        """A value, or a generator if it holds values."""
        start = self.at
        if depth > self.depth: self.fail("nested too deep", start, "ERR_OUT_OF_MEMORY")  # format.md#limits
        header = self.word("header")  # format.md#header
        number = header if self.godot2 else header & 0xFF
        if number >= len(self.kinds): self.fail("unknown type %d" % number, start)
        kind, flags = self.kinds[number], header >> 16
        if role == "class" and kind != "StringName": self.fail("%s in the place of a class" % kind, start)
        if kind in FLAT: return _CLASSES[kind](*self.numbers(FLAT[kind], 1, flags))
        if kind in PACKED: return self.packed(kind, flags)
        if kind in _CONTAINERS: return self.dictionary(flags) if kind == "Dictionary" else self.array(kind, flags)
        return _LEAVES[kind][0](self, flags)

    def event(self, event, device, total):
        form = {1: "2I", 3: "I", 4: "I" if total == 16 else "If", 5: "I", 6: "I"}.get(event, "")
        return InputEvent(event, device, self.take(form, "event"))

    def numbers(self, layout, count, flags):  # format.md#double-precision
        letter, real = layout[0], layout[0] == "r"
        if real: letter = "d" if self.godot4 and flags & 1 else "f"
        found = self.take("%d%s" % (count * int(layout[1:]), letter), "payload")
        if letter == "f":
            found = _from_f32(self.data[self.at - 4 * len(found):self.at])
            return tuple(map(_quiet, found)) if real and self.double else found
        return tuple(map(_narrowed, found)) if real and letter == "d" and self.double is False else found

    def packed(self, kind, flags):  # format.md#packed-arrays
        word, layout = self.at, PACKED[kind]
        count, width = self.word("count", "i"), int(layout[1:])
        wide = layout[0] in "qd" or layout[0] == "r" and self.godot4 and flags & 1
        if count < 0 or count * width * (8 if wide else 4) >= 1 << 31: self.fail("count %d" % count, word)
        numbers = self.numbers(layout, count, flags)
        if kind[6:-5] not in FLAT: return _CLASSES[kind](numbers)
        return _CLASSES[kind](_CLASSES[kind[6:-5]](*fields) for fields in zip(*[iter(numbers)] * width))

    def bytes(self):  # format.md#packedbytearray
        word, count = self.at, self.word("count", "i")
        if not 0 <= count <= len(self.data) - self.at: self.fail("count %d" % count, word if count < 0 else self.at)
        self.at += count + -count % 4  # up to 3 bytes behind the end
        return self.data[word + 4:word + 4 + count]

    def text(self, padding=True, skip=True):  # format.md#text
        word, length = self.at, self.word("length", "i")
        start, left, pad = self.at, len(self.data) - self.at, -length % 4
        if length < 0 or length + pad >= 1 << 31: self.fail("length %d" % length, word, "ERR_FILE_EOF")
        if length > left or padding and length + pad > left:
            self.fail("text cut short", start + (length if length <= left else 0), "ERR_FILE_EOF")
        self.at = min(start + length + pad * skip, len(self.data))
        raw = self.data[start:start + length]
        bom = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
        raw, start = raw[bom:].split(b"\0", 1)[0], start + bom
        try:
            return raw.decode("utf-8", "surrogateescape" if self.godot2 else "strict")
        except UnicodeDecodeError as error:
            if not self.lenient: self.fail("text is not UTF-8", start + error.start)
        return self.lenient_text(raw, start)

    def lenient_text(self, raw, start):
        points, at = [], 0
        while at < len(raw):
            found = _LENIENT.match(raw, at)
            if not found: self.fail("text breaks the lenient rule", start + at)
            lead, *tail = found[0]
            point = lead & (0x7F >> len(found[0]) if tail else 0x7F)
            for byte in tail: point = point << 6 | byte & 0x3F
            points.append(point)
            at = found.end()
        return WideText(points) if max(points) > 0x10FFFF else "".join(map(chr, points))

    def path(self):  # format.md#nodepath
        start = self.at
        if not self.word("path") >> 31:
            if not self.godot2: self.fail("old form of a path", start)
            self.at = start
            return NodePath(plain=self.text(padding=False, skip=False))
        self.at = start
        names, subnames, flags = self.take("3I", "path")
        names, texts = names & 0x7FFFFFFF, []
        while len(texts) < (names + subnames + (flags >> 1 & 1) & 0xFFFFFFFF): texts.append(self.text())
        absolute = bool(flags & 1 and (texts or self.godot4))
        return NodePath(tuple(texts[:names]), tuple(texts[names:]), absolute, self.godot2 and bool(flags & 2))

    def object(self, flags):  # format.md#object
        if self.godot2: return Object()
        if flags & 1: return EncodedObjectAsID(number) if (number := self.word("id", "Q")) else Object()
        if not self.objects: self.fail("objects are not allowed", self.at, "ERR_UNAUTHORIZED")
        start, name = self.at, self.text()
        if name and not self.has(name):
            self.fail("class " + name, start, "ERR_INVALID_DATA" if self.godot4 else "ERR_UNAVAILABLE")
        pairs = []
        for _ in range(self.word("count", "i") if name else 0):
            start = self.at
            pairs.append((self.text(), (yield)))
            if self.godot4 and pairs[-1][0] == "script" and pairs[-1][1] is not None and not self.has(pairs[-1][1]):
                self.fail("script", start)
        return Object(name, tuple(pairs))

    def declared(self, flags):  # format.md#typed-containers
        start, form = self.at, flags & 3 if self.godot4 else 0
        if form == 0: return None
        if form == 1:
            number = self.word("type")
            if number >= len(self.kinds): self.fail("unknown type %d" % number, start)
            found = ElementType(self.kinds[number])
        else:
            found = ElementType("Object", self.text(), form == 3)
            if form == 3 and self.objects and not self.has(found.cls): self.fail("script " + found.cls, start)
        if found.kind == "Object" and not self.objects: return ElementType("Object", "EncodedObjectAsID")
        return None if found.kind == "Nil" else found

    def admit(self, wanted, value):
        """The value as a container of the wanted type takes it, in a list; nothing if it is dropped."""
        if wanted is None: return [value]
        kind = kind_of(value, self.dialect)
        if kind == "Object" == wanted.kind:
            own = getattr(value, "cls", "EncodedObjectAsID")
            anything = not own or self.godot4 and not wanted.cls
            return [value] if anything or self.is_a(own, wanted.cls) else []
        if kind == wanted.kind or kind == "Nil" and wanted.kind == "Object": return [value]
        if self.godot4 and (kind, wanted.kind) == ("Int", "Float"): return [_int_as_f32(value)]
        if self.godot4 and {kind, wanted.kind} == {"String", "StringName"}:
            return [StringName(value) if kind == "String" else str(value)]
        return []

    def array(self, kind, flags):  # format.md#array, format.md#typedarray
        if kind == "Array":
            wanted = self.declared(flags)
            out = [] if wanted is None else TypedArray(wanted)
        else:
            number = self.take("2I", "type and count")[0] & 0x7FFFFFFF
            self.at -= 4
            wanted = ElementType(self.kinds[number] if number < len(self.kinds) else number)
            if wanted.kind == "Object":
                wanted = ElementType("Object", "EncodedObjectAsID" if flags & 1 else (yield "class"))
            out = (TypedArray if kind == "TypedArray" else PackedTypedArray)(wanted)
        for _ in range(self.word("count") & 0x7FFFFFFF):
            found = self.admit(wanted, (yield))
            out += map(_narrowed, found) if kind == "PackedTypedArray" and wanted.kind == "Float" else found
        return out

    def dictionary(self, flags):  # format.md#dictionary
        out, places = Dictionary(), {}
        out.key_type, out.value_type = self.declared(flags), self.declared(flags >> 2)
        for _ in range(self.word("count") & 0x7FFFFFFF):
            found, value = self.admit(out.key_type, (yield)), (yield)
            for key in found:
                form = _run(lambda inner, depth: self.form(inner if depth else key, depth == 0))
                out[places.setdefault(form, key if type(key) in (str, int) else Key(key))] = value
        out.ids = tuple(places)
        return out

    def form(self, value, is_key):
        """format.md#key-identity: the same number for the same values; an object for one that equals none."""
        kind, old = kind_of(value, self.dialect), self.lenient
        if (kind in ("Image", "InputEvent") or kind == "Dictionary" and not self.godot4
                or kind == "Object" and value != Object()
                or kind == "Float" and value != value and self.godot4 and not is_key
                or kind == "PackedFloat32Array" and old and any(f != f for f in value)):
            return object()
        if kind == "StringName" and self.godot4 and is_key: kind = "String"
        if kind in _CONTAINERS:
            alike = list(value.ids) if kind == "Dictionary" else [None if self.godot4 else getattr(value, "type", None)]
            for inner in value.values() if kind == "Dictionary" else value: alike.append((yield inner))
            alike = tuple(alike)
        elif kind == "PackedFloat32Array" and old:
            alike = struct.pack("<%df" % len(value), *value)
        else:
            alike = _alike(value)
        return self.forms.setdefault((kind, alike), len(self.forms))

class _Writer:  # writing.md#normal-form
    def __init__(self, dialect, double, objects, depth):
        self.dialect, self.ids, self.out, self.objects = dialect, IDS[dialect], [], objects
        self.godot2, self.godot4, self.wide = dialect == "godot2", dialect == "godot4", double and dialect == "godot4"
        self.depth = float("inf") if depth is None else depth

    def put(self, form, *numbers): self.out.append(struct.pack("<" + form, *numbers))
    def raw(self, raw): self.put("I%ds%dx" % (len(raw), -len(raw) % 4), len(raw), raw)

    def value(self, value, depth):
        kind = kind_of(value, self.dialect)
        if kind == "Object" and value == Object(): kind = "Nil"  # format.md#object
        if depth > self.depth or kind not in self.ids:
            raise EncodeError("ERR_OUT_OF_MEMORY" if depth > self.depth else "%s has no %s" % (self.dialect, kind))
        head = self.ids[kind]
        if kind in _CONTAINERS:
            return self.dictionary(head, value) if kind == "Dictionary" else self.array(head, kind, value)
        if kind == "Object" and type(value) is Object: return self.object(head, value)
        if kind in FLAT or kind in PACKED: return self.numbers(head, kind, value)
        if kind == "Int":
            wide = not -1 << 31 <= value < 1 << 31
            if not -1 << 63 <= value < 1 << 63 or self.godot2 and wide: raise EncodeError("%d does not fit" % value)
            return self.put("Iq" if wide else "Ii", head | wide << 16, value)
        if kind == "Float" and not self.godot2 and struct.unpack("<f", f32_bytes(value))[0] != value:
            return self.put("Id", head | 1 << 16, value)
        if kind == "Object": return self.put("IQ", head | 1 << 16, value.id)
        self.put("I", head)
        return _LEAVES[kind][1](self, value)

    def path(self, names, subnames, absolute, is_property, plain):  # format.md#nodepath
        if plain is not None:  # the old form, whose padding is not counted
            raw = plain.encode("utf-8", "surrogateescape")
            return self.put("I%ds" % len(raw), len(raw), raw)
        self.put("3I", 1 << 31 | len(names), len(subnames) - is_property, absolute | is_property << 1)
        for text in names + subnames: self.text(text)

    def numbers(self, head, kind, value):
        layout = FLAT.get(kind) or PACKED[kind]
        wide, count = layout[0] == "r" and self.wide, len(value) * (int(layout[1:]) if kind in PACKED else 1)
        self.put("I", head | wide << 16)
        if kind in PACKED:
            self.put("I", len(value))
            value = value if kind[6:-5] not in FLAT else [number for element in value for number in element]
        if layout[0] in "rf" and not wide:
            self.out += map(f32_bytes, value)
        else:
            self.put("%d%s" % (count, layout[0].replace("r", "d")), *value)

    def text(self, text, nul=b""):  # format.md#text
        if self.godot2: return self.raw(text.encode("utf-8", "surrogateescape") + nul)
        points = []
        for point in getattr(text, "points", None) or map(ord, text):
            if self.dialect == "pandemonium3" and point >> 10 == 0x37 and points and points[-1] >> 10 == 0x36:
                point = 0x10000 + (points.pop() - 0xD800 << 10) + point - 0xDC00
            points.append(point)
        if self.godot4 or self.dialect == "pandemonium3":
            points = [(0xFFFD if self.godot4 else 0x20) if p >> 11 == 0x1B else p for p in points]
        self.raw(b"".join(_spelled(0xFFFD if self.godot4 and p > 0x10FFFF else p) for p in points) + nul)

    def object(self, head, value):  # format.md#object
        if not self.objects: raise EncodeError("an object in full, which is not allowed")
        self.put("I", head)
        self.text(value.cls)
        self.put("I", len(value.properties))
        for name, inner in value.properties:
            self.text(name)
            yield inner

    def declare(self, head, *types):  # format.md#typed-containers
        forms = [0 if t is None else 1 if not t.cls else 3 if t.script and self.objects else 2 for t in types]
        self.put("I", head | sum(form << 16 + 2 * at for at, form in enumerate(forms)))
        for wanted, form in zip(types, forms):
            if form == 1: self.put("I", self.ids[wanted.kind])
            if form > 1: self.text(wanted.cls if self.objects else "EncodedObjectAsID")

    def array(self, head, kind, array):
        if kind == "Array":
            self.declare(head, getattr(array, "type", None))
        else:
            wanted = array.type
            by_id = wanted.kind == "Object" and not self.objects
            self.put("II", head | by_id << 16, self.ids.get(wanted.kind, wanted.kind))
            if wanted.kind == "Object" and self.objects: yield StringName(wanted.cls)
        self.put("I", len(array))
        for element in array: yield element

    def dictionary(self, head, dictionary):
        self.declare(head, getattr(dictionary, "key_type", None), getattr(dictionary, "value_type", None))
        self.put("I", len(dictionary))
        for key, value in dictionary.items():
            yield key.value if isinstance(key, Key) else key
            yield value

_LEAVES = {  # how a kind is read, after its header with these flags, and how it is written
    "Nil": (lambda r, flags: None, lambda w, value: None),
    "Bool": (lambda r, flags: r.word("bool") != 0, lambda w, value: w.put("I", value)),  # format.md#scalars
    "Int": (lambda r, flags: r.word("int", "q" if flags & 1 else "i"), None),
    "Float": (lambda r, flags: r.word("float", "d") if flags & 1 else _quiet(r.numbers("f1", 1, 0)[0]),
              lambda w, value: w.out.append(f32_bytes(value))),
    "String": (lambda r, flags: r.text(padding=not r.godot2), lambda w, value: w.text(value)),
    "StringName": (lambda r, flags: StringName(r.text()), lambda w, value: w.text(value)),
    "NodePath": (lambda r, flags: r.path(), lambda w, value: w.path(*value)),
    "Rid": (lambda r, flags: Rid(r.word("id", "Q") if r.godot4 else 0),  # format.md#rid
            lambda w, value: w.put("Q", value.id) if w.godot4 else None),
    "Object": (lambda r, flags: r.object(flags), None),
    "Callable": (lambda r, flags: Callable(), lambda w, value: None),
    "Signal": (lambda r, flags: Signal(r.text(), r.word("id", "Q")),  # format.md#signal
               lambda w, value: (w.text(value.name), w.put("Q", value.object_id))),
    "Image": (lambda r, flags: Image(*r.take("4I", "image"), data=r.bytes()),  # format.md#image
              lambda w, value: (w.put("4I", *value[:4]), w.raw(value.data))),
    "InputEvent": (lambda r, flags: r.event(*r.take("3I", "event")),  # format.md#inputevent
                   lambda w, value: w.put("3I" + "".join("f" if type(f) is float else "I" for f in value.fields),
                                          value.type, value.device, 12 + 4 * len(value.fields), *value.fields)),
    "PackedByteArray": (lambda r, flags: r.bytes(), lambda w, value: w.raw(value)),
    "PackedStringArray": (  # format.md#packedstringarray
        lambda r, flags: PackedStringArray(r.text(padding=not r.godot2) for _ in range(r.word("count", "i"))),
        lambda w, value: (w.put("I", len(value)), [w.text(text, b"\0") for text in value])),
}

def decode_prefix(data, dialect, objects=False, double=None, depth=1024,
                  has=lambda name: True, is_a=lambda own, wanted: own == wanted):
    """The first value and the number of bytes taken: up to 3 more than there are (format.md#packedbytearray).
    `double` is the build of Godot 4 that would read: False narrows reals of 8 bytes, None keeps all. `has` and `is_a`
    are what only an engine knows: whether it has a class or script, and whether a class derives from another."""
    reader = _Reader(data, dialect, objects, double, depth, has, is_a)
    return _run(reader.value), reader.at

def decode(data, dialect, **options): return decode_prefix(data, dialect, **options)[0]

def encode(value, dialect, double=False, objects=False, depth=1024):
    writer = _Writer(dialect, double, objects, depth)
    _run(lambda inner, depth: writer.value(inner if depth else value, depth))
    return b"".join(writer.out)

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit("usage: decoder.py DIALECT FILE; a dialect is one of " + " ".join(KINDS))
    sys.setrecursionlimit(10000)
    with open(sys.argv[2], "rb") as _file: _data = _file.read()
    try:
        print(decode(_data, sys.argv[1], objects=True))
    except DecodeError as _error:
        sys.exit(str(_error))
