/** A text that nests or repeats so much that reading it would take too long. */
export class TooComplexError extends Error {
  override readonly name = "TooComplexError";
  /** Where, in UTF-16 code units of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
