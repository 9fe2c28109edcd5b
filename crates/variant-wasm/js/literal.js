// The text of a value as scripts write it.

export class Literal {
  constructor(literal) {
    if (typeof literal !== "string") throw new TypeError("literal: a string is wanted");
    this.text = literal;
  }
}
