#!/usr/bin/env python3
"""Proves the arithmetic on which the bounds of variant-view rest, for all inputs, on 32-bit and 64-bit machines.

    lemmas.py       prints each lemma and its width, and fails if a lemma does not hold

Each lemma is a statement about bit vectors. The solver looks for values that violate the statement: the lemma holds if
none exist. The constants come from the sources of variant-view. The expressions around them must be those of the
table below, so that a changed expression stops the script until its lemma is checked again.

A check that cannot fail proves nothing. So the script also changes each constant, and at least one lemma must then be
violated.
"""
import pathlib
import re
import sys
import time

from z3 import And, BitVec, BitVecVal, BoolVal, Extract, If, Implies, LShR, Not, Or, Solver, UDiv, UGE, UGT, ULE, ULT, URem, ZeroExt, sat, unsat

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "variant-view/src"
WIDTHS = 32, 64

# The names of constants, their file, and the expression that has them. `#` is a number.
PLACES = [
    ("PAD", "bytes.rs", "length.wrapping_neg() & #"),
    ("ROUND ROUND_MASK", "bytes.rs", "length.wrapping_add(#) & !#"),
    ("LENGTH_MAX", "bytes.rs", "if value > # {"),
    ("COUNT", "layout.rs", "const COUNT: u32 = #;"),
    ("ITEMS_OF_PAIR", "layout.rs", "let items = pairs.wrapping_mul(#);"),
    ("LEFT_OF_PAIR", "scan/flat/words.rs", "let left = pairs.wrapping_mul(#);"),
    ("EMPTY_STEP", "scan/flat/words.rs", "Payload::Empty => at.wrapping_add(#),"),
    ("FIXED_WORD FIXED_HEADER", "scan/flat/words.rs", "at.wrapping_add(usize::from(bytes) / #).wrapping_add(#),"),
    ("SCALAR_NARROW SCALAR_WIDE", "scan/flat/words.rs", "4 => at.wrapping_add(#), _ => at.wrapping_add(#),"),
    ("REAL_NARROW_HEADER", "scan/flat/words.rs", "4 => at.wrapping_add(usize::from(lanes)).wrapping_add(#),"),
    ("REAL_WIDE REAL_WIDE_HEADER", "scan/flat/words.rs",
     "_ => at.wrapping_add(usize::from(lanes).wrapping_mul(#)).wrapping_add(#),"),
    ("TEXT_AT", "scan/flat/words.rs", "Payload::Text => match self.text(at.wrapping_add(#)) {"),
    ("END_WORD", "scan/flat/words.rs", "if at <= self.all.len() { Some(at.wrapping_mul(#)) } else { is_open.then_some(self.bytes.len()) }"),
    ("OPEN_WORD", "scan/flat/words.rs", "Some((behind.div_ceil(#), items))"),
    ("TEXT_LENGTH TEXT_ROUND TEXT_SHIFT", "scan/flat/text.rs",
     "Some(at.wrapping_add(#).wrapping_add(size(length.wrapping_add(#) >> #)))"),
    ("LONG_ROUND LONG_SHIFT", "scan/flat/text.rs", "let behind = start.wrapping_add(size(length.wrapping_add(#) >> #));"),
    ("FROM_1 TO_1 STEP_1", "scan/flat/text.rs", "#..=# => (word(words, start)?, at.wrapping_add(#)),"),
    ("FROM_2 TO_2 SOME_2 STEP_2 FROM_3 TO_3 SOME_3 STEP_3", "scan/flat/text.rs",
     "#..=# => (some::<#>(words, start)?, at.wrapping_add(#)), #..=# => (some::<#>(words, start)?, at.wrapping_add(#)),"),
    ("HIGH", "scan/flat/text.rs", "const HIGH: u32 = #;"),
    ("MASK_BYTES", "template/mask.rs", "const BYTES: usize = #;"),
    ("MASK_BLOCK", "template/mask.rs", "const BLOCK: usize = #;"),
    ("EQUAL", "template/mask.rs", "const EQUAL: u8 = #;"),
    ("ASCII", "template/mask.rs", "const ASCII: u8 = #;"),
    ("LEFT", "scan/flat/levels.rs", "const LEFT: u64 = #;"),
    ("ELEMENTS ELEMENTS_SHIFT PAIRS PAIRS_SHIFT PROPERTIES PROPERTIES_SHIFT", "scan/flat/levels.rs",
     "const ELEMENTS: u64 = # << #; const PAIRS: u64 = # << #; const PROPERTIES: u64 = # << #;"),
    ("KEY_FROM KEY_TO KEY_BITS", "key/short.rs", "#..# => !u64::MAX.wrapping_shl(bytes.wrapping_mul(#)),"),
    ("FIRST_SHIFT", "key/short.rs", "let starts_alike = difference << # == 0 ||"),
]
# Expressions without a number: only their presence counts.
EXPRESSIONS = [
    ("template/mask.rs", "*wanted = byte & bits; *place = bits;"),
    ("template/mask.rs", "difference |= (found ^ wanted) & bits;"),
    ("template/mask.rs", "found.get(..len.div_ceil(BLOCK))"),
    ("template/mask.rs", "const BLOCKS: usize = BYTES / BLOCK;"),
    ("layout.rs", "cursor.take(size(count).saturating_mul(element), Part::Elements(kind))?;"),
    ("bytes.rs", "self.rest.split_at_checked(len)"),
    ("bytes.rs", "end: offset.wrapping_add(bytes.len())"),
    ("bytes.rs", "self.end.wrapping_sub(self.rest.len())"),
    ("scan/flat/text.rs", "if high & HIGH != 0 {"),
    ("scan/flat/text.rs", "some.iter().fold(0, |bits, word| bits | u32::from_le_bytes(*word))"),
    ("scan/flat/words.rs", "let (all, _) = bytes.as_chunks::<4>();"),
    ("scan/flat/levels.rs", "Self(u64::from(left) | form)"),
    ("scan/flat/levels.rs", "self.0 & LEFT == 0"),
    ("scan/flat/levels.rs", "self.0 >= PROPERTIES"),
    ("scan/flat/levels.rs", "self.0 = self.0.wrapping_sub(items.into());"),
]


