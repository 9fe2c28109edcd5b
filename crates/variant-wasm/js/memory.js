// The memory of the module.

/** Room for the bytes of packets, which is there from the start. */
const PACKET = 1 << 12;

/** Views of the module's memory, made anew when it has grown. */
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

  /** Views of memory that has grown have no bytes; to ask for its buffer takes longer. */
  renew() {
    if (this.bytes.length === 0) this.view();
  }

  /** Copies bytes, whose length is `length`, to where the module reads them. */
  put(bytes, length) {
    if (length > this.room) this.makeRoom(length);
    this.renew();
    this.bytes.set(bytes, this.place);
  }

  makeRoom(length) {
    this.place = made(this.module, this.module.input(length));
    this.room = length;
  }

  /** For when the module has given its buffers back. */
  empty() {
    this.room = 0;
    this.makeRoom(PACKET);
  }
}

/** What a function of the module returns that has failed. */
const FAILED = 0xffffffff;

/** A number that the module has returned, or its error thrown. */
export function made(module, number) {
  if (number === FAILED) throw module.thrown();
  return number;
}
