// The memory of the module.

/** The initial space for the bytes of packets. */
const PACKET = 1 << 12;

/** Views of the module's memory. They are recreated when the memory has grown. */
export class Memory {
  constructor(module, memory) {
    this.module = module;
    this.memory = memory;
    this.view();
    this.empty();
  }

  view() {
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.ints = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }

  /** Recreates the views if the memory has grown. Views of the old memory are empty. This check is faster than reading the memory's buffer. */
  renew() {
    if (this.bytes.length === 0) this.view();
  }

  /** Copies bytes to the address at which the module reads them. `length` is their number. */
  put(bytes, length) {
    if (length > this.room) this.makeRoom(length);
    this.renew();
    this.bytes.set(bytes, this.place);
  }

  makeRoom(length) {
    this.place = made(this.module, this.module.input(length));
    this.room = length;
  }

  /** Called when the module has freed its buffers. */
  empty() {
    this.room = 0;
    this.makeRoom(PACKET);
  }
}

/** The number that a failed function of the module returns. */
const FAILED = 0xffffffff;

/** Returns the result of a function of the module, or throws its error. */
export function made(module, number) {
  if (number === FAILED) throw module.thrown();
  return number;
}