def source(file):
    """The text of a source without comments and with single blanks."""
    text = re.sub(r"//[^\n]*", "", (SOURCES / file).read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", text)


def pattern(expression):
    return re.sub("#", r"([0-9a-fx_]+)", re.escape(expression).replace(r"\#", "#").replace(r"\ ", " "))


def constants():
    """The constants in the sources, and what was not found."""
    found, missing = {}, []
    for names, file, expression in PLACES:
        match = re.search(pattern(expression), source(file))
        if match:
            found.update(zip(names.split(), (int(number.replace("_", ""), 0) for number in match.groups())))
        else:
            missing.append("%s: %s" % (file, expression))
    missing += ["%s: %s" % (file, expression) for file, expression in EXPRESSIONS if expression not in source(file)]
    shapes = re.findall(r'= "\w+", (\[?)(\w+)\]? \{ ([^}]*) \};', source("kind.rs"))
    lanes = {packed: [len(re.sub(r"\w+\[", "", fields).split()) for at, number, fields in shapes if at == packed and number == "Real"] for packed in ("", "[")}
    if min(map(len, lanes.values())) < 3:
        missing.append("kind.rs: the shapes of kinds")
    else:
        # The most reals in an element of a packed array, and in another value.
        found.update(PACKED_LANES=max(lanes["["]), LANES=max(lanes[""]))
    return found, missing


def round_up(length):
    """The next multiple of 4, as a number that cannot overflow."""
    wide = ZeroExt(32, length)
    return wide + URem(4 - URem(wide, BitVecVal(4, 64)), BitVecVal(4, 64))


def padding_is_the_least(c, _):
    """bytes.rs, padding: the least number of bytes that makes each u32 a multiple of 4."""
    length = BitVec("length", 32)
    return ZeroExt(32, length) + ZeroExt(32, -length & c["PAD"]) == round_up(length)


def padded_is_length_and_padding(c, _):
    """bytes.rs, padded: for each length below 2^31 the sum does not overflow, and is the length with its padding."""
    length = BitVec("length", 32)
    padded = (length + c["ROUND"]) & ~BitVecVal(c["ROUND_MASK"], 32)
    return Implies(ULE(length, c["LENGTH_MAX"]), And(ZeroExt(32, padded) == round_up(length), padded == length + (-length & c["PAD"])))


def lengths_are_not_negative(c, _):
    """bytes.rs and layout.rs: a length is refused if and only if engines read it as negative; the mask of counts has all other bits."""
    value = BitVec("value", 32)
    return And(UGT(value, c["LENGTH_MAX"]) == (value < 0), (value & c["COUNT"] == value) == (value >= 0))


def pairs_do_not_overflow(c, _):
    """layout.rs and words.rs: twice a count of pairs fits in 32 bits, so no items are lost."""
    count = BitVec("count", 32)
    wide = ZeroExt(32, count & c["COUNT"]) * 2
    return And(*(ZeroExt(32, (count & c["COUNT"]) * c[name]) == wide for name in ("ITEMS_OF_PAIR", "LEFT_OF_PAIR")))


def words_of_a_text(c, _):
    """text.rs: the number of words of a text, in both passes, is that of its bytes with padding."""
    length = BitVec("length", 32)
    words = round_up(length) == 4 * ZeroExt(32, LShR(length + c["TEXT_ROUND"], c["TEXT_SHIFT"]))
    long = round_up(length) == 4 * ZeroExt(32, LShR(length + c["LONG_ROUND"], c["LONG_SHIFT"]))
    return Implies(ULE(length, c["COUNT"]), And(words, long, BoolVal(c["TEXT_LENGTH"] == 1)))


def short_texts(c, _):
    """text.rs: each arm for short texts reads all words of its texts, and moves as the general rule does."""
    length = BitVec("length", 32)
    arms = []
    for arm in "123":
        words = LShR(length + 3, 2)
        inside = And(UGE(length, c["FROM_" + arm]), ULE(length, c["TO_" + arm]))
        arms.append(Implies(inside, And(words == c.get("SOME_" + arm, 1), words + 1 == c["STEP_" + arm])))
    return And(*arms, BoolVal(c["FROM_1"] == 1), BoolVal(c["FROM_2"] == c["TO_1"] + 1), BoolVal(c["FROM_3"] == c["TO_2"] + 1), BoolVal(c["TO_3"] == 12))


def steps_are_the_payload(c, width):
    """words.rs: a step over a value of known size is its header and its payload, in words."""
    lanes = BitVec("lanes", width)
    few = ULE(lanes, c["LANES"])
    fixed = 4 * (UDiv(4 * lanes, BitVecVal(c["FIXED_WORD"], width)) + c["FIXED_HEADER"]) == 4 + 4 * lanes
    narrow = 4 * (lanes + c["REAL_NARROW_HEADER"]) == 4 + 4 * lanes
    wide = 4 * (lanes * c["REAL_WIDE"] + c["REAL_WIDE_HEADER"]) == 4 + 8 * lanes
    constants = c["EMPTY_STEP"] == 1 and c["SCALAR_NARROW"] == 2 and c["SCALAR_WIDE"] == 3 and c["TEXT_AT"] == 1
    return And(Implies(few, And(fixed, narrow, wide)), BoolVal(constants))


def slice_words(width):
    """The number of words in a slice, and what is known of it: a slice has at most isize::MAX bytes."""
    bytes_ = BitVec("bytes", width)
    return bytes_, LShR(bytes_, 2), ULE(bytes_, (1 << width - 1) - 1)


def positions_do_not_wrap(c, width):
    """words.rs: after a step from a word that was read, four times the position is less than 2^width."""
    _, words, is_slice = slice_words(width)
    at, length, lanes = BitVec("at", width), BitVec("length", 32), BitVec("lanes", width)
    read = And(is_slice, ULT(at, words), ULE(length, c["COUNT"]), ULE(lanes, c["LANES"]))
    # A text: its length was read, so the word after the header is in the slice.
    text_words = LShR(length + c["TEXT_ROUND"], c["TEXT_SHIFT"])
    text_words = ZeroExt(32, text_words) if width == 64 else text_words
    text = at + c["TEXT_AT"] + c["TEXT_LENGTH"] + text_words
    reals = at + lanes * c["REAL_WIDE"] + c["REAL_WIDE_HEADER"]
    fits = lambda position: And(UGT(position, at), ULT(position, 1 << width - 2), 4 * ZeroExt(8, position) == ZeroExt(8, position * 4))
    return Implies(read, And(fits(reals), fits(at + c["SCALAR_WIDE"]), Implies(ULT(at + c["TEXT_AT"], words), fits(text))))


def end_is_checked(c, width):
    """words.rs, end: a position that passes means that all bytes before it exist; no other position is accepted."""
    bytes_, words, is_slice = slice_words(width)
    at = BitVec("at", width)
    known = And(is_slice, ULT(at, 1 << width - 2))
    passes = ULE(at, words)
    return Implies(known, And(passes == ULE(4 * at, bytes_), Implies(passes, And(at * c["END_WORD"] == 4 * at, ULE(at * c["END_WORD"], bytes_)))))


def open_end_is_the_end(c, width):
    """words.rs, rare: the position of a value that ends with the document, but not with a word, is after the last whole word."""
    bytes_, words, is_slice = slice_words(width)
    rounded = UDiv(bytes_ + (c["OPEN_WORD"] - 1), BitVecVal(c["OPEN_WORD"], width))
    open_end = URem(bytes_, BitVecVal(4, width)) != 0
    return Implies(is_slice, And(Implies(open_end, And(rounded == words + 1, UGT(rounded, words))), Implies(Not(open_end), rounded == words)))


def elements_fit(c, width):
    """layout.rs, packed: if the saturating product fits in the input, it is the exact product."""
    count, element, available = BitVec("count", 32), BitVec("element", 8), BitVec("available", width)
    known = And(ULE(count, c["LENGTH_MAX"]), ULE(element, 8 * c["PACKED_LANES"]), ULE(available, (1 << width - 1) - 1))
    exact = ZeroExt(96, count) * ZeroExt(120, element)
    greatest = BitVecVal((1 << width) - 1, 128)
    saturated = If(UGT(exact, greatest), greatest, exact)
    fits = ULE(saturated, ZeroExt(128 - width, available))
    never = BoolVal(True) if width == 32 else ULT(exact, greatest)
    return Implies(known, And(fits == ULE(exact, ZeroExt(128 - width, available)), never))


def cursor_offsets(_, width):
    """bytes.rs, Cursor: after a take, the offset has risen by the bytes taken, and does not pass the end."""
    offset, length, left, taken = (BitVec(name, width) for name in ("offset", "length", "left", "taken"))
    most = (1 << width - 1) - 1
    known = And(ULE(length, most), ULE(offset, most - length), ULE(left, length), ULE(taken, left))
    end = offset + length
    before, after = end - left, end - (left - taken)
    return Implies(known, And(after == before + taken, UGE(after, before), ULE(after, end), UGE(before, offset)))


def ascii_words(c, _):
    """text.rs: the mask of a word, also of several words in one, is clear if and only if all bytes are ASCII."""
    words = [BitVec("word%d" % n, 32) for n in range(3)]
    small = And(*(ULT(Extract(8 * n + 7, 8 * n, word), 0x80) for word in words for n in range(4)))
    return ((words[0] | words[1] | words[2]) & c["HIGH"] == 0) == small


def masks_of_bytes(c, _):
    """mask.rs: a byte under EQUAL is the byte of the record; under ASCII it is ASCII if the record's is; without bits it is any byte."""
    found, record = BitVec("found", 8), BitVec("record", 8)
    agree = lambda bits: (found ^ (record & bits)) & bits == 0
    return And(agree(c["EQUAL"]) == (found == record), Implies(ULT(record, 0x80), agree(c["ASCII"]) == ULT(found, 0x80)), agree(0))


def masks_of_blocks(c, width):
    """mask.rs: the blocks of a record within the capacity are blocks of the mask, and have all of its bytes."""
    length, first = BitVec("length", width), BitVec("first", width)
    block, capacity = BitVecVal(c["MASK_BLOCK"], width), c["MASK_BYTES"]
    blocks = UDiv(length + (c["MASK_BLOCK"] - 1), block)
    known = ULE(length, capacity)
    least = And(UGE(blocks * block, length), ULT(blocks * block, length + block))
    whole = BoolVal(capacity % c["MASK_BLOCK"] == 0)
    # A piece starts at a block, and the recorder compares the sum of blocks with the capacity.
    sums = Implies(ULE(first + blocks, capacity // c["MASK_BLOCK"]), ULE(first * block + length, capacity))
    return And(whole, Implies(And(known, ULE(first, capacity)), And(least, ULE(blocks, capacity // c["MASK_BLOCK"]), sums)))


def masks_add_up(_, __):
    """mask.rs, agree: the bitwise or of the differences is 0 if and only if each difference is 0."""
    differences = [BitVec("difference%d" % n, 8) for n in range(4)]
    total = differences[0] | differences[1] | differences[2] | differences[3]
    return (total == 0) == And(*(difference == 0 for difference in differences))


def levels_hold_both(c, _):
    """levels.rs: a level keeps its number of items and its form, also after items were taken; no container is a leaf."""
    left, items = BitVec("left", 32), BitVec("items", 32)
    forms = {name: c[name] << c[name + "_SHIFT"] for name in ("ELEMENTS", "PAIRS", "PROPERTIES")}
    checks = [BoolVal(len(set(forms.values())) == 3 and min(forms.values()) > 0)]
    for name, form in forms.items():
        level = ZeroExt(32, left) | form
        taken = level - ZeroExt(32, items)
        kept = And(level & c["LEFT"] == ZeroExt(32, left), level & ~BitVecVal(c["LEFT"], 64) == form, level != 0)
        kept = And(kept, UGE(level, forms["PROPERTIES"]) == BoolVal(name == "PROPERTIES"))
        checks.append(And(kept, Implies(ULE(items, left), taken == ZeroExt(32, left - items) | form)))
    return And(*checks)


def short_keys(c, _):
    """short.rs: the masked difference of two words is 0 if and only if the first bytes are equal, for each number of bytes."""
    ours, theirs = BitVec("ours", 64), BitVec("theirs", 64)
    byte = lambda word, n: Extract(8 * n + 7, 8 * n, word)
    checks = [BoolVal(c["KEY_FROM"] == 1 and c["KEY_TO"] == 8), ((ours ^ theirs) << c["FIRST_SHIFT"] == 0) == (byte(ours, 0) == byte(theirs, 0))]
    for count in range(c["KEY_FROM"], min(c["KEY_TO"], 8)):
        shift = c["KEY_BITS"] * count & 63  # as wrapping_shl
        mask = ~(BitVecVal(-1, 64) << shift)
        checks.append(((ours ^ theirs) & mask == 0) == And(*(byte(ours, n) == byte(theirs, n) for n in range(count))))
    return And(*checks)


LEMMAS = [
    padding_is_the_least, padded_is_length_and_padding, lengths_are_not_negative, pairs_do_not_overflow, words_of_a_text, short_texts,
    steps_are_the_payload, positions_do_not_wrap, end_is_checked, open_end_is_the_end, elements_fit, cursor_offsets, ascii_words,
    masks_of_bytes, masks_of_blocks, masks_add_up, levels_hold_both, short_keys,
]
# Changes of constants that no lemma needs to detect, with the reason.
FREE = {
    "LANES": "a maximum over all kinds; the lemmas hold for more",
    "PACKED_LANES": "a maximum over all kinds; the lemmas hold for more",
    "PROPERTIES": "any number greater than those of the other forms",
    "PROPERTIES_SHIFT": "any number that leaves the form greater than the others",
}


class Used(dict):
    """Constants that remember which of them were used."""
    def __init__(self, found):
        dict.__init__(self, found)
        self.names = set()

    def __getitem__(self, name):
        self.names.add(name)
        return dict.__getitem__(self, name)

    def get(self, name, default):
        return self[name] if name in self else default


def counterexample(lemma, found, width, seconds=300):
    """Values that violate the lemma, or None. Also None if a changed constant takes the solver too long."""
    solver = Solver()
    solver.set("timeout", seconds * 1000)
    solver.add(Not(lemma(found, width)))
    verdict = solver.check()
    if verdict not in (sat, unsat) and seconds > QUICK:
        raise SystemExit("%s, %d bits: the solver did not decide" % (lemma.__name__, width))
    return str(solver.model()) if verdict == sat else None


# Seconds for a changed constant: a violation is found at once.
QUICK = 10


def changed(found, name):
    """The constants with one of them changed: one bit of a mask, one more of a number."""
    return {**found, name: found[name] ^ 1 if found[name] > 64 else found[name] + 1}


def main():
    started = time.monotonic()
    found, missing = constants()
    if missing:
        raise SystemExit("not in variant-view/src; check the lemmas of:\n  " + "\n  ".join(missing))
    failures, users = [], {}
    for lemma in LEMMAS:
        for width in WIDTHS:
            used = Used(found)
            if model := counterexample(lemma, used, width):
                failures.append("%s, %d bits: violated by %s" % (lemma.__doc__, width, model))
            for name in used.names:
                users.setdefault(name, []).append((lemma, width))
        print(lemma.__doc__, flush=True)
    names = [name for name in found if name not in FREE]
    for name in names:
        other = changed(found, name)
        if not any(counterexample(lemma, other, width, QUICK) for lemma, width in users.get(name, [])):
            failures.append("no lemma detects %s = %#x" % (name, other[name]))
    print("%d lemmas, %d proofs, %d changed constants detected, %.1f s" % (len(LEMMAS), len(LEMMAS) * len(WIDTHS), len(names), time.monotonic() - started))
    return "\n".join(failures)


if __name__ == "__main__":
    sys.exit(main() or 0)
