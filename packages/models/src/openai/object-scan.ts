/**
 * Tells whether the JSON object that arrives piece by piece has come to its end. Each character is looked at once: to parse
 * the whole again with each piece would take hours for what a hostile server sends in seconds.
 */
export class ObjectScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isOver = false;

  /** Whether the outermost brace was closed. Whether all within is JSON is for a parser to say. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add(piece: string): void {
    for (let place = 0; place < piece.length && !this.#isOver; place++) {
      if (this.#isInText) this.#readText(piece[place]);
      else this.#readMark(piece[place]);
    }
  }

  #readText(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }

  #readMark(character: string | undefined): void {
    if (character === '"') this.#isInText = true;
    if (character === "{") this.#depth++;
    if (character === "}") this.#isOver = --this.#depth === 0;
  }
}
