#!/usr/bin/env python3
"""Compares four decoders on generated documents: variant-view, the reference in Rust, decoder.py and Kaitai Struct.

    check_independence.py VERDICTS FOLDER

VERDICTS is the output of the program `verdicts` of variant-testkit. Each line has a document, and the verdicts of
variant-view and of the reference: bytes consumed, or the first error and its offset. FOLDER holds the compiled variant.py.

decoder.py must have the same verdict, the same bytes consumed, and the same kind of error at the same byte. Exceptions are:
  - it reads some words as one piece, and reports the first byte of a piece that lacks bytes;
  - it counts missing padding at the end, so offsets after that are compared with the end;
  - it reads the class of a typed array as a value, and reports the first error in that value.
variant.ksy describes where values
end. So its parser must end at the same byte, and must refuse what is truncated or malformed. It does not check texts and depth.
"""
import collections
import os
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from decoder import DecodeError, decode_prefix  # noqa: E402

# The errors by decoder.py's names (format.md#errors).
ERRORS = {
    "ERR_FILE_EOF": {"Truncated", "NegativeLength", "ElementClass"},
    "ERR_INVALID_DATA": {"Truncated", "UnknownType", "NegativeLength", "InvalidText", "OldNodePath", "ElementType", "ElementClass"},
    "ERR_OUT_OF_MEMORY": {"LimitExceeded", "ElementClass"},
}
# The rules that variant.ksy does not express.
NOT_IN_GRAMMAR = {"InvalidText", "LimitExceeded"}


class Documents:
    """The documents of a file, each with its dialect and its verdict, on which the two decoders in Rust agree."""
    def __init__(self, path):
        self.path, self.differ = path, []

    def __iter__(self):
        with open(self.path, encoding="ascii") as file:
            for line in file:
                dialect, view, reference, *digits = line.split()
                if view != reference:
                    self.differ.append(line)
                    continue
                verdict, at = view.split(":")
                yield dialect, bytes.fromhex("".join(digits)), verdict, int(at)


def read_python(dialect, data, verdict, at):
    """What differs in the result of decoder.py."""
    try:
        end = decode_prefix(data, dialect, objects=True)[1]
    except DecodeError as error:
        offset = min(error.offset, len(data))
        is_at = {"Truncated": offset <= at, "ElementClass": offset >= at}.get(verdict, offset == at)
        return None if verdict in ERRORS[error.error] and is_at else str(error)
    return None if verdict == "Ok" and min(end, len(data)) == at else "ends at %d" % end


class Kaitai:
    def __init__(self, folder):
        sys.path.insert(0, folder)
        import kaitaistruct
        import variant
        self.stream = lambda data: kaitaistruct.KaitaiStream(kaitaistruct.BytesIO(data))
        self.parser, self.failures = variant.Variant, (kaitaistruct.KaitaiStructError, EOFError, ValueError)

    def read(self, dialect, data, verdict, at):
        """What differs in the result of the parser."""
        stream = self.stream(data)
        try:
            self.parser(self.parser.Dialect[dialect], stream)
        except self.failures as error:
            return "%r" % error if verdict == "Ok" else None
        if verdict != "Ok":
            return None if verdict in NOT_IN_GRAMMAR else "ends at %d" % stream.pos()
        return None if stream.pos() == at else "ends at %d" % stream.pos()


def main(path, folder):
    documents, verdicts, failures = Documents(path), collections.Counter(), []
    for decoder, read in ("decoder.py", read_python), ("variant.ksy", Kaitai(folder).read):
        started, count, verdicts = time.process_time(), 0, collections.Counter()
        for dialect, data, verdict, at in documents:
            count += 1
            verdicts[verdict] += 1
            if difference := read(dialect, data, verdict, at):
                failures.append("%s: %s %s:%d, %s: %s" % (decoder, dialect, verdict, at, difference, data.hex()))
        print("%s: %d documents, %.1f s of processor time" % (decoder, count, time.process_time() - started), flush=True)
    failures += ["variant-view and the reference differ: %s" % line for line in documents.differ]
    print("verdicts: %s" % ", ".join("%s %d" % pair for pair in verdicts.most_common()))
    print("%d differences" % len(failures))
    print("\n".join(failures[:40]))
    # Documents of one verdict only would prove little.
    return 1 if failures or len(verdicts) < 7 else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    # Generated documents nest a few levels deep, but the parser recurses several times for each.
    sys.setrecursionlimit(20000)
    threading.stack_size(256 << 20)
    status = []
    thread = threading.Thread(target=lambda: status.append(main(*sys.argv[1:])))
    thread.start()
    thread.join()
    sys.exit(status[0] if status else 1)
