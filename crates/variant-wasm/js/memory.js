// The memory of the module.

/** Views of the module's memory, made anew when it has grown. */
export class Memory {
  constructor(memory) {
    this.memory = memory;
    this.renew();
  }
  renew() {
    const { buffer } = this.memory;
    if (this.bytes?.buffer === buffer) return;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.ints = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}
