// Events as words. src/words.rs reads and writes the same words, and explains each event.

export const NIL = 0, BOOL = 1, INT = 2, FLOAT = 3, TEXT = 4, KNOWN = 5, LEARN = 6, PATH = 7, PLAIN_PATH = 8, NUMBERS = 9,
  STRINGS = 10, RID = 11, CALLABLE = 12, SIGNAL = 13, NULL_OBJECT = 14, OBJECT_ID = 15, IMAGE = 16, INPUT_EVENT = 17,
  ARRAY = 18, DICTIONARY = 19, OBJECT = 20, NAME = 21, EXIT = 22, MISSING = 23;
export const FLAG_NAME = 1, SLOT = 1, FLAG_WIDE = 256, FLAG_SHARED = 256, UNKNOWN = 0xffffffff;
export const ANY = 0, BUILTIN = 1, CLASS = 2, SCRIPT = 3, UNKNOWN_ID = 4;


// A cell of 8 bytes, which converts two words to one number and back.
const cell = new ArrayBuffer(8);
export const cellWords = new Uint32Array(cell), cellFloat = new Float64Array(cell), cellSingle = new Float32Array(cell),
  cellLong = new BigInt64Array(cell), cellId = new BigUint64Array(cell);
