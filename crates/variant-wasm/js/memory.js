// The memory of the module.

/** Room for the bytes of packets, allocated at the start. */
const PACKET = 1 << 12;

/** Views of the module's memory, recreated when it has grown. */
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

  /** Recreates the views if the memory has grown. Views of the old memory are empty; checking this is faster than reading the memory's buffer. */
  renew() {
    if (this.bytes.length === 0) this.view();
  }

  /** Copies bytes to the address at which the module reads them. `length` is the number of the bytes. */
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

/** The number that a function of the module returns if it has failed. */
const FAILED = 0xffffffff;

/** Returns a number that the module has returned, or throws its error. */
export function made(module, number) {
  if (number === FAILED) throw module.thrown();
  return number;
}
